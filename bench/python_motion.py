#!/usr/bin/python3
"""Compares a motion library (quatsimd.MotionLibrary) with what trainers of robots and characters do: float32 tensors of rotations,
positions and velocities in memory, of which two frames are gathered and interpolated. Usage:

  QUATSIMD_DATA=../shared/data QUATSIMD_LIBRARIES=build/gcc/python PYTHONPATH=python bench/python_motion.py [--count 3000]

QUATSIMD_DATA has cmu/*.bvh and kaykit/Knight.glb. The script cuts clips of 23 bodies from them, plays them 0.8 to 1.25 times as fast,
mirrors every other one, and resamples them to 30 Hz. Points at 10 cm from a joint are within 1 mm. It uses NumPy, and torch if that is
installed. Times are the least of several."""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

import quatsimd

ROOM = pathlib.Path(__file__).parents[1]
sys.path.insert(0, str(ROOM / "tests/python"))
from made_bundles import encode_bundle, encode_clip, encode_skeleton  # pylint: disable=wrong-import-position

RATE, SECONDS = 30, 6
BOUND = {"object_bound": 0.001, "object_distance": 0.1, "rate": RATE}  # metres
MOTIONLIB = 2115  # bytes a frame of MotionLib's tensors for 23 bodies
SIDES = (("_L_", "_R_"), (".l", ".r"))
CMU = """Hip Pelvis L_Thigh L_Calf L_Foot L_ToeBase R_Thigh R_Calf R_Foot R_ToeBase Waist Spine01 Spine02 NeckTwist01 Head
L_Clavicle L_Upperarm L_Forearm L_Hand R_Clavicle R_Upperarm R_Forearm R_Hand"""
KNIGHT = """root hips spine chest upperarm.l lowerarm.l wrist.l hand.l handslot.l upperarm.r lowerarm.r wrist.r hand.r handslot.r head
upperleg.l lowerleg.l foot.l toes.l upperleg.r lowerleg.r foot.r toes.r"""


def rotate(q, v):
    u = np.cross(q[..., :3], v)
    return v + 2 * (q[..., 3:] * u + np.cross(q[..., :3], u))


class Source:
    """Bodies of a skeleton, some of its joints, and clips to cut from."""

    def __init__(self, command, folder, name, options, bodies, unit):
        path = f"{folder}/{name}.qsb"
        subprocess.run([command, "compress", "--object", "0.05mm@3cm", *options, "-o", path], check=True, stdout=subprocess.DEVNULL)
        self.name, self.unit, self.library = name, unit, quatsimd.MotionLibrary(path)
        self.joints = [self.library.joint_names.index(body) for body in bodies]
        self.bodies, self.parents = bodies, []
        for joint in self.joints:
            while joint >= 0 and (joint := int(self.library.parents[joint])) not in self.joints:
                pass
            self.parents.append(self.joints.index(joint) if joint >= 0 else -1)
        self.others = [bodies.index(self.other(body)) for body in bodies]

    @staticmethod
    def other(body):
        """The body of the other side, or the same."""
        for left, right in SIDES:
            if left in body or right in body:
                return body.replace(left, right) if left in body else body.replace(right, left)
        return body

    def cut(self, number, seed):
        """Rotations and translations of a clip, relative to parents, at 30 Hz."""
        (clip,), (first,) = self.library.draw(1, (seed, number), self.library.durations)
        speed = 0.8 * 1.5625 ** ((number * 0.6180339887) % 1)
        end = self.library.starts[clip] + self.library.durations[clip]
        first = max(self.library.starts[clip], min(first, end - SECONDS))
        frames = int(min(SECONDS, end - first) / speed * RATE) + 1
        pose = self.library.sample(clip, first + np.arange(frames) / RATE * speed, ("model_rotations", "model_positions"))
        q, p = pose["model_rotations"][:, self.joints], pose["model_positions"][:, self.joints] * np.float32(self.unit)
        if number % 2:
            q, p = q[:, self.others] * np.float32([1, -1, -1, 1]), p[:, self.others] * np.float32([-1, 1, 1])
        rotations, translations = q.copy(), p.copy()
        for j, up in enumerate(self.parents):
            if up >= 0:
                inverse = quatsimd.conjugate(q[:, up])
                rotations[:, j] = quatsimd.multiply(inverse, q[:, j])
                translations[:, j] = rotate(inverse, p[:, j] - p[:, up])
        return rotations, translations


class Tensors:
    """The arrays of a trainer: frames of all clips after each other."""

    def __init__(self, source, clips):
        self.first = np.cumsum([0] + [len(q) for q, _ in clips])[:-1]
        self.frames = np.array([len(q) for q, _ in clips])
        self.rotations = np.concatenate([q for q, _ in clips])
        translations = np.concatenate([t for _, t in clips])
        self.model_rotations, self.model_positions = self.rotations.copy(), translations.copy()
        for j, up in enumerate(source.parents):
            if up >= 0:
                self.model_rotations[:, j] = quatsimd.multiply(self.model_rotations[:, up], self.rotations[:, j])
                self.model_positions[:, j] = self.model_positions[:, up] + rotate(self.model_rotations[:, up], translations[:, j])
        after = np.minimum(np.arange(len(self.rotations)) + 1, np.repeat(self.first + self.frames - 1, self.frames))
        self.model_linear = (self.model_positions[after] - self.model_positions) * np.float32(RATE)
        turn = quatsimd.multiply(self.model_rotations[after], quatsimd.conjugate(self.model_rotations))
        self.model_angular = quatsimd.as_rotvec(quatsimd.normalize(turn)) * np.float32(RATE)

    def arrays(self):
        return [v for v in vars(self).values() if v.dtype == np.float32]

    def frames_of(self, clips, times):
        at = times * RATE
        before = np.minimum(at.astype(np.int64), self.frames[clips] - 1)
        return self.first[clips] + before, self.first[clips] + np.minimum(before + 1, self.frames[clips] - 1), (at - before).astype("f4")


def slerp(xp, a, b, t):
    dot = (a * b).sum(-1)[..., None]
    b, dot = xp.where(dot < 0, -b, b), abs(dot)
    angle = xp.arccos(xp.minimum(dot, 0 * dot + 1))
    sine = xp.sin(angle)
    near = sine < 1e-3
    safe = xp.where(near, 0 * sine + 1, sine)
    return xp.where(near, (1 - t) * a + t * b, (xp.sin((1 - t) * angle) * a + xp.sin(t * angle) * b) / safe)


def gather(xp, tensors, before, after, t):
    """What a trainer does for each batch: the five arrays of MotionLibrary's usual ones."""
    t = t[:, None, None]
    turned = [slerp(xp, x[before], x[after], t) for x in (tensors[0], tensors[1])]
    return turned + [(1 - t) * x[before] + t * x[after] for x in tensors[2:]]


def least(function, seconds):
    best, end = 1e9, time.perf_counter() + seconds
    while time.perf_counter() < end or best == 1e9:
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def worst_error(library, tensors, distance=0.1):
    """The largest distance, at frames, between a point at `distance` from a joint, in 26 directions, and its place in the tensors, in
    some 100 of the clips."""
    around = np.array([p for p in np.ndindex(3, 3, 3) if p != (1, 1, 1)], np.float64) - 1
    around *= distance / np.linalg.norm(around, axis=-1, keepdims=True)
    worst = 0.0
    for clip in range(0, len(library), max(1, len(library) // 100)):
        rows = slice(tensors.first[clip], tensors.first[clip] + tensors.frames[clip])
        found = library.sample(clip, np.arange(tensors.frames[clip]) / RATE, ("model_rotations", "model_positions"))
        off = found["model_positions"].astype("f8") - tensors.model_positions[rows]
        rotations = [q.astype("f8") for q in (found["model_rotations"], tensors.model_rotations[rows])]
        for point in around:
            worst = max(worst, float(np.linalg.norm(off + rotate(rotations[0], point) - rotate(rotations[1], point), axis=-1).max()))
    return worst


def report(name, value):
    print(f"  {name:58} {value}", flush=True)


def measure(source, count, batch, seconds, folder):
    clips = [source.cut(number, 1) for number in range(count)]
    tensors = Tensors(source, clips)
    bodies, frames = len(source.bodies), len(tensors.rotations)
    rest = [np.median([t[0, j] for _, t in clips], axis=0) for j in range(bodies)]
    skeleton = encode_skeleton(source.bodies, source.parents, rest)
    start = time.perf_counter()

    def encode(clip):
        return encode_clip(skeleton, source.parents, np.arange(len(clip[0])) / RATE, *clip, None, BOUND)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        data = {f"clip {i:06}": made for i, made in enumerate(pool.map(encode, clips))}
    bundle = encode_bundle(skeleton, data)
    path = f"{folder}/{source.name}_made.qsb"
    pathlib.Path(path).write_bytes(bundle)
    np.savez(f"{folder}/tensors.npz", *tensors.arrays())
    print(f"{source.name}: {count} clips, {frames:,} frames, {bodies} bodies, made in {time.perf_counter() - start:.0f} s")

    def load():
        library = quatsimd.MotionLibrary(path)
        library.open()
        return library

    def load_tensors():
        with np.load(f"{folder}/tensors.npz") as file:
            return [file[name] for name in file]

    library = load()
    usual = MOTIONLIB * bodies / 23
    report("bytes a frame: the bundle", f"{len(bundle) / frames:.2f}")
    report("bytes a frame: MotionLib's tensors, and their multiple", f"{usual:.0f}, {usual * frames / len(bundle):.1f}")
    report("bytes of memory a clip that is open", f"{library.opened_bytes / count:.0f}")
    report("worst error of points at 10 cm, mm (bound 1)", f"{1000 * worst_error(library, tensors):.3f}")
    report("seconds to open the head", f"{least(lambda: quatsimd.MotionLibrary(path), seconds / 4):.4f}")
    report("seconds to open all clips as well", f"{least(load, seconds / 4):.4f}")
    report("seconds to load the five arrays that are gathered below", f"{least(load_tensors, seconds / 4):.4f}")
    numbers, times = library.draw(batch, 2, library.durations)
    for threads in (1, 2):
        library.threads = threads
        for want in (("rotations",), ("rotations", "local_angular"), quatsimd._motion.USUAL):
            out = library.sample(numbers, times, want)
            spent = least(lambda: library.sample(numbers, times, out=out), seconds)
            report(
                f"million joint-samples/s, threads {threads}: {'all usual arrays' if len(want) > 2 else ' and '.join(want)}",
                f"{batch * bodies / spent / 1e6:.1f}",
            )
            if threads == 1:
                one = spent
    usual_arrays = [tensors.rotations, tensors.model_rotations, tensors.model_positions, tensors.model_linear, tensors.model_angular]

    def trainer():
        gather(np, usual_arrays, *tensors.frames_of(numbers, times))

    spent = least(trainer, seconds)
    report("million joint-samples/s, NumPy: the same five arrays", f"{batch * bodies / spent / 1e6:.1f}")
    report("time of the library as a multiple of NumPy's, one thread", f"{one / spent:.2f}")
    try:
        import torch  # pylint: disable=import-outside-toplevel
    except ImportError:
        report("torch", "not installed")
        return
    torch.set_num_threads(1)
    tensors_of_torch = [torch.from_numpy(x) for x in usual_arrays]

    def trainer_of_torch():
        gather(torch, tensors_of_torch, *(torch.from_numpy(x) for x in tensors.frames_of(numbers, times)))

    spent = least(trainer_of_torch, seconds)
    report("million joint-samples/s, torch: the same five arrays", f"{batch * bodies / spent / 1e6:.1f}")
    report("time of the library as a multiple of torch's, one thread", f"{one / spent:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=3000, help="clips, of both skeletons together")
    parser.add_argument("--batch", type=int, default=8192, help="poses of a call")
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement")
    parser.add_argument("--command", default=str(ROOM / "build/gcc/tools/quatsimd"), help="the command quatsimd")
    options = parser.parse_args()
    data = pathlib.Path(os.environ["QUATSIMD_DATA"])
    cmu = sorted((data / "cmu").glob("*.bvh"))
    sources = [
        ("cmu", ["--skeleton", str(cmu[1]), "--ignore-unmatched", *map(str, cmu)], [f"CC_Base_{b}" for b in CMU.split()], 0.01),
        ("kaykit", [str(data / "kaykit/Knight.glb")], KNIGHT.split(), 1),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, files, bodies, unit in sources:
            source = Source(options.command, folder, name, files, bodies, unit)
            measure(source, max(options.count // len(sources), 1), options.batch, options.seconds, folder)


if __name__ == "__main__":
    main()
