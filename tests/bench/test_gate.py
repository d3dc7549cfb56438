#!/usr/bin/python3
"""Tests of bench/gate, from outside, with results, valgrind and objdump made here. bench/gate_selftest counts in what was compiled."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

GATE = pathlib.Path(__file__).parents[2] / "bench/gate"
BUILD = "gcc 12 -O3 x86_64"
KERNEL, CALL, LOOP = "unpack/avx2/lattice32/aos/1024", "call_pack/avx2/lattice32/aos/1", "kernel/neon/squad/soa"


def rows(kernel=10.5, call=200, loop=97.5, **more):
    return {KERNEL: {"instructions": kernel, "memory": 3, **more}, CALL: {"instructions": call}, LOOP: {"instructions": loop, "slow": 2}}


class Gate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.base = self.write("base.json", rows())

    def write(self, name, what, **builds):
        path = os.path.join(self.folder, name)
        if isinstance(what, dict):
            what = json.dumps({"quatsimd_bench": 2, "builds": {"avx2": BUILD, "neon": "gcc 12", **builds}, "rows": what})
        pathlib.Path(path).write_bytes(what if isinstance(what, bytes) else what.encode())
        return path

    def program(self, name, text):
        os.chmod(self.write(name, f"#!{sys.executable}\nimport sys\n{text}"), 0o755)

    def gate(self, status, *arguments, says=(), silent=()):
        environment = {**os.environ, "PATH": self.folder}
        done = subprocess.run([sys.executable, "-B", "-S", GATE, *arguments], capture_output=True, text=True, check=False, env=environment)
        text = done.stdout + done.stderr
        self.assertEqual(done.returncode, status, text)
        for part in says:
            self.assertIn(part, text)
        for part in ("Traceback", *silent):
            self.assertNotIn(part, text)
        return text

    def new(self, status, what, *options, says=(), silent=(), **builds):
        return self.gate(status, self.write("new.json", what, **builds), "--against", self.base, *options, says=says, silent=silent)


class Compare(Gate):
    def test_equal(self):
        self.new(
            0,
            rows(),
            says=["passed", "avx2: 2 rows compared, 0 counts worse, 0 rows missing", "neon: 1 rows"],
            silent=["LEFT OUT", "WORSE", "renew"],
        )

    def test_more(self):
        text = self.new(1, rows(loop=97.5 * 1.15), says=["+15.0 %", "neon: 1 rows compared, 1 counts worse", "FAILED"])
        line = next(line for line in text.splitlines() if "WORSE" in line)
        self.assertEqual(line.split()[:2], [LOOP, "instructions"])

    def test_less(self):
        self.new(0, rows(kernel=9), says=["better", "-14.3 %", "renew the baseline"])

    def test_tolerance(self):
        self.new(0, rows(loop=97.5 * 1.0199))
        self.new(1, rows(loop=97.5 * 1.0201))
        self.new(0, rows(loop=97.5 * 1.021), "--tolerance", "3%")
        self.new(1, rows(loop=97.5 * 1.019), "--tolerance=0.5")

    def test_three_more_steps_in_a_call(self):
        self.new(1, rows(call=203), says=[CALL, "+1.5 %"])
        self.new(0, rows(call=201))
        self.new(1, rows(call=202))

    def test_a_division_in_the_place_of_a_multiplication(self):
        self.new(1, rows(slow=0.125), says=[KERNEL, "slow", "+inf %", "1 counts worse"])

    def test_a_class_that_gets_larger(self):
        slower = rows()
        slower[LOOP]["slow"] = 3
        self.new(1, slower, says=["slow", "+50.0 %"])

    def test_missing_rows(self):
        less = rows()
        less["pack/avx2/lattice32/aos/1024"] = less.pop(KERNEL)
        self.new(1, less, says=["MISSING", "new", "avx2: 3 rows compared, 0 counts worse, 1 rows missing"])

    def test_other_builds(self):
        slow = rows(call=400, loop=400)
        self.new(1, slow, avx2="gcc 13", says=[f"avx2 LEFT OUT: was '{BUILD}' and is 'gcc 13'", "neon: 1 rows"], silent=[CALL])
        self.new(3, slow, avx2="gcc 13", neon="clang 14", silent=["passed", "FAILED"])
        only = {name: row for name, row in rows().items() if name != LOOP}
        self.gate(0, self.base, "--against", self.write("x.json", only), says=["neon: 1 rows"])
        self.new(0, rows(), avx512="gcc 12", says=["avx512 LEFT OUT: only in one of them"])

    def test_only(self):
        self.new(0, rows(loop=200), "--only", "lattice", says=["avx2: 2 rows"])
        self.new(1, rows(loop=200), "--only", "^kernel/.*/squad/")
        self.new(2, rows(), "--only", "nothing_has_this", says=["no row matches 'nothing_has_this'"])
        self.new(2, rows(), "--only", "(", says=["regular expression"])

    def test_many_rows(self):
        def many(count):
            return {f"kernel/avx2/operation{i}/soa/64": {"instructions": count} for i in range(100)}

        self.base = self.write("base.json", many(10))
        text = self.new(1, many(20), says=["and 60 more", "100 counts worse"])
        self.assertEqual(text.count("WORSE"), 40)
        self.assertEqual(self.new(1, many(20), "--lines", "200", silent=["more"]).count("WORSE"), 100)


class Files(Gate):
    def test_files_that_cannot_be_read(self):
        none = os.path.join(self.folder, "none.json")
        self.gate(2, none, says=[none, "No such file"])
        self.gate(2, self.base, "--against", self.folder, says=[self.folder, "Is a directory"])
        for text in "", "{", "[" * 200000, '{"rows": 1}', "[]", "\x00", json.dumps({"quatsimd_bench": 1, "rows": {}}):
            with self.subTest(text[:10]):
                self.gate(2, self.write("bad.json", text), says=["gate: "])
        for row in ({"memory": "1"}, {"memory": -1}, {"memory": None}, {"memory": float("nan")}, []):
            with self.subTest(row):
                self.new(2, {KERNEL: row}, says=["gate: "])
        self.new(2, {"lattice32": {"instructions": 1}}, says=["row lattice32"])
        self.gate(2, self.write("text.o", "no object"), says=["no machine code"])

    def test_no_room_to_print(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            command = [sys.executable, "-B", GATE, self.base, "--against", self.base]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (2, "gate: [Errno 28] No space left on device\n"))

    def test_usage(self):
        self.gate(0, "--help", says=["usage: bench/gate", "--tolerance", "Exit status"])
        self.gate(2, says=["bench/gate --help"])
        for wrong in "--onyl x", "--tolerance much", "--tolerance=-3", "--hel", "--lines many":
            self.gate(2, self.base, *wrong.split(), "--help")

    def test_write(self):
        out = os.path.join(self.folder, "out.json")
        self.gate(0, self.write("new.json", {KERNEL: {"instructions": 1234.56789, "memory": 0.00001}}), self.base, "-o", out)
        text = pathlib.Path(out).read_text(encoding="utf-8")
        self.assertEqual(json.loads(text)["rows"], rows())
        self.assertEqual([line[1:].split('"')[0] for line in text.splitlines()[4:-2]], sorted(rows()))
        self.gate(0, out, "--against", self.base)
        self.gate(2, self.base, "-o", os.path.join(self.folder, "no", "x.json"), says=["No such file"])

    def test_print(self):
        self.assertRegex(self.gate(0, self.base, "--only", "squad"), f"^{LOOP} +97.500 instructions +2.000 slow\n$")


def elf(kind, machine):
    return b"\x7fELF".ljust(16) + bytes([kind, 0, machine, 0]) + b"GCC: (Debian 12.2.0-14) 12.2.0"


CODE = """
0000000000000000 l    df *ABS*\t0000000000000000 isa_{isa}.c
0000000000001000 l     F .text\t0000000000000100 in_float_squad
0000000000001100 l     F .text\t0000000000000100 in_double_squad

0000000000001000 <in_float_squad>:
    1000:\t{divide}
    1004:\t{load}
    1008:\t{address}
    100c:\t{branch} 1000 <in_float_squad>
    1010:\t{divide}

0000000000001100 <in_double_squad>:
    1100:\t{load}
    1104:\t{branch} 1100 <in_double_squad>
"""
X86 = CODE.format(
    isa="avx512", divide="vdivps %zmm1,%zmm2,%zmm3", load="vmovups (%rdi),%zmm0", address="lea    0x40(%rdi),%rdi", branch="jne   "
)
ARM = CODE.format(isa="neon", divide="fdiv\tv0.4s, v1.4s", load="ldr\tq0, [x0]", address="add\tx0, x0, #16", branch="b.ne")


class Count(Gate):
    def valgrind(self, *calls, more="", name="bench"):
        """A run in which each call takes 3 * n instructions that divide, and a load: of these n are in another file."""
        parts = "".join(
            f"part: {i}\ndesc: Trigger: Client Request: {row} {n}\nsummary: {4 * n + 100}\nob=libc.so\n0x1000 {n}\n"
            f"ob={self.folder}/{name}\nfn=x\n0x1000 {2 * n + 50}\ncalls=1 0x1000\n0x1000 {9 * n}\n0x1004 {n}\n\n"
            for i, (row, n) in enumerate(calls)
        )
        parts += "part: 9\ndesc: Trigger: Program termination\nsummary: 7\n0x1000 7\ntotals: 7\n"
        self.program(
            "valgrind",
            f"""
assert "--count" in sys.argv
print("compiler: gcc 12.2.0\\nflags: -g -O3 -DNDEBUG -ffile-prefix-map=/a=/b -Wall -mfma\\nmachine: x86_64")
open(next(a for a in sys.argv if "out-file" in a).split("=")[1], "w").write({parts!r})
{more}
""",
        )

    def setUp(self):
        super().setUp()
        self.bench = self.write("bench", elf(3, 62))
        self.out = os.path.join(self.folder, "out.json")
        self.program("x86_64-linux-gnu-objdump", f"print({X86!r})")
        self.program("aarch64-linux-gnu-objdump", f"print({ARM!r})")

    def counted(self, *files):
        self.gate(0, *files, "-o", self.out)
        return json.loads(pathlib.Path(self.out).read_text(encoding="utf-8"))

    def test_calls(self):
        self.valgrind((KERNEL, 1024), (KERNEL, 2048), (CALL, 16), (CALL, 32))
        data = self.counted(self.bench)
        self.assertEqual(data["builds"], {"avx2": "gcc 12 -O3 -mfma x86_64"})
        self.assertEqual(data["rows"], dict.fromkeys((CALL, KERNEL), {"instructions": 4, "slow": 2, "memory": 1}))

    def test_loops(self):
        """A function in double, for which there is one in float, does not count."""
        data = self.counted(self.write("a.o", elf(1, 62)), self.write("b.o", elf(1, 183)))
        self.assertEqual(data["builds"], {"avx512": "gcc 12", "neon": "gcc 12"})
        self.assertEqual(
            data["rows"],
            {
                "kernel/avx512/squad/soa": {"instructions": 0.25, "slow": 0.0625, "memory": 0.0625},
                LOOP: {"instructions": 1, "slow": 0.25, "memory": 0.25},
            },
        )

    def test_cycles(self):
        self.program("mca", "assert '-mcpu=znver4' in sys.argv and 'jne .' in sys.stdin.read()\nprint('Total Cycles:  1600')")
        text = self.gate(0, self.write("a.o", elf(1, 62)), "--mca", self.folder + "/mca", "--only", "/squad/")
        self.assertIn("1.000 cycles", text)

    def test_what_valgrind_must_not_do(self):
        self.valgrind((KERNEL, 1024))
        self.gate(2, self.bench, says=["1 counts of " + KERNEL])
        self.valgrind(*((KERNEL, n) for n in (1024, 2048, 3072)))
        self.gate(2, self.bench, says=["3 counts of " + KERNEL])
        self.valgrind((KERNEL, 1024), (KERNEL, 2048), name="another")
        self.gate(2, self.bench, says=["callgrind counted nothing in"])
        self.valgrind(more="sys.exit('quatsimd-bench: broken')")
        self.gate(2, self.bench, says=["exit status 1: quatsimd-bench: broken"])
        os.remove(self.folder + "/valgrind")
        self.gate(2, self.bench, says=["valgrind", "No such file"])


if __name__ == "__main__":
    unittest.main()
