#!/usr/bin/python3
"""Prints a Python module with the types of libquatsimd's interface for ctypes, made from its headers. Usage:
  scripts/ctypes_bindings.py INCLUDE_FOLDER [HEADER] > quatsimd.py     HEADER includes more than <quatsimd/quatsimd.h>
  scripts/ctypes_bindings.py --compare MODULE INCLUDE_FOLDER [HEADER]      whether the module is so already: exit status 1 if not
Then:
  import quatsimd
  library = quatsimd.load("libquatsimd.so")    # every function that is there, with its arguments and its result
Needs pycparser (Debian: python3-pycparser) and, in CC, a C compiler (cc)."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from pycparser import c_ast, c_parser

NUMBERS = {
    "char": "c_char",
    "signed char": "c_byte",
    "unsigned char": "c_ubyte",
    "short": "c_short",
    "unsigned short": "c_ushort",
    "int": "c_int",
    "unsigned": "c_uint",
    "unsigned int": "c_uint",
    "long": "c_long",
    "unsigned long": "c_ulong",
    "long long": "c_longlong",
    "float": "c_float",
    "double": "c_double",
    "size_t": "c_size_t",
    "bool": "c_bool",
    "int8_t": "c_int8",
    "uint8_t": "c_uint8",
    "int16_t": "c_int16",
    "uint16_t": "c_uint16",
    "int32_t": "c_int32",
    "uint32_t": "c_uint32",
    "int64_t": "c_int64",
    "uint64_t": "c_uint64",
}
STANDARD = "".join(f"typedef int {name};\n" for name in NUMBERS if name.endswith("_t") or name == "bool")


def preprocessed(folder, *options, header="<quatsimd/quatsimd.h>"):
    """The headers as the compiler sees them, with names of the C library's types as they are."""
    with tempfile.TemporaryDirectory() as stubs:
        for name in ("stddef.h", "stdint.h", "stdbool.h", "math.h", "string.h"):
            (pathlib.Path(stubs) / name).write_text("#define NULL 0\n" if name == "stddef.h" else "", encoding="utf-8")
        command = [
            os.environ.get("CC", "cc"),
            "-E",
            "-P",
            "-nostdinc",
            f"-I{stubs}",
            f"-I{folder}",
            "-D__attribute__(x)=",
            *options,
            "-xc",
            "-",
        ]
        text = f"#include {header}\n"
        return STANDARD + subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE, text=True).stdout


def numbers(folder):
    """Macros of the headers that are whole numbers, as lines of Python."""
    found = re.findall(r"^#define (QUATSIMD_\w+) (\d+)$", preprocessed(folder, "-dM"), re.M)
    return [f"{name} = {value}" for name, value in sorted(found)]


class Module:
    """The lines of the module, in an order in which each name is there before it is used."""

    def __init__(self, tree, constants=()):
        self.constants, self.structs, self.fields, self.functions, self.values = list(constants), {}, [], [], {}
        self.names = {name: f"ctypes.{of}" for name, of in NUMBERS.items()}
        for node in tree.ext:
            if isinstance(node, c_ast.Typedef) and node.name not in NUMBERS:
                self.names[node.name] = self.type_of(node.type)
            elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl) and node.name.startswith("quatsimd_"):
                self.functions.append(f'    "{node.name}": ({self.function(node.type)}),')
            elif isinstance(node, c_ast.Decl):
                self.type_of(node.type)

    def function(self, node):
        types = [a.type for a in (node.args.params if node.args else [])]
        arguments = [self.type_of(c_ast.PtrDecl([], a.type) if isinstance(a, c_ast.ArrayDecl) else a) for a in types]
        arguments = [] if arguments == [None] else arguments
        return f"{self.type_of(node.type)}, [{', '.join(arguments)}]"

    def number(self, node):
        """The value of a constant expression."""
        if isinstance(node, c_ast.Constant):
            return int(node.value.rstrip("uUlL"), 0)
        if isinstance(node, c_ast.ID):
            return self.values[node.name]
        if isinstance(node, c_ast.UnaryOp) and node.op == "-":
            return -self.number(node.expr)
        if isinstance(node, c_ast.Cast):
            return self.number(node.expr)
        if isinstance(node, c_ast.BinaryOp):
            left, right = self.number(node.left), self.number(node.right)
            return {"+": left + right, "-": left - right, "*": left * right, "<<": left << max(right, 0), "|": left | right}[node.op]
        raise ValueError(f"no constant: {node}")

    def enumerate(self, node):
        value = -1
        for one in node.values.enumerators if node.values else []:
            value = self.number(one.value) if one.value else value + 1
            self.values[one.name] = value
            self.constants.append(f"{one.name} = {value}")
        return "ctypes.c_int"

    def record(self, node, kind):
        name = node.name or f"anonymous_{len(self.structs)}"
        if name not in self.structs:
            self.structs[name] = f"class {name}(ctypes.{kind}):\n    pass\n"
        if node.decls:
            fields = [f'("{f.name}", {self.type_of(f.type)})' for f in node.decls]
            self.fields.append(f"{name}._fields_ = [{', '.join(fields)}]")
        return name

    def type_of(self, node):
        """An expression of Python; None for void. Arrays of numbers are addresses."""
        if isinstance(node, c_ast.PtrDecl):
            if isinstance(node.type, c_ast.FuncDecl):
                return f"ctypes.CFUNCTYPE({self.function(node.type).replace('[', '').replace(']', '')})"
            to = self.type_of(node.type)
            if to == "ctypes.c_char":
                return "ctypes.c_char_p"
            return "ctypes.c_void_p" if not to or to.startswith("ctypes.c_") and to[-2:] != "_p" else f"ctypes.POINTER({to})"
        if isinstance(node, c_ast.ArrayDecl):
            return f"{self.type_of(node.type)} * {self.number(node.dim)}" if node.dim else f"ctypes.POINTER({self.type_of(node.type)})"
        if isinstance(node, c_ast.TypeDecl):
            return self.type_of(node.type)
        if isinstance(node, c_ast.IdentifierType):
            name = " ".join(node.names)
            return None if name == "void" else self.names[name]
        if isinstance(node, c_ast.Enum):
            return self.enumerate(node)
        return self.record(node, "Union" if isinstance(node, c_ast.Union) else "Structure")

    def text(self):
        return "\n".join(
            [
                '"""libquatsimd for ctypes, made by scripts/ctypes_bindings.py."""',
                "import ctypes",
                "",
                *self.constants,
                "",
                *self.structs.values(),
                *self.fields,
                "",
                "FUNCTIONS = {",
                *self.functions,
                "}",
                "",
                "",
                "def load(path):",
                '    """The shared library, its functions with their types."""',
                "    library = ctypes.CDLL(path)",
                "    for name, (result, arguments) in FUNCTIONS.items():",
                "        if function := getattr(library, name, None):  # a library may have no encoder",
                "            function.restype, function.argtypes = result, arguments",
                "    return library",
                "",
            ]
        )


def main():
    arguments, kept = sys.argv[1:], None
    if arguments[:1] == ["--compare"] and len(arguments) > 1:
        kept, arguments = pathlib.Path(arguments[1]), arguments[2:]
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        sys.exit(__doc__)
    folder, header = arguments[0], f'"{pathlib.Path(arguments[1]).resolve()}"' if arguments[1:] else "<quatsimd/quatsimd.h>"
    text = Module(c_parser.CParser().parse(preprocessed(folder, header=header)), numbers(folder)).text()
    if not kept:
        print(text, end="")
    elif kept.read_text(encoding="utf-8") != text:
        sys.exit(f"{kept}: not what {sys.argv[0]} makes of the headers")


if __name__ == "__main__":  # tests/package/test_names.py takes functions of it
    main()
