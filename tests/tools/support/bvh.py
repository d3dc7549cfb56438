"""Reads BVH files."""
import numpy as np


def read_bvh(path):
    """Joint names and quaternions x, y, z, w of all frames, in double: [(name, array)]. Rotations compose in
    the order of the channels."""
    with open(path) as file:
        head, motion = file.read().split("MOTION")
    joints, columns, name = [], 0, None
    for line in head.splitlines():
        words = line.split()
        if words and words[0] in ("ROOT", "JOINT"):
            name = words[1]
        elif words and words[0] == "CHANNELS":
            axes = [
                (columns + i, "XYZ".index(channel[0]))
                for i, channel in enumerate(words[2:])
                if channel.lower().endswith("rotation")
            ]
            joints.append((name, axes))
            columns += int(words[1])
    values = np.array(motion.split()[5:], float)
    frames = values[: len(values) // columns * columns].reshape(-1, columns)
    curves = []
    for name, axes in joints:
        q = np.tile([0.0, 0, 0, 1], (len(frames), 1))
        for column, axis in axes:
            half = np.radians(frames[:, column]) / 2
            r = np.zeros((len(frames), 4))
            r[:, axis], r[:, 3] = np.sin(half), np.cos(half)
            q = np.column_stack(
                (
                    q[:, 3:] * r[:, :3] + r[:, 3:] * q[:, :3] + np.cross(q[:, :3], r[:, :3]),
                    q[:, 3] * r[:, 3] - (q[:, :3] * r[:, :3]).sum(axis=1),
                )
            )
        curves.append((name, q))
    return curves
