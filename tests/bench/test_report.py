#!/usr/bin/python3
"""Tests of bench/report.py: noise, tables that are slower than those before them, two builds. With results made here."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

REPORT = pathlib.Path(__file__).parents[2] / "bench/report.py"
ROW = "unpack/{}/smallest3_32/aos/262144"


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, avx2=1.0, sse2=2.0, spread=0.01):
        times = {"avx2": avx2, "sse2": sse2, "scalar": 20.0}
        rows = [
            {"name": ROW.format(k) + "/iterations:1/manual_time", "ns_per_quat": ns, "memcpy_ns_per_quat": 0.3, "ghz": 3, "spread": spread}
            for k, ns in times.items()
        ]
        path = self.folder / name
        path.write_text(json.dumps({"context": {"kernels": " ".join(times)}, "benchmarks": rows}), encoding="utf-8")
        return path

    def report(self, *arguments, says=(), silent=()):
        done = subprocess.run([sys.executable, REPORT, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        for part in says:
            self.assertIn(part, done.stdout)
        for part in silent:
            self.assertNotIn(part, done.stdout)

    def test_repeats_that_differ(self):
        self.report(self.write("a.json"), says=["1.00 (3.0)", "20.0"], silent=["1.00?"])
        self.report(self.write("a.json", spread=0.11), says=["1.00? (3.0)", "20.0?"])

    def test_a_second_run_that_finds_the_same_is_no_noise(self):
        self.report(self.write("a.json", spread=0.5), self.write("b.json", 1.05, spread=0.5), says=["1.00 (3.0)"], silent=["1.00?"])
        self.report(self.write("a.json"), self.write("b.json", 1.2), says=["1.00? (3.0)"])

    def test_a_table_that_is_slower_than_the_one_before_it(self):
        self.report(self.write("a.json"), says=["avx2 takes longer than sse2 in 0 of 1 rows; 0 are noise"])
        slower = self.write("a.json", avx2=2.2)
        self.report(slower, says=["avx2 takes longer than sse2 in 1 of 1 rows", ROW.format("avx2") + "           1.10"])
        self.report("--check", slower, says=["FAIL  (k) unpack/avx2/smallest3_32/aos/262144: 1.10 times as long"])
        self.report("--check", self.write("a.json", avx2=2.2, spread=0.03), says=["ok    (k) avx2 takes longer than sse2 in 0 of 1"])
        self.report("--check", self.write("a.json", avx2=9, spread=0.2), says=["ok    (k) avx2 takes", "1 are noise", "noise (a) avx2"])

    def test_two_builds(self):
        old, new = self.write("old.json"), self.write("new.json", avx2=1.2)
        self.report(new, "--against", old, says=["3 rows compared, 1 differ, 0 are noise", "1.00  1.20     1.20"])
        self.report(new, "--against", self.write("old.json", spread=0.3), says=["3 rows compared, 0 differ, 3 are noise"])


if __name__ == "__main__":
    unittest.main()
