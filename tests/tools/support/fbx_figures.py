"""Figures for FBX files: chains of nodes, each with something that other formats lack."""
import numpy as np

from support.fbx import ORDERS

TIMES = [0, 0.2, 0.5, 0.9, 1.25]


def curves(seed, kinds="TRS", times=TIMES, turn=60, scale=0.0):
    random = np.random.default_rng(seed)
    size = {"T": 3, "R": turn, "S": scale}
    return {
        kind: {axis: (times, ((kind == "S") + size[kind] * random.uniform(-1, 1, len(times))).round(4).tolist()) for axis in "XYZ"}
        for kind in kinds
    }


def figure(seed, **properties):
    """hip, spine, arm, hand: all move, and have what the functions of properties say, and so has a still node."""
    random = np.random.default_rng(seed)
    models = []
    for i, name in enumerate(("hip", "spine", "clavicle", "arm", "hand")):
        model = {"name": name, "Lcl Translation": [0, 10, 1], "Lcl Rotation": random.uniform(-40, 40, 3).round(3).tolist()}
        if models:
            model["parent"] = models[-1]["name"]
        if name != "clavicle":
            model["curves"] = curves(seed + i, "TR")
        model.update({key: make(random, i) for key, make in properties.items()})
        models.append(model)
    return models


def vector(size):
    return lambda random, i: random.uniform(-size, size, 3).round(3).tolist()


def plain():
    return figure(1)


def mixamo():
    return figure(2, PreRotation=vector(170))


def maya():
    return figure(3, PreRotation=vector(90), PostRotation=vector(90), order=lambda random, i: ORDERS[i + 1])


def pivoted():
    return figure(
        4,
        PreRotation=vector(90),
        PostRotation=vector(90),
        RotationPivot=vector(5),
        RotationOffset=vector(5),
        ScalingPivot=vector(5),
        ScalingOffset=vector(5),
        order=lambda random, i: ORDERS[5 - i],
    )


def scaled():
    """Uniform scales down to the last node, whose axes have their own."""
    models = figure(
        5, PreRotation=vector(90), PostRotation=vector(90), RotationPivot=vector(5), ScalingPivot=vector(5), ScalingOffset=vector(5)
    )
    for i, model in enumerate(models):
        size = 1.5 + i / 10
        model["Lcl Scaling"] = [size, size, size]
        if i == 1:
            one = (TIMES, [1, 1.5, 0.5, 2, 1.25])
            model["curves"]["S"] = {axis: one for axis in "XYZ"}
    models[-1]["Lcl Scaling"] = [1, 2, 3]
    models[-1]["curves"]["S"] = curves(9, "S", scale=0.5)["S"]
    return models


def mirrored():
    """As 3ds Max has them: the axes that are mirrored decide where the pivots go."""
    models = figure(6, PostRotation=vector(90), RotationPivot=vector(5), RotationOffset=vector(5), ScalingPivot=vector(5))
    for model, scale in zip(models, ([-1, 1, 1], [1, -1, -1], [1, -1, 1], [-1, -1, 1], [1, 1, -1])):
        model["Lcl Scaling"] = scale
    return models


def partly():
    """Curves of some axes alone, at times of their own: the others are as the node has them."""
    models = figure(7, PreRotation=vector(90), RotationPivot=vector(5), PostRotation=vector(50))
    for i, model in enumerate(models):
        model["Lcl Scaling"] = [2, 2, 2]
        if "curves" in model:
            model["curves"]["T"].pop("XYZ"[i % 3])
            model["curves"]["R"].pop("XYZ"[(i + 1) % 3])
            model["curves"]["R"]["XYZ"[i % 3]] = ([0, 0.3, 1.25], [10, 40, -20])
    return models


def wide(**properties):
    """More than half a turn between keys, about one axis."""
    models = figure(8, PreRotation=vector(90), **properties)
    for i, model in enumerate(models):
        if "curves" in model:
            model["curves"]["R"] = {"XYZ"[i % 3]: (TIMES, [0, 400, -100, 300, 1000])}
            model["Lcl Rotation"] = [0, 0, 0]
    return models


def arcs():
    return wide(RotationPivot=vector(5))


def without_parents_scale():
    models = figure(10, PreRotation=vector(90), RotationPivot=vector(5), InheritType=lambda random, i: 2)
    for i, model in enumerate(models[:4]):
        size = 1.5 + i / 10
        model["Lcl Scaling"] = [size, size, size]
    one = ([0, 0.35, 1.25], [1, 2, 0.5])
    models[1]["curves"]["S"] = {axis: one for axis in "XYZ"}  # moves clavicle, too, which has no curves
    return models


FIGURES = plain, mixamo, maya, pivoted, scaled, mirrored, partly, wide, arcs, without_parents_scale
