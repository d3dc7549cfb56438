"""Streams: bounds, loss, restarts, figures, and threads that share a sender."""
import threading
import unittest

import made
import numpy as np

import quatsimd
from quatsimd import Receiver, Sender

SHARED = {"body_count": made.JOINTS, "bound": 2e-3, "position_count": 2, "position_bound": 1e-3, "track_count": 2, "track_bound": 1e-3}


def parts(keys, i):
    return keys["rotations"][i], i, keys["translations"][i, :2], keys["tracks"][i]


class Streams(unittest.TestCase):
    keys = made.keys()

    def expect_near(self, frame):
        rotations, _, positions, tracks = parts(self.keys, frame.time)
        self.assertLess(quatsimd.angle_between(frame.rotations, rotations).max(), 2e-3)
        self.assertLess(np.linalg.norm(frame.positions - positions, axis=1).max(), 1e-3 * (1 + 1e-6))
        self.assertLess(abs(frame.tracks - tracks).max(), 1e-3 * (1 + 1e-6))

    def test_loss(self):
        sender, receiver, rng = Sender(**SHARED), Receiver(**SHARED), np.random.default_rng(4)
        sizes, arrived = [], 0
        for i in range(made.FRAMES):
            packet = sender.encode(*parts(self.keys, i))
            sizes.append(len(packet))
            if rng.random() < 0.3:
                continue
            frame = receiver.decode(packet)
            self.assertEqual((frame.status, frame.time), ("decoded", i))
            self.expect_near(frame)
            arrived += 1
            self.assertEqual(receiver.decode(packet), ("old", None, None, None, None))
            if rng.random() < 0.7:
                self.assertTrue(sender.acknowledged(receiver.acknowledge()))
        self.assertGreater(arrived, 30)
        self.assertLess(np.mean(sizes[10:]), sizes[0] / 2)

    def test_statuses(self):
        sender, receiver = Sender(**SHARED), Receiver(**SHARED)
        self.assertEqual(receiver.decode(b"").status, "bad")
        damaged = bytearray(Sender(**SHARED).encode(*parts(self.keys, 0)))
        damaged[20] ^= 1
        self.assertEqual(receiver.decode(damaged).status, "bad")
        self.assertFalse(sender.acknowledged(bytes(12)))
        for i in range(4):
            receiver.decode(sender.encode(*parts(self.keys, i)))
            sender.acknowledged(receiver.acknowledge())
        packet = sender.encode(*parts(self.keys, 5))
        self.assertEqual(Receiver(**SHARED).decode(packet).status, "need_key")
        key = sender.encode(*parts(self.keys, 6), key=True)
        self.assertEqual(Receiver(**SHARED).decode(key).status, "decoded")
        self.assertEqual(Receiver(**SHARED, session=7).decode(key).status, "bad")

    def test_restart(self):
        first, again, receiver = Sender(**SHARED), Sender(**SHARED), Receiver(**SHARED)
        for i in range(40):
            receiver.decode(first.encode(*parts(self.keys, i)))
        statuses = [receiver.decode(again.encode(*parts(self.keys, i))).status for i in range(30)]
        self.assertEqual(statuses, ["old"] * 19 + ["restarted"] * 11)

    def test_poses(self):
        sender, receiver = Sender(**SHARED), Receiver(**SHARED)
        pose = quatsimd.Clip(made.clip_bytes()).sample([0.5, 1])[1]
        frame = receiver.decode(sender.encode_pose(pose, -1))
        self.assertEqual(frame.time, 2**32 - 1)
        self.assertLess(quatsimd.angle_between(frame.rotations, pose.rotations).max(), 2e-3)
        self.assertLess(abs(frame.positions - pose.translations[:2]).max(), 1e-3)
        self.assertLess(abs(frame.tracks - pose.tracks).max(), 1e-3)

    def test_rotations_alone(self):
        sender, receiver = Sender(3, reliable=True), Receiver(3)
        for i in range(5):
            frame = receiver.decode(sender.encode(self.keys["rotations"][i, :3] * 2, i))
            self.assertEqual((frame.status, frame.positions, frame.tracks), ("decoded", None, None))
            self.assertLess(quatsimd.angle_between(frame.rotations, self.keys["rotations"][i, :3]).max(), 0.00436)

    def test_receivers(self):
        sender, receivers = Sender(**SHARED, receiver_count=2), [Receiver(**SHARED), Receiver(**SHARED)]
        for i in range(10):
            packet = sender.encode(*parts(self.keys, i))
            for number, receiver in enumerate(receivers):
                self.assertEqual(receiver.decode(packet).status, "decoded")
                sender.acknowledged(receiver.acknowledge(), number)
        sender.leave(0)
        self.assertEqual(Receiver(**SHARED).decode(sender.encode(*parts(self.keys, 10))).status, "need_key")
        sender.leave(1)
        self.assertEqual(Receiver(**SHARED).decode(sender.encode(*parts(self.keys, 11))).status, "decoded")

    def test_figure(self):
        keys = made.keys(seed=6)
        rest = made.rest()
        skeleton = quatsimd.Skeleton(made.skeleton_bytes())
        bounds, place = quatsimd.stream_bounds(skeleton, 0.01, 0.1, position_count=1, still=[4])
        self.assertEqual((bounds > 0).tolist(), [True] * 4 + [False])
        shared = {"body_count": made.JOINTS, "bounds": bounds, "position_count": 1, "position_bound": place, "rest": rest.rotations}
        sender = Sender(**shared, skeleton=skeleton, object_bound=0.01, object_distance=0.1)
        receiver = Receiver(**shared)
        points = np.concatenate([0.1 * np.eye(3), np.ones((1, 3))])
        for i in range(20):
            rotations, places = keys["rotations"][i].copy(), np.array(rest.translations)
            rotations[4] = rest.rotations[4]
            places[0] = keys["translations"][i, 0]
            frame = receiver.decode(sender.encode(rotations, i, places[:1]))
            sender.acknowledged(receiver.acknowledge())
            wanted = quatsimd.Pose(rotations, places).to_model(skeleton)
            places[0] = frame.positions[0]
            found = quatsimd.Pose(frame.rotations, places).to_model(skeleton)
            self.assertLess(np.linalg.norm((found - wanted) @ points, axis=-2).max(), 0.01 * (1 + 1e-3))
        self.assertIsNone(quatsimd.stream_bounds(skeleton, 0.01, 0.1)[1])

    def test_limit(self):
        whole = len(Sender(**SHARED).encode(*parts(self.keys, 0)))
        sender = Sender(**SHARED, limit=whole - 10)
        self.assertLessEqual(max(len(sender.encode(*parts(self.keys, i))) for i in range(5)), whole - 10)

    def test_threads_share_a_sender(self):
        bodies, packets = 5000, []
        sender = Sender(bodies)
        turns = quatsimd.from_axis_angle([0, 0, 1], np.arange(24) / 10)

        def work(times):
            packets.extend(sender.encode(np.tile(turns[i], (bodies, 1)), i, key=True) for i in times)

        threads = [threading.Thread(target=work, args=(range(first, 24, 2),)) for first in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        frames = [Receiver(bodies).decode(packet) for packet in packets]
        self.assertEqual([frame.status for frame in frames], ["decoded"] * 24)
        self.assertEqual(sorted(frame.time for frame in frames), list(range(24)))
        for frame in frames:
            self.assertLess(quatsimd.angle_between(frame.rotations, turns[frame.time]).max(), 0.00436)


if __name__ == "__main__":
    unittest.main()
