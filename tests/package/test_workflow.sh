#!/bin/bash
# Runs the steps of a workflow's job `linux`, word for word, in a new root of Debian that has apt and sudo, as a public runner has.
#   test_workflow.sh SOURCE_DIR PYTHON WORKFLOW     PYTHON: with ruamel.yaml
# Exit status 77: there is no mmdebstrap, or this is not root.
set -euo pipefail
source=$1 python=$2 workflow=$3
# shellcheck source=tests/package/new_root.sh
. "$(dirname "$0")/new_root.sh"
new_root "$source" apt,sudo
cp /etc/resolv.conf "$root/etc"
mount -t proc proc "$root/proc" # a runner has it; ctest asks it for the processors
trap 'umount "$root/proc"; rm -rf --one-file-system "$work"' EXIT

"$python" - "$workflow" "$work" <<'END'
import sys

from ruamel.yaml import YAML

steps = YAML(typ="safe").load(open(sys.argv[1]))["jobs"]["linux"]["steps"]
for number, step in enumerate(step for step in steps if "run" in step):
    assert "${{" not in step["run"], "only GitHub knows what this is: " + step["run"]
    with open(f"{sys.argv[2]}/step{number}", "w") as file:
        file.write(f"# {step['name']}\n{step['run']}\n")
END
for step in "$work"/step*; do
  name=$(sed -n '1s/# //p' "$step")
  echo "$name:"
  cp "$step" "$root/step"
  inside "cd /work; exec bash --noprofile --norc -eo pipefail /step" >"$work/log" 2>&1 || { # as a runner has it
    tail -n 60 "$work/log"
    echo "FAILED: $name"
    exit 1
  }
  grep -E 'tests passed' "$work/log" || echo ok
done
