"""Clips of files as the model in Python reads them, with the skeleton's rest pose where a clip has no value."""
import pathlib

import numpy as np

import clip as clip_model
import skeleton as skeleton_model


class Clip(clip_model.Clip):
    def samples(self, times):
        """As sample() for many times, none beyond the ends."""
        steps = [(self.even if self.rate else self.listed)(time, self.slack(time), self.flag(16)) for time in times]
        frames, parts, near, at, _ = zip(*steps)
        return self.poses(np.array(frames), np.array(parts), [n if t == 0 else a for t, n, a in zip(parts, near, at)])

    def with_rests(self, skeleton, poses):
        """Of each kind [joint or track, frame, component]."""
        rests, values = (skeleton.rotations, skeleton.translations, skeleton.scales, skeleton.track_rests[:, None]), []
        for kind, (rest, value) in enumerate(zip(rests, poses)):
            state = self.parts[kind].state if self.flag(kind) else np.zeros(self.elements(kind))
            at_rest = (state == clip_model.REST) | (state == clip_model.NONE)
            values.append(np.where(at_rest[:, None], rest, value).astype(np.float64).swapaxes(0, 1))
        return values


def compressed(test, path, bound):
    """[(number of the animation, clip)], the skeleton."""
    with_clips = test.path("of-" + pathlib.Path(path).stem)
    report = test.json("compress", "--object", bound, "-o", with_clips + ".qsb", path)
    lines = test.good("extract", with_clips + ".qsb", "-o", with_clips).stdout.splitlines()
    skeleton, *clips = (pathlib.Path(line.rsplit(": ", 1)[0]).read_bytes() for line in lines)
    made = sorted(report["animations"], key=lambda entry: entry["clip"].encode())
    return [(a["number"], Clip(clip)) for a, clip in zip(made, clips, strict=True)], skeleton_model.Skeleton(skeleton)
