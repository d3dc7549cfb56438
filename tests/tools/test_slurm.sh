#!/bin/bash
# examples/slurm on a real Slurm of one node, which is this machine: the bundles of an array of jobs are those of one run.
#   test_slurm.sh QUATSIMD EXAMPLES
# Exit status 77, with the reason: there is no Slurm here or it cannot be started.
set -euo pipefail
tool=$1 examples=$2
skip() {
  echo "SKIP: $*"
  exit 77
}
for program in munged slurmctld slurmd sbatch squeue; do command -v $program >/dev/null || skip "no $program (Debian: slurm-wlm, munge)"; done
[ "$(id -u)" = 0 ] || skip "slurmd has to be started as root"

work=$(mktemp -d)
chmod 755 "$work"
mkdir "$work"/{state,spool,munge,bin,in,in/broken}
chmod 700 "$work/munge"
processes=()
clean_up() {
  for process in ${processes[@]+"${processes[@]}"}; do kill "$process" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
show_logs() { tail -n 15 "$work"/*.log 2>/dev/null; }

host=$(hostname -s)
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 status=none
chmod 400 "$work/munge/key"
munged --foreground --force --num-threads=2 --key-file="$work/munge/key" --socket="$work/munge.socket" --pid-file="$work/munge/pid" --seed-file="$work/munge/seed" \
  --log-file="$work/munge/log" 2>"$work/munged.log" &
processes+=($!)
cat >"$work/slurm.conf" <<CONFIG
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONFIG
export SLURM_CONF=$work/slurm.conf
for _ in $(seq 50); do
  [ -S "$work/munge.socket" ] && break
  sleep 0.1
done
slurmctld -D 2>"$work/ctld.log" &
processes+=($!)
slurmd -D 2>"$work/d.log" &
processes+=($!)
for _ in $(seq 100); do
  sinfo -h -o %T 2>/dev/null | grep -q idle && break
  sleep 0.2
done
sinfo -h -o %T 2>/dev/null | grep -q idle || {
  show_logs
  skip "Slurm does not start here"
}

ln -s "$tool" "$work/bin/quatsimd"
export PATH=$work/bin:$PATH
/usr/bin/python3 - "$work/in" "$(dirname "$0")" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[2])
from support.compressing import small
for i in range(40):
    open("%s/%02d.glb" % (sys.argv[1], i), "wb").write(small(seed=i + 1))
open(sys.argv[1] + "/broken/x.glb", "wb").write(b"glTF")
PYTHON

mkdir "$work/out"
sbatch --wait --array=0-3 --output="$work/task-%a.log" "$examples/array.sh" "$work/in" "$work/out" || true # the broken one
cat "$work"/task-*.log
quatsimd compress -o "$work/single" "$work/in" >/dev/null 2>&1 || true
diff -r "$work/out" "$work/single"
[ "$(find "$work/out" -name '*.qsb' | wc -l)" = 40 ]
[ "$(cat "$work"/task-*.log | grep -c 'x.glb: ')" = 1 ]
echo "the bundles of 4 tasks are those of one run"
