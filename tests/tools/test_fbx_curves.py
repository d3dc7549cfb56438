"""Animations of FBX files of our own, beside what FBX says of curves: kinds of keys, extrapolation, layers, takes, morph weights,
clocks. QUATSIMD_PRINT_SCENE names the program that prints what the command reads."""

import numpy as np

from support.command import Directory
from support.fbx import GEOMETRIC, TICKS, fbx_binary, fbx_text
from support.fbx_curves import ADDITIVE, CUBIC, HOLD, HOLD_NEXT, LINEAR, OVERRIDE, PASSTHROUGH, Curve, layered
from support.gltf_pose import values_at
from support.playing import read_scene, value_at

HEIGHT = 30.0  # of the figure, from the origin to its hand
CLOSE = {"translation": 6e-5 * HEIGHT, "rotation": 0.008, "scale": 6e-5, "track": 6e-5}
NAMES = {"T": "translation", "R": "rotation", "S": "scale"}


def figure(**more):
    return [
        {"name": "hip", "Lcl Translation": [0, 10, 0], **more},
        {"name": "hand", "parent": "hip", "Lcl Translation": [0, 20, 0]},
    ]


def random_curve(random, low=-8.0, high=8.0, kinds=(HOLD, HOLD_NEXT, LINEAR, CUBIC), length=1.0, **ends):
    keys = int(random.integers(2, 7))
    times = np.round(np.sort(random.choice(np.arange(1, 60), keys, replace=False)) / 60 * length, 6)
    size = (high - low) / 2
    slopes = [tuple(random.uniform(-4, 4, 2) * size) for _ in times]
    weights = [tuple(random.uniform(0.05, 0.9, 2).round(4)) if random.random() < 0.5 else None for _ in times]
    values = random.uniform(low, high, keys).astype("f4").astype(float)
    return Curve(times, values, [int(random.choice(kinds)) for _ in times], slopes, weights, **ends)


def random_curves(random):
    ranges = {"T": (-8, 8), "S": (0.5, 2), "R": (-60, 60)}
    return {letter: random_curve(random, *ends, kinds=(LINEAR, CUBIC)) for letter, ends in ranges.items()}


def random_end(random):
    return str(random.choice(list("CRMAK"))), int(random.choice([-1, 0, 1, 2, 3]))


class FbxCurves(Directory):
    def scenes(self, models, **options):
        """As a text and as a binary file."""
        files = ("text.fbx", fbx_text), ("binary.fbx", fbx_binary)
        return [read_scene(self.write(name, write(models, **options))) for name, write in files]

    def check(self, scene, wanted, start, end, animation=0, jumps=()):
        """wanted: {kind: function of the time}; of rotations degrees about x. Times at which a value jumps are passed over."""
        (channel,) = (c for c in scene["animations"][animation]["channels"] if c["name"] == "hip")
        rest = next(node for node in scene["nodes"] if node["name"] == "hip")
        times = np.linspace(start, end, 211) + 1e-4 * (end - start)
        times = np.array([time for time in times if time <= end and not any(abs(time - jump) < 1e-6 for jump in jumps)])
        for kind, value in wanted.items():
            curve = channel.get(kind, {"times": [0], "values": rest[kind], "hold": True, "cubic": False})
            found = values_at(curve["times"], curve["values"], times, curve["hold"], curve["cubic"])
            off = np.degrees(2 * np.arctan2(found[:, 0], found[:, -1])) if kind == "rotation" else found[:, 0]
            off -= [value(time) for time in times]
            off = np.abs((off + 180) % 360 - 180 if kind == "rotation" else off)
            self.assertLess(off.max(), CLOSE[kind], (kind, times[off.argmax()]))

    def test_kinds_of_keys(self):
        for seed in range(40):
            random = np.random.default_rng(seed)
            curves = {"T": random_curve(random), "R": random_curve(random, -400, 400), "S": random_curve(random, 0.5, 2)}
            models = figure(curves={letter: {"X": curve} for letter, curve in curves.items()})
            wanted = {NAMES[letter]: curve.at for letter, curve in curves.items()}
            with self.subTest(seed=seed):
                for scene in self.scenes(models):
                    self.check(scene, wanted, 0, max(curve[0][-1] for curve in curves.values()))

    def test_each_kind_alone(self):
        """Keys that hold come as such; cubic ones, unless weighted, as they are."""
        for kind, hold, cubic in (HOLD, True, False), (HOLD_NEXT, True, False), (LINEAR, False, False), (CUBIC, False, True):
            curve = Curve([0, 0.25, 0.5, 1], [1, 4, -2, 3], [kind] * 4, [(5, -3), (0, 8), (-6, 2), (0, 0)])
            for scene in self.scenes(figure(curves={"T": {"X": curve}})):
                found = scene["animations"][0]["channels"][0]["translation"]
                self.assertEqual((found["hold"], found["cubic"], len(found["times"])), (hold, cubic, 4), kind)
                self.check(scene, {"translation": curve.at}, 0, 1)

    def test_a_jump_behind_the_first_key(self):
        curve = Curve([0.25, 0.5], [1, 4], [HOLD_NEXT] * 2)
        for scene in self.scenes(figure(curves={"T": {"X": curve}}), takes=[("walk", 0, 1)]):
            self.check(scene, {"translation": curve.at}, 0, 1)

    def test_repeated_keys(self):
        """There is a key where the file's curve has one and at the take's end, and no other."""
        for mode, often, wanted in ("R", -1, 13), ("R", 2, 11), ("M", -1, 13), ("M", 1, 8), ("A", -1, 13):
            curve = Curve([0, 0.1, 0.3, 0.5], [0, 1, -1, 0], after=(mode, often))
            for scene in self.scenes(figure(curves={"T": {"X": curve}}), takes=[("walk", 0, 2)]):
                found = scene["animations"][0]["channels"][0]["translation"]
                self.assertEqual((found["cubic"], len(found["times"])), (False, wanted), (mode, often))
                self.check(scene, {"translation": curve.at}, 0, 2)

    def test_extrapolation(self):
        """As far as the take goes."""
        for seed in range(40):
            random = np.random.default_rng(seed)
            before, after = random_end(random), random_end(random)
            curve = random_curve(random, kinds=(LINEAR, CUBIC), length=0.5, before=before, after=after)
            moved = [(time + 1, value) for time, value in zip(*curve)]
            curve = Curve(*zip(*moved), curve.flags, curve.slopes, curve.weights, before, after)
            times = curve[0]
            jumps = [times[0] + n * (times[-1] - times[0]) for n in range(-400, 400)]
            with self.subTest(seed=seed, before=before, after=after):
                for scene in self.scenes(figure(curves={"T": {"X": curve}}), takes=[("far", 0, 3)]):
                    self.check(scene, {"translation": curve.at}, 0, 3, jumps=jumps)

    def test_layers(self):
        """Of each mode, in any order, with weights that stand still or move."""
        for seed in range(40):
            random = np.random.default_rng(seed)
            layers, above, models = [{}], {"T": [], "S": [], "R": []}, figure(curves={}, layers={})
            base = random_curves(random)
            models[0]["curves"] = {letter: {"X": curve} for letter, curve in base.items()}
            for number in range(1, int(random.integers(2, 4))):
                mode = int(random.choice([ADDITIVE, OVERRIDE, PASSTHROUGH]))
                weight = random_curve(random, 0, 100, kinds=(LINEAR,)) if random.random() < 0.4 else float(random.integers(0, 101))
                layers.append({"BlendMode": mode, "weight": weight})
                curves = random_curves(random)
                for letter, curve in curves.items():
                    above[letter].append((mode, weight, curve))
                models[0]["layers"][number] = {letter: {"X": curve} for letter, curve in curves.items()}
            wanted = {
                NAMES[letter]: lambda time, letter=letter: layered(base[letter], above[letter], time, letter == "S") for letter in base
            }
            with self.subTest(seed=seed, layers=layers):
                for scene in self.scenes(models, layers=layers, takes=[("walk", 0, 1)]):
                    self.check(scene, wanted, 0, 1)

    def test_layers_that_do_not_play(self):
        """Mute leaves one out, and Solo all others."""
        base, above = Curve([0, 1], [1, 5]), Curve([0, 1], [2, -3])
        models = figure(curves={"T": {"X": base}}, layers={1: {"T": {"X": above}}})
        for first, second, wanted, reason in (
            ({}, {"Mute": 1}, base, '1" is left out: it is muted'),
            ({"Solo": 1}, {}, base, '1" is left out: another one plays solo'),
            ({"Mute": 1}, {}, above, '0" is left out: it is muted'),
            ({}, {"Solo": 1}, above, '0" is left out: another one plays solo'),
        ):
            layers = [first, {"BlendMode": ADDITIVE, **second}]
            path = self.write("layers.fbx", fbx_text(models, layers=layers))
            scene = read_scene(path, 'quatsimd: %s: "walk": layer "layer%s\n' % (path, reason))
            self.check(scene, {"translation": wanted.at}, 0, 1)

    def test_two_curves_of_one_value(self):
        """A file whose second layer's curves are connected to the first."""
        models = figure(curves={"T": {"X": Curve([0, 1], [1, 5])}}, layers={1: {"T": {"X": Curve([0, 1], [2, 2])}}})
        text = fbx_text(models, layers=[{}, {}]).decode()
        layer = [line.split()[1].rstrip(",") for line in text.splitlines() if "AnimLayer::" in line]
        path = self.write("twice.fbx", text.replace(", %s\n" % layer[1], ", %s\n" % layer[0]).encode())
        says = 'twice.fbx: "walk": Lcl Translation of "hip" has curves twice: the first are read'
        self.assertIn(says, self.good("compress", "--time", "0", path).stderr)

    def test_spherical_rotations(self):
        """Nobody says how FBX turns by them."""
        models = figure(curves={"R": {"X": Curve([0, 1], [0, 90])}, "T": {"X": Curve([0, 1], [0, 1])}}, order="SphericXYZ")
        models[1]["order"] = "SphericXYZ"
        says = '"hip" and others have the RotationOrder SphericXYZ, which is not read: they do not turn'
        self.assertIn(says, self.good("compress", "--time", "0", self.write("spheric.fbx", fbx_text(models))).stderr)

    def test_turns_of_layers(self):
        """ufbx adds turns by way of angles, which jump by a whole turn."""
        for seed in range(10):
            random = np.random.default_rng(seed)
            base, above = (random_curve(random, -175, 175, kinds=(CUBIC,)) for _ in range(2))
            models = figure(curves={"R": {"X": base}}, layers={1: {"R": {"X": above}}})
            with self.subTest(seed=seed):
                for scene in self.scenes(models, layers=[{}, {"BlendMode": ADDITIVE}], takes=[("walk", 0, 1)]):
                    self.check(scene, {"rotation": lambda time: base.at(time) + above.at(time)}, 0, 1)

    def test_whole_turns(self):
        """However many lie between two keys: times between them are not where each turn is the same."""
        for degrees, seconds in (3600000, 1000), (36000, 10), (7200, 60), (720, 1):
            curve = Curve([0, seconds], [0, degrees])
            for scene in self.scenes(figure(curves={"R": {"X": curve}})):
                self.check(scene, {"rotation": curve.at}, 0, seconds)
        fast = self.write("fast.fbx", fbx_text(figure(curves={"R": {"X": Curve([0, 1], [0, 3600000])}})))
        self.assertIn('fast.fbx: 1 value changes faster than keys follow, of "hip":', self.good("compress", "--time", "0", fast).stderr)

    def test_rates_of_frames(self):
        """A file may say any; some have 0 or less."""
        curve = Curve([0, 1], [0, 720])
        for rate in -5, 0, 1e-9, 24, 1e300:
            for scene in self.scenes(figure(curves={"R": {"X": curve}}), time_mode=14, rate=rate):
                self.check(scene, {"rotation": curve.at}, 0, 1)

    def test_an_hour_of_repetitions(self):
        curve = Curve([0, 0.25, 0.5, 1], [0, 5, -5, 0], after=("R", -1))
        for scene in self.scenes(figure(curves={"T": {"X": curve}}), takes=[("far", 0, 3600)]):
            self.check(scene, {"translation": curve.at}, 3590, 3600)

    def test_keys_out_of_order(self):
        curve = Curve([0, 1], [1, 2])
        broken = Curve([0, 2, 1], [1, 2, 3])
        models = figure(curves={"T": {"X": curve}, "R": {"X": broken}})
        for name, write in ("text.fbx", fbx_text), ("binary.fbx", fbx_binary):
            path = self.write(name, write(models))
            says = path + ': animation 0, walk: keys of Lcl Rotation of "hip" are not in the order of time'
            self.bad(1, "compress", "--time", "0", path, says=says)

    def test_linked_properties(self):
        """A property that takes the value of another one moves as that."""
        curve = Curve([0, 0.5, 1], [1, 4, -2])
        models = figure(curves={"T": {"X": curve}})[::-1]
        models[0].pop("parent")
        for scene in self.scenes(models, links=[("hip", "Lcl Translation", "hand", "Lcl Translation")]):
            channels = {channel["name"]: channel for channel in scene["animations"][0]["channels"]}
            self.assertIn("hand", channels)
            for time in np.linspace(0, 1, 50):
                self.assertLess(abs(value_at(channels["hand"]["translation"], time)[0] - curve.at(time)), CLOSE["translation"])

    def test_what_is_left_out(self):
        """Properties that an animation has and does not move are not worth a word."""
        for name in ["Visibility", *GEOMETRIC]:
            for values, says in ([1, 1], False), ([1, 0], True):
                models = figure(curves={"T": {"X": Curve([0, 1], [0, 1])}}, more={name: Curve([0, 1], values)})
                for write in fbx_text, fbx_binary:
                    result = self.good("compress", "--time", "0", self.write("seen.fbx", write(models)))
                    self.assertEqual("1 animated property is left out: %s of" % name in result.stderr, says, result.stderr)

    def test_takes(self):
        """Ranges of one time line: each take has what lies in it, and keys at its ends."""
        random = np.random.default_rng(1)
        curve = random_curve(random, kinds=(LINEAR, CUBIC), length=4.0)
        takes = [("walk", 0, 1), ("run", 0.9, 2.35), ("fall", 2.5, 9)]
        for scene in self.scenes(figure(curves={"T": {"X": curve}}), takes=takes):
            self.assertEqual([animation["name"] for animation in scene["animations"]], [name for name, _, _ in takes])
            for number, (_, start, end) in enumerate(takes):
                times = scene["animations"][number]["channels"][0]["translation"]["times"]
                self.assertGreaterEqual(times[0], start - 1e-6)
                self.assertLessEqual(times[-1], end + 1e-6)
                self.check(scene, {"translation": curve.at}, start, end, number)

    def test_takes_with_curves_of_their_own(self):
        """Each of two nodes moves in its own way in each take, also where both have keys at one time."""
        first, second, hand = Curve([0, 1], [1, 5]), Curve([0, 1], [7, -3]), Curve([0, 0.7, 1], [1, 2, 5])
        models = figure(curves={"T": {"X": first}})
        models[1]["curves"] = {"T": {"X": hand}}
        others = figure(curves={"T": {"X": second}})
        others[1]["curves"] = {"T": {"X": Curve([0, 0.7, 1], [5, 3, 4])}}
        for scene in self.scenes(models, takes=[("a", 0, 1), ("b", 0, 1, others)]):
            for number, of_take in enumerate((models, others)):
                for node in of_take:
                    channels = scene["animations"][number]["channels"]
                    channel = next(c for c in channels if c["name"] == node["name"])
                    for time in np.linspace(0, 1, 41):
                        found = value_at(channel["translation"], time)[0]
                        self.assertLess(abs(found - node["curves"]["T"]["X"].at(time)), CLOSE["translation"], (number, node["name"], time))

    def test_a_take_longer_than_its_keys(self):
        """The values at its ends stay until then."""
        curve = Curve([0.5, 1], [1, 5])
        for scene in self.scenes(figure(curves={"T": {"X": curve}}), takes=[("walk", 0, 3)]):
            times = scene["animations"][0]["channels"][0]["translation"]["times"]
            self.assertEqual((times[0], times[-1]), (0, 3))
            self.check(scene, {"translation": curve.at}, 0, 3)

    def test_a_take_without_an_end(self):
        """Some have the largest time there is; repetitions would go on as long."""
        curve = Curve([0, 1], [1, 5], after=("R", -1))
        for scene in self.scenes(figure(curves={"T": {"X": curve}}), takes=[("walk", 0, (2**63 - 1024) / TICKS)]):
            self.assertEqual(scene["animations"][0]["channels"][0]["translation"]["times"][-1], 1)

    def test_morph_weights(self):
        """Of blend shapes, and of properties of a geometry, as FBX 7.1 and earlier have them."""
        for legacy in False, True:
            for seed in range(10):
                random = np.random.default_rng(seed)
                morph = {"smile": random_curve(random, 0, 100), "blink": random_curve(random, 0, 100)}
                models = figure(mesh=True, morph=morph, legacy=legacy, curves={"T": {"X": ([0, 1], [1, 2])}})
                with self.subTest(legacy=legacy, seed=seed):
                    for scene in self.scenes(models, version=7100 if legacy else 7400):
                        self.assertNotIn("left out", self.good("compress", "--time", "0", self.path("text.fbx")).stderr)
                        tracks = {track["name"]: track for track in scene["animations"][0]["tracks"]}
                        self.assertEqual(sorted(name.split(".")[-1] for name in tracks), sorted(morph))
                        for name, track in tracks.items():
                            for time in np.linspace(0, 1, 97) + 1e-4:
                                wanted = morph[name.split(".")[-1]].at(time) / 100
                                self.assertLess(abs(value_at(track, time)[0] - wanted), CLOSE["track"], (name, time))

    def test_clocks(self):
        """Ticks of FBX 8, and frame rates."""
        curve = Curve([0, 0.5, 1.5], [1, 5, 2])
        for options in {"ticks": 141120000}, {"time_mode": 3}, {"time_mode": 10}, {"time_mode": 0}:
            for scene in self.scenes(figure(curves={"T": {"X": curve}}), **options):
                found = scene["animations"][0]["channels"][0]["translation"]
                np.testing.assert_allclose(found["times"], curve[0], atol=1e-9)
                self.check(scene, {"translation": curve.at}, 0, 1.5)

    def test_versions_and_media(self):
        curve = Curve([0, 1], [1, 5])
        for version in 7000, 7100, 7200, 7300, 7400, 7500, 7700:
            for media in False, True:
                for scene in self.scenes(figure(curves={"T": {"X": curve}}), media=media, version=version):
                    self.check(scene, {"translation": curve.at}, 0, 1)
