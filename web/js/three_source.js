// Animations of three.js, as the encoder takes them.
import { InterpolateDiscrete, InterpolateLinear, PropertyBinding } from 'three';

const KINDS = { quaternion: 'rotation', position: 'translation', scale: 'scale' },
  SIZES = { quaternion: 4, position: 3, scale: 3 };
const { sanitizeNodeName } = PropertyBinding;

// GLTFLoader leaves characters out of names, such as the point of `Foot.L`, and keeps the file's name.
const nameOf = ({ name, userData }) =>
  typeof userData?.name === 'string' && sanitizeNodeName(userData.name) === name ? userData.name : name;

/** A name for `root` and for each object below it, that of the file where GLTFLoader has changed it. No two have one name: the first
 *  object of a name keeps it, and others get a number behind theirs. */
export function namesOf(root) {
  const objects = [],
    owners = new Map();
  root.traverse((object) => objects.push(object));
  for (const object of objects)
    if (object.name && !owners.has(sanitizeNodeName(object.name))) owners.set(sanitizeNodeName(object.name), object);
  return new Map(
    objects.map((object, i) => {
      let name = nameOf(object);
      if (owners.get(sanitizeNodeName(name)) === object) return [object, name];
      for (name = `${name || 'object'}_${i}`; owners.has(sanitizeNodeName(name)); name += '_');
      owners.set(sanitizeNodeName(name), object);
      return [object, name];
    }),
  );
}

/** Of each morph target of a mesh its name, in their order. */
export function targetNames(mesh) {
  const names = mesh.morphTargetInfluences.map((_, i) => String(i));
  for (const [name, i] of Object.entries(mesh.morphTargetDictionary ?? {})) if (i < names.length) names[i] = name;
  return names;
}

function interpolationOf(track) {
  if (track.createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline) return 'CUBICSPLINE';
  const interpolation = track.getInterpolation();
  if (interpolation === InterpolateLinear) return 'LINEAR';
  if (interpolation === InterpolateDiscrete) return 'STEP';
  throw new TypeError(`${track.name}: there is no curve for InterpolateSmooth`);
}

// size: numbers of a key.
function curveOf(track, size, values = track.values) {
  const interpolation = interpolationOf(track),
    needed = track.times.length * size * (interpolation === 'CUBICSPLINE' ? 3 : 1);
  if (values.length !== needed)
    throw new Error(`${track.name} has ${values.length} numbers for ${track.times.length} keys, and ${needed} are needed`);
  return { times: track.times, values, interpolation };
}

// The objects that a clip moves: { object, kind, curve }, or kind 'weights' with curves, one for each of its targets.
function* movesOf(root, clip, left) {
  for (const track of clip.tracks) {
    const { nodeName, objectName, objectIndex, propertyName, propertyIndex } = PropertyBinding.parseTrackName(track.name);
    let object = PropertyBinding.findNode(root, nodeName);
    if (objectName === 'bones') object = object?.skeleton?.getBoneByName(objectIndex);
    const influences = propertyName === 'morphTargetInfluences' && object?.morphTargetInfluences;
    if (influences && propertyIndex !== undefined) {
      const target = object.morphTargetDictionary?.[propertyIndex] ?? Number(propertyIndex);
      yield { object, kind: 'weights', curves: Object.assign([], { [target]: curveOf(track, 1) }), track };
    } else if (influences)
      yield {
        object,
        kind: 'weights',
        curves: influences.map((_, t) =>
          curveOf(
            track,
            1,
            track.values.filter((_, i) => i % influences.length === t),
          ),
        ),
        track,
      };
    else if (object && KINDS[propertyName] && propertyIndex === undefined && (!objectName || objectName === 'bones'))
      yield { object, kind: KINDS[propertyName], curve: curveOf(track, SIZES[propertyName]) };
    else left.add(track.name);
  }
}

// Meshes with morph targets, those together that are one node of a file: siblings that the same keys move.
function groupsOf(meshes, keysOf) {
  const groups = [];
  for (const mesh of meshes) {
    const keys = keysOf.get(mesh) ?? [],
      names = targetNames(mesh).join('\0');
    const group =
      keys.length > 0 &&
      groups.find(
        (g) =>
          g.parent === mesh.parent && g.names === names && g.keys.length === keys.length && g.keys.every((values, i) => values === keys[i]),
      );
    if (group) group.meshes.push(mesh);
    else groups.push({ parent: mesh.parent, names, keys, meshes: [mesh] });
  }
  return groups;
}

function jointOf(object, name, parent, inverse) {
  return {
    name,
    parent,
    rotation: object.quaternion.toArray(),
    translation: object.position.toArray(),
    scale: object.scale.toArray(),
    ...(inverse && { inverseBind: Array.from({ length: 12 }, (_, i) => inverse.elements[4 * (i % 4) + (i >> 2)]) }),
  };
}

/** The names of clips, as `quatsimd compress` gives them, by those of their animations: the first animation of a name keeps it, and
 *  others get numbers. One without a name is `animation`. */
export function clipNames(names) {
  const wanted = names.map((name) => name || 'animation'),
    used = new Set(wanted);
  return wanted.map((name, a) => {
    let unique = name;
    if (wanted.indexOf(name) !== a) for (let i = 2; used.has(unique); i++) unique = `${name}-${i}`;
    used.add(unique);
    return unique;
  });
}

/** An object of three.js and its animations (those of GLTFLoader, BVHLoader, ...), as Encoder takes them. Joints are the objects
 *  that animations move, the bones of skins, and those above them, below `root`; tracks are all morph targets. The objects'
 *  pose becomes the rest pose: call it before anything plays. Gives
 *    skeleton: for encodeSkeleton; its names are those that bindByName finds again
 *    animations: [{ name, joints, tracks }] for encodeClip, in their order; they have the names that `quatsimd compress` gives clips
 *    joints, tracks: of the skeleton, what they stand for, as bindByName has them
 *    left: names of what moves and is neither a joint nor a track.
 *  metres: the length of the unit, 0 if it is not known. */
export function sourceOf(root, animations, { metres = 0 } = {}) {
  const left = new Set(),
    moves = animations.map((clip) => [...movesOf(root, clip, left)]),
    all = moves.flat();
  const names = namesOf(root),
    inverses = new Map(),
    wanted = new Set(),
    meshes = [];
  for (const { object, kind } of all) if (kind !== 'weights') wanted.add(object);
  root.traverse((object) => {
    if (object.morphTargetInfluences?.length) meshes.push(object);
    object.skeleton?.bones?.forEach((bone, i) => {
      if (!names.has(bone)) return;
      wanted.add(bone);
      if (!inverses.has(bone)) inverses.set(bone, object.skeleton.boneInverses[i]);
    });
  });
  for (const object of [...wanted]) for (let above = object; above && above !== root; above = above.parent) wanted.add(above);
  const objects = [...names.keys()].filter((object) => wanted.has(object));
  const number = new Map(objects.map((object, j) => [object, j]));

  const keysOf = new Map();
  for (const { object, kind, track } of all) if (kind === 'weights') keysOf.set(object, [...(keysOf.get(object) ?? []), track.values]);
  const tracks = [],
    first = new Map();
  for (const { meshes: group, parent } of groupsOf(meshes, keysOf)) {
    const [mesh] = group,
      owner = group.length > 1 ? names.get(parent) : names.get(mesh);
    first.set(mesh, tracks.length);
    targetNames(mesh).forEach((target, t) =>
      tracks.push({
        name: `${owner}.${target}`,
        rest: mesh.morphTargetInfluences[t],
        moved: group.map((each) => ({ mesh: each, target: t })),
      }),
    );
  }

  // GLTFLoader calls those without a name animation_0 or by another number
  const clips = clipNames(animations.map(({ name }, a) => (name === `animation_${a}` ? '' : name)));
  return {
    skeleton: {
      metres,
      joints: objects.map((object) => jointOf(object, names.get(object), number.get(object.parent) ?? -1, inverses.get(object))),
      tracks: tracks.map(({ name, rest }) => ({ name, rest })),
    },
    animations: animations.map((_, a) => {
      const animation = { name: clips[a], joints: objects.map(() => ({})), tracks: tracks.map(() => undefined) };
      for (const { object, kind, curve, curves } of moves[a])
        if (kind !== 'weights') animation.joints[number.get(object)][kind] = curve;
        else if (first.has(object)) curves.forEach((c, t) => (animation.tracks[first.get(object) + t] = c));
      return animation;
    }),
    joints: objects,
    tracks: tracks.map(({ moved }) => moved),
    left: [...left],
  };
}
