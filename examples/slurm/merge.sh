#!/bin/sh
#SBATCH --job-name=compress-merge
#SBATCH --cpus-per-task=2
# After all shards: finds what they made up to date, tries once more what is missing, and reports on all of it: see submit.sh.
# shellcheck disable=SC2086 # options are words
exec quatsimd compress ${QUATSIMD_OPTIONS:-} --jobs "${SLURM_CPUS_PER_TASK:-1}" --report "$2/report.html" -o "$2" "$1"
