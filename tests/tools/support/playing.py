"""Scenes that print_scene printed, at any time."""
import json

import numpy as np

from support.command import PRINT_SCENE, run
from support.gltf_pose import rotated, values_at

KINDS = "translation", "rotation", "scale"


def read_scene(path, says=""):
    """What the command reads of an animation, and all that it says then."""
    result = run(path, tool=PRINT_SCENE)
    assert (result.returncode, result.stderr) == (0, says), result
    return json.loads(result.stdout)


def curves_of(scene, animation=0):
    """{(node's name, kind): (times, values with tangents, do they hold, are they cubic)}; no node may have two channels."""
    found = {}
    for channel in scene["animations"][animation]["channels"]:
        assert channel["name"] == scene["nodes"][channel["node"]]["name"]
        for kind in (kind for kind in KINDS if kind in channel):
            assert (channel["name"], kind) not in found
            values = np.reshape(channel[kind]["values"], (-1, 4 if kind == "rotation" else 3))
            found[channel["name"], kind] = np.array(channel[kind]["times"]), values, channel[kind]["hold"], channel[kind]["cubic"]
    return found


def value_at(curve, time):
    return values_at(curve["times"], curve["values"], [time], curve["hold"], curve["cubic"])[0]


def matrix(translation=(0, 0, 0), rotation=(0, 0, 0, 1), scale=(1, 1, 1), **_):
    m = np.eye(4)
    m[:3] = rotated(*(np.array(value, float) for value in (rotation, translation, scale)))
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


def difference(p, q):
    """Degrees and distance between two matrices; a scale counts as the distance of what is at distance 1."""
    turn = p[:3, :3] / np.linalg.norm(p[:3, :3], axis=0) @ np.linalg.inv(q[:3, :3] / np.linalg.norm(q[:3, :3], axis=0))
    degrees = np.degrees(2 * np.arcsin(min(np.linalg.norm(turn - np.eye(3)) / np.sqrt(8), 1)))
    scales = [np.linalg.norm(m[:3, :3], axis=0) for m in (p, q)]
    return degrees, max(np.linalg.norm(p[:3, 3] - q[:3, 3]), np.abs(scales[0] - scales[1]).max())
