"""FBX files, written as text and as binary, and their transforms by the formula of FBX.

A model is a dictionary: name, parent (a name), the properties of FBX by name, "order", "curves": {"T": {axis: (times,
values)}, "R": ..., "S": ...}, "mesh": True for a triangle. Seconds, degrees.
"""
import struct
import zlib

import numpy as np

ORDERS = "XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"  # the first axis turns first
TICKS = 46186158000  # of a second
LOCAL = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}
VECTORS = "RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot", "PreRotation", "PostRotation"
GEOMETRIC = "GeometricTranslation", "GeometricRotation", "GeometricScaling"


# ---- the file as a tree of (name, values, children)


class Long(int):
    """Of eight bytes, as identities and times are."""


def property70(name, kind, *values, more=""):
    return "P", [name, kind, more, "A", *values], []


def tree_of(models, unit=1.0):
    objects, connections = [], []
    ids = {model["name"]: Long(1000 + i) for i, model in enumerate(models)}
    stack, layer, following = Long(10), Long(11), 100000
    end = max([time for model in models for curves in model.get("curves", {}).values() for times, _ in curves.values() for time in times])

    def connect(child, parent, property=None):
        connections.append(("C", ["OP" if property else "OO", Long(child), Long(parent), *([property] if property else [])], []))

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
        objects.append(("Model", [own, ("Model", model["name"]), kind], [("Version", [232], []), ("Properties70", [], properties)]))
        connect(own, ids.get(model.get("parent"), 0))
        if model.get("mesh"):
            following += 1
            objects.append(
                (
                    "Geometry",
                    [Long(following), ("Geometry", model["name"]), "Mesh"],
                    [
                        ("Vertices", [np.array([0, 0, 0, 1, 0, 0, 0, 1, 0], float)], []),
                        ("PolygonVertexIndex", [np.array([0, 1, -3], np.int32)], []),
                    ],
                )
            )
            connect(following, own)
        for letter, curves in model.get("curves", {}).items():
            following += 1
            node = following
            rest = model.get(LOCAL[letter], [1, 1, 1] if letter == "S" else [0, 0, 0])
            objects.append(
                (
                    "AnimationCurveNode",
                    [Long(node), ("AnimCurveNode", letter), ""],
                    [("Properties70", [], [property70("d|" + axis, "Number", float(rest["XYZ".index(axis)])) for axis in "XYZ"])],
                )
            )
            connect(node, layer)
            connect(node, own, LOCAL[letter])
            for axis, (times, values) in curves.items():
                following += 1
                objects.append(
                    (
                        "AnimationCurve",
                        [Long(following), ("AnimCurve", ""), ""],
                        [
                            ("Default", [float(values[0])], []),
                            ("KeyVer", [4009], []),
                            ("KeyTime", [np.array([round(time * TICKS) for time in times], np.int64)], []),
                            ("KeyValueFloat", [np.array(values, np.float32)], []),
                            ("KeyAttrFlags", [np.array([260], np.int32)], []),
                            ("KeyAttrDataFloat", [np.array([0, 0, 0, 0], np.float32)], []),
                            ("KeyAttrRefCount", [np.array([len(times)], np.int32)], []),
                        ],
                    )
                )
                connect(following, node, "d|" + axis)
    objects.append(
        (
            "AnimationStack",
            [stack, ("AnimStack", "walk"), ""],
            [("Properties70", [], [property70("LocalStop", "KTime", Long(round(end * TICKS)), more="Time")])],
        )
    )
    objects.append(("AnimationLayer", [layer, ("AnimLayer", "layer"), ""], [("Properties70", [], [property70("Weight", "Number", 100.0)])]))
    connect(layer, stack)
    return [
        ("FBXHeaderExtension", [], [("FBXHeaderVersion", [1003], []), ("FBXVersion", [7400], [])]),
        (
            "GlobalSettings",
            [],
            [
                ("Version", [1000], []),
                (
                    "Properties70",
                    [],
                    [property70("UnitScaleFactor", "double", float(unit), more="Number"), property70("TimeMode", "enum", 6)],
                ),
            ],
        ),
        ("Documents", [], [("Count", [1], [])]),
        ("Definitions", [], [("Version", [100], [])]),
        ("Objects", [], objects),
        ("Connections", [], connections),
    ]


def text_value(value, depth):
    if isinstance(value, np.ndarray):
        tabs = "\t" * depth
        return "*%d {\n%s\ta: %s\n%s}" % (len(value), tabs, ",".join(repr(x) for x in value.tolist()), tabs)
    return '"%s::%s"' % value if isinstance(value, tuple) else '"%s"' % value if isinstance(value, str) else repr(value)


def text_node(node, depth=0):
    name, values, children = node
    line = "\t" * depth + name + ": " + (", " if name != "P" else ",").join(text_value(value, depth) for value in values)
    if children or not values:
        line += " {\n" + "".join(text_node(child, depth + 1) for child in children) + "\t" * depth + "}"
    return line + "\n"


def fbx_text(models, **options):
    return ("; FBX 7.4.0 project file\n" + "".join(text_node(node) for node in tree_of(models, **options))).encode()


def binary_value(value):
    if isinstance(value, np.ndarray):
        letter = {"float64": b"d", "float32": b"f", "int64": b"l", "int32": b"i"}[str(value.dtype)]
        packed = zlib.compress(value.tobytes())
        return letter + struct.pack("<III", len(value), 1, len(packed)) + packed
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    if isinstance(value, int):
        return b"L" + struct.pack("<q", value) if isinstance(value, Long) else b"I" + struct.pack("<i", value)
    content = (value[1] + "\0\1" + value[0] if isinstance(value, tuple) else value).encode()
    return b"S" + struct.pack("<I", len(content)) + content


def binary_node(node, start):
    name, values, children = node
    content = b"".join(map(binary_value, values))
    head = 13 + len(name)
    size = len(content)
    if children or not values:
        for child in children:
            content += binary_node(child, start + head + len(content))
        content += bytes(13)
    return struct.pack("<IIIB", start + head + len(content), len(values), size, len(name)) + name.encode() + content


def fbx_binary(models, **options):
    content = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400)
    for node in tree_of(models, **options):
        content += binary_node(node, len(content))
    return content + bytes(13) + bytes(160)


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


# ---- files of others, binary ones of versions below 7500


def read_values(content, at, count):
    values = []
    for _ in range(count):
        letter, at = content[at : at + 1], at + 1
        if letter in b"CYIFDL":
            form = {b"C": "<?", b"Y": "<h", b"I": "<i", b"F": "<f", b"D": "<d", b"L": "<q"}[letter]
            values.append(struct.unpack_from(form, content, at)[0])
            at += struct.calcsize(form)
        elif letter in b"SR":
            size = struct.unpack_from("<I", content, at)[0]
            values.append(content[at + 4 : at + 4 + size].decode("latin1"))
            at += 4 + size
        else:
            _, packed, size = struct.unpack_from("<III", content, at)
            array = content[at + 12 : at + 12 + size]
            values.append(
                np.frombuffer(
                    zlib.decompress(array) if packed else array, {b"b": "u1", b"i": "<i4", b"f": "<f4", b"d": "<f8", b"l": "<i8"}[letter]
                )
            )
            at += 12 + size
    return values


def read_nodes(content, at):
    nodes = []
    while at < len(content):
        end, count, size, length = struct.unpack_from("<IIIB", content, at)
        if end == 0:
            break
        name, start = content[at + 13 : at + 13 + length].decode(), at + 13 + length
        nodes.append((name, read_values(content, start, count), read_nodes(content[:end], start + size)))
        at = end
    return nodes


def child(node, name):
    return next((found for found in node[2] if found[0] == name), (name, [None], []))


def read_fbx(path):
    """The models that its first animation moves, and those above them, parents first; axes without a curve stand still."""
    with open(path, "rb") as file:
        content = file.read()
    assert content.startswith(b"Kaydara FBX Binary  \0") and struct.unpack_from("<I", content, 23)[0] < 7500
    top = {name: children for name, _, children in read_nodes(content, 27)}
    objects = {node[1][0]: node for node in top["Objects"]}
    models, parents, targets, curves = {}, {}, {}, {}
    for number, node in objects.items():
        if node[0] == "Model":
            model = models[number] = {"name": node[1][1].split("\0")[0]}
            for _, (name, kind, _, _, *values), _ in child(node, "Properties70")[2]:
                if name == "RotationOrder":
                    model["order"] = ORDERS[values[0]]
                elif name == "InheritType":
                    model[name] = values[0]
                elif name in VECTORS + GEOMETRIC + tuple(LOCAL.values()):
                    model[name] = values
    for _, (kind, source, target, *property), _ in top["Connections"]:
        if kind == "OO" and source in models and target in models:
            parents[source] = target
        elif kind == "OP" and objects.get(source, [None])[0] == "AnimationCurveNode" and target in models:
            targets[source] = target, next((letter for letter, name in LOCAL.items() if name == property[0]), None)
        elif kind == "OP" and objects.get(source, [None])[0] == "AnimationCurve":
            curves.setdefault(target, {})[property[0][-1]] = objects[source]
    for node, (number, letter) in targets.items():
        if letter:
            models[number].setdefault("curves", {})[letter] = {
                axis: ((child(curve, "KeyTime")[1][0] / TICKS).tolist(), child(curve, "KeyValueFloat")[1][0].tolist())
                for axis, curve in curves.get(node, {}).items()
            }
    ordered = []

    def take(number):
        if number in parents:
            models[number]["parent"] = models[parents[number]]["name"]
            if models[parents[number]] not in ordered:
                take(parents[number])
        if models[number] not in ordered:
            ordered.append(models[number])

    for number, model in models.items():
        if model.get("curves"):
            take(number)
    return ordered
