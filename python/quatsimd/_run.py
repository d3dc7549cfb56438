"""The command in this process. Also a script, which starts without the package: _run.py LIBRARY ARGUMENTS..."""
import ctypes
import os
import signal
import sys


def run(library, arguments):
    """Runs the command as its program does, with its signals, and returns the exit status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as under nohup
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGPIPE"):  # Python ignores it
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    texts = [os.fsencode(text) for text in ["quatsimd", *arguments]]
    return ctypes.CDLL(library).quatsimd_python_run(len(texts), (ctypes.c_char_p * (len(texts) + 1))(*texts))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]))
