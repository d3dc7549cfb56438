#!/usr/bin/python3
"""From a clip and its skeleton alone, where is every joint? Beside an evaluation of the original file that shares no code with the
command: the clip and the skeleton are read by the models in Python (tests/model), the file by tests/tools/support/gltf_pose.py.

  test_plays.py --write    makes docs/skeletons.svg, which a test compares with what it is made of again."""
import pathlib
import re
import sys
import unittest

import numpy as np

from support.command import Directory, data
from support.decoded import compressed
from support.gltf_pose import File, model_space, rotated

PICTURE = pathlib.Path(__file__).parents[2] / "docs" / "skeletons.svg"
# file, bound and distance in its unit (the Fox is in centimetres), animation and second of the picture
FILES = {
    "khronos/Fox.glb": (0.01, 3.0, 2, 0.45),
    "kaykit/Knight.glb": (0.0001, 0.03, 36, 0.4),
    "mesh2motion/dragon-animations.glb": (0.0001, 0.03, 1, 0.5),
    "raylib/robot.glb": (0.0001, 0.03, 6, 0.35),
}


def model_of(clip, skeleton, first, count):
    return model_space(rotated(*clip.with_rests(skeleton, clip.at(first, count))[:3]), skeleton.parents)


class Plays(Directory):
    def check(self, name):
        clips, skeleton = compressed(self, data(name), "%g@%g" % FILES[name][:2])
        file = File(data(name))
        joints = file.joints()
        self.assertEqual([n.decode() for n in skeleton.joints], [file.nodes[node].get("name", "") for node in joints])
        bound, distance = FILES[name][:2]
        worst = 0
        for number, clip in clips:
            self.assertEqual(clip.skeleton, skeleton.hash)
            self.assertEqual(clip.joints, len(joints))
            frames = np.arange(clip.frames)
            times = clip.start + frames / clip.rate if clip.rate else clip.times
            found, wanted = model_of(clip, skeleton, 0, clip.frames), file.model(number, times)
            points = np.concatenate([np.zeros((1, 3)), distance * np.eye(3), -distance * np.eye(3)])
            off = (found[..., :3] - wanted[..., :3]) @ points.T + (found[..., 3] - wanted[..., 3])[..., None]
            worst = max(worst, np.linalg.norm(off, axis=-2).max())
        largest = np.abs(wanted[..., 3]).max()
        self.assertLessEqual(worst, bound + 2**-20 * largest, name)
        self.assertGreater(worst, bound / 2)
        return len(clips)

    def test_files(self):
        for name, clips in zip(FILES, (3, 76, 5, 14)):
            with self.subTest(name):
                self.assertEqual(self.check(name), clips)

    def test_picture(self):
        self.assertEqual(PICTURE.read_text(), picture(self), "run tests/tools/test_plays.py --write")


def figure(at, parents, left, style):
    """A stick figure in a box, seen from the front right: x to the right, y up."""
    turn = np.radians(35)
    flat = np.stack([at[:, 0] * np.cos(turn) + at[:, 2] * np.sin(turn), -at[:, 1]], axis=1)
    return flat, lambda low, scale: '<path d="%s" %s/>' % (
        "".join(
            "M%.1f %.1fL%.1f %.1f" % (*((flat[p] - low) * scale + [left, 12]), *((flat[j] - low) * scale + [left, 12]))
            for j, p in enumerate(parents)
            if p >= 0
        ),
        style,
    )


def picture(test):
    """All four, at the times above: grey the file, blue the clip and its skeleton."""
    width, height, parts = 190, 190, []
    for i, (name, (*_, number, second)) in enumerate(FILES.items()):
        clips, skeleton = compressed(test, data(name), "%g@%g" % FILES[name][:2])
        clip = dict(clips)[number]
        frame = min(int(round(second * (clip.rate or 30))), clip.frames - 1)
        file = File(data(name))
        time = clip.start + frame / clip.rate if clip.rate else clip.times[frame]
        wanted = file.model(number, np.array([time]))[:, 0, :, 3]
        found = model_of(clip, skeleton, frame, 1)[:, 0, :, 3]
        flat, draw = figure(wanted, skeleton.parents, i * width + 10, 'stroke="#bbb" stroke-width="6"')
        low, scale = flat.min(axis=0), min((width - 20) / np.ptp(flat[:, 0]), (height - 20) / np.ptp(flat[:, 1]))
        _, over = figure(found, skeleton.parents, i * width + 10, 'stroke="#06c" stroke-width="1.5"')
        title = re.sub(r".*/|-animations|\.glb", "", name)
        parts += [draw(low, scale), over(low, scale), '<text x="%d" y="%d">%s</text>' % (i * width + 10, height + 24, title)]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" fill="none" stroke-linecap="round">\n'
        "<title>Four figures: thick and grey as their files have them, thin and blue as a clip and a skeleton do</title>\n"
        '<rect width="100%%" height="100%%" fill="#fff"/>\n'
        '<g font-family="sans-serif" font-size="13">\n%s\n</g>\n</svg>\n'
        % (4 * width, height + 34, "\n".join(parts).replace("<text ", '<text fill="#333" '))
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:

        class Writer(Plays):
            def runTest(self):
                PICTURE.write_text(picture(self), encoding="ascii")

        sys.exit(not unittest.TextTestRunner().run(Writer()).wasSuccessful())
    unittest.main()
