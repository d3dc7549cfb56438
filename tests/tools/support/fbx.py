"""FBX files, written as text and as binary, and their transforms by the formula of FBX.

A model is a dictionary: name, parent (a name), the properties of FBX by name, "order", "curves": {"T": {axis: (times,
values)}, "R": ..., "S": ...}, "mesh": True for a triangle. Seconds, degrees.
"""
import base64
import struct
import zlib

import numpy as np

from support.fbx_curves import Curve

ORDERS = "XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX", "SphericXYZ"  # the first axis turns first
TICKS = 46186158000  # of a second
LOCAL = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}
VECTORS = "RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot", "PreRotation", "PostRotation"
GEOMETRIC = "GeometricTranslation", "GeometricRotation", "GeometricScaling"


# ---- the file as a tree of (name, values, children)


class Long(int):
    """Of eight bytes, as identities and times are."""


class Letter(str):
    """Of one byte, and without quotes in a text."""


def property70(name, kind, *values, more=""):
    return "P", [name, kind, more, "A", *values], []


class Tree:
    """Objects and connections, with identities that count up."""

    def __init__(self):
        self.objects, self.connections, self.last = [], [], 100000

    def add(self, name, kind, subkind, children, number=None):
        self.last += number is None
        number = Long(self.last if number is None else number)
        self.objects.append((name, [number, kind, subkind], children))
        return number

    def connect(self, child, parent, property=None):
        self.connections.append(("C", ["OP" if property else "OO", Long(child), Long(parent), *([property] if property else [])], []))


def extrapolation(name, way):
    mode, often = way
    return name, [], [("Type", [Letter(mode)], []), ("Repetition", [often], [])]


def add_curve(tree, curve, node, property, ticks):
    curve = curve if isinstance(curve, Curve) else Curve(*curve)
    times, values = curve
    flags, numbers = curve.attributes()
    children = [
        ("Default", [float(values[0])], []),
        ("KeyVer", [4009], []),
        ("KeyTime", [np.array([round(time * ticks) for time in times], np.int64)], []),
        ("KeyValueFloat", [np.array(values, np.float32)], []),
        ("KeyAttrFlags", [flags], []),
        ("KeyAttrDataFloat", [numbers], []),
        ("KeyAttrRefCount", [np.ones(len(times), np.int32)], []),
    ]
    ends = [extrapolation(name, way) for name, way in (("Pre-Extrapolation", curve.before), ("Post-Extrapolation", curve.after))]
    tree.connect(tree.add("AnimationCurve", ("AnimCurve", ""), "", children + ends), node, property)


def add_curves(tree, layer, element, property, curves, rests, ticks):
    """curves: {component: curve}; rests: {component: what it is otherwise}."""
    name = next((letter for letter, local in LOCAL.items() if local == property), property)  # as exporters call it
    properties = [property70("d|" + component, "Number", float(rest)) for component, rest in rests.items()]
    node = tree.add("AnimationCurveNode", ("AnimCurveNode", name), "", [("Properties70", [], properties)])
    tree.connect(node, layer)
    tree.connect(node, element, property)
    for component, curve in curves.items():
        add_curve(tree, curve, node, "d|" + component, ticks)


def add_mesh(tree, model, own):
    """A triangle with its morph targets, each a property of the geometry (as FBX 7.1 has it) if model["legacy"]. {target: element}"""
    shape = [("Indexes", [np.array([0], np.int32)], []), ("Vertices", [np.array([0, 0, 1], float)], [])]
    targets, legacy = model.get("morph", {}), model.get("legacy")
    children = [
        ("Properties70", [], [property70(target, "Number", 0.0) for target in targets] if legacy else []),
        ("Vertices", [np.array([0, 0, 0, 1, 0, 0, 0, 1, 0], float)], []),
        ("PolygonVertexIndex", [np.array([0, 1, -3], np.int32)], []),
        *([("Shape", [target], shape) for target in targets] if legacy else []),
    ]
    geometry = tree.add("Geometry", ("Geometry", model["name"]), "Mesh", children)
    tree.connect(geometry, own)
    if legacy or not targets:
        return {target: geometry for target in targets}
    blend, found = tree.add("Deformer", ("Deformer", "blend"), "BlendShape", []), {}
    tree.connect(blend, geometry)
    for target in targets:
        found[target] = tree.add("Deformer", ("SubDeformer", target), "BlendShapeChannel", [("FullWeights", [np.array([100.0])], [])])
        tree.connect(found[target], blend)
        tree.connect(tree.add("Geometry", ("Geometry", target), "Shape", shape), found[target])
    return found


def add_models(tree, models, ids):
    """{(model, target): the element that has its weight}"""
    weights = {}
    for model in models:
        properties = [property70("InheritType", "enum", model.get("InheritType", 1)), property70("RotationActive", "bool", 1)]
        if "order" in model:
            properties.append(property70("RotationOrder", "enum", ORDERS.index(model["order"])))
        for name in VECTORS + GEOMETRIC:
            if name in model:
                properties.append(property70(name, "Vector3D", *map(float, model[name]), more="Vector"))
        for name in LOCAL.values():
            if name in model:
                properties.append(property70(name, name, *map(float, model[name])))
        own = ids[model["name"]]
        kind = "Mesh" if model.get("mesh") else "LimbNode"
        tree.add("Model", ("Model", model["name"]), kind, [("Version", [232], []), ("Properties70", [], properties)], own)
        tree.connect(own, ids.get(model.get("parent"), 0))
        if model.get("mesh"):
            weights.update({(model["name"], target): element for target, element in add_mesh(tree, model, own).items()})
    return weights


def add_layer(tree, stack, number, layer, models, ids, weights, ticks):
    """The curves of model["curves"] are the base's; those of model["layers"][n] are of layer n."""
    weight = layer.get("weight", 100.0)
    properties = [property70("Weight", "Number", 100.0 if isinstance(weight, Curve) else float(weight), more="A")]
    properties += [property70(name, "enum", value) for name, value in layer.items() if name != "weight"]
    own = tree.add("AnimationLayer", ("AnimLayer", "layer%d" % number), "", [("Properties70", [], properties)])
    tree.connect(own, stack)
    if isinstance(weight, Curve):
        add_curves(tree, own, own, "Weight", {"Weight": weight}, {"Weight": 100}, ticks)
    for model in models:
        for letter, curves in (model.get("layers", {}).get(number, {}) if number else model.get("curves", {})).items():
            rest = model.get(LOCAL[letter], [1, 1, 1] if letter == "S" else [0, 0, 0])
            add_curves(tree, own, ids[model["name"]], LOCAL[letter], curves, dict(zip("XYZ", rest)), ticks)
        for property, curve in model.get("more", {}).items() if number == 0 else ():
            add_curves(tree, own, ids[model["name"]], property, {property: curve}, {property: curve[1][0]}, ticks)
        for target, curve in model.get("morph", {}).items() if number == 0 else ():
            property = target if model.get("legacy") else "DeformPercent"
            add_curves(tree, own, weights[model["name"], target], property, {property: curve}, {property: 0}, ticks)


def tree_of(models, unit=1.0, layers=({},), takes=None, ticks=TICKS, time_mode=6, media=False, version=7400, up=1, links=(), rate=30):
    """takes: [(name, from, to)], each with all curves, or with those of other models behind it. links: [(model, property, model, property)], of which the second takes the first's."""
    tree = Tree()
    ids = {model["name"]: Long(1000 + i) for i, model in enumerate(models)}
    weights = add_models(tree, models, ids)
    curves = [curve for model in models for kind in model.get("curves", {}).values() for curve in kind.values()]
    curves += [curve for model in models for curve in model.get("morph", {}).values()]
    for name, start, end, *own in takes or [("walk", 0, max(times[-1] for times, _ in curves))]:
        range_of = [
            property70(which, "KTime", Long(round(at * ticks)), more="Time") for which, at in (("LocalStart", start), ("LocalStop", end))
        ]
        stack = tree.add("AnimationStack", ("AnimStack", name), "", [("Properties70", [], range_of)])
        for number, layer in enumerate(layers):
            add_layer(tree, stack, number, layer, own[0] if own else models, ids, weights, ticks)
    for source, given, target, taken in links:
        tree.connections.append(("C", ["PP", ids[source], given, ids[target], taken], []))
    if media:  # a sound, and a film with its bytes
        tree.add("Audio", ("Audio", "step"), "Clip", [("Content", [b"RIFF" + bytes(2000)], [])])
        tree.add("Video", ("Video", "face"), "Clip", [("Type", ["Clip"], []), ("Content", [bytes(5000)], [])])
    flags = [("OtherFlags", [], [("TCDefinition", [128], [])])] if ticks != TICKS else []
    axes = {"UpAxis": up, "UpAxisSign": 1, "FrontAxis": 3 - up, "FrontAxisSign": 1 if up == 1 else -1, "CoordAxis": 0, "CoordAxisSign": 1}
    settings = [
        property70(name, "double", float(value), more="Number") for name, value in (("UnitScaleFactor", unit), ("CustomFrameRate", rate))
    ]
    settings += [property70("TimeMode", "enum", time_mode), *(property70(name, "int", value) for name, value in axes.items())]
    return [
        ("FBXHeaderExtension", [], [("FBXHeaderVersion", [1004 if flags else 1003], []), ("FBXVersion", [version], []), *flags]),
        ("GlobalSettings", [], [("Version", [1000], []), ("Properties70", [], settings)]),
        ("Documents", [], [("Count", [1], [])]),
        ("Definitions", [], [("Version", [100], [])]),
        ("Objects", [], tree.objects),
        ("Connections", [], tree.connections),
    ]


def text_value(value, depth, name, ints):
    if isinstance(value, Letter):
        return value
    if isinstance(value, bytes):
        return '"%s"' % base64.b64encode(value).decode()
    if isinstance(value, np.ndarray):
        value = value.view(np.int32) if ints and name == "KeyAttrDataFloat" else value
        tabs = "\t" * depth
        return "*%d {\n%s\ta: %s\n%s}" % (len(value), tabs, ",".join(repr(x) for x in value.tolist()), tabs)
    return '"%s::%s"' % value if isinstance(value, tuple) else '"%s"' % value if isinstance(value, str) else repr(value)


def text_node(node, ints, depth=0):
    """ints: tangents are written as the integers that have their bits, as FBX does from 7.2 on."""
    name, values, children = node
    line = "\t" * depth + name + ": " + (", " if name != "P" else ",").join(text_value(value, depth, name, ints) for value in values)
    if children or not values:
        line += " {\n" + "".join(text_node(child, ints, depth + 1) for child in children) + "\t" * depth + "}"
    return line + "\n"


def fbx_text(models, version=7400, **options):
    start = "; FBX %d.%d.0 project file\n" % (version // 1000, version // 100 % 10)
    return (start + "".join(text_node(node, version > 7100) for node in tree_of(models, version=version, **options))).encode(
        errors="surrogateescape"
    )


def old_transform(model):
    """A node's curves in a take before FBX 7: lines, and constants where there are none."""

    def axis(letter, i):
        times, values = model.get("curves", {}).get(letter, {}).get("XYZ"[i], ([], []))
        keys = [x for time, value in zip(times, values) for x in (round(time * TICKS), float(value), Letter("L"))]
        rest = ("Default", [float(model.get(LOCAL[letter], [letter == "S"] * 3)[i])], [])
        return "Channel", ["XYZ"[i]], [rest, ("KeyCount", [len(times)], []), ("Key", keys, [])] if keys else [rest]

    return "Channel", ["Transform"], [("Channel", [letter], [axis(letter, i) for i in range(3)]) for letter in "TRS"]


def fbx_old(models, version):
    """A text of FBX before 7, where names stand for identities. Before 6, nodes have no properties, and list their children."""
    nodes, ids = [], {model["name"]: ("Model", model["name"]) for model in models}
    for model in models:
        properties = [("RotationActive", "bool", [1]), ("InheritType", "enum", [model.get("InheritType", 1)])]
        properties += [(name, "Vector3D", map(float, model[name])) for name in [*VECTORS, *LOCAL.values()] if name in model]
        properties += [("RotationOrder", "enum", [ORDERS.index(model["order"])])] if "order" in model else []
        children = [ids[other["name"]] for other in models if other.get("parent") == model["name"]]
        content = [("Properties60", [], [("Property", [name, kind, "A", *values], []) for name, kind, values in properties])]
        if version < 6000:
            content = [("Type", ["LimbNode"], []), *([("Children", children, [])] if children else [])]
        nodes.append(("Model", [ids[model["name"]], "Limb"][: 2 if version >= 6000 else 1], [("Version", [232], []), *content]))
    pairs = [("Connect", ["OO", ids[model["name"]], ids.get(model.get("parent"), ("Model", "Scene"))], []) for model in models]
    moves = [("Model", [ids[model["name"]]], [old_transform(model)]) for model in models]
    tree = [
        ("FBXHeaderExtension", [], [("FBXHeaderVersion", [1003], []), ("FBXVersion", [version], [])]),
        *([("Objects", [], nodes), ("Connections", [], pairs)] if version >= 6000 else nodes),
        ("Takes", [], [("Take", ["walk"], moves)]),
    ]
    start = "; FBX %d.%d.0 project file\n" % (version // 1000, version // 100 % 10)
    return (start + "".join(text_node(node, False) for node in tree)).encode()


def binary_value(value):
    if isinstance(value, np.ndarray):
        letter = {"float64": b"d", "float32": b"f", "int64": b"l", "int32": b"i"}[str(value.dtype)]
        packed = zlib.compress(value.tobytes())
        return letter + struct.pack("<III", len(value), 1, len(packed)) + packed
    if isinstance(value, bytes):
        return b"R" + struct.pack("<I", len(value)) + value
    if isinstance(value, Letter):
        return b"C" + value.encode()
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    if isinstance(value, int):
        return b"L" + struct.pack("<q", value) if isinstance(value, Long) else b"I" + struct.pack("<i", value)
    content = (value[1] + "\0\1" + value[0] if isinstance(value, tuple) else value).encode(errors="surrogateescape")
    return b"S" + struct.pack("<I", len(content)) + content


def binary_node(node, start, wide):
    """wide: sizes of eight bytes, as FBX has them from 7.5 on."""
    name, values, children = node
    content = b"".join(map(binary_value, values))
    sizes = "<QQQB" if wide else "<IIIB"
    head = struct.calcsize(sizes) + len(name)
    size = len(content)
    if children or not values:
        for child in children:
            content += binary_node(child, start + head + len(content), wide)
        content += bytes(struct.calcsize(sizes))
    return struct.pack(sizes, start + head + len(content), len(values), size, len(name)) + name.encode() + content


def fbx_binary(models, version=7400, **options):
    content, wide = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", version), version >= 7500
    for node in tree_of(models, version=version, **options):
        content += binary_node(node, len(content), wide)
    return content + bytes(25 if wide else 13) + bytes(160)


# ---- the formula


def translation(vector):
    m = np.eye(4)
    m[:3, 3] = vector
    return m


def scaling(vector):
    return np.diag([*vector, 1.0])


def rotation(degrees, order="XYZ"):
    m = np.eye(4)
    for axis in order:
        i = "XYZ".index(axis)
        a, b = (i + 1) % 3, (i + 2) % 3
        angle = np.radians(degrees[i])
        turn = np.eye(4)
        turn[a, a] = turn[b, b] = np.cos(angle)
        turn[b, a], turn[a, b] = np.sin(angle), -np.sin(angle)
        m = turn @ m
    return m


def own_at(model, letter, time):
    vector = np.array(model.get(LOCAL[letter], [1, 1, 1] if letter == "S" else [0, 0, 0]), float)
    for axis, (times, values) in model.get("curves", {}).get(letter, {}).items():
        vector["XYZ".index(axis)] = np.interp(time, times, values)
    return vector


def local_at(model, time, parents_scale=None):
    """parents_scale: what is not handed down."""
    t, r, s = (own_at(model, letter, time) if time is not None else own_at({**model, "curves": {}}, letter, 0) for letter in "TRS")
    v = {name: np.array(model.get(name, [0, 0, 0]), float) for name in VECTORS}
    m = (
        translation(t)
        @ translation(v["RotationOffset"])
        @ translation(v["RotationPivot"])
        @ rotation(v["PreRotation"])
        @ rotation(r, model.get("order", "XYZ"))
        @ np.linalg.inv(rotation(v["PostRotation"]))
        @ translation(-v["RotationPivot"])
        @ translation(v["ScalingOffset"])
        @ translation(v["ScalingPivot"])
        @ scaling(s)
        @ translation(-v["ScalingPivot"])
    )
    if parents_scale is not None:
        m[:3, :3] = np.diag(1 / parents_scale) @ m[:3, :3]
    return m


def worlds_at(models, time):
    """{name: matrix}; time None: at rest. Parents come before their children."""
    worlds, by_name = {None: np.eye(4)}, {model["name"]: model for model in models}
    for model in models:
        scale = None
        if model.get("InheritType") == 2 and "parent" in model:
            parent = by_name[model["parent"]]
            scale = own_at(parent if time is not None else {**parent, "curves": {}}, "S", time or 0)
        worlds[model["name"]] = worlds[model.get("parent")] @ local_at(model, time, scale)
    del worlds[None]
    return worlds


def times_of(model):
    return sorted({time for curves in model.get("curves", {}).values() for times, _ in curves.values() for time in times})
