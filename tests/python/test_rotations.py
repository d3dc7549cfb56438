"""Rotation algebra beside NumPy's doubles; shapes, strides, results in the caller's arrays; threads; wrong calls."""
import threading
import unittest

import numpy as np
import quatsimd

from support import raises, rotations


def product(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    x, y, z = aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw
    return np.stack([x, y, z, aw * bw - ax * bx - ay * by - az * bz], axis=-1)


def matrix(q):
    """Columns are the images of the axes."""
    v = np.eye(3)
    u, w = q[..., None, :3], q[..., None, 3:]
    return np.swapaxes(v + 2 * np.cross(u, np.cross(u, v) + w * v), -1, -2)


def axis_turn(axis, angle):
    q = np.zeros(angle.shape + (4,))
    q[..., "xyz".index(axis)], q[..., 3] = np.sin(angle / 2), np.cos(angle / 2)
    return q


def same(a, b):
    return np.minimum(np.abs(a - b).max(axis=-1), np.abs(a + b).max(axis=-1)).max()


class Rotations(unittest.TestCase):
    def setUp(self):
        self.a, self.b = rotations(300, seed=2), rotations(300, seed=3)

    def test_algebra(self):
        a, b = self.a, self.b
        self.assertLess(np.abs(quatsimd.multiply(a, b) - product(a, b)).max(), 1e-6)
        self.assertLess(np.abs(quatsimd.multiply(3 * a, b) - 3 * product(a, b)).max(), 1e-6)
        self.assertLess(np.abs(quatsimd.multiply(2 * a, quatsimd.inv(2 * a)) - (0, 0, 0, 1)).max(), 1e-6)
        self.assertLess(np.abs(quatsimd.conjugate(a) - a * (-1, -1, -1, 1)).max(), 1e-6)
        self.assertLess(np.abs(quatsimd.normalize(5 * a) - a).max(), 1e-6)
        self.assertLess(np.abs(quatsimd.dot(a, b) - (a * b).sum(axis=-1)).max(), 1e-6)
        self.assertLess(np.abs(quatsimd.norm(5 * a) - 5).max(), 1e-5)
        angle = 2 * np.arccos(np.abs((a * b).sum(axis=-1)))
        self.assertLess(np.abs(quatsimd.angle_between(a, b) - angle).max(), 1e-5)
        self.assertLess(np.abs(quatsimd.magnitude(a) - 2 * np.arccos(np.abs(a[:, 3]))).max(), 1e-5)

    def test_vectors_and_matrices(self):
        v = np.random.default_rng(4).normal(size=(300, 3))
        self.assertLess(np.abs(quatsimd.apply(self.a, v) - (matrix(self.a) @ v[..., None])[..., 0]).max(), 2e-6)
        self.assertLess(np.abs(quatsimd.as_matrix(self.a) - matrix(self.a)).max(), 1e-6)
        self.assertLess(same(quatsimd.from_matrix(matrix(self.a)), self.a), 1e-6)
        self.assertLess(same(quatsimd.from_matrix(np.asfortranarray(matrix(self.a))), self.a), 1e-6)
        out = np.zeros((300, 4, 4), np.float32)
        self.assertLess(np.abs(quatsimd.as_matrix(self.a, out=out[:, :3, :3]) - matrix(self.a)).max(), 1e-6)
        self.assertEqual(np.abs(out[:, 3]).max(), 0)

    def test_conversions(self):
        angle = np.random.default_rng(5).uniform(-3, 3, 300)
        axis = np.random.default_rng(6).normal(size=(300, 3))
        unit = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
        q = np.concatenate([unit * np.sin(angle / 2)[:, None], np.cos(angle / 2)[:, None]], axis=-1)
        self.assertLess(same(quatsimd.from_axis_angle(axis, angle), q), 1e-6)
        self.assertLess(same(quatsimd.from_rotvec(unit * angle[:, None]), q), 1e-6)
        self.assertLess(same(quatsimd.from_mrp(unit * np.tan(angle / 4)[:, None]), q), 1e-6)
        self.assertLess(same(quatsimd.from_rotvec(quatsimd.as_rotvec(self.a)), self.a), 1e-6)
        self.assertLess(same(quatsimd.from_mrp(quatsimd.as_mrp(self.a)), self.a), 1e-6)
        self.assertLess(same(quatsimd.from_axis_angle(*quatsimd.as_axis_angle(self.a)), self.a), 1e-6)

    def test_angles_as_scipy_has_them(self):
        angles = np.random.default_rng(7).uniform(-1.4, 1.4, (300, 3))
        for seq in ("xyz", "zyx", "yxz", "zxz", "xyx"):
            turns = [axis_turn(axis, angles[:, i]) for i, axis in enumerate(seq)]
            fixed, own = product(turns[2], product(turns[1], turns[0])), product(turns[0], product(turns[1], turns[2]))
            self.assertLess(same(quatsimd.from_euler(seq, angles), fixed), 1e-6, seq)
            self.assertLess(same(quatsimd.from_euler(seq.upper(), np.degrees(angles), degrees=True), own), 1e-6, seq)
            for name in (seq, seq.upper()):
                back = quatsimd.as_euler(self.a, name, degrees=True)
                self.assertLess(same(quatsimd.from_euler(name, back, degrees=True), self.a), 1e-5, name)

    def test_interpolation(self):
        b = np.where((self.a * self.b).sum(axis=-1, keepdims=True) < 0, -self.b, self.b)
        half = self.a + b
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        self.assertLess(same(quatsimd.slerp(self.a, self.b, 0.5), half), 1e-6)
        self.assertLess(same(quatsimd.nlerp(self.a, self.b, 0.5), half), 1e-6)
        along = quatsimd.slerp(self.a[:, None], self.b[:, None], np.linspace(0, 1, 5))
        self.assertEqual(along.shape, (300, 5, 4))
        steps = quatsimd.angle_between(along[:, 1:], along[:, :-1])
        self.assertLess(np.abs(steps - steps[:, :1]).max(), 1e-5)
        control = quatsimd.squad_control(self.a, self.a, self.a)
        self.assertLess(same(quatsimd.squad(self.a, control, control, self.a, 0.3), self.a), 1e-6)

    def test_motion_and_curves(self):
        velocity = np.random.default_rng(8).normal(size=(300, 3))
        after = quatsimd.integrate(self.a, velocity, 0.1)
        self.assertLess(np.abs(quatsimd.angular_velocity(self.a, after, 0.1) - velocity).max(), 1e-4)
        self.assertLess(same(quatsimd.predict(self.a, after), quatsimd.integrate(after, velocity, 0.1).astype(float)), 1e-5)
        signs = np.where(np.arange(300) % 3, 1, -1)[:, None]
        curve = quatsimd.make_continuous(quatsimd.slerp(self.a[0], self.b[0], np.linspace(0, 1, 300)) * signs)
        self.assertGreater((curve[1:] * curve[:-1]).sum(axis=-1).min(), 0)
        self.assertLess(same(quatsimd.mean(np.stack([self.a[0], -self.a[0], self.a[0]])), self.a[0]), 1e-6)
        self.assertLess(same(quatsimd.mean(self.a[:2], weights=[1, 0]), self.a[0]), 1e-6)

    def test_every_layout_gives_the_same_bits(self):
        a, b = self.a.astype(np.float32), self.b.astype(np.float32)
        wanted = quatsimd.multiply(a, b)
        wide = np.zeros((300, 7), np.float32)
        wide[:, 2:6] = a
        bytes_apart = np.zeros(300, np.dtype([("id", "u1"), ("q", "<f4", 4)]))
        odd = np.zeros(300, np.dtype([("id", "u1"), ("q", "<f4", 4), ("rest", "u1", 3)]))
        bytes_apart["q"] = odd["q"] = a
        for other in (
            self.a.astype(np.float32).T.copy().T,
            wide[:, 2:6],
            a[::-1].copy()[::-1],
            a[:, ::-1].copy()[:, ::-1],
            a.astype(">f4"),
            bytes_apart["q"],
            odd["q"],
            np.repeat(a, 2, axis=0)[::2],
            list(map(list, a)),
        ):
            self.assertTrue((quatsimd.multiply(other, b) == wanted).all())
        last = np.roll(a, 1, axis=-1)
        for other in (last, last.T.copy().T):
            result = quatsimd.multiply(other, np.roll(b, 1, axis=-1), order="wxyz")
            self.assertTrue((np.roll(result, -1, axis=-1) == wanted).all())
        self.assertTrue(
            (
                quatsimd.multiply(a.reshape(3, 100, 4).transpose(1, 0, 2), b.reshape(3, 100, 4).transpose(1, 0, 2))
                == wanted.reshape(3, 100, 4).transpose(1, 0, 2)
            ).all()
        )

    def test_broadcasting(self):
        for x, y in (((300, 4), (4,)), ((4,), (300, 4)), ((30, 1, 4), (10, 4)), ((5, 1, 6, 4), (1, 7, 1, 4)), ((0, 4), (4,)), ((4,), (4,))):
            a, b = rotations(*x[:-1], seed=9), rotations(*y[:-1], seed=10)
            result = quatsimd.multiply(a, b)
            self.assertEqual(result.shape, np.broadcast_shapes(x, y))
            self.assertLess(np.abs(result - product(*np.broadcast_arrays(a, b))).max(initial=0), 1e-6)
        self.assertEqual(quatsimd.apply(rotations(8), np.zeros((5, 8, 3))).shape, (5, 8, 3))
        self.assertEqual(quatsimd.multiply(np.broadcast_to(rotations(), (9, 4)), rotations(9)).shape, (9, 4))

    def test_out(self):
        a, b = self.a.astype(np.float32), self.b.astype(np.float32)
        wanted = quatsimd.multiply(a, b)
        for out in (
            np.empty((300, 4)),
            np.empty((300, 4), np.float16),
            np.empty((4, 300), np.float32).T,
            np.empty((600, 8), np.float32)[::2, 1:5],
        ):
            self.assertIs(quatsimd.multiply(a, b, out=out), out)
            self.assertTrue((out == wanted.astype(out.dtype)).all())
        both = a.copy()
        self.assertTrue((quatsimd.multiply(both, b, out=both) == wanted).all())
        both = np.concatenate([a[:1], a])
        self.assertTrue((quatsimd.multiply(both[1:], b, out=both[:-1]) == wanted).all(), "an output over another part of an input")
        both = np.concatenate([a, a[:1]])
        self.assertTrue((quatsimd.multiply(both[:-1], b, out=both[1:]) == wanted).all())
        self.assertTrue((quatsimd.conjugate(both[1:], out=both[1:].T.T) == wanted * np.float32([-1, -1, -1, 1])).all())

    def test_out_of_one_place(self):
        out = np.lib.stride_tricks.as_strided(np.zeros(4, np.float32), (300, 4), (0, 4))
        quatsimd.multiply(self.a, self.b, out=out)
        self.assertTrue((out[0] == quatsimd.multiply(self.a[-1], self.b[-1])).all())

    def test_threads(self):
        a = np.tile(self.a.astype(np.float32), (100, 1))
        wanted, found = quatsimd.multiply(a, a), [None] * 4

        def work(i):
            found[i] = quatsimd.multiply(a, a)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all((one == wanted).all() for one in found))

    def test_wrong_calls(self):
        a, b = self.a, self.b
        hole, endless = a.copy(), np.zeros((300, 3))
        hole[17, 3], endless[5, 1] = np.nan, np.inf
        read_only = np.empty((300, 4), np.float32)
        read_only.flags.writeable = False
        raises(self, ValueError, r"^b\[17\] is .*nan", quatsimd.multiply, a, hole)
        raises(self, ValueError, r"^a\[17\] is ", quatsimd.slerp, hole, b, 0.5)
        raises(self, ValueError, r"^q\[0\] is .*: its length must be 1", quatsimd.apply, 1.001 * a, (1, 2, 3))
        raises(self, ValueError, r"^q is .*: its length must be 1", quatsimd.as_euler, (1, 1, 0, 0), "xyz")
        raises(self, ValueError, r"^v\[5\] is .*inf", quatsimd.apply, a, endless)
        raises(self, ValueError, r"^v: the shape must be \(\.\.\., 3\)", quatsimd.apply, a, b)
        raises(self, ValueError, r"^t is .*nan", quatsimd.slerp, a, b, np.nan)
        raises(self, TypeError, r"^t: numbers", quatsimd.slerp, a, b, "half")
        raises(self, TypeError, r"^t: numbers", quatsimd.slerp, a, b, None)
        raises(self, ValueError, r"do not go together: a \(300, 4\), b \(299, 4\)", quatsimd.multiply, a, b[1:])
        raises(self, ValueError, r"^matrix: the shape must be \(\.\.\., 3, 3\)", quatsimd.from_matrix, np.eye(4))
        raises(self, ValueError, r"^matrix is .*nan", quatsimd.from_matrix, np.full((3, 3), np.nan))
        raises(self, ValueError, r"^seq: 'xyw'", quatsimd.from_euler, "xyw", (1, 2, 3))
        raises(self, ValueError, r"^seq: 'xYz'", quatsimd.from_euler, "xYz", (1, 2, 3))
        raises(self, ValueError, r"^seq: 3", quatsimd.as_euler, a, 3)
        raises(self, ValueError, r"^angles: the shape must be \(\.\.\., 3\)", quatsimd.from_euler, "xyz", 1.0)
        raises(self, ValueError, r"^out: the shape must be \(300, 4\)", quatsimd.multiply, a, b, out=np.empty((1, 4)))
        raises(self, TypeError, r"^out: an array of NumPy", quatsimd.multiply, a, b, out=[])
        raises(self, TypeError, r"^out: .*int64", quatsimd.multiply, a, b, out=np.empty((300, 4), int))
        raises(self, ValueError, r"^out: .*read-only", quatsimd.multiply, a, b, out=read_only)
        raises(self, ValueError, r"^order: None", quatsimd.multiply, a, b, order=None)
        raises(self, ValueError, r"^q: there are no", quatsimd.mean, np.empty((0, 4)))
        raises(self, ValueError, r"^weights: the shape", quatsimd.mean, a, weights=(1, 2))
        raises(self, ValueError, r"^weights: none may be negative", quatsimd.mean, a[:2], weights=(1, -1))
        raises(self, ValueError, r"^q: the shape must be \(n, 4\)", quatsimd.make_continuous, a.reshape(3, 100, 4))


if __name__ == "__main__":
    unittest.main()
