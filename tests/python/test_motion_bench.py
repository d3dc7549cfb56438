"""The script that compares the motion library with tensors runs."""
import os
import pathlib
import subprocess
import sys
import unittest

ROOM = pathlib.Path(__file__).parents[2]
DATA = os.environ.get("QUATSIMD_DATA", "")
COMMAND = os.environ.get("QUATSIMD", "")


class BenchTest(unittest.TestCase):
    @unittest.skipUnless(os.path.isdir(f"{DATA}/cmu") and os.path.exists(COMMAND), "needs QUATSIMD_DATA, and QUATSIMD, the command")
    def test_small(self):
        script = [sys.executable, str(ROOM / "bench/python_motion.py"), "--count", "6", "--batch", "64", "--seconds", "0.01"]
        done = subprocess.run([*script, "--command", COMMAND], stdout=subprocess.PIPE, text=True, check=True)
        errors = [float(line.split()[-1]) for line in done.stdout.splitlines() if "worst error" in line]
        self.assertEqual(len(errors), 2, done.stdout)
        self.assertTrue(all(0.1 < error <= 1.01 for error in errors), done.stdout)


if __name__ == "__main__":
    unittest.main()
