"""python -m quatsimd ARGUMENTS: the command quatsimd (docs/command.md)."""
import sys

from ._library import find
from ._run import run

sys.exit(run(find("quatsimd_command"), sys.argv[1:]))
