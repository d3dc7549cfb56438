"""Runs that are killed at any moment: the bundle is the former one or the new one, and the next run leaves nothing else."""
import os
import random
import signal
import subprocess
import time

from support.command import TOOL
from support.compressing import Case, small

KILLS = 200


class Kills(Case):
    def test_kills(self):
        for i in range(4):
            self.put("in/%d.glb" % i, small("Walk", joints=12, keys=120, seed=i))
        bundle, runs = self.out("all.qsb"), (["--object", "1mm@3cm"], ["--object", "0.1mm@3cm"])
        whole, longest = [], 0.0
        for options in runs:
            start = time.monotonic()
            self.good("compress", self.path("in"), "-o", bundle, *options)
            longest = max(longest, time.monotonic() - start)
            whole.append(self.content(bundle))
        self.assertNotEqual(*whole)
        rng, found = random.Random(1), set()
        for turn in range(KILLS):
            process = subprocess.Popen(
                [TOOL, "compress", self.path("in"), "-o", bundle, *runs[turn % 2]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            time.sleep(rng.random() * 1.2 * longest)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertIn(self.content(bundle), whole)
            found.add((process.returncode, whole.index(self.content(bundle))))
        self.assertIn(-signal.SIGKILL, {status for status, _ in found})
        self.good("compress", self.path("in"), "-o", bundle, *runs[0])
        self.good("compress", self.path("in"), "-o", bundle, *runs[1])
        self.assertEqual(self.content(bundle), whole[1])
        self.assertEqual(os.listdir(self.out()), ["all.qsb"])  # and no draft
