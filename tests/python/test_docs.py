"""The examples of docs/python.md, as they are there."""
import contextlib
import io
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import quatsimd

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/python.md"


class Docs(unittest.TestCase):
    def test_examples_run(self):
        names, examples = {}, re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
        self.assertGreater(len(examples), 3)
        printed = io.StringIO()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        models = pathlib.Path(folder.name) / "web/site/models"
        models.mkdir(parents=True)
        shutil.copy(PAGE.parents[1] / "web/site/models/Fox.glb", models)
        os.chdir(folder.name)
        with contextlib.redirect_stdout(printed):
            for example in examples:
                exec(compile(example, PAGE.name, "exec"), names)  # pylint: disable=exec-used
        self.assertIn("q[1, 2] is [nan,  0.,  0.,  1.]: this is no rotation", printed.getvalue())
        error = quatsimd.angle_between(names["q"], names["back"]).max()
        self.assertLess(names["np"].degrees(error), 0.12)
        self.assertLess(abs(quatsimd.apply(names["turn"], (1, 0, 0)) - (0, 1, 0)).max(), 1e-6)
        self.assertEqual([event.name for event in names["passed"]], ["top"])
        self.assertEqual(list(names["fox"]), ["Run", "Survey", "Walk"])
        self.assertEqual(names["batch"]["model_positions"].shape[0], 4096)
        self.assertEqual((names["matrices"].shape, names["speed"].shape), ((100, 2, 4, 4), (60, 2, 3)))
        self.assertLess(quatsimd.angle_between(names["shown"], names["rotations"][-1]).max(), 2e-3)


if __name__ == "__main__":
    unittest.main()
