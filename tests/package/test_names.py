#!/usr/bin/python3
"""Holds the public headers to rules of names that bindings of other languages, and readers, depend on. Usage: test_names.py SOURCE_FOLDER"""
import keyword
import pathlib
import re
import sys
import unittest

from pycparser import c_ast, c_generator, c_parser

SOURCE = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(SOURCE / "scripts"))
import ctypes_bindings  # pylint: disable=wrong-import-position

KEYWORDS = {
    "Python": set(keyword.kwlist),
    "C++": set(
        """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept
        const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else
        enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator
        or or_eq private protected public register reinterpret_cast requires restrict return short signed sizeof static static_assert
        static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void
        volatile wchar_t while xor xor_eq""".split()
    ),
    "C#": set(
        """abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum
        event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null
        object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string
        struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while""".split()
    ),
    "Rust": set(
        """abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl in let
        loop macro match mod move mut override priv pub ref return self static struct super trait true try type typeof unsafe unsized use
        virtual where while yield""".split()
    ),
}
INTEGERS = {name for name in ctypes_bindings.NUMBERS if name not in ("char", "float", "double", "bool")}

# What a rule does not know. A place that no rule finds any more is an error, too.
KEPT = {
    "quatsimd_format_info.bits": "a measure, as metres are",
    "quatsimd_format_smallest3(bits)": "a measure",
    "quatsimd_format_mirage(bits)": "a measure",
    "quatsimd_format_meshopt(bits)": "a measure",
    "quatsimd_root_motion_init(parts)": "a sum of quatsimd_root_parts",
    "quatsimd_clip_options.snap_times": "what to do, in two words",
    "quatsimd_pose_scratch_size(jobs)": "it only reads",
    "QUATSIMD_FORMAT_NUMBER": "a cast of C and C++",
}


def is_plural(name):
    return re.search(r"(?<![suia])s$|(?<=a)s$", name) is not None and not name.endswith(("axis", "bias"))


def is_count(name):
    return name == "count" or name.endswith("_count") or is_plural(name)


def word(node):
    """The name of a type that is neither a pointer nor an array: size_t, quatsimd_in, struct's name."""
    if not isinstance(node, c_ast.TypeDecl):
        return None
    if isinstance(node.type, c_ast.IdentifierType):
        return " ".join(node.type.names)
    return node.type.name


class Headers:
    """What C declares, and what is wrong with it: places, each with a sentence."""

    def __init__(self, code, macros=(), inlines=()):
        tree = c_parser.CParser().parse(code)
        self.enums, self.records, self.functions, self.found = [], {}, {}, {}
        for node in tree.ext:
            if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
                self.functions[node.name] = node.type
        self.collect(tree)
        self.names_of_types()
        self.members()
        for name, function in self.functions.items():
            self.parameters(name, [p for p in (function.args.params if function.args else []) if getattr(p, "name", None)])
        self.twins(macros, inlines)

    def wrong(self, place, what):
        self.found.setdefault(place, []).append(what)

    def collect(self, node):
        if isinstance(node, c_ast.Enum) and node.values:
            self.enums.append(node)
        if isinstance(node, (c_ast.Struct, c_ast.Union)) and node.decls:
            self.records[node.name or f"a struct with {node.decls[0].name}"] = node
        for _, child in node.children():
            self.collect(child)

    def names_of_types(self):
        for enum in self.enums:
            if not enum.name:
                self.wrong(enum.values.enumerators[0].name, "its enum has no name")
        for name, record in self.records.items():
            if not record.name:
                self.wrong(name, "it has no name")

    def has_output(self, node):
        """Is a type an output, or a struct that has one?"""
        name = word(node) or ""
        return name.endswith("_out") or name in self.records and any(self.has_output(field.type) for field in self.records[name].decls)

    def pointers(self, place, kind):
        """Outputs are not reached through const."""
        if isinstance(kind, (c_ast.PtrDecl, c_ast.ArrayDecl)) and "const" in getattr(kind.type, "quals", []) and self.has_output(kind.type):
            self.wrong(place, "an output through a pointer to const")

    def is_array(self, kind):
        """May a pointer be to several elements? Handles, bytes, texts, functions and whole poses are not."""
        if not isinstance(kind, c_ast.PtrDecl):
            return False
        name = word(kind.type)
        return (
            isinstance(kind.type, c_ast.PtrDecl)
            or name in INTEGERS | {"float", "double"}
            or name in self.records
            and not name.endswith(("_in", "_out"))
        )

    def numbers(self, place, name, kind):
        if word(kind) in INTEGERS and is_plural(name):
            self.wrong(place, "a number with a plural name: its name should end in _count")

    def members(self):
        for record_name, record in self.records.items():
            fields = [field for field in record.decls if field.name]
            counts = {i + d for i, field in enumerate(fields) if field.name.endswith("_count") for d in (-1, 1)}
            for i, field in enumerate(fields):
                place = f"{record_name}.{field.name}"
                for language, words in KEYWORDS.items():
                    if field.name in words:
                        self.wrong(place, f"a keyword of {language}")
                self.numbers(place, field.name, field.type)
                self.pointers(place, field.type)
                if i in counts and self.is_array(field.type) and not is_plural(field.name):
                    self.wrong(place, "an array with a singular name")

    def parameters(self, function, parameters):
        for i, one in enumerate(parameters):
            place = f"{function}({one.name})"
            self.numbers(place, one.name, one.type)
            self.pointers(place, one.type)
            following = parameters[i + 1].name if i + 1 < len(parameters) else ""
            if self.is_array(one.type) and following in ("count", f"{one.name}_count") and not is_plural(one.name):
                self.wrong(place, "an array with a singular name")
            three = parameters[i : i + 3]
            if len(three) == 3 and all(word(p.type) in INTEGERS and is_count(p.name) for p in three):
                self.wrong(f"{function}({', '.join(p.name for p in three)})", "three counts that compile when they are swapped")

    def twins(self, macros, inlines):
        """A binding has exported functions alone. inlines: (header, declaration)."""
        for name in macros:
            if name.lower() not in self.functions:
                self.wrong(name, f"a macro with arguments without an exported {name.lower()}")
        generator = c_generator.CGenerator()
        for header, function in inlines:
            name = function.name
            twin = name.replace("quatsimd_", f"quatsimd_{header}_", 1)
            if twin not in self.functions:
                self.wrong(name, f"an inline function without an exported {twin}")
            elif generator.visit(self.functions[twin]).replace(twin, name) != generator.visit(function.type):
                self.wrong(name, f"{twin} has other arguments or another result")


def headers():
    """Those of the project."""
    code = ctypes_bindings.preprocessed(SOURCE / "include")
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (SOURCE / "include/quatsimd").glob("*.h")}
    macros = {name for text in texts.values() for name in re.findall(r"^#define (\w+)\(", text, re.M)}
    inlines = []
    for node in c_parser.CParser().parse(code).ext:
        if isinstance(node, c_ast.FuncDef):
            inlines += [
                (header, node.decl) for header, text in texts.items() if re.search(rf"^static inline .*\b{node.decl.name}\(", text, re.M)
            ]
    return Headers(code, sorted(macros), inlines)


def planted(code, macros=(), header=""):
    """The places of faults in a piece of C."""
    code = ctypes_bindings.STANDARD + "typedef struct quatsimd_v_out { float *x; } quatsimd_v_out; typedef struct handle handle;\n" + code
    inlines = [(header, node.decl) for node in c_parser.CParser().parse(code).ext if isinstance(node, c_ast.FuncDef)]
    return sorted(Headers(code, macros, inlines).found)


class Names(unittest.TestCase):
    def test_public_headers(self):
        project = headers()
        self.assertGreater(len(project.functions), 80)
        self.assertGreater(len(project.records), 20)
        self.assertGreater(len(project.enums), 8)
        wrong = [f"{place}: {'; '.join(what)}" for place, what in project.found.items() if place not in KEPT]
        wrong += [f"{place}: it is in KEPT of this test, and no rule finds it" for place in KEPT if place not in project.found]
        if wrong:
            self.fail("\n" + "\n".join(wrong))

    def test_enums_and_structs_have_names(self):
        self.assertEqual(planted("enum { RED, GREEN };"), ["RED"])
        self.assertEqual(planted("typedef struct { int a; } b;"), ["a struct with a"])
        self.assertEqual(
            planted("typedef enum colour { RED } colour; typedef struct b { int a; union c { int d; } c; } b; enum colour f(void);"), []
        )

    def test_keywords(self):
        for name in ("base", "ref", "event", "type", "in", "lambda", "namespace", "virtual", "gen", "None"):
            self.assertEqual(planted(f"struct s {{ float {name}; }};"), [f"s.{name}"])
        self.assertEqual(planted("struct s { float bases, kind, track_type; }; void f(float base);"), [])

    def test_numbers_and_arrays(self):
        self.assertEqual(
            planted("struct s { size_t joints; int states; uint32_t track_indices; };"), ["s.joints", "s.states", "s.track_indices"]
        )
        self.assertEqual(planted("void f(handle *h, size_t poses);"), ["f(poses)"])
        self.assertEqual(planted("struct s { size_t key_count; const double *time; };"), ["s.time"])
        self.assertEqual(planted("struct s { const char *const *track_name; size_t track_count; };"), ["s.track_name"])
        self.assertEqual(planted("void f(const uint32_t *joint, size_t count);"), ["f(joint)"])
        self.assertEqual(planted("struct layer { float w; }; void f(struct layer *layer, size_t layer_count);"), ["f(layer)"])
        self.assertEqual(planted("void f(const float *root, size_t joint_count);"), [])
        self.assertEqual(
            planted("struct s { size_t at_rest[4], floats[4], key_count; const double *times; const float *values, axis; };"), []
        )
        self.assertEqual(
            planted("void f(handle *h, size_t count, const void *packed, size_t packed_size, const float *halves, size_t half_count);"), []
        )

    def test_outputs_through_const(self):
        self.assertEqual(planted("void f(const quatsimd_v_out *out);"), ["f(out)"])
        self.assertEqual(planted("struct job { quatsimd_v_out pose; }; void f(const struct job *jobs, size_t job_count);"), ["f(jobs)"])
        self.assertEqual(planted("struct s { const quatsimd_v_out *out; };"), ["s.out"])
        self.assertEqual(planted("void f(quatsimd_v_out *out, const quatsimd_v_out by_value, const handle *h);"), [])

    def test_three_counts(self):
        self.assertEqual(planted("void f(size_t joint_count, size_t count, int pose_count);"), ["f(joint_count, count, pose_count)"])
        self.assertEqual(planted("void f(size_t joint_count, size_t count, float w, size_t pose_count, size_t first);"), [])

    def test_twins(self):
        inline = "static inline int quatsimd_f(float *a) { return a == 0; }\n"
        self.assertEqual(planted(inline, header="view"), ["quatsimd_f"])
        self.assertEqual(planted(inline + "int quatsimd_view_f(float *a);", header="view"), [])
        self.assertEqual(planted(inline + "int quatsimd_view_f(const float *a);", header="view"), ["quatsimd_f"])
        self.assertEqual(planted("int quatsimd_x(int a);", ["QUATSIMD_X", "QUATSIMD_Y"]), ["QUATSIMD_Y"])


unittest.main(argv=sys.argv[:1])
