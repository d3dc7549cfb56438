#!/bin/sh
#SBATCH --job-name=compress --cpus-per-task=2
# A bundle in OUT for each animation below LIBRARY; each task of the array takes its part of the files. Bundles that are up to date stay.
#   sbatch --array=0-19 array.sh LIBRARY OUT [OPTION...]
library=$1 out=$2 status=0
shift 2
cd "$library" || exit
files=$(find . -type f | grep -iE '\.(glb|gltf|vrm|vrma|bvh|fbx)$' | sort | awk "NR % $SLURM_ARRAY_TASK_COUNT == $SLURM_ARRAY_TASK_ID")
while read -r file; do [ -z "$file" ] || quatsimd compress "$@" -o "$out/${file%.*}.qsb" "$file" || status=1; done <<END
$files
END
exit $status
