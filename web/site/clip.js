// An animation's curves as a clip of three.js.
import {
  AnimationClip,
  Interpolant,
  InterpolateDiscrete,
  InterpolateLinear,
  NumberKeyframeTrack,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';

const PROPERTIES = {
  rotation: ['quaternion', QuaternionKeyframeTrack],
  translation: ['position', VectorKeyframeTrack],
  scale: ['scale', VectorKeyframeTrack],
};
const INTERPOLATIONS = { LINEAR: InterpolateLinear, STEP: InterpolateDiscrete };

// glTF's cubic spline: each key has the tangent before it, its value, and the tangent behind it.
class Spline extends Interpolant {
  copySampleValue_(key) {
    const { resultBuffer: to, sampleValues: values, valueSize: size } = this;
    for (let i = 0; i < size; i++) to[i] = values[(3 * key + 1) * size + i];
    return to;
  }

  interpolate_(next, before, time, after) {
    const { resultBuffer: to, sampleValues: values, valueSize: size } = this,
      length = after - before,
      s = (time - before) / length,
      from = (3 * next - 2) * size,
      end = from + 3 * size;
    const [a, b, c, d] = [(1 + 2 * s) * (1 - s) ** 2, s * (1 - s) ** 2 * length, s * s * (3 - 2 * s), s * s * (s - 1) * length];
    for (let i = 0; i < size; i++)
      to[i] = a * values[from + i] + b * values[from + size + i] + c * values[end + i] + d * values[end - size + i];
    if (size === 4) {
      const norm = Math.hypot(...to.subarray(0, 4)) || 1;
      for (let i = 0; i < 4; i++) to[i] /= norm;
    }
    return to;
  }
}

function trackOf(Track, name, { times, values, interpolation }) {
  const track = new Track(name, times, values, INTERPOLATIONS[interpolation] ?? InterpolateLinear);
  if (interpolation === 'CUBICSPLINE')
    track.createInterpolant = (result) => new Spline(track.times, track.values, track.getValueSize() / 3, result);
  return track;
}

/** joints, tracks: the objects and morph targets that an animation's curves move. */
export function clipOf(animation, joints, tracks) {
  return new AnimationClip(animation.name, undefined, [
    ...animation.joints.flatMap((curves, j) =>
      Object.entries(curves).map(([kind, curve]) => trackOf(PROPERTIES[kind][1], `${joints[j].uuid}.${PROPERTIES[kind][0]}`, curve)),
    ),
    ...animation.tracks.flatMap((curve, t) =>
      curve
        ? tracks[t].map(({ mesh, target }) => trackOf(NumberKeyframeTrack, `${mesh.uuid}.morphTargetInfluences[${target}]`, curve))
        : [],
    ),
  ]);
}
