// Clips of a bundle as those of three.js.
import {
  AdditiveAnimationBlendMode,
  AnimationClip,
  NumberKeyframeTrack,
  PropertyBinding,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import { ROTATION, SCALE, TRACK, TRANSLATION, placeOf } from './three_curves.js';
import { rangeOf } from './three_rounds.js';

const KEYED = 4; // a state of curves
const { sanitizeNodeName } = PropertyBinding;

/** A clip as three.js' own, with a key at each frame, for AnimationMixer. Curves that have keys of their own in the clip, splines
 *  among them, get keys in each 1/60 s, too. The keys have the clip's times, and the duration is the last one's; with fromFirstKey
 *  the first key is at 0. An additive clip has AdditiveAnimationBlendMode; three.js adds scales, which clips multiply, so that these
 *  keys are right on the scales of the rest pose. bound: as QuatsimdMixer has it. Objects are meant by their names, as in
 *  clips of GLTFLoader, so that the clip plays on clones, too; those without a name of their own by uuid. */
export function toAnimationClip({ bundle, joints, tracks }, name, { fromFirstKey = false } = {}) {
  const count = new Map(),
    objects = new Set([...joints.filter(Boolean), ...tracks.flatMap((moved) => moved.map(({ mesh }) => mesh))]);
  for (const object of objects) count.set(object.name, (count.get(object.name) ?? 0) + 1);
  const meant = (object) =>
    object.name && object.name === sanitizeNodeName(object.name) && count.get(object.name) === 1 ? object.name : object.uuid;
  const clip = bundle.clip(name),
    { skeleton } = bundle,
    pose = skeleton.pose();
  const frames = Array.from({ length: clip.frames }, (_, f) => clip.time(f)),
    steps = Math.ceil(60 * clip.duration),
    even = Array.from({ length: steps }, (_, i) => clip.start + (clip.duration * i) / steps),
    dense = [...new Set([...frames, ...even])].sort((a, b) => a - b);
  const curves = [];
  const add = (kind, number, path, Track) => {
    const state = clip.curve(kind, number),
      size = [4, 3, 3, 1][kind],
      at = placeOf(kind, number, skeleton.joints),
      times = state === KEYED ? dense : frames;
    if (state > 0) curves.push({ path, size, Track, at, times, values: new Float32Array(size * times.length) });
  };
  joints.forEach((object, j) => {
    if (!object) return;
    add(ROTATION, j, `${meant(object)}.quaternion`, QuaternionKeyframeTrack);
    add(TRANSLATION, j, `${meant(object)}.position`, VectorKeyframeTrack);
    add(SCALE, j, `${meant(object)}.scale`, VectorKeyframeTrack);
  });
  tracks.forEach((track, t) => {
    for (const { mesh, target } of track) add(TRACK, t, `${meant(mesh)}.morphTargetInfluences[${target}]`, NumberKeyframeTrack);
  });
  for (const list of [frames, dense]) {
    const these = curves.filter(({ times }) => times === list);
    for (let k = 0; k < list.length && these.length; k++) {
      const { values } = clip.sample(pose, list[k], 'clamp', skeleton.rest);
      for (const { size, at, values: to } of these) to.set(values.subarray(at, at + size), size * k);
    }
  }
  const isAdditive = clip.additive !== 'none';
  for (const { at, values } of isAdditive ? curves.filter(({ path }) => path.endsWith('.scale')) : [])
    values.forEach((factor, i) => (values[i] = skeleton.rest.values[at + (i % 3)] * (factor - 1)));
  const { start, end } = rangeOf(clip, fromFirstKey);
  const result = new AnimationClip(
    name,
    end - start,
    curves.map(
      ({ path, Track, times, values }) =>
        new Track(
          path,
          Float32Array.from(times, (time) => time - start),
          values,
        ),
    ),
    isAdditive ? AdditiveAnimationBlendMode : undefined,
  );
  pose.dispose(), clip.dispose();
  return result;
}
