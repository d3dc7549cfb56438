"""The two shared libraries of this package, and their errors as exceptions."""
import os
import pathlib
import sys

from . import _declarations as c

FOLDER = pathlib.Path(os.environ.get("QUATSIMD_LIBRARIES") or pathlib.Path(__file__).with_name("libraries")).resolve()
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


class Error(ValueError):
    """Bytes that libquatsimd refuses, or a call that it cannot carry out. `status` is its number (docs/status.md)."""

    def __init__(self, text, status):
        super().__init__(text)
        self.status = status


def find(name):
    """A library of this package, or the folder that QUATSIMD_LIBRARIES names."""
    path = FOLDER / f"lib{name}{SUFFIX}"
    if not path.exists():
        raise ImportError(f"quatsimd: there is no {path}: install the package, or set QUATSIMD_LIBRARIES to the folder of its libraries")
    return str(path)


lib = c.load(find("quatsimd_python"))
version = lib.quatsimd_version().decode()
if lib.quatsimd_version_number() != 10000 * c.QUATSIMD_VERSION_MAJOR + 100 * c.QUATSIMD_VERSION_MINOR + c.QUATSIMD_VERSION_PATCH:
    raise ImportError(f"quatsimd: {FOLDER} has libraries of version {version}, not those of this package")


def check(status, about="", report=None):
    """Raises what a negative status stands for. `about` begins the sentence: the argument, file or clip. A report's error ends it."""
    if status >= 0:
        return status
    error = report.error if report is not None and report.error else lib.quatsimd_status_string(status)
    text = f"{about}: {error.decode()}" if about else error.decode()
    if status == c.QUATSIMD_ERROR_NO_MEMORY:
        raise MemoryError(text)
    raise Error(text, status)
