"""Wrong calls of files, poses and streams: each is an exception that names the argument."""
import unittest

import made
import numpy as np

import quatsimd
from quatsimd import Bundle, Clip, Curve, Mask, Pose, Receiver, Sender, Skeleton, encode_bundle, stream_bounds

SKELETON_BYTES, CLIP_BYTES = made.skeleton_bytes(), made.clip_bytes()
SKELETON, CLIP, BUNDLE = Skeleton(SKELETON_BYTES), Clip(CLIP_BYTES), Bundle(made.bundle_bytes())
OTHER = Skeleton(Skeleton.encode(["a", "b"], [-1, 0]))
KEYS, POSE = made.keys(), made.rest()
NAN = np.full((made.FRAMES, made.JOINTS, 4), 0.5)
NAN[7, 2, 1] = np.nan
SENDER = Sender(made.JOINTS)


def encode(**changes):
    return lambda: made.clip_bytes(**changes)


def skeleton(names=made.NAMES, parents=made.PARENTS, **more):
    return lambda: Skeleton.encode(names, parents, **more)


def bundle(clips=None, **more):
    return lambda: encode_bundle(SKELETON_BYTES, {"a": made.clip_bytes(skeleton=SKELETON)} if clips is None else clips, **more)


WRONG = [
    # files
    (lambda: Clip(b""), quatsimd.Error, r"^source: "),
    (lambda: Clip(CLIP_BYTES[:-1]), quatsimd.Error, r"^source: the clip is damaged"),
    (lambda: Clip(3), TypeError, r"^source: bytes are needed, not int"),
    (lambda: Clip(None), TypeError, r"^source: "),
    (lambda: Clip(SKELETON_BYTES), quatsimd.Error, r"^source: "),
    (lambda: Clip(CLIP_BYTES, OTHER), quatsimd.Error, r"^skeleton: the clip was encoded with another"),
    (lambda: Clip(CLIP_BYTES, SKELETON_BYTES), TypeError, r"^skeleton: a Skeleton is needed, not bytes"),
    (lambda: Skeleton(CLIP_BYTES), quatsimd.Error, r"^source: "),
    (lambda: Bundle(CLIP_BYTES), quatsimd.Error, r"^source: "),
    # sampling
    (lambda: CLIP.sample("now"), TypeError, r"^times: numbers are needed"),
    (lambda: CLIP.sample(None), TypeError, r"^times: "),
    (lambda: CLIP.sample([1, 2j]), TypeError, r"^times: "),
    (lambda: CLIP.sample([[0, 1], [np.nan, 2]]), ValueError, r"^times\[1, 0\] is nan: the numbers must be finite"),
    (lambda: CLIP.sample(np.inf), ValueError, r"^times is inf"),
    (lambda: CLIP.sample(0, wrap="mirror"), ValueError, r"^wrap: 'mirror'"),
    (lambda: CLIP.sample(0, wrap=["loop"]), ValueError, r"^wrap: "),
    (lambda: CLIP.sample(0, rest=POSE.rotations), TypeError, r"^rest: a Pose is needed, not ndarray"),
    (lambda: CLIP.sample(0, rest=OTHER.rest), ValueError, r"^rest: one pose of 5 joints and 2 tracks"),
    (lambda: CLIP.sample(0, rest=Pose(made.IDENTITY[None])), ValueError, r"^rest: one pose"),
    (lambda: CLIP.sample(0, rest=Pose(tracks=[1])), ValueError, r"^rest: one pose"),
    (lambda: CLIP.sample(0, want="rotations"), ValueError, r"^want: 'r' is none of rotations"),
    (lambda: CLIP.sample(0, want=()), ValueError, r"^want: "),
    (lambda: CLIP.velocities([np.nan]), ValueError, r"^times\[0\]"),
    (lambda: CLIP.events_between([0], 1), ValueError, r"^a: a number is needed"),
    (lambda: CLIP.events_between(0, np.nan), ValueError, r"^b is nan"),
    # encoding clips
    (encode(rotations=NAN), quatsimd.Error, r"^rotations, joint 2, key 7: a component is not a number"),
    (encode(rotations=np.ones((61, 5, 3))), ValueError, r"^rotations: the shape must be \(\.\.\., 4\)"),
    (encode(rotations=np.ones((61, 4))), ValueError, r"^rotations: the shape must be \(T, J, 4\), and it is \(61, 4\)"),
    (encode(rotations=np.zeros((61, 5, 4))), quatsimd.Error, r"^rotations, joint 0, key 0: the quaternion's length"),
    (encode(translations=np.zeros((61, 4, 3))), ValueError, r"^translations: there are 4 joints, and 5 in rotations"),
    (encode(translations=np.full((61, 5, 3), 1e300)), quatsimd.Error, r"^translations, joint 0, key 0: a component is infinite"),
    (encode(tracks=np.zeros(61)), ValueError, r"^tracks: the shape must be \(T, K\)"),
    (encode(scales="big"), TypeError, r"^scales: numbers are needed"),
    (encode(times=KEYS["times"][:-1]), ValueError, r"^times: the shape must be \(61,\)"),
    (encode(times=KEYS["times"][::-1]), quatsimd.Error, r"key 1: the time is not later"),
    (encode(times=None), ValueError, r"^times: rotations need times, or a rate"),
    (encode(times=None, rate=-30), ValueError, r"^times: "),
    (encode(rate="fast"), TypeError, r"^rate: a number is needed"),
    (encode(rate=np.nan), ValueError, r"^rate: "),
    (encode(rate=-30), quatsimd.Error, r"^rate is not"),
    (encode(rotation_bound=0), quatsimd.Error, r"^rotations, joint 0: there is no bound"),
    (encode(rotation_bound=-1), quatsimd.Error, r"^rotation_bound is not"),
    (encode(rotation_bound=[1, 2]), ValueError, r"^rotation_bound: a number or 5 of them"),
    (encode(scale_bound=np.nan), ValueError, r"^scale_bound is nan"),
    (encode(track_bound=[1, 2, 3]), ValueError, r"^track_bound: a number or 2"),
    (encode(rotation_bound=0, translation_bound=0, scale_bound=0, object_bound=1), ValueError, r"^parents: object_bound needs them"),
    (encode(object_bound=[1, 0, 1, 1, 1]), ValueError, r"^object_bound: each joint needs one above 0"),
    (
        encode(object_bound=1, parents=made.PARENTS, rotation_bound=[1] * 5),
        quatsimd.Error,
        r"^rotations, joint 0: the options have an object_bound",
    ),
    (encode(parents=[0, 1]), ValueError, r"^parents: 5 whole numbers are needed"),
    (encode(skeleton=OTHER), ValueError, r"^skeleton: it has 2 joints and 0 tracks, and the animation 5 joints and 2 tracks"),
    (encode(skeleton="hero"), TypeError, r"^skeleton: a Skeleton is needed, not str"),
    (encode(looping=True), quatsimd.Error, r"the loop does not close"),
    (encode(additive="base"), ValueError, r"^additive: 'base' is none of"),
    (encode(additive={"rotation": 1}), ValueError, r"^additive: 'rotation' is none of"),
    (encode(additive={"rotations": np.ones((2, 3, 4)), "times": [0, 1]}), quatsimd.Error, r"^the base has more or fewer joints"),
    (encode(rotations=[None, 3]), TypeError, r"^rotations\[1\]: a Curve or None is needed"),
    (encode(rotations=[Curve([0], np.ones((1, 3)))]), ValueError, r"^rotations\[0\]\.values: the shape must be \(\.\.\., 4\)"),
    (encode(rotations=[Curve([0], np.ones((1, 4)), "cubic")]), ValueError, r"^rotations\[0\]\.values: "),
    (encode(rotations=[Curve([0], np.ones(4))]), ValueError, r"^rotations\[0\]\.values: the shape must be \(n, 4\)"),
    (encode(rotations=[Curve([0, 1], np.ones((1, 4)))]), ValueError, r"^rotations\[0\]\.times: the shape must be \(1,\)"),
    (encode(rotations=[Curve([0], np.ones((1, 4)), "smooth")]), ValueError, r"^rotations\[0\]\.interpolation: 'smooth'"),
    # skeletons
    (skeleton(parents=[0, 0, 1, 1, 3]), quatsimd.Error, r"^joint 0 \('root'\): the parent is not a joint before"),
    (skeleton(parents=[-1, 0]), ValueError, r"^parents: 5 whole numbers"),
    (skeleton(parents=[-1, 0.0, 1, 1, 3]), ValueError, r"^parents: "),
    (skeleton(names="abcde"), TypeError, r"^joint_names: a list of names"),
    (skeleton(names=[b"a", "b", "c", "d", "e"]), TypeError, r"^joint_names\[0\]: a str is needed, not bytes"),
    (skeleton(names=["a", "b\0", "c", "d", "e"]), ValueError, r"^joint_names\[1\]: .* has a NUL"),
    (skeleton(names=["a", "\ud800", "c", "d", "e"]), ValueError, r"^joint_names\[1\]: "),
    (skeleton(track_names="smile"), TypeError, r"^track_names: "),
    (skeleton(rest=POSE), ValueError, r"^rest: one pose of 0 tracks"),
    (skeleton(rest=OTHER.rest), ValueError, r"^rest: one pose of 5 joints"),
    (skeleton(rest=[1]), TypeError, r"^rest: a Pose is needed"),
    (skeleton(inverse_bind=[np.eye(4)]), ValueError, r"^inverse_bind: 5 matrices are needed"),
    (skeleton(inverse_bind=[np.eye(3)] * 5), ValueError, r"^inverse_bind\[0\]: "),
    (skeleton(inverse_bind=[None] * 4 + [np.ones((4, 4))]), ValueError, r"^inverse_bind\[4\]: .* last row"),
    (skeleton(metres=-1), ValueError, r"^metres: "),
    (skeleton(metres="cm"), TypeError, r"^metres: "),
    (lambda: SKELETON.find(3), TypeError, r"^name: "),
    # poses
    (lambda: Pose(), ValueError, r"^rotations: one of"),
    (lambda: Pose(np.ones(4)), ValueError, r"^rotations: the shape must be \(\.\.\., J, 4\)"),
    (lambda: Pose(np.ones((3, 4)), np.ones((2, 3))), ValueError, r"^translations: the shape must be \(3, 3\), and it is \(2, 3\)"),
    (lambda: Pose(np.ones((2, 3, 4)), tracks=np.ones((3, 1))), ValueError, r"^tracks: the shape must be \(2, K\)"),
    (lambda: Pose(tracks=1), ValueError, r"^tracks: the shape must be \(\.\.\., K\)"),
    (lambda: Pose([[0, 0, np.nan, 1]]), ValueError, r"^rotations\[0\] is \[ *0"),
    (lambda: setattr(POSE, "rotations", None), AttributeError, r"^rotations: a Pose keeps"),
    (lambda: POSE.to_model(OTHER), ValueError, r"^skeleton: it has 2 joints, and the pose 5"),
    (lambda: POSE.to_model(SKELETON_BYTES), TypeError, r"^skeleton: a Skeleton is needed"),
    (lambda: POSE.to_model(SKELETON, np.eye(3)), ValueError, r"^root: "),
    (lambda: POSE.add(OTHER.rest), ValueError, r"^additive: the poses have 2 and 5 joints"),
    (lambda: POSE.add(Pose(np.ones((0, 4)))), ValueError, r"^additive: the poses have 0 and 5 joints"),
    (lambda: POSE.add(POSE, mask=[1]), ValueError, r"^mask: the shape must be \(5,\)"),
    (lambda: POSE.add(POSE, mask=Mask(None, [1])), ValueError, r"^mask\.tracks: the shape must be \(2,\)"),
    (lambda: POSE.add(POSE, weight=[1, 2]), ValueError, r"^weight: the shape \(2,\) does not go"),
    (lambda: POSE.subtract(3), TypeError, r"^base: a Pose is needed, not int"),
    (lambda: Pose.blend([]), ValueError, r"^poses: there are no poses"),
    (lambda: Pose.blend([POSE], [1, 2]), ValueError, r"^weights: 1 are needed, and there are 2"),
    (lambda: Pose.blend([POSE], [np.nan]), ValueError, r"^weights\[0\] is nan"),
    (lambda: Pose.blend([POSE], masks=[[1]]), ValueError, r"^masks\[0\]: "),
    (lambda: Pose.blend([POSE], rest=Pose(made.IDENTITY[None])), ValueError, r"^rest: one pose is needed"),
    # bundles
    (lambda: BUNDLE["Run"], KeyError, r"Run"),
    (lambda: BUNDLE[0], TypeError, r"^name: a str is needed, not int"),
    (bundle(clips={"a": CLIP_BYTES}), quatsimd.Error, r"^clips\['a'\]: the clip was encoded without a skeleton"),
    (bundle(clips={"a": b"x"}), quatsimd.Error, r"^clips\['a'\]: "),
    (bundle(clips={"a": 3}), TypeError, r"^clips\['a'\]: bytes are needed"),
    (bundle(clips={3: CLIP_BYTES}), TypeError, r"^clips: a str is needed"),
    (bundle(clips=[CLIP_BYTES]), TypeError, r"^clips: a dict is needed, not list"),
    (bundle(events={"b": []}), ValueError, r"^events: there is no clip 'b'"),
    (bundle(events={"a": [3]}), TypeError, r"^events\['a'\]\[0\]: a time and a name"),
    (bundle(events={"a": [(np.nan, "step")]}), ValueError, r"^events\['a'\]\[0\] is nan"),
    (bundle(events={"a": [("step", 1)]}), TypeError, r"^events\['a'\]\[0\]: "),
    (bundle(masks={"m": [1, 2]}), ValueError, r"^masks\['m'\]: the shape must be \(5,\)"),
    (bundle(masks={"m": Mask([1] * 5, [1])}), ValueError, r"^masks\['m'\]\.tracks: "),
    (bundle(making=3), TypeError, r"^making: bytes are needed"),
    (lambda: encode_bundle(CLIP_BYTES, {}), quatsimd.Error, r"^skeleton: "),
    # streams
    (lambda: Sender(0), ValueError, r"^body_count: 0 is not from 1"),
    (lambda: Sender(2.5), TypeError, r"^body_count: a whole number"),
    (lambda: Sender(3, bound=2), ValueError, r"^bound: "),
    (lambda: Sender(3, bound=np.nan), ValueError, r"^bound: "),
    (lambda: Sender(3, state_count=65), ValueError, r"^state_count: "),
    (lambda: Sender(3, position_count=4), ValueError, r"^position_count: 4 is not from 0 to 3"),
    (lambda: Sender(3, position_count=1), ValueError, r"^position_bound: it is needed"),
    (lambda: Sender(3, track_count=1), ValueError, r"^track_bound: it is needed"),
    (lambda: Sender(3, session=-1), ValueError, r"^session: "),
    (lambda: Sender(3, limit=3), ValueError, r"^limit: "),
    (lambda: Sender(3, gravity=[1, 2]), ValueError, r"^gravity: "),
    (lambda: Sender(3, bounds=[1, 1, 1e-9]), ValueError, r"^bounds: each must be 0 or"),
    (lambda: Sender(3, bounds=[0, 1, 1], rest=np.zeros((3, 4))), ValueError, r"^rest: "),
    (lambda: Sender(5, skeleton=SKELETON), ValueError, r"^skeleton: "),
    (lambda: Receiver(3, limit=100), TypeError, r"limit"),
    (lambda: SENDER.encode(np.ones((4, 4)), 0), ValueError, r"^rotations: the shape must be \(5, 4\)"),
    (lambda: SENDER.encode(NAN[7], 0), ValueError, r"^rotations\[2\] is "),
    (lambda: SENDER.encode(np.zeros((5, 4)), 0), ValueError, r"^rotations\[0\] is .* no rotation"),
    (lambda: SENDER.encode(made.IDENTITY, 0.5), TypeError, r"^time: a whole number"),
    (lambda: SENDER.encode(made.IDENTITY, 0, positions=np.ones((5, 3))), ValueError, r"^positions: the stream has 0"),
    (lambda: Sender(2, track_count=1, track_bound=1).encode(made.IDENTITY[:2], 0), ValueError, r"^tracks: the stream has 1"),
    (lambda: Sender(1, track_count=1, track_bound=1).encode([[0, 0, 0, 1]], 0, tracks=[1e13]), ValueError, r"^tracks: there are numbers"),
    (lambda: SENDER.encode_pose(Pose(made.IDENTITY[None]), 0), ValueError, r"^pose: one pose"),
    (lambda: SENDER.acknowledged("hello"), TypeError, r"^acknowledgement: bytes are needed, not str"),
    (lambda: SENDER.acknowledged(bytes(12), 1), ValueError, r"^receiver: 1 is not from 0 to 0"),
    (lambda: SENDER.leave(-1), ValueError, r"^receiver: "),
    (lambda: Receiver(5).decode("hello"), TypeError, r"^packet: bytes are needed"),
    (lambda: stream_bounds(SKELETON, 1e-9, 1), ValueError, r"^object_bound: "),
    (lambda: stream_bounds(SKELETON, 0.1, 1, still=[5]), ValueError, r"^still: 5 is not from 0 to 4"),
    (lambda: stream_bounds("hero", 0.1, 1), TypeError, r"^skeleton: "),
]


class Misuse(unittest.TestCase):
    def test_wrong_calls(self):
        for i, (call, error, text) in enumerate(WRONG):
            with self.subTest(f"{i}: {text}"), self.assertRaises(error) as caught:
                call()
            if hasattr(caught, "exception"):
                self.assertIs(type(caught.exception), error, text)
                with self.subTest(f"{i}: {text}"):
                    self.assertRegex(str(caught.exception), text)


if __name__ == "__main__":
    unittest.main()
