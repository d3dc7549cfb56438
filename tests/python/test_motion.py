"""The motion library against the single functions of C, and against formulas in double."""
import ctypes
import multiprocessing
import os
import pickle
import tempfile
import threading
import unittest

import numpy as np
from made_bundles import encode_bundle, encode_clip, encode_skeleton

import quatsimd
from quatsimd import _declarations as c
from quatsimd._library import lib
from quatsimd._motion import AXES

PARENTS = (-1, 0, 1, 2, 0, 4, 5, 0)
JOINTS = len(PARENTS)
FINE = {"rotation_bound": 1e-4, "translation_bound": 1e-4, "scale_bound": 1e-4}


def unit(q):
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def multiply(a, b):
    x, y, z, w = np.moveaxis(a, -1, 0)
    i, j, k, r = np.moveaxis(b, -1, 0)
    return np.stack(
        [w * i + x * r + y * k - z * j, w * j - x * k + y * r + z * i, w * k + x * j - y * i + z * r, w * r - x * i - y * j - z * k], -1
    )


def turn(q, v):
    u = np.cross(q[..., :3], v)
    return v + 2 * (q[..., 3:] * u + np.cross(q[..., :3], u))


def made_clip(seed, frames, still=False, scale=1.0, bend=0.2, **options):
    rng = np.random.default_rng(seed)
    rotations = np.cumsum(rng.normal(0, bend, (frames, JOINTS, 4)), axis=0) * (0 if still else 1) + rng.normal(0, 1, (JOINTS, 4))
    rotations[:, 2] = rotations[0, 2]  # a joint that does not move
    translations = np.broadcast_to(rng.normal(0, 1, (JOINTS, 3)), (frames, JOINTS, 3)).copy()
    translations[:, 0] += np.cumsum(rng.normal(0, 0.05, (frames, 3)), axis=0)
    translations[:, 6] += np.cumsum(rng.normal(0, 0.05, (frames, 3)), axis=0)  # below other joints
    scales = np.full((frames, JOINTS, 3), scale)
    options = {**FINE, **options}
    times = np.arange(frames) / 30 + options.pop("start", 0.0)
    skeleton = made_skeleton()
    return encode_clip(skeleton, PARENTS, times, unit(rotations), translations, scales, options)


def made_skeleton():
    return encode_skeleton([f"joint {j}" for j in range(JOINTS)], PARENTS, np.zeros((JOINTS, 3)))


def keyed_clip():
    """A joint that turns in a few keys far apart, beside one that moves in each frame."""
    rng, frames = np.random.default_rng(9), 120
    times = np.arange(frames) / 30
    rotations = np.zeros((frames, JOINTS, 4))
    rotations[..., 3] = 1
    rotations[:, 1] += np.cumsum(rng.normal(0, 0.1, (frames, 4)), axis=0)
    key_times = np.array([0, 0.41, 2.9, 3.96])
    keys = (key_times, unit(rng.normal(0, 1, (4, 4)))), (key_times[:3] + 0.01, rng.normal(0, 1, (3, 3)))
    options = {**FINE, "rate": 30}
    return encode_clip(made_skeleton(), PARENTS, times, unit(rotations), np.zeros((frames, JOINTS, 3)), None, options, {3: keys})


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def child(connection, library, dataset):
    """A worker's process: samples, and says what it has open."""
    connection.send((library.sample([0], [0.5])["model_positions"], dataset[[3, 40]]["rotations"], library.opened_bytes))


class MotionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.clips = {
            "fast": made_clip(5, 20, bend=1.5),
            "keyed": keyed_clip(),
            "long": made_clip(2, 200),
            "one": made_clip(4, 1),
            "scaled": made_clip(6, 50, scale=0.5),
            "short": made_clip(1, 10, start=2.0),
            "still": made_clip(3, 30, still=True),
        }
        cls.path = write(cls.folder.name, "made.qsb", encode_bundle(made_skeleton(), cls.clips))
        rng = np.random.default_rng(1)
        cls.numbers = rng.integers(0, len(cls.clips), 300)
        cls.times = rng.uniform(-0.5, 4, 300)
        cls.times[:100] = np.round(cls.times[:100] * 30) / 30  # exactly at frames
        cls.numbers[100:107], cls.times[100:107] = range(7), np.array([19, 119, 199, 0, 49, 69, 29]) / 30  # at the clips' ends

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def one_by_one(self, library, wrap):
        """What the single functions of C give."""
        library.open()
        wanted = {name: [] for name in ("rotations", "translations", "scales", "local_angular", "local_linear")}
        for number, time in zip(self.numbers, self.times):
            r, t, s = (np.empty((JOINTS, n), np.float32) for n in (4, 3, 3))
            a, v = np.empty((JOINTS, 3), np.float32), np.empty((JOINTS, 3), np.float32)
            pose = c.quatsimd_pose_out(*(lib.quatsimd_view_aos_out(x.ctypes.data) for x in (r, t, s)), None)
            velocities = c.quatsimd_velocities_out(*(lib.quatsimd_view_aos_out(x.ctypes.data) for x in (a, v)))
            clip = library._clips[int(number)]
            self.assertEqual(lib.quatsimd_clip_sample(clip, ctypes.byref(pose), None, time, wrap, 0), 0)
            self.assertEqual(lib.quatsimd_clip_sample_velocities(clip, ctypes.byref(velocities), time, wrap), 0)
            for name, value in zip(wanted, (r, t, s, a, v)):
                wanted[name].append(value)
        return {name: np.array(values) for name, values in wanted.items()}

    def test_local(self):
        library = quatsimd.MotionLibrary(self.path)
        library.open()
        for kind in (c.QUATSIMD_CLIP_ROTATION, c.QUATSIMD_CLIP_TRANSLATION):
            self.assertEqual(lib.quatsimd_clip_curve_state(library._clips[1], kind, 3), c.QUATSIMD_CLIP_KEYED)
        for name, wrap in (("clamp", c.QUATSIMD_CLIP_WRAP_CLAMP), ("loop", c.QUATSIMD_CLIP_WRAP_LOOP)):
            wanted = self.one_by_one(library, wrap)
            found = library.sample(self.numbers, self.times, want=tuple(wanted), wrap=name)
            for kind in ("rotations", "translations", "scales"):
                np.testing.assert_array_equal(found[kind], wanted[kind], kind)
            for kind in ("local_angular", "local_linear"):
                np.testing.assert_allclose(found[kind], wanted[kind], atol=1e-4, rtol=1e-5, err_msg=kind)
            self.assertGreater(np.abs(wanted["local_angular"]).max(), 30)

    def test_half_turns(self):
        """Between frames that are half a turn apart, rounding decides which way the joint turns: velocities go the same way."""
        rng = np.random.default_rng(3)
        rotations = np.zeros((60, JOINTS, 4))
        rotations[0] = unit(rng.normal(0, 1, (JOINTS, 4)))
        for f in range(1, 60):
            axes = rng.normal(0, 1, (JOINTS, 3))
            half = np.concatenate((axes / np.linalg.norm(axes, axis=-1, keepdims=True), np.zeros((JOINTS, 1))), -1)
            rotations[f] = multiply(half, rotations[f - 1])
        data = encode_clip(
            made_skeleton(), PARENTS, np.arange(60) / 30, rotations, np.zeros((60, JOINTS, 3)), None, {**FINE, "rotation_bound": 1e-3}
        )
        library = quatsimd.MotionLibrary(write(self.folder.name, "half.qsb", encode_bundle(made_skeleton(), {"half": data})))
        library.open()
        for time in np.arange(59) / 30:
            wanted = np.empty((JOINTS, 3), np.float32)
            velocities = c.quatsimd_velocities_out(lib.quatsimd_view_aos_out(wanted.ctypes.data), c.quatsimd_out())
            lib.quatsimd_clip_sample_velocities(library._clips[0], ctypes.byref(velocities), time, c.QUATSIMD_CLIP_WRAP_CLAMP)
            found = library.sample(0, time, ["local_angular"])["local_angular"]
            np.testing.assert_allclose(found, wanted, atol=1e-3)
            self.assertGreater(np.abs(wanted).max(), 30)

    def test_model(self):
        """Places and velocities in model space, in double from the local ones; and the velocities as differences of places."""
        library = quatsimd.MotionLibrary(self.path, root="joint 4")
        s = {k: v.astype(np.float64) for k, v in library.sample(self.numbers, self.times, want=tuple(AXES), wrap="loop").items()}
        q, p, w, v, scale = [None] * JOINTS, [None] * JOINTS, [None] * JOINTS, [None] * JOINTS, [None] * JOINTS
        for j, up in enumerate(PARENTS):
            q[j], p[j] = s["rotations"][:, j], s["translations"][:, j]
            w[j], v[j], scale[j] = s["local_angular"][:, j], s["local_linear"][:, j], s["scales"][:, j]
            if up >= 0:
                arm = turn(q[up], scale[up] * p[j])
                v[j] = v[up] + np.cross(w[up], arm) + turn(q[up], scale[up] * v[j])
                w[j], p[j] = w[up] + turn(q[up], w[j]), p[up] + arm
                q[j], scale[j] = multiply(q[up], q[j]), scale[up] * scale[j]
        for name, wanted in zip(("model_rotations", "model_positions", "model_angular", "model_linear"), (q, p, w, v)):
            wanted = np.stack(wanted, 1)
            np.testing.assert_allclose(s[name], wanted, atol=3e-5, rtol=1e-5, err_msg=name)
            np.testing.assert_array_equal(s["root" + name[5:]], s[name][:, 4], name)
        self.assertLess(np.abs(np.linalg.norm(s["model_rotations"], axis=-1) - 1).max(), 5e-7)
        step = 1e-3  # the speeds of places, where both lie between the same two frames
        clips, times = np.full(100, library.find("long")), np.arange(100) / 30 + 0.015
        before, now, after = (library.sample(clips, times + d) for d in (-step, 0, step))
        speed = (after["model_positions"].astype(np.float64) - before["model_positions"]) / (2 * step)
        np.testing.assert_allclose(now["model_linear"], speed, atol=5e-3, rtol=2e-3)

    def test_tracks_of_none(self):
        self.assertEqual(quatsimd.MotionLibrary(self.path).sample([0], [0], want=["tracks"])["tracks"].shape, (1, 0))

    def test_threads_and_order(self):
        """The same bits whatever the number of threads, the order of poses and the others in the call."""
        one, five = quatsimd.MotionLibrary(self.path, threads=1), quatsimd.MotionLibrary(self.path, threads=5)
        a, b = (x.sample(self.numbers, self.times, want=tuple(AXES)) for x in (one, five))
        order = np.random.default_rng(2).permutation(len(self.times))[:77]
        some = five.sample(self.numbers[order], self.times[order], want=tuple(AXES))
        for name in AXES:
            self.assertEqual(a[name].tobytes(), b[name].tobytes(), name)
            self.assertEqual(a[name][order].tobytes(), some[name].tobytes(), name)

    def test_shapes(self):
        library = quatsimd.MotionLibrary(self.path)
        grid = library.sample(np.array([[2], [5]]), np.array([0.1, 2.1, 2.2]))
        self.assertEqual(grid["rotations"].shape, (2, 3, JOINTS, 4))
        self.assertEqual(grid["root_positions"].shape, (2, 3, 3))
        alone = library.sample(5, 2.1)
        np.testing.assert_array_equal(grid["rotations"][1, 1], alone["rotations"])
        self.assertEqual(library.sample([], [])["rotations"].shape, (0, JOINTS, 4))
        out = {"model_positions": np.full((2, 3, JOINTS, 3), np.nan, np.float32)}
        given = library.sample([[2], [5]], [0.1, 2.1, 2.2], out=out)
        self.assertEqual(list(given), ["model_positions"])
        self.assertIs(given["model_positions"], out["model_positions"])
        np.testing.assert_array_equal(out["model_positions"], grid["model_positions"])

    def test_dlpack(self):
        found = quatsimd.MotionLibrary(self.path).sample([0], [0])["rotations"]
        self.assertEqual(np.from_dlpack(found).ctypes.data, found.ctypes.data)  # as torch.from_dlpack does

    def test_lazy(self):
        library = quatsimd.MotionLibrary(self.path)
        self.assertEqual(library.opened_bytes, 0)
        library.sample([3, 3], [0, 0])
        some = library.opened_bytes
        self.assertGreater(some, 0)
        library.sample([3], [0])
        self.assertEqual(library.opened_bytes, some)
        library.open()
        self.assertGreater(library.opened_bytes, some)
        np.testing.assert_allclose(library.durations[[library.find("long"), library.find("one")]], [199 / 30, 0])
        self.assertEqual(library.starts[library.find("short")], 2)

    def test_names(self):
        library = quatsimd.MotionLibrary(self.path)
        self.assertEqual([library.name(i) for i in range(len(library))], sorted(self.clips))
        self.assertEqual(library.joint_names[7], "joint 7")
        self.assertEqual(tuple(library.parents), PARENTS)

    def test_draw(self):
        library = quatsimd.MotionLibrary(self.path)
        clips, times = library.draw(6, seed=(7, 1))
        self.assertEqual(clips.tolist(), [5, 1, 3, 6, 2, 1])  # on every machine
        self.assertEqual(
            " ".join(t.hex() for t in times),
            "0x1.044c4a2214d53p+1 0x1.44dbc4db45ceep-1 0x0.0p+0 0x1.2f46cdfbd5056p-2 0x1.bd6a4a1169c1bp+1 0x1.20fd539a1f93bp-3",
        )
        weights = np.array([0, 1, 0, 3, 0, 0, 0])
        clips, times = library.draw(4000, 1, weights=weights)
        self.assertEqual(set(clips.tolist()), {1, 3})
        self.assertAlmostEqual((clips == 3).mean(), 0.75, delta=0.03)
        clips, times = library.draw(4000, 1, weights=library.durations)
        self.assertTrue((times >= library.starts[clips]).all() and (times <= (library.starts + library.durations)[clips]).all())
        self.assertAlmostEqual((clips == 2).mean(), library.durations[2] / library.durations.sum(), delta=0.03)

    def test_processes(self):
        """A library and a data set go to processes that are forked or spawned."""
        library = quatsimd.MotionLibrary(self.path, root="joint 4", threads=1)
        dataset = quatsimd.MotionDataset(library)
        wanted = library.sample([0], [0.5])["model_positions"], dataset[[3, 40]]["rotations"]
        for method in ("fork", "spawn"):
            if method not in multiprocessing.get_all_start_methods():
                continue
            context = multiprocessing.get_context(method)
            here, there = context.Pipe()
            process = context.Process(target=child, args=(there, library, dataset))
            process.start()
            found = here.recv()
            process.join()
            for a, b in zip(wanted, found):
                np.testing.assert_array_equal(a, b)
        copy = pickle.loads(pickle.dumps(library))
        self.assertEqual((copy.root, copy.threads, copy.path), (4, 1, self.path))

    def test_together(self):
        """Threads that sample a library at once, with clips that none has opened."""
        wanted = quatsimd.MotionLibrary(self.path).sample(self.numbers, self.times)["model_linear"]
        library, found = quatsimd.MotionLibrary(self.path, threads=2), [None] * 8

        def work(i):
            found[i] = library.sample(self.numbers, self.times)["model_linear"]

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for one in found:
            np.testing.assert_array_equal(one, wanted)
        opened = library.opened_bytes
        alone = quatsimd.MotionLibrary(self.path)
        alone.open(self.numbers)
        self.assertEqual(opened, alone.opened_bytes)  # none was opened twice

    def test_dataset(self):
        library = quatsimd.MotionLibrary(self.path)
        dataset = quatsimd.MotionDataset(library, rate=30, want=("rotations",))
        self.assertEqual(len(dataset), 20 + 120 + 200 + 1 + 50 + 10 + 30)
        np.testing.assert_array_equal(dataset[20 + 120 + 7]["rotations"], library.sample(2, 7 / 30)["rotations"])
        np.testing.assert_array_equal(dataset[20 + 120 + 200]["rotations"], library.sample(3, 0)["rotations"])
        items = dataset.__getitems__([147, 0])
        self.assertEqual(len(items), 2)
        np.testing.assert_array_equal(items[0]["rotations"], dataset[147]["rotations"])
        for bad in (-1, len(dataset)):
            with self.assertRaisesRegex(IndexError, "index"):
                dataset[bad]

    def test_wrong_calls(self):
        library = quatsimd.MotionLibrary(self.path)
        good = np.zeros((1, JOINTS, 4), np.float32)
        for call, error, text in [
            (lambda: library.sample([7], [0]), ValueError, r"clips\[0\] is 7: the library has 7 clips"),
            (lambda: library.sample([[0, -1]], [0]), ValueError, r"clips\[0, 1\] is -1"),
            (lambda: library.sample([0.0], [0]), TypeError, "clips: whole numbers"),
            (lambda: library.sample([0], [np.nan]), ValueError, r"times\[0\] is nan"),
            (lambda: library.sample([0], ["0"]), TypeError, "times: numbers"),
            (lambda: library.sample([0, 1], [0, 1, 2]), ValueError, "clips .2,., times .3,."),
            (lambda: library.sample([0], [0], want=["rotation"]), ValueError, "want: 'rotation' is none of"),
            (lambda: library.sample([0], [0], wrap="round"), ValueError, "wrap: 'round'"),
            (lambda: library.sample([0], [0], out=[good]), TypeError, "out: a dict"),
            (lambda: library.sample([0], [0], out={"x": good}), ValueError, "out: 'x'"),
            (lambda: library.sample([0], [0], out={"rotations": 3}), TypeError, r"out\['rotations'\]: an array"),
            (lambda: library.sample([0], [0], out={"rotations": good[0]}), ValueError, r"out\['rotations'\]: the shape"),
            (lambda: library.sample([0], [0], out={"rotations": good.astype("f8")}), TypeError, "float32"),
            (lambda: library.sample([0], [0], out={"rotations": good[..., ::-1]}), ValueError, "without gaps"),
            (lambda: library.sample([0], [0], out={"rotations": good, "model_rotations": good}), ValueError, "shares memory with out"),
            (lambda: library.name(7), ValueError, "clip: the library has 7 clips"),
            (lambda: library.find("Walk"), ValueError, "no clip 'Walk'"),
            (lambda: library.find(3), TypeError, "name: a name"),
            (lambda: library.draw(-1, 0), ValueError, "count: -1"),
            (lambda: library.draw(1, None), TypeError, "seed: a number"),
            (lambda: library.draw(1, -1), ValueError, "seed: -1"),
            (lambda: library.draw(1, (1, 2.5)), TypeError, "seed: a whole number"),
            (lambda: library.draw(1, 0, weights=[1]), ValueError, r"weights: the shape must be \(7,\)"),
            (lambda: library.draw(1, 0, weights=[1, -1, 0, 0, 0, 0, 0]), ValueError, r"weights\[1\] is -1"),
            (lambda: library.draw(1, 0, weights=[0] * 7), ValueError, "weights: their sum"),
            (lambda: quatsimd.MotionLibrary(self.path, root="hips"), ValueError, "root: the skeleton has no joint 'hips'"),
            (lambda: quatsimd.MotionLibrary(self.path, root=8), ValueError, "root: the skeleton has 8 joints"),
            (lambda: quatsimd.MotionLibrary(self.path, threads=0), ValueError, "threads: 0"),
            (lambda: quatsimd.MotionDataset(library, rate=0), ValueError, "rate"),
            (lambda: quatsimd.MotionDataset(self.path), TypeError, "library: a MotionLibrary"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()

    def test_wrong_files(self):
        whole = encode_bundle(made_skeleton(), self.clips)
        spoiled = bytearray(whole)
        at = whole.index(self.clips["long"][-40:]) if self.clips["long"][-40:] in whole else len(whole) - 2000
        spoiled[at] ^= 1
        uneven = made_clip(1, 5, scale=np.array([1, 1.1, 1]))
        additive = made_clip(1, 5, additive=c.QUATSIMD_CLIP_ADDITIVE_FIRST)
        with self.assertRaisesRegex(quatsimd.Error, "empty.qsb"):
            quatsimd.MotionLibrary(write(self.folder.name, "empty.qsb", b""))
        with self.assertRaisesRegex(quatsimd.Error, "cut.qsb"):
            quatsimd.MotionLibrary(write(self.folder.name, "cut.qsb", whole[:-1]))
        with self.assertRaises(FileNotFoundError):
            quatsimd.MotionLibrary("none.qsb")
        with self.assertRaisesRegex(quatsimd.Error, "spoiled.qsb: clip '"):
            quatsimd.MotionLibrary(write(self.folder.name, "spoiled.qsb", bytes(spoiled))).open()
        path = write(self.folder.name, "odd.qsb", encode_bundle(made_skeleton(), {"a": additive, "b": self.clips["one"], "u": uneven}))
        library = quatsimd.MotionLibrary(path)
        with self.assertRaisesRegex(ValueError, "clip 'a': it is additive"):
            library.sample([1, 0], [0, 0])
        library.sample([1], [0])
        with self.assertRaisesRegex(ValueError, r"clips\[1\]: clip 'u' has a scale that differs by axis"):
            library.sample([1, 2, 1], [0, 0, 0])
        library.sample([1, 2, 1], [0, 0, 0], want=["rotations", "scales", "local_angular"])


if __name__ == "__main__":
    unittest.main()
