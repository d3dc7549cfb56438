"""Tests of quatsimd-bench-stream: its link loses, repeats and delays packets as its settings say, and it notices a wrong decoder."""
import json
import os
import subprocess
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.append(os.path.join(ROOT, "tests", "tools"))
from support.rotations import walk  # noqa: E402

BENCH, LOOSE, TOOL = (os.environ.get(name, "") for name in ("QUATSIMD_BENCH_STREAM", "QUATSIMD_LOOSE_STREAM", "QUATSIMD_TOOL"))
CLIPS = ["/usr/share/assimp/models/BVH/01_0%d.bvh" % number for number in (1, 3)]
TRACES = os.path.join(os.environ.get("QUATSIMD_DATA", ""), "streams")
LONG = walk(20000, 1)


def run(rotations, program=BENCH, fault="", **settings):
    arguments = [program, "bodies=%d" % rotations.shape[1], *("%s=%g" % setting for setting in settings.items())]
    environment = dict(os.environ, QUATSIMD_STREAM_FAULT=fault)
    return subprocess.run(arguments, input=rotations.tobytes(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)


class Stream(unittest.TestCase):
    def sent(self, rotations, **settings):
        result = run(rotations, **settings)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["packets"], -(-len(rotations) // settings.get("every", 1)))
        self.assertEqual(report["packets"], report["lost"] + report["late"] + report["decoded"])
        self.assertAlmostEqual(report["bits_per_rotation"], 8 * report["bytes"] / report["packets"] / rotations.shape[1], delta=1e-5)
        self.assertLessEqual(report["worst_error"], settings.get("bound", 0.25))
        return report

    def test_losses_come_in_bursts(self):
        for loss in 0.02, 0.2, 0.5:
            for burst in 0, 1.25, 3, 10:
                with self.subTest(loss=loss, burst=burst):
                    report = self.sent(LONG, loss=loss, burst=burst)
                    mean = burst or 1 / (1 - loss)  # 0: each one is lost or not by itself
                    self.assertAlmostEqual(report["lost"] / len(LONG), loss, delta=0.3 * loss)
                    self.assertAlmostEqual(report["lost"] / report["bursts"], mean, delta=0.15 * mean)
                    self.assertEqual(report["late"], 0)

    def test_some_come_twice(self):
        report = self.sent(LONG, loss=0.5, burst=2, twice=0.1)
        self.assertAlmostEqual(report["again"] / report["decoded"], 0.1, delta=0.02)

    def test_delay(self):
        q = walk(400, 3)  # at 100 frames a second, what arrives after 24 ms is there at 30
        for delay, age, keys in (0.024, 0.03, 5), (0.026, 0.03, 6), (0, 0, 1), (0.004, 0.01, 1), (0.006, 0.01, 2), (0.031, 0.04, 7):
            with self.subTest(delay):
                report = self.sent(q, fps=100, delay=delay)
                self.assertAlmostEqual(report["median_age"], age)
                self.assertAlmostEqual(report["age_99_percent"], age)
                self.assertEqual((report["key_packets"], report["lost"]), (keys, 0))  # until the first acknowledgement

    def test_jitter_is_uniform(self):
        """The packet before has arrived in time with a probability of 0.5 / jitter."""
        for jitter, median, most in (0.4, 1, 1), (0.9, 1, 2), (1.1, 2, 2), (1.45, 2, 2):
            report = self.sent(LONG, fps=1, delay=0.5, jitter=jitter)
            self.assertEqual((report["median_age"], report["age_99_percent"], report["late"]), (median, most, 0))

    def test_age_of_what_is_lost(self):
        """The age is n ms or more if the last n packets were lost, with a probability of 0.35^n."""
        report = self.sent(LONG, fps=1000, loss=0.35)
        self.assertAlmostEqual(report["median_age"], 0)
        self.assertAlmostEqual(report["age_99_percent"], 0.004)

    def test_long_round_trips(self):
        q = walk(400, 3)
        for states in 16, 32, 64, 128, 256:
            for packets in 3 * states // 4, 3 * states // 4 + 1:  # in a round trip
                report = self.sent(q, fps=100, states=states, delay=(packets - 0.5) / 200)
                self.assertEqual(report["key_packets"], packets if packets == 3 * states // 4 else 400)

    def test_packets_that_are_late(self):
        q = walk(2000, 2)
        self.assertGreater(self.sent(q, states=16, delay=0.01, jitter=0.15)["late"], 0)
        self.assertEqual(self.sent(q, delay=0.01, jitter=0.15)["late"], 0)

    def test_a_bad_link(self):
        q = walk(2000, 5)
        for setting in {}, {"states": 16}, {"states": 256, "every": 3}, {"bound": 0.01}:
            for seed in range(5):
                report = self.sent(q, delay=0.05, jitter=0.02, loss=0.2, burst=3, twice=0.01, seed=seed, **setting)
                self.assertGreater(report["lost"], 0)

    def test_seeds(self):
        found = [self.sent(walk(300, 2), loss=0.2, jitter=0.02, seed=seed) for seed in (0, 0, 1, 2)]
        self.assertEqual(found[0], found[1])
        self.assertEqual(len({(report["lost"], report["bytes"]) for report in found}), 3)

    def test_acknowledgements_are_lost_too(self):
        """Where half of them are, baselines of a random walk are older, and packets longer."""
        q = walk(4000, 10, turn=0.05)
        self.assertGreater(self.sent(q, loss=0.5)["payload_bits"] - self.sent(q)["payload_bits"], 2)

    def test_a_wrong_decoder(self):
        for fault, says in (
            ("turns", "a rotation is beyond its bound"),
            ("refuses", "packet 99: the receiver does not have what"),
            ("repeats", "was decoded twice"),
            ("mistimes", "packet 0: has another time"),
        ):
            with self.subTest(fault):
                self.assertEqual(run(walk(500, 4), LOOSE, twice=0.01).returncode, 0)
                result = run(walk(500, 4), LOOSE, fault, twice=0.01)
                self.assertEqual((result.returncode, result.stdout), (1, b""))
                self.assertIn(says, result.stderr.decode())

    def test_bad_settings(self):
        for setting, status in ("loss", 2), ("loss=5%", 2), ("hope=1", 2), ("bodies=0", 1), ("states=48", 1):
            self.assertEqual(subprocess.run([BENCH, setting], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode, status)

    @unittest.skipUnless(TOOL and all(map(os.path.exists, CLIPS)), "no command, or assimp-testmodels is not installed")
    def test_tables_of_the_docs(self):
        table = [os.path.join(ROOT, "generate", "stream_table.py"), "--check", os.path.join(ROOT, "docs", "stream.md"), TOOL, BENCH]
        result = subprocess.run([sys.executable, *table, *CLIPS], stdout=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(result.returncode, 0, result.stdout)

    @unittest.skipUnless(os.path.isdir(TRACES), "QUATSIMD_DATA is not set, or has no traces")
    def test_table_of_traces(self):
        table = [os.path.join(ROOT, "generate", "stream_traces_table.py"), "--check", os.path.join(ROOT, "docs", "stream.md")]
        result = subprocess.run(
            [sys.executable, *table, os.environ["QUATSIMD_BENCH_STREAMS"], TRACES], stderr=subprocess.PIPE, encoding="utf-8"
        )
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
