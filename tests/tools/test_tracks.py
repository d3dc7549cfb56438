"""Morph weights of glTF as tracks of clips, and back."""
import os

import numpy as np
import xxhash

from support.command import Directory, run
from support.gltf import append, glb_of, gltf_tree
from support.page import page_run
import clip as clip_model
import skeleton as skeleton_model

NAMES = ["smile", "blink", "jaw"]


def face(channels, names=NAMES, joint=False, at_rest=None, own_rest=None):
    """A .glb: a head whose mesh has these morph targets, twice if a channel moves node 2. channels: [(node, times, weights or, of
    splines, [key, 3, target], interpolation)]. at_rest: weights of the mesh; own_rest: of the head."""
    nodes = [{"name": "root", "children": [1, 2]}, {"name": "head", "mesh": 0}, {"name": "copy"}]
    if any(channel[0] == 2 for channel in channels):
        nodes[2]["mesh"] = 0
    turning = [(0, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 0.6, 0.8]], None)] * joint
    tree, content = gltf_tree(nodes, {"talk": turning})
    targets = []
    for _ in names:
        number, content = append(tree, content, np.ones((3, 3), "<f4"))
        targets.append({"POSITION": number})
    number, content = append(tree, content, np.zeros((3, 3), "<f4"))
    primitive = {"attributes": {"POSITION": number}, "targets": targets}
    tree["meshes"] = [{"name": "face", "primitives": [primitive], "extras": {"targetNames": names}}]
    samplers, moved = [], []
    for node, times, weights, interpolation in channels:
        start, content = append(tree, content, np.asarray(times, "<f4"))
        end, content = append(tree, content, np.asarray(weights, "<f4").ravel())
        moved.append({"sampler": len(samplers), "target": {"node": node, "path": "weights"}})
        samplers.append({"input": start, "output": end, "interpolation": interpolation})
    (talk,) = tree["animations"]
    for channel in talk["channels"]:
        channel["sampler"] += len(samplers)
    talk["samplers"], talk["channels"] = samplers + talk["samplers"], moved + talk["channels"]
    if at_rest is not None:
        tree["meshes"][0]["weights"] = at_rest
    if own_rest is not None:
        nodes[1]["weights"] = own_rest
    return glb_of(tree, content)


TIMES = np.arange(61) / 30
TALK = np.stack([0.5 + 0.5 * np.sin(TIMES * 5), np.where(TIMES % 1 < 0.1, 1, 0), 0.3 + 0 * TIMES], axis=1)


class Tracks(Directory):
    def made(self, content, *options, name="face.glb", out="clips"):
        """The file; its bundle and the name of the clip there; the clip and the skeleton by themselves, in the folder `out`."""
        path, bundle = self.write(name, content), self.path(out + ".qsb")
        self.good("compress", "--object", "0.1mm@3cm", *options, "-o", bundle, path)
        self.good("extract", bundle, "-o", self.path(out))
        clip, skeleton = clip_model.Clip(self.content(out, "talk.qsc")), skeleton_model.Skeleton(self.content(out, "skeleton.qsk"))
        return path, (bundle, "talk"), clip, skeleton

    def sampled(self, clip, times):
        return np.array([clip.sample(time)[3][0, :, 0] for time in times])

    def test_within_the_bound(self):
        for bound in 0.001, 0.05:
            _, clip, model, skeleton = self.made(face([(1, TIMES, TALK, "LINEAR")]), "--track", bound, out="clips%g" % bound)
            self.assertEqual(skeleton.tracks, [b"face.smile", b"face.blink", b"face.jaw"])
            self.assertEqual(model.skeleton, skeleton.hash)
            off = np.abs(self.sampled(model, TIMES)[:, :3] - TALK).max()
            self.assertLessEqual(off, bound + 1e-6)
            self.assertGreater(off, bound / 4)
            report = self.json("verify", *clip)
            self.assertNotIn("joint\n", self.good("verify", *clip).stdout)  # no table of joints, of which none moves
            found = report["track"]
            self.assertEqual((found["keys"], found["bound"], found["within"], report["within"]), (183, bound, True, True))
            self.assertLessEqual(found["worst_error"], bound + 1e-6)
            errors = np.abs(self.sampled(model, TIMES) - np.float32(TALK))
            self.assertAlmostEqual(found["worst_error_at_keys"], errors.max(), delta=1e-6)
            self.assertAlmostEqual(found["mean_error"], errors.mean(), 6)
            self.assertEqual(found["worst_error"], max(found["worst_error_at_keys"], found["worst_error_between_keys"]))
            self.assertEqual(found["track_of_worst"].split(".")[0], "face")
        self.assertLess(os.path.getsize(self.path("clips0.05", "talk.qsc")), 400)

    def test_decompressed(self):
        """Splines and steps as arrays; tracks are left out of a .glb with a message."""
        spline = np.stack([np.full((5, 3), 0.25), np.linspace(0, 1, 15).reshape(5, 3), np.full((5, 3), -0.5)], axis=1)
        channels = [(1, TIMES, TALK, "LINEAR"), (2, np.arange(5) / 2, spline, "CUBICSPLINE"), (2, [0, 0.5], TALK[:2], "STEP")]
        _, clip, model, _ = self.made(face(channels[:2], joint=True))
        said = self.good("decompress", *clip, "-o", self.path("out.glb"))
        self.assertIn("out.glb: tracks are left out: only arrays have them", said.stderr)
        for chosen in channels[:1], channels[2:]:  # tracks alone
            _, clip, model, _ = self.made(face(chosen))
            self.bad(1, "decompress", *clip, "-o", self.path("none.glb"), says="moves no joint")
            found = self.arrays(clip)
            np.testing.assert_array_equal(found["tracks"], self.sampled(model, found["times"]))

    def test_verify_sees_other_weights(self):
        _, clip, *_ = self.made(face([(1, TIMES, TALK, "LINEAR")]))
        other = self.write("other.glb", face([(1, TIMES, TALK + 0.002 * (np.arange(61) == 40)[:, None], "LINEAR")]))
        result = self.bad(1, "verify", *clip, "--against", other, says='track "face.')
        self.assertIn("beyond", result.stdout)
        self.assertRegex(result.stderr, r" at \S+ seconds is \S+ off, [\d.]+ times its bound of 0\.001")

    def test_difference_of_splines(self):
        """No number of straight pieces holds this bound."""
        spline = np.zeros((4, 3, 3))
        spline[:, 1], spline[:, [0, 2]] = np.arange(4)[:, None] % 2, 5
        path = self.write("bent.glb", face([(1, np.arange(4.0), spline, "CUBICSPLINE")]))
        base = self.write("base.glb", face([(1, np.arange(4.0) * 1.5, spline / 2, "CUBICSPLINE")]))
        self.good("compress", "--track", "1e-8", "--additive", base, "-o", self.path("bent"), path)
        self.assertIn("within", self.good("verify", self.path("bent")).stdout)

    def test_clips_without_a_skeleton(self):
        """Programs may encode clips without one. Only the number of tracks tells then whether the clip is of another file."""
        few, many = face([(1, TIMES, TALK, "LINEAR")], joint=True), [str(i) for i in range(1000)]
        path, _, _, skeleton = self.made(few)
        loose = self.path("loose.qsc")
        content = bytearray(self.content("clips", "talk.qsc").replace(skeleton.hash.to_bytes(8, "little"), b""))
        content[8:12] = len(content).to_bytes(4, "little")
        content[30] ^= 0x80  # no hash follows
        content[4:8] = xxhash.xxh32(bytes(content[8:])).intdigest().to_bytes(4, "little")
        self.write("loose.qsc", bytes(content))
        self.assertIn(" within", self.good("verify", loose, "--against", path, "--track", "0.001").stdout)
        larger = self.write("larger.glb", face([(1, TIMES, np.zeros((61, 1000)), "LINEAR")], names=many, joint=True))
        smaller = self.write("smaller.glb", face([(1, TIMES, TALK[:, :1], "LINEAR")], names=NAMES[:1], joint=True))
        for other, count in (larger, "1,000"), (smaller, "1"):
            says = "loose.qsc: has 3 tracks, and %s has %s: it is a clip of another file" % (other, count)
            self.bad(1, "verify", loose, "--against", other, says=says)

    def test_bounds_and_folders(self):
        """--track is a bound of verify, too; a folder has a column of tracks, and counts them."""
        _, clip, *_ = self.made(face([(1, TIMES, TALK, "LINEAR")], joint=True))
        bundle = clip[0]
        worst = self.json("verify", *clip)["track"]["worst_error"]
        self.assertIn("within", self.good("verify", *clip, "--track", worst * 1.01).stdout)
        self.bad(1, "verify", *clip, "--track", worst * 0.9, says='track "face.')
        self.bad(2, "verify", *clip, "--track", "-1", says="--track: -1 is not above 0")
        lines = self.good("verify", bundle).stdout.splitlines()
        self.assertRegex(lines[0], r"^ *rotation +degrees +object +track +bounds")
        self.assertEqual((lines[3].split()[4], lines[3].split()[6:]), ("%.4g" % worst, ["within", "clips.qsb:", "talk"]))
        result = self.bad(1, "verify", bundle, "--track", worst * 0.9, says='track "face.')
        self.assertIn("0 within their bounds, 1 beyond", result.stdout)
        every = self.json("verify", bundle)["all"]
        self.assertEqual((every["track"]["keys"], every["track"]["worst_error"]), (183, worst))

    def test_page(self):
        """Tracks count beside joints, and alone, where no joint has a curve to show."""
        for joint in True, False:
            path = self.write("face.glb", face([(1, TIMES, TALK, "LINEAR")], joint=joint))
            self.good("compress", "--object", "0.1mm@3cm", "-o", self.path("face.qsb"), "--report", self.path("page.html"), path)
            (entry,) = page_run(self.path("page.html"))["animations"]
            worst = self.json("verify", self.path("face.qsb"), "talk")["track"]["worst_error"]
            self.assertEqual((entry["keys"]["track"], entry["keys"]["rotation"]), (183, 2 if joint else 0))
            np.testing.assert_allclose([entry["worst_track_error"], 0.001 * entry["of_bound"]["track"]], worst, rtol=1e-6)
            self.assertNotIn("error", entry["detail"])
            self.assertEqual("curve" in entry["detail"], joint)

    def test_arrays(self):
        """Tracks at the clip's frames, with the skeleton's weights at rest, and their names."""
        _, clip, model, _ = self.made(face([(1, TIMES, TALK * [1, 1, 0] + [0, 0, 0.75], "LINEAR")], joint=True, at_rest=[0, 0, 0.75]))
        found = self.arrays(clip)
        self.assertEqual(found["tracks.json"], ["face.smile", "face.blink", "face.jaw"])
        self.assertEqual(found["tracks"].shape, (len(found["times"]), 3))
        np.testing.assert_array_equal(found["tracks"], np.float32(self.sampled(model, found["times"]) + [0, 0, 0.75]))
        os.remove(self.path("clips", "skeleton.qsk"))
        self.bad(1, "decompress", self.path("clips", "talk.qsc"), "-o", self.path("without"), says="has no skeleton.qsk beside it")

    def test_names_of_another_skeleton(self):
        _, _, _, skeleton = self.made(face([(1, TIMES, TALK, "LINEAR")]), "--skeleton", self.other_skeleton(NAMES[::-1] + ["more"]))
        self.assertEqual(skeleton.tracks[:4], [b"face.jaw", b"face.blink", b"face.smile", b"face.more"])
        values = self.sampled(clip_model.Clip(self.content("clips", "talk.qsc")), TIMES)
        self.assertLessEqual(np.abs(values[:, [2, 1, 0]] - TALK).max(), 0.001 + 1e-6)
        self.good("verify", self.path("clips.qsb"))
        path, other = self.path("face.glb"), self.other_skeleton(["blink"])
        self.bad(1, "compress", "-o", self.path("clips"), "--skeleton", other, path, says="2 tracks move and have no match in ")
        self.good("compress", "-o", self.path("some"), "--ignore-unmatched", "--skeleton", other, path)

    def other_skeleton(self, names):
        other = self.write("of%d.glb" % len(names), face([(1, [0, 1], np.zeros((2, len(names))), "LINEAR")], names, joint=True))
        self.write("face.glb", face([(1, TIMES, TALK, "LINEAR")], joint=True))
        self.good("compress", "-o", self.path("other.qsb"), other)
        self.good("extract", self.path("other.qsb"), "--skeleton", "-o", self.path("other.qsk"))
        return self.path("other.qsk")

    def test_additive_and_loops(self):
        path, clip, model, _ = self.made(face([(1, TIMES, TALK, "LINEAR")], joint=True), "--additive", "first")
        self.assertLessEqual(np.abs(self.sampled(model, TIMES)[:, :3] + TALK[0] - TALK).max(), 0.001 + 1e-6)
        self.good("verify", *clip)
        path = self.write("alone.glb", face([(1, TIMES, TALK, "LINEAR")]))
        self.bad(1, "compress", "--loop", path, says='track "face.smile", key 60: the loop does not close')

    def test_additive_to_a_base(self):
        """What the base moves is taken off, by name; it is longer, and moves tracks that the file does not."""
        times = np.arange(91) / 30
        under = np.stack([0.3 + times / 9, 0.5 - times / 9, times / 9], axis=1)
        base = self.write("base.glb", face([(1, times, under, "LINEAR")], ["other", "jaw", "smile"]))
        path, clip, model, skeleton = self.made(face([(1, TIMES, TALK, "LINEAR")]), "--additive", base)
        found = self.sampled(model, TIMES)
        self.assertEqual(skeleton.tracks[:3], [b"face.smile", b"face.blink", b"face.jaw"])
        wanted = TALK - np.stack([under[:61, 2], np.zeros(61), under[:61, 1]], axis=1)
        self.assertLessEqual(np.abs(found[:, :3] - wanted).max(), 0.001 + 1e-6)
        self.good("verify", *clip)
        self.write("base.glb", face([(1, times, under + 0.01, "LINEAR")], ["other", "jaw", "smile"]))
        self.bad(1, "verify", *clip, says='track "face.')
        base = self.write("none.glb", face([(1, times, under, "LINEAR")], ["a", "b", "c"]))
        self.bad(1, "compress", "--additive", base, path, says="moves no joint or track that has the name of one here")

    def test_weights_at_rest(self):
        """The node's own count, or else the mesh's. The clip has what moves, and the skeleton the rest: of targets that nothing moves, too."""
        still = TALK * [1, 0, 0] + [0, 0.25, 0.125]
        for i, (of_mesh, own) in enumerate([([0.5, 0.25, 0.125], None), ([1, 1, 1], [0.5, 0.25, 0.125])]):
            content = face([(1, TIMES, still, "LINEAR")], joint=True, at_rest=of_mesh, own_rest=own)
            path, clip, model, skeleton = self.made(content, out="clips%d" % i)
            np.testing.assert_array_equal(skeleton.track_rests, np.float32([0.5, 0.25, 0.125]))
            np.testing.assert_array_equal(self.sampled(model, TIMES)[:, 1:], 0)  # at rest: no value in the clip
            report = self.json("verify", *clip)["track"]
            self.assertLessEqual(report["worst_error"], 0.001 + 1e-6)
            [shown] = self.json("info", self.path("clips%d" % i, "skeleton.qsk"))
            self.assertEqual((shown["tracks"], shown["tracks_at_rest"]), (["face.smile", "face.blink", "face.jaw"], [0.5, 0.25, 0.125]))
            [shown] = self.json("info", self.path("clips%d" % i, "talk.qsc"))
            self.assertEqual((shown["tracks"], shown["track_names"]), (3, ["face.smile", "face.blink", "face.jaw"]))
            self.assertRegex(
                self.good("info", self.path("clips%d" % i, "talk.qsc")).stdout, r"\n +0  moving +face.smile\n +1  rest +face.blink\n"
            )
        _, _, model, skeleton = self.made(face([], joint=True, at_rest=[0.5, 0, 1]), out="unmoved")
        self.assertEqual((skeleton.tracks, list(skeleton.track_rests)), ([b"face.smile", b"face.blink", b"face.jaw"], [0.5, 0, 1]))
        self.assertEqual(self.sampled(model, [0]).shape, (1, 3))
        self.bad(
            1, "compress", self.write("bad.glb", face([], joint=True, at_rest=[0, "x", 0])), says='track "face.blink": the rest is a NaN'
        )

    def test_a_base_with_weights_at_rest(self):
        """What one side does not move stands at that side's rest; what the base has not stands at the file's own."""
        base = self.write("base.glb", face([(1, [0, 2], [[0.1, 0.2], [0.3, 0.4]], "LINEAR")], ["jaw", "other"], at_rest=[0, 0]))
        rest, under = [0.5, 0.25, 0.75], 0.1 + TIMES / 10
        moved = TALK * [1, 1, 0] + [0, 0, 0.75]
        _, clip, model, _ = self.made(face([(1, TIMES, moved, "LINEAR")], at_rest=rest), "--additive", base)
        wanted = moved - np.stack([0.5 + 0 * TIMES, 0.25 + 0 * TIMES, under], axis=1)
        self.assertLessEqual(np.abs(self.sampled(model, TIMES) - wanted).max(), 0.001 + 1e-6)
        self.good("verify", *clip)
        _, clip, model, _ = self.made(face([], joint=True, at_rest=rest), "--additive", base)
        self.assertLessEqual(np.abs(self.sampled(model, [0, 1])[:, 2] - 0.75 + under[[0, 30]]).max(), 0.001 + 1e-6)
        self.good("verify", *clip)
        still = self.write("still.glb", face([], joint=True, at_rest=[0.125, 0, 0.25]))
        _, clip, model, _ = self.made(face([(1, TIMES, TALK, "LINEAR")], joint=True, at_rest=rest), "--additive", still)
        self.assertLessEqual(np.abs(self.sampled(model, TIMES) - TALK + [0.125, 0, 0.25]).max(), 0.001 + 1e-6)
        self.good("verify", *clip)

    def test_a_mesh_of_two_nodes(self):
        channels = [(1, TIMES, TALK, "LINEAR"), (2, TIMES, TALK[::-1], "LINEAR")]
        path, clip, _, skeleton = self.made(face(channels))
        self.assertEqual(skeleton.tracks, [b"%s.face.%s" % (node, name.encode()) for node in (b"head", b"copy") for name in NAMES])
        self.made(face(channels), "--skeleton", self.path("clips", "skeleton.qsk"), out="again")
        self.good("verify", *clip)

    def test_bad_weights(self):
        short = face([(1, TIMES, TALK[:-1], "LINEAR")])
        self.bad(1, "compress", self.write("short.glb", short), says="weights of head: it has 61 times for 180 weights of 3 targets")
        result = run("compress", self.write("lost.glb", face([(1, TIMES, TALK, "LINEAR"), (0, [0], [0, 0, 0], "LINEAR")])))
        self.assertEqual(result.returncode, 0)
        self.assertIn("weights of a node without morph targets", result.stderr)
        nan = face([(1, TIMES, TALK * np.where(TIMES == 1, np.nan, 1)[:, None], "LINEAR")])
        self.bad(1, "compress", self.write("nan.glb", nan), says='track "face.smile", key 30: a component is not a number')
        self.bad(2, "compress", "--track", "0", self.path("short.glb"), says="--track: 0 is not above 0")

    def test_equal_times(self):
        times, weights = np.array([0, 0.5, 0.5, 1]), np.array([[0, 0, 0], [0.1, 0.2, 0.3], [1, 0.2, 0.5], [1, 1, 1]])
        path, clip, model, _ = self.made(face([(1, times, weights, "LINEAR")], joint=True))
        np.testing.assert_allclose(self.sampled(model, [0.5])[0, :3], weights[2], atol=0.0011)
        np.testing.assert_allclose(self.sampled(model, [0.4999])[0, :3], [0.1, 0.2, 0.3], atol=0.002)
        self.good("verify", *clip)
