#!/bin/sh
# Compresses a library of animations on a cluster: an array of jobs, each with its share of the files, and one job after them that
# merges what they report. Run it again if some were interrupted: what is done is not done again.
#
#   submit.sh LIBRARY OUT [SHARDS [SBATCH-OPTION...]]     as in: submit.sh /data/animations /data/clips 20 --partition=short
#
# LIBRARY and OUT are folders that all nodes see. Options for `quatsimd compress` can be in QUATSIMD_OPTIONS, as "--rotation 0.01deg".
set -eu
library=$1 out=$2 shards=${3:-10}
shift $(($# < 3 ? $# : 3))
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
array=$(sbatch --parsable --array="1-$shards" --output="$out/shard-%a.log" "$@" "$here/shard.sh" "$library" "$out")
merge=$(sbatch --parsable --dependency="afterany:${array%%;*}" --output="$out/merge.log" "$@" "$here/merge.sh" "$library" "$out")
echo "shards: job $array, merge: job $merge; $out/merge.log and $out/report.html say what came of it"
