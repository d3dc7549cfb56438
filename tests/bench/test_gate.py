#!/usr/bin/python3
"""Tests of bench/gate, from outside, with result files made here. Nothing is measured: bench/gate_selftest does that."""
import json
import os
import pathlib
import resource
import stat
import subprocess
import sys
import tempfile
import unittest

GATE = pathlib.Path(__file__).parents[2] / "bench/gate"
HEAD = {"quatsimd_bench": 1, "compiler": "gcc 12.2.0", "flags": "-O3 -DNDEBUG", "machine": "x86_64", "cpu": "Some CPU"}
KERNEL, SCALAR, COUNTED = "unpack/avx2/lattice32/aos/1024", "unpack/scalar/lattice32/aos/1024", "kernel/avx2/squad/soa/64"


def rows(ns=2.0, scalar=40.0, memcpy=0.25, count=10.5, squad=97.5):
    return {
        KERNEL: {"ns": ns, "scalar": ns / scalar, "memcpy": ns / memcpy, "instructions": count},
        SCALAR: {"ns": scalar, "memcpy": scalar / memcpy},
        COUNTED: {"instructions": squad},
    }


class Gate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.base = self.write("base.json", rows())

    def write(self, name, what, **head):
        path = os.path.join(self.folder, name)
        if isinstance(what, dict):
            what = json.dumps({**HEAD, **head, "rows": what})
        with open(path, "w", encoding="utf-8") as file:
            file.write(what)
        return path

    def run_gate(self, *arguments, path=None, **more):
        environment = {**os.environ, **({"PATH": path} if path is not None else {})}
        return subprocess.run(
            [sys.executable, "-S", GATE, *arguments], capture_output=True, text=True, check=False, env=environment, **more
        )

    def gate(self, status, *arguments, says=(), silent=()):
        done = self.run_gate(*arguments)
        text = done.stdout + done.stderr
        self.assertEqual(done.returncode, status, text)
        for part in says:
            self.assertIn(part, text)
        for part in silent:
            self.assertNotIn(part, text)
        return text

    def new(self, status, what, *options, says=(), silent=(), **head):
        return self.gate(status, self.base, self.write("new.json", what, **head), *options, says=says, silent=silent)


class Compare(Gate):
    def test_equal(self):
        self.new(
            0,
            rows(),
            says=["passed", "counts: 2 rows compared", "times: 1 rows compared"],
            silent=["LEFT OUT", "WORSE", "renew", "MISSING"],
        )

    def test_a_count_that_is_15_percent_higher(self):
        text = self.new(1, rows(squad=97.5 * 1.15), says=["+15.0 %", "1 worse, 0 missing"])
        line = next(line for line in text.splitlines() if "WORSE" in line)
        self.assertTrue(line.startswith(COUNTED))
        self.assertIn("instructions", line)

    def test_tolerance_of_counts(self):
        self.new(0, rows(squad=97.5 * 1.0199))
        self.new(1, rows(squad=97.5 * 1.0201))
        self.new(0, rows(squad=97.5 * 1.021), "--count-tolerance", "3%")
        self.new(1, rows(squad=97.5 * 1.019), "--count-tolerance=0.5")

    def test_a_kernel_that_is_15_percent_slower(self):
        self.new(1, rows(ns=2.3), says=[KERNEL, "+15.0 %", "1 worse"])
        self.new(0, rows(ns=2.3), "--tolerance", "16%")

    def test_tolerance_of_times(self):
        self.new(0, rows(ns=2 * 1.099))
        self.new(1, rows(ns=2 * 1.101))
        self.new(0, rows(ns=2 * 1.101), "--tolerance", "11%")
        self.new(1, rows(ns=2 * 1.099), "--tolerance=9.5")

    def test_a_machine_that_is_slower(self):
        self.new(0, rows(ns=4, scalar=80, memcpy=0.5), says=["worst +0.0 %"])

    def test_only_scalar_or_only_memcpy_was_disturbed(self):
        self.new(0, rows(scalar=20))
        self.new(0, rows(memcpy=0.15))
        self.new(0, rows(scalar=60), silent=["renew"])
        self.new(0, rows(memcpy=0.4), silent=["renew"])
        self.new(0, rows(scalar=30, memcpy=0.4), says=["worst +0.0 %"])
        self.new(0, rows(scalar=60, memcpy=0.2), says=["worst +0.0 %"])
        self.new(1, rows(scalar=20, memcpy=0.15), says=["times memcpy", "+66.7 %"])

    def test_the_row_before_the_scalar_kernel_was_measured(self):
        alone = {KERNEL: {"ns": 2.3, "memcpy": 2.3 / 0.25, "instructions": 10.5}, COUNTED: {"instructions": 97.5}}
        self.new(1, alone, says=["times memcpy", "+15.0 %"])

    def test_missing_rows(self):
        less = rows()
        del less[COUNTED]
        self.new(1, less, says=["counts: MISSING: " + COUNTED, "0 worse, 1 missing"])
        less = rows()
        less["pack/avx2/lattice32/aos/1024"] = less.pop(KERNEL)
        self.new(
            1, less, says=["times: MISSING: " + KERNEL, "0 worse, 2 missing", "new, not in the baseline: pack/avx2/lattice32/aos/1024"]
        )

    def test_rows_that_are_new(self):
        self.new(
            0,
            {**rows(), "kernel/avx2/exp/soa/64": {"instructions": 7.875}},
            says=["counts: new, not in the baseline: kernel/avx2/exp/soa/64", "--write"],
        )

    def test_better(self):
        self.new(0, rows(ns=1.5, count=9), says=["better", "-14.3 %", "-25.0 %", f"--write {self.base} "])

    def test_other_compilers(self):
        slow = rows(ns=20, squad=400)
        text = self.new(3, slow, compiler="gcc 13.1.0", says=["nothing to compare", "compiler was 'gcc 12' and is 'gcc 13'"])
        self.assertEqual(text.count("compiler was"), 2)
        self.new(3, slow, compiler="clang 12.0.1", says=["'clang 12'"])
        self.new(3, slow, flags="-O2 -DNDEBUG", says=["flags was '-O3' and is '-O2'"])
        self.new(3, slow, flags="-O3 -DNDEBUG -march=native", says=["-march=native"])
        self.new(3, slow, machine="aarch64", says=["machine was"])
        self.new(1, slow, compiler="gcc 12.3.0")
        self.new(1, slow, flags="-g -O3 -ffile-prefix-map=/a=/b -Wall")

    def test_another_processor(self):
        self.new(0, rows(ns=20), cpu="Other CPU", says=["times LEFT OUT: cpu was 'Some CPU' and is 'Other CPU'", "counts: 2 rows"])
        self.new(1, rows(squad=400), cpu="Other CPU")
        self.new(3, rows(), "--require", "times", cpu="Other CPU", says=["times are required"])

    def test_files_without_counts_or_times(self):
        counts = {KERNEL: {"instructions": 10.5}, COUNTED: {"instructions": 97.5}}
        times = {name: {k: x for k, x in row.items() if k != "instructions"} for name, row in rows().items() if name != COUNTED}
        self.new(0, counts, says=["times LEFT OUT: the new file has none"], silent=["MISSING"])
        self.new(0, times, says=["counts LEFT OUT: the new file has none"], silent=["MISSING"])
        self.new(3, times, "--require", "counts", says=["counts are required"])
        self.new(3, {}, says=["nothing to compare"])

    def test_only(self):
        self.new(0, rows(squad=200), "--only", "lattice", says=["counts: 1 rows"])
        self.new(1, rows(squad=200), "--only", "^kernel/.*/squad/")
        self.new(3, rows(), "--only", "nothing_has_this", says=["nothing to compare", "nothing_has_this"])
        self.new(2, rows(), "--only", "(", says=["regular expression"])

    def test_the_fastest_of_several_files(self):
        disturbed = [self.write(f"{i}.json", rows(**times)) for i, times in enumerate(({"ns": 3}, {"scalar": 60, "memcpy": 0.4}))]
        self.gate(1, self.base, disturbed[0])
        self.gate(0, self.base, *disturbed, says=["worst +0.0 %"])
        self.gate(1, self.base, self.write("slow.json", rows(ns=2.3)), self.write("slow2.json", rows(ns=2.4)), says=["+15.0 %"])
        self.gate(2, self.base, disturbed[0], self.write("x.json", rows(), cpu="Other CPU"), says=["x.json", "no runs of one build"])

    def test_the_smallest_count_of_several_files(self):
        few, many = self.write("few.json", rows()), self.write("many.json", rows(squad=200))
        self.gate(1, self.base, many)
        for files in (few, many), (many, few):
            self.gate(0, self.base, *files, says=["counts: 2 rows compared, 0 worse", "worst +0.0 %"])

    def test_files_that_do_not_say_flags_or_processor(self):
        silent = self.write("silent.json", rows(), flags="", cpu="")
        for files in (self.base, silent), (silent, self.base):
            self.gate(0, "--write", os.path.join(self.folder, "merged.json"), *files)
        self.gate(2, self.base, self.base, self.write("x.json", rows(), compiler=""), says=["no runs of one build"])

    def test_many_rows(self):
        def many(count):
            return {f"kernel/avx2/operation{i}/soa/64": {"instructions": count} for i in range(100)}

        self.base = self.write("base.json", many(10))
        text = self.new(1, many(20), says=["and 60 more", "100 worse"])
        self.assertEqual(text.count("WORSE"), 40)
        self.new(1, {COUNTED: {"instructions": 1}}, says=["and 90 more", "100 missing"])


class Files(Gate):
    def test_files_that_cannot_be_read(self):
        none = os.path.join(self.folder, "none.json")
        self.gate(2, self.base, none, says=[none, "No such file"])
        self.gate(2, none, self.base, says=[none, "No such file"])
        self.gate(2, self.base, self.folder, says=[self.folder, "Is a directory"])
        for text in "", "{", '{"rows": 1}', "[]", '{"benchmarks": []}', "\x00", json.dumps({"rows": {}}):
            with self.subTest(text):
                self.gate(2, self.base, self.write("bad.json", text), says=["bad.json: not "])
        self.new(2, rows(), quatsimd_bench=2, says=["new.json: version 2"])
        self.new(2, rows(), compiler=12, says=["compiler is not a text"])
        for row in (
            {"ns": "1"},
            {"ns": -1},
            {"ns": 0},
            {"instructions": None},
            {"ns": True},
            [],
            {"memcpy": 1},
            {"instructions": float("nan")},
        ):
            with self.subTest(row):
                self.new(2, {KERNEL: row}, says=["new.json: row " + KERNEL])
        self.new(2, {"lattice32": {"ns": 1}}, says=["row lattice32"])

    def test_what_nobody_expects_is_not_slower(self):
        self.gate(2, self.base, self.write("deep.json", "[" * 200000), says=["deep.json: not JSON"], silent=["Traceback"])
        for number in 10**400, 2 * 10**308:
            self.new(2, {KERNEL: {"instructions": number}}, says=["new.json: row " + KERNEL], silent=["Traceback"])
        text = self.new(2, rows(), cpu="\ud800", says=["gate: UnicodeEncodeError: "], silent=["Traceback"])
        self.assertEqual(text.count("\n"), 1)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(
                [sys.executable, "-E", GATE, self.base, self.base], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        self.assertEqual((done.returncode, done.stderr), (2, "gate: [Errno 28] No space left on device\n"))

    def test_usage(self):
        self.gate(0, "--help", says=["usage: bench/gate", "--tolerance", "examples"])
        self.gate(2, says=[])
        self.gate(2, self.base, says=["bench/gate BASELINE.json NEW.json"])
        self.gate(2, self.base, self.base, "--tolerance", "much", says=["percentage"])
        self.gate(2, self.base, self.base, "--tolerance=-3", says=["percentage"])
        self.gate(2, self.base, self.base, "--require", "all")
        self.gate(2, "--run", "bench", says=["-o FILE"])
        self.gate(2, "--run", "bench", self.base, "-o", "x")
        self.gate(2, "--run", "bench", "-o", "x", "--no-times", "--no-counts")

    def test_check_options(self):
        out = os.path.join(self.folder, "out.json")
        run = "--run", self.folder + "/none", "-o", out, "--check-options"
        self.assertEqual(self.gate(0, "--only", "x", "--tolerance=5", *run), "")
        for wrong in (
            "--onyl x",
            "--only (",
            "--tolerance much",
            "--renew",
            self.base,
            "--no-times --no-counts",
            "-- x",
            "--write x",
            "--hel",
        ):
            with self.subTest(wrong):
                self.gate(2, *wrong.split(), *run)
        self.assertFalse(os.path.exists(out))

    def test_write(self):
        merged, slow = os.path.join(self.folder, "merged.json"), self.write("slow.json", rows(ns=4, memcpy=0.2))
        self.gate(0, "--write", merged, slow, self.base, says=["2 rows"])
        with open(merged, encoding="utf-8") as file:
            lines = file.read().splitlines()
        data = json.loads("\n".join(lines))
        self.assertEqual(
            data["rows"], {KERNEL: {"ns": 2, "scalar": 0.05, "memcpy": 10, "instructions": 10.5}, COUNTED: {"instructions": 97.5}}
        )
        self.assertEqual([line[1:].split('"')[0] for line in lines[-4:-2]], sorted(data["rows"]))
        self.gate(0, merged, self.base)
        self.gate(2, "--write", merged, says=["of what"])

    def test_digits(self):
        written = os.path.join(self.folder, "written.json")
        for number, time, count in (2.345678, 2.346, 2.3457), (0.0123456, 0.01235, 0.0123), (1234.5678, 1235, 1234.5678):
            new = self.write("new.json", {KERNEL: {"ns": number, "scalar": number, "memcpy": number, "instructions": number}})
            self.gate(0, "--write", written, new)
            with open(written, encoding="utf-8") as file:
                self.assertEqual(json.load(file)["rows"], {KERNEL: {"ns": time, "scalar": time, "memcpy": time, "instructions": count}})

    def test_write_into_no_folder(self):
        self.gate(2, "--write", os.path.join(self.folder, "no", "x.json"), self.base, says=["No such file"])


class Measure(Gate):
    """With programs that say what a test wants in place of quatsimd-bench and of valgrind."""

    def program(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!{sys.executable}\nimport json, os, sys\n{text}")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def bench(self, *results):
        """Gives these results, one after the other and the last one again and again, and notes how it was called."""
        for i, result in enumerate(results):
            self.write(f"result{i}", result)
        self.write("calls", "")
        return self.program(
            "bench",
            f"""
folder, last = {self.folder!r}, {len(results) - 1}
calls = len(open(folder + "/calls").readlines())
open(folder + "/calls", "a").write(" ".join(sys.argv[1:]) + "\\n")
if "--list" in sys.argv:
    print({KERNEL!r}, {SCALAR!r}, {COUNTED!r}, sep="\\n")
    sys.exit()
to = next(a for a in sys.argv if a.startswith("--json="))[7:]
open(to, "w").write(open(f"{{folder}}/result{{min(calls, last)}}").read())
""",
        )

    def calls(self):
        with open(os.path.join(self.folder, "calls"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_noise_goes(self):
        bench = self.bench(rows(ns=2.5), rows(ns=2.05))
        self.new(0, rows(ns=3), "--bench", bench, says=["1 rows seem slower", "2 of 5"], silent=["3 of 5"])
        self.assertEqual(len(self.calls()), 2)
        self.assertIn(f"--benchmark_filter=^({SCALAR}|{KERNEL})/".replace(SCALAR + "|" + KERNEL, KERNEL + "|" + SCALAR), self.calls()[0])

    def test_a_slower_kernel_stays(self):
        self.new(1, rows(ns=3), "--bench", self.bench(rows(ns=2.4), rows(ns=2.3)), "--tries", "3", says=["3 of 3", "+15.0 %", "1 worse"])
        self.assertEqual(len(self.calls()), 3)

    def test_counts_are_not_measured_again(self):
        self.new(1, rows(count=20), "--bench", self.bench(rows()))
        self.assertEqual(self.calls(), [])

    def test_a_benchmark_that_fails(self):
        self.new(2, rows(ns=3), "--bench", self.program("bench", "sys.exit('quatsimd-bench: broken')"), says=["exit status 1"])
        self.new(2, rows(ns=3), "--bench", self.program("bench", "os.kill(os.getpid(), 9)"), says=["exit status -9"])
        self.new(2, rows(ns=3), "--bench", self.folder + "/none", says=["none", "No such file"])
        self.new(2, rows(ns=3), "--bench", self.bench('{"rows'), says=["not JSON"])

    def valgrind(self, *calls):
        parts = "".join(
            f"part: {i}\ndesc: Trigger: Client Request: {name} {n}\nsummary: {count}\n\n" for i, (name, n, count) in enumerate(calls)
        )
        return self.program(
            "valgrind",
            f"""
arguments = dict(a.split("=", 1) for a in sys.argv[1:] if "=" in a)
open(arguments["--callgrind-out-file"], "w").write({parts!r})
assert "--count" in sys.argv
open(arguments["--json"], "w").write({json.dumps({**HEAD, "rows": {}})!r})
""",
        )

    def measured(self, status, *arguments, says=()):
        out = os.path.join(self.folder, "out.json")
        done = self.run_gate("--run", *arguments, "-o", out, path=self.folder)
        self.assertEqual(done.returncode, status, done.stderr)
        for part in says:
            self.assertIn(part, done.stdout + done.stderr)
        if not status:
            with open(out, encoding="utf-8") as file:
                return json.load(file)
        return None

    def test_run(self):
        self.valgrind((KERNEL, 1024, 10756), (KERNEL, 2048, 21508), (COUNTED, 64, 6000), (COUNTED, 128, 12000))
        times = {name: {k: x for k, x in row.items() if k != "instructions"} for name, row in rows().items() if name != COUNTED}
        data = self.measured(0, self.bench(times), says=["2 rows timed, 2 counted"])
        self.assertEqual(data["rows"], {**rows(squad=93.75), KERNEL: {**times[KERNEL], "instructions": 10.5}})
        data = self.measured(0, self.bench(times), "--no-times")
        self.assertEqual(data["rows"], {KERNEL: {"instructions": 10.5}, COUNTED: {"instructions": 93.75}})
        self.assertEqual(self.measured(0, self.bench(times), "--no-counts")["rows"], times)

    def test_only_selects_the_same_to_measure_and_to_compare(self):
        self.valgrind((KERNEL, 1024, 10756), (KERNEL, 2048, 21508))
        for pattern, expected in (
            ("/lattice32/aos/1024$", {KERNEL, SCALAR}),
            (r"^\w+/avx2/(?!squad)", {KERNEL, SCALAR}),
            ("^kernel", {COUNTED}),
        ):
            with self.subTest(pattern):
                self.measured(0, self.bench(rows()), "--only", pattern)
                self.assertEqual(self.calls()[0], "--list")
                names = set(self.calls()[1].split("--benchmark_filter=")[1][2:-2].split("|"))
                self.assertEqual(names & set(rows()), expected)
                self.new(0, {name: row for name, row in rows().items() if name in expected}, "--only", pattern, silent=["MISSING"])

    def test_a_result_is_whole_or_as_it_was(self):
        out = self.write("out.json", "as it was")
        self.measured(2, self.program("bench", "sys.exit(1)"), "--no-counts")
        no_room = self.run_gate("--write", out, self.base, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        self.assertEqual((no_room.returncode, no_room.stderr), (2, "gate: [Errno 27] File too large\n"))
        self.assertEqual(pathlib.Path(out).read_text(encoding="utf-8"), "as it was")
        self.measured(0, self.bench({KERNEL: {"ns": 1}}), "--no-counts")
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), stat.S_IMODE(os.stat(self.base).st_mode))
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("out.json")], ["out.json"])

    def test_what_cannot_be_written_is_not_measured_first(self):
        for out in self.folder, self.folder + "/none/out.json", self.base + "/out.json":
            self.gate(2, "--run", self.bench(rows()), "--no-counts", "-o", out, says=[out])
            self.assertEqual(self.calls(), [])

    def test_no_plain_file_is_replaced(self):
        link = os.path.join(self.folder, "link.json")
        os.symlink(self.base, link)
        self.gate(0, "--write", link, self.write("new.json", {COUNTED: {"instructions": 1}}), says=["1 rows"])
        self.gate(1, self.base, self.write("new.json", {COUNTED: {"instructions": 2}}))
        self.assertTrue(os.path.islink(link))
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        with open(pipe, "rb+", buffering=0) as end:
            os.set_blocking(end.fileno(), False)
            self.gate(0, "--write", pipe, self.base)
            self.assertIn(b'"instructions": 1', end.read() or b"nothing")

    def test_run_without_valgrind(self):
        self.measured(0, self.bench({KERNEL: {"ns": 1}}), says=["no valgrind", "1 rows timed, 0 counted"])
        self.measured(2, self.bench({KERNEL: {"ns": 1}}), "--no-times", says=["nothing was measured"])

    def test_run_with_what_it_does_not_expect(self):
        self.valgrind((KERNEL, 1024, 10756))
        self.measured(2, self.bench({}), says=["1 counts of " + KERNEL])
        self.valgrind(*((KERNEL, 1024 * times, 10756 * times) for times in (1, 2, 3)))
        self.measured(2, self.bench({}), says=["3 counts of " + KERNEL])
        self.valgrind()
        self.measured(2, self.bench({}), says=["nothing was measured"])
        self.measured(2, self.bench({}), "--only", "x/y", says=["no row matches x/y"])
        self.program("valgrind", "sys.exit('no such tool')")
        self.measured(2, self.bench({}), says=["exit status 1: no such tool"])

    def selftest(self, status, *options, says, compiler="'gcc 12'", planted_ns=3):
        """bench/gate_selftest, with a planted build that takes 16 % more instructions and planted_ns instead of 2."""
        row = "unpack/avx2/smallest3_32/aos/1024"
        benches = [
            self.program(
                name,
                f"""
to = next(a for a in sys.argv if a.startswith("--json="))[7:]
if not to.endswith("kept.json"):
    open(to, "w").write({json.dumps({**HEAD, "compiler": "gcc 12", "rows": {row: {"ns": ns, "scalar": ns / 40, "memcpy": ns / 0.25}}})!r})
""",
            )
            for name, ns in (("plain", 2), ("planted", planted_ns))
        ]
        self.program(
            "valgrind",
            f"""
arguments = dict(a.split("=", 1) for a in sys.argv[1:] if "=" in a)
with open(arguments["--callgrind-out-file"], "w") as file:
    for n in 1024, 2048:
        print("desc: Trigger: Client Request: {row}", n, "\\nsummary:", n * (116 if {benches[1]!r} in sys.argv else 100), file=file)
open(arguments["--json"], "w").write(json.dumps({{**{HEAD!r}, "compiler": {compiler}, "rows": {{}}}}))
""",
        )
        done = subprocess.run(
            ["bash", GATE.with_name("gate_selftest"), "--repeats", "1", *options, *benches],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": self.folder + ":" + os.environ["PATH"]},
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertIn(says, done.stdout)

    def test_the_selftest(self):
        self.selftest(0, says="passed")
        self.selftest(0, "--times", says="passed")
        self.selftest(
            1, "--times", planted_ns=2, says="FAILED: unpack/avx2/smallest3_32/aos/1024, which is slower, is not named by its time"
        )
        self.selftest(1, compiler="f'gcc {os.getpid()}'", says="compiler was 'gcc ")


if __name__ == "__main__":
    unittest.main()
