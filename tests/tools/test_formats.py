"""Tests of the command formats."""

import numpy as np

from support.command import FORMATS, Directory


class Formats(Directory):
    def test_json(self):
        names = [format["name"] for format in FORMATS]
        self.assertEqual(len(set(names)), len(names))
        self.assertTrue({"float4", "cube32", "smallest3:4", "smallest3:20", "mirage:10"} <= set(names))
        for format in FORMATS:
            self.assertEqual(format["bytes_per_1000"], (format["bits"] * 1000 + 7) // 8)
            self.assertGreaterEqual(format["worst_error_degrees"], format["mean_error_degrees"])
            self.assertIsInstance(format["exact_identity"], bool)

    def test_table(self):
        ((*rows,),) = self.tables(self.good("formats").stdout)
        self.assertEqual([(cells[0], origin) for cells, origin in rows], [(format["name"], format["origin"]) for format in FORMATS])

    def test_exact_identity(self):
        identity = np.array([[0, 0, 0, 1]], np.float32)
        for format in FORMATS:
            with self.subTest(format["name"]):
                self.good("pack", "-f", format["name"], self.save("in.npy", identity), self.path("p.npy"))
                self.good("unpack", "-f", format["name"], self.path("p.npy"), self.path("b.npy"))
                self.assertEqual(bool((np.load(self.path("b.npy")) == identity).all()), format["exact_identity"])
