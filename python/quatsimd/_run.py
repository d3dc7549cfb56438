"""The command in this process. Also a script, which starts without the package, for a share of a recipe: _run.py LIBRARY ARGUMENTS..."""
import ctypes
import os
import signal
import sys


def run(library, arguments, share=False):
    """Runs the command as its program does, with its signals, and returns the exit status. share: as in command.h."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as under nohup
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGPIPE"):  # Python ignores it
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    texts = [os.fsencode(text) for text in ["quatsimd", *arguments]]
    argv = (ctypes.c_char_p * (len(texts) + 1))(*texts)
    return ctypes.CDLL(library).quatsimd_python_run(len(texts), argv, ctypes.c_bool(share))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:], True))
