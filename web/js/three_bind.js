// What the joints and tracks of a bundle move, by their names.
import { PropertyBinding } from 'three';
import { namesOf, targetNames } from './three_source.js';

const { sanitizeNodeName } = PropertyBinding;

/** The objects that the joints and tracks of a bundle move below `root`, found by their names: as GLTFLoader and BVHLoader name
 *  objects, and as sourceOf does. joints: an object each, or undefined where it is not there. tracks: of each the morph
 *  targets, { mesh, target }. A mesh has the tracks of its own name, or else those of its parent's name, as primitives of one
 *  mesh do, or else those of another name if no other mesh has such targets: `quatsimd compress` names tracks by meshes, and
 *  three.js by nodes. */
export function bindByName(root, skeleton) {
  const objects = new Map(),
    names = namesOf(root),
    tracks = skeleton.trackNames.map(() => []),
    numbers = new Map(),
    others = [];
  skeleton.trackNames.map(sanitizeNodeName).forEach((name, t) => numbers.set(name, [...(numbers.get(name) ?? []), t]));
  for (const [object, name] of names) {
    objects.set(sanitizeNodeName(name), object);
    const used = new Map(); // of tracks that are alike the first for the first target
    if (object.morphTargetInfluences)
      targetNames(object).forEach((target, number) => {
        const track = [name, names.get(object.parent)]
          .map((owner) => sanitizeNodeName(`${owner}.${target}`))
          .find((own) => numbers.has(own));
        if (track === undefined) return others.push({ mesh: object, target: number, name: sanitizeNodeName(`.${target}`) });
        const all = numbers.get(track),
          i = used.get(track) ?? 0;
        used.set(track, i + 1);
        tracks[all[Math.min(i, all.length - 1)]].push({ mesh: object, target: number });
      });
  }
  skeleton.trackNames.map(sanitizeNodeName).forEach((name, t) => {
    const such = tracks[t].length ? [] : others.filter((other) => name.endsWith(other.name));
    if (new Set(such.map(({ mesh }) => mesh.parent)).size === 1 && new Set(such.map(({ target }) => target)).size === 1)
      tracks[t] = such.map(({ mesh, target }) => ({ mesh, target }));
  });
  const joints = skeleton.names.map((name) => objects.get(sanitizeNodeName(name))),
    found = joints.filter(Boolean).length,
    bound = tracks.filter((of) => of.length).length;
  if (2 * found < joints.length || 2 * bound < tracks.length)
    console.warn(
      `quatsimd: only ${found} of ${joints.length} joints and ${bound} of ${tracks.length} tracks are below this object: is it of another skeleton?`,
    );
  return { joints, tracks };
}
