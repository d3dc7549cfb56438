"""Scenes that print_scene printed, at any time."""
import json
import os
import subprocess

import numpy as np

KINDS = "translation", "rotation", "scale"


def read_scene(path):
    return json.loads(subprocess.run([os.environ["QUATSIMD_PRINT_SCENE"], path], stdout=subprocess.PIPE, check=True, timeout=60).stdout)


def slerp(p, q, part):
    if p @ q < 0:
        q = -q
    angle = np.arccos(min(p @ q, 1))
    if angle < 1e-6:
        return p + part * (q - p)
    return (np.sin((1 - part) * angle) * p + np.sin(part * angle) * q) / np.sin(angle)


def spline(curve, values, after, time):
    """As in glTF 2.0, appendix C."""
    before, seconds = after - 1, curve["times"][after] - curve["times"][after - 1]
    u = (time - curve["times"][before]) / seconds
    value = (2 * u**3 - 3 * u**2 + 1) * values[before, 1] + seconds * (u**3 - 2 * u**2 + u) * values[before, 2]
    value += (3 * u**2 - 2 * u**3) * values[after, 1] + seconds * (u**3 - u**2) * values[after, 0]
    return value / np.linalg.norm(value) if len(value) == 4 else value


def value_at(curve, time):
    times, cubic = curve["times"], curve["cubic"]
    all_values = np.array(curve["values"]).reshape(len(times), *((3, -1) if cubic else (-1,)))
    values = all_values[:, 1] if cubic else all_values
    after = np.searchsorted(times, time)
    if after == len(times) or times[after] == time or after == 0:
        return values[min(after, len(times) - 1)]
    if curve["hold"]:
        return values[after - 1]
    if cubic:
        return spline(curve, all_values, after, time)
    part = (time - times[after - 1]) / (times[after] - times[after - 1])
    p, q = values[after - 1], values[after]
    return slerp(p / np.linalg.norm(p), q / np.linalg.norm(q), part) if values.shape[1] == 4 else p + part * (q - p)


def matrix(translation, rotation, scale):
    x, y, z, w = np.array(rotation) / np.linalg.norm(rotation)
    m = np.eye(4)
    m[:3, :3] = (
        np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        * scale
    )
    m[:3, 3] = translation
    return m


def scene_at(scene, time, animation=0):
    """{node's name: matrix of the world}; time None: at rest."""
    nodes = [{kind: node[kind] for kind in KINDS} for node in scene["nodes"]]
    for channel in scene["animations"][animation]["channels"] if time is not None else []:
        for kind in KINDS:
            if kind in channel:
                nodes[channel["node"]][kind] = value_at(channel[kind], time)
    worlds = []
    for node, at in zip(scene["nodes"], nodes):
        local = matrix(**at)
        worlds.append(worlds[node["parent"]] @ local if node["parent"] >= 0 else local)
    return {node["name"]: world for node, world in zip(scene["nodes"], worlds)}


def key_times(scene, animation=0):
    return sorted({time for c in scene["animations"][animation]["channels"] for kind in KINDS if kind in c for time in c[kind]["times"]})


def difference(p, q):
    """Degrees and distance between two matrices; a scale counts as the distance of what is at distance 1."""
    turn = p[:3, :3] / np.linalg.norm(p[:3, :3], axis=0) @ np.linalg.inv(q[:3, :3] / np.linalg.norm(q[:3, :3], axis=0))
    degrees = np.degrees(2 * np.arcsin(min(np.linalg.norm(turn - np.eye(3)) / np.sqrt(8), 1)))
    scales = [np.linalg.norm(m[:3, :3], axis=0) for m in (p, q)]
    return degrees, max(np.linalg.norm(p[:3, 3] - q[:3, 3]), np.abs(scales[0] - scales[1]).max())
