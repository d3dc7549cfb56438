"""Tests of `quatsimd compress` on a large library: memory, broken files, and runs that are killed.

QUATSIMD_LIBRARY is how many files it has (10,000 without it).
"""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np

from support.command import TOOL
from support.compressing import Case, animation, listing, turns
from support.gltf import glb_of, gltf_tree
from support.rotations import moves

LIBRARY = int(os.environ.get("QUATSIMD_LIBRARY", "10000"))


class Library(Case):
    """Many files, some of them broken, empty or huge."""

    BROKEN, EMPTY, STILL, HUGE = 97, 211, 151, 2499

    def fails(self, i):
        return i % self.BROKEN == 5 or i % self.EMPTY == 7

    def is_still(self, i):
        return i % self.STILL == 3

    def make(self):
        nodes, curves = animation(12, 40)
        tree, _ = gltf_tree(nodes, {"Walk": curves})
        still = glb_of(*gltf_tree(nodes, {}))
        nodes, many = animation(60, 3000 if LIBRARY >= 500 else 300)
        huge = glb_of(*gltf_tree(nodes, {"Walk": many}))
        bases = [turns(400, seed) for seed in range(12)]
        times = np.arange(40, dtype="<f4") / 30
        place = moves(40)
        for i in range(LIBRARY):
            if i % self.HUGE == 1000 or i < 2:
                content = huge
            elif self.is_still(i):
                content = still
            else:
                content = b"".join(
                    times.tobytes() + np.roll(base, -i * 7 - j, axis=0)[:40].astype("<f4").tobytes() for j, base in enumerate(bases)
                )
                content = glb_of(tree, content + times.tobytes() + place.tobytes())
            if i % self.BROKEN == 5:
                content = content[: len(content) * 2 // 3]
            if i % self.EMPTY == 7:
                content = b""
            self.put("in/%02d/%05d.glb" % (i // 100, i), content)

    def memory(self, process, samples):
        """Now and then, in MB."""
        while process.poll() is None:
            try:
                with open("/proc/%d/smaps_rollup" % process.pid) as file:
                    samples.append(sum(int(line.split()[1]) for line in file if line.startswith("Pss:")) / 1024)
            except OSError:
                pass  # it ends
            time.sleep(0.05)

    def start(self, out):
        with open(self.path("stdout"), "w") as lines, open(self.path("stderr"), "w") as messages:
            command = [TOOL, "compress", "--jobs", "2", "-o", self.path(out), self.path("in")]
            return subprocess.Popen(command, stdout=lines, stderr=messages)

    def finish(self, process):
        self.assertEqual(process.wait(), 1)
        with open(self.path("stdout")) as lines, open(self.path("stderr")) as messages:
            return lines.read(), messages.read()

    def say(self, text):
        print("  " + text, file=sys.stderr)

    def test_library(self):
        self.make()
        samples = []
        process = self.start("whole")
        watcher = threading.Thread(target=self.memory, args=(process, samples))
        watcher.start()
        text, errors = self.finish(process)
        watcher.join()
        broken = sum(map(self.fails, range(LIBRARY)))
        self.assertEqual(len(errors.splitlines()), 2 * broken + 1)
        self.assertIn("quatsimd: %s failed:\n" % format(broken, ","), errors)
        self.say(text.splitlines()[-2])
        whole = listing(self.path("whole"))
        self.assertEqual(len(whole), sum(not self.fails(i) and not self.is_still(i) for i in range(LIBRARY)))

        # memory is the same in the first half of the run and in the second
        half = len(samples) // 2
        first, second = (np.percentile(part, 90) for part in (samples[:half], samples[half:]))
        self.say(
            "memory: nine tenths of the time at most %.1f MB in the first half, %.1f MB in the second; most %.1f MB"
            % (first, second, max(samples))
        )
        if LIBRARY >= 5000:  # of fewer, the first half is the start; and sanitizers keep memory for a while
            self.assertLess(second, 1.25 * first + 2)
            self.assertLess(max(samples), 100)  # two huge ones at once

        # killed three times and resumed
        kills = 0
        for part in (0.2, 0.5, 0.8):
            process = self.start("killed")
            while process.poll() is None and len(listing_names(self.path("killed"))) < part * LIBRARY:
                time.sleep(0.02)
            process.kill()
            kills += process.wait() == -signal.SIGKILL
        self.assertGreaterEqual(kills, 3 if LIBRARY >= 5000 else 1)  # a small one may be done before
        text, _ = self.finish(self.start("killed"))
        self.assertGreater(text.count(": up to date\n"), 0.6 * LIBRARY)
        self.assertEqual(listing(self.path("killed")), whole)
        text, _ = self.finish(self.start("killed"))
        self.assertEqual(text.count(": up to date\n"), len(whole))


def listing_names(folder):
    return [name for _, _, names in os.walk(folder) for name in names]
