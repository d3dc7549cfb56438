"""python -m quatsimd ARGUMENTS: the command quatsimd (docs/command.md)."""
import sys

from ._library import find
from ._run import run


def main():
    return run(find("quatsimd_command"), sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
