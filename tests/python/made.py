"""A skeleton, its animation, and a bundle of both."""
import numpy as np

import quatsimd

RATE, FRAMES, JOINTS = 30.0, 61, 5
BOUNDS = {"rotation_bound": 1e-3, "translation_bound": 1e-3, "scale_bound": 1e-3}
NAMES = ["root", "spine", "head", "arm", "händ"]
PARENTS = [-1, 0, 1, 1, 3]
IDENTITY = np.tile(np.float32([0, 0, 0, 1]), (JOINTS, 1))


def unit(q):
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def rest():
    rng = np.random.default_rng(5)
    return quatsimd.Pose(unit(rng.normal(size=(JOINTS, 4))), rng.normal(size=(JOINTS, 3)), np.ones((JOINTS, 3)), [0.25, -1])


def skeleton_bytes():
    return quatsimd.Skeleton.encode(NAMES, PARENTS, rest(), [None, np.eye(4), None, None, None], ["smile", "blink"], metres=0.01)


def keys(frames=FRAMES, seed=1):
    """Smooth rotations, translations, scales and tracks, and their times."""
    rng, t = np.random.default_rng(seed), np.arange(frames) / RATE
    wave = np.sin(t[:, None, None] * rng.uniform(1, 4, (1, JOINTS, 10)) + rng.uniform(0, 6, (1, JOINTS, 10)))
    tracks = np.sin(t[:, None] * [1.0, 3.0])
    return {
        "rotations": unit(wave[..., :4] + [0, 0, 0, 3]),
        "translations": wave[..., 4:7],
        "scales": 2 + wave[..., 7:],
        "tracks": tracks,
        "times": t,
    }


def clip_bytes(**changes):
    return quatsimd.Clip.encode(**{**keys(), **BOUNDS, **changes})


def bundle_bytes():
    skeleton = quatsimd.Skeleton(skeleton_bytes())
    walk = clip_bytes(skeleton=skeleton, bundled=True)
    stand = clip_bytes(skeleton=skeleton, bundled=True, rotations=None, tracks=None, scales=None, translations=keys(seed=2)["translations"])
    return quatsimd.encode_bundle(
        skeleton_bytes(),
        {"Walk": walk, "Stand": stand},
        events={"Walk": [(0.5, "left"), (1.5, "right")]},
        masks={"upper": [0, 1, 1, 1, 1], "face": quatsimd.Mask(np.zeros(JOINTS), [1, 0.5])},
        making=b"made here",
    )
