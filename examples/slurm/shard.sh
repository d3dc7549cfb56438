#!/bin/sh
#SBATCH --job-name=compress
#SBATCH --cpus-per-task=2
# A share of the library: see submit.sh. The status is 1 if a file of it cannot be compressed.
# shellcheck disable=SC2086 # options are words
exec quatsimd compress ${QUATSIMD_OPTIONS:-} --jobs "${SLURM_CPUS_PER_TASK:-1}" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" -o "$2" "$1"
