// BVH as three.js loads it, with the positions that the file says.
import { Group, PropertyBinding } from './three/three.module.min.js';
import { BVHLoader } from './three/addons/loaders/BVHLoader.js';

// BVHLoader adds OFFSET to positions, but a position replaces OFFSET on its axis. So the loader gets a text in which OFFSET is 0 on
// such axes, and the bones get their OFFSET afterwards.
function load(text) {
  const offsets = [],
    changed = text.replace(/^(\s*OFFSET)\s+(\S+)\s+(\S+)\s+(\S+)(\s+CHANNELS.*)?/gm, (_, word, x, y, z, channels = '') => {
      offsets.push([x, y, z].map(parseFloat));
      return `${word} ${[x, y, z].map((at, axis) => (channels.includes(`${'XYZ'[axis]}position`) ? 0 : at)).join(' ')}${channels}`;
    });
  const read = new BVHLoader().parse(changed);
  read.skeleton.bones.forEach((bone, b) => bone.position.fromArray(offsets[b]));
  return read;
}

/** The root of the figure, and its clip. */
export function readBvh(text) {
  let read;
  try {
    read = load(text);
  } catch {
    throw new Error('It is a BVH that is damaged or cut off.');
  }
  const { skeleton, clip } = read,
    root = new Group();
  root.add(skeleton.bones[0]);
  // as the tracks' names can say them
  for (const bone of skeleton.bones) bone.name = PropertyBinding.sanitizeNodeName(bone.name);
  for (const track of clip.tracks)
    track.name = track.name.replace(/^(.*)\.(\w+)$/s, (_, bone, property) => `${PropertyBinding.sanitizeNodeName(bone)}.${property}`);
  return { root, clip };
}
