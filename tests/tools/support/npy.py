"""Makes .npy files with any header."""
import struct


def header(text, version=1, length=None, magic=b"\x93NUMPY"):
    text = text.encode("latin-1") + b"\n"
    length = len(text) if length is None else length
    return magic + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", length) + text
