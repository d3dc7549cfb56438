// Files that people drop, as what the page shows: a subject.
//   name, kind ('glTF', 'BVH', 'glTF with a bundle', 'bundle'), bytes, notes (sentences for people)
//   root, joints (objects), parents (their numbers), metres (of its unit, with `why`)
//   of files with keys: clips (AnimationClip), source (sourceOf), before ({ each, all }: bytes of keys), glb (what bundleGlb needs, with
//     null for animations that are left out)
//   of files with a bundle: bound ({ bundle, joints, tracks })
import { Group, LoadingManager, Object3D, PropertyBinding } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { QuatsimdGLTFExtension, nodesOf, sourceOf } from 'quatsimd/three';
import { check, fileName, keyBytes, treeOf } from './gltf.js';
import { bytes as bytesOf, unitOf } from './units.js';

const MOST = 400e6; // bytes
const NOTHING = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const KNOWN = [
  [/^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF....WEBP|^BM/s, 'It is an image.'],
  [/^PK\x03\x04/, 'It is a zip archive: unpack it first.'],
  [/^Kaydara FBX/, 'It is an FBX, which this page does not read. The command “quatsimd compress” does, or save it as a GLB.'],
  [
    /^QS[CK]/,
    'It is a clip or a skeleton alone. This page opens bundles (.qsb), which have both: “quatsimd compress -o hero.qsb” makes them.',
  ],
  [/^%PDF/, 'It is a PDF.'],
];

/** files: those that were dropped together, File or { name, arrayBuffer() }. */
export async function open(files, player) {
  const all = await Promise.all([...files].map(read));
  const main = kindOf(mainOf(all).data) ? mainOf(all) : (all.find(({ data }) => kindOf(data)) ?? mainOf(all));
  const kind = kindOf(main.data);
  if (!kind) throw new Error(strangeness(main.data));
  const subject = await { bundle: openBundle, BVH: openBvh, glTF: openGltf }[kind](main, all, player);
  const others = all.filter((file) => file !== main && isFigure(file)).map(({ name }) => name);
  if (others.length) subject.notes.push(`The page shows one figure at a time. These are not shown: ${others.join(', ')}.`);
  return subject;
}

/** An error of it in words for people. */
export function inWords(error) {
  console.warn(error);
  if (/call stack/i.test(error.message)) return 'It is nested too deeply for this page.';
  if (error instanceof TypeError || error instanceof RangeError) return 'It is damaged: its parts do not fit together.';
  return sentence(error.message.replace(/^THREE\.\w+: /, ''));
}

/** The one of several files that the others belong to. */
const isFigure = ({ name }) => /\.(glb|gltf|vrma?|bvh|qsb)$/i.test(name);
export const mainOf = (files) => [...files].find(isFigure) ?? files[0];

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;

async function read(file) {
  if (file.size > MOST) throw new Error(`It has ${bytesOf(file.size)}. This page opens files of up to ${bytesOf(MOST)}.`);
  try {
    return { name: file.name, data: new Uint8Array(await file.arrayBuffer()) };
  } catch {
    throw new Error('It cannot be read. Is it a folder?');
  }
}

const headOf = (data, length) => String.fromCharCode(...data.subarray(0, length));

function kindOf(data) {
  const head = headOf(data, 256).replace(/^\xef\xbb\xbf/, '');
  if (/^QSB/.test(head)) return 'bundle';
  if (/^\s*HIERARCHY\b/.test(head)) return 'BVH';
  if (/^glTF/.test(head) || /^\s*\{/.test(head)) return 'glTF';
  return undefined;
}

function strangeness(data) {
  if (data.length === 0) return 'It is empty.';
  const known = KNOWN.find(([pattern]) => pattern.test(headOf(data, 64)));
  return `${known ? known[1] : 'It is no file that this page reads.'} Drop a GLB, a VRM, a BVH or a bundle (.qsb).`;
}

const stem = (name) => name.replace(/\.[^.]*$/, '');

async function openGltf({ name, data }, all, player) {
  const tree = treeOf(data);
  check(
    tree,
    all.map((file) => file.name),
  );
  const urls = new Map(),
    notes = [],
    manager = new LoadingManager();
  for (const file of all) if (file.data !== data) urls.set(file.name, URL.createObjectURL(new Blob([file.data])));
  // never asks a server: what did not come with the file is an empty picture
  manager.setURLModifier((url) => {
    if (/^(blob|data):/.test(url)) return url;
    if (!urls.has(fileName(url))) notes.push(`Its picture ${fileName(url)} did not come with it.`);
    return urls.get(fileName(url)) ?? NOTHING;
  });
  let gltf, refusal;
  try {
    const loader = new GLTFLoader(manager)
      .setMeshoptDecoder(MeshoptDecoder)
      .register((parser) => new QuatsimdGLTFExtension(parser, player, { onError: (error) => (refusal = error) }));
    gltf = await loader.parseAsync(data.buffer, '');
  } finally {
    urls.forEach((url) => URL.revokeObjectURL(url));
  }
  const root = gltf.scene ?? gltf.scenes[0],
    subject = { name, bytes: data.length, root, notes },
    bound = gltf.userData.quatsimd;
  if (!root) throw new Error('It has no scene, so there is nothing to show.');
  if (refusal) throw refusal;
  if (bound) {
    if (gltf.animations.length)
      notes.push(`Beside the bundle it has keys of ${gltf.animations.length} more animations, which are not shown.`);
    const { byteLength } = tree.bufferViews[tree.extensions.QUATSIMD_bundle.bufferView];
    return boundSubject(subject, 'glTF with a bundle', bound, byteLength);
  }
  const faults = gltf.animations.map((clip) => faultOf(root, clip)),
    good = (_, a) => !faults[a];
  if (faults.length && !faults.some((fault) => !fault)) throw faults[0];
  faults.forEach((fault, a) => fault && notes.push(`The animation ${gltf.animations[a].name} is left out. ${sentence(fault.message)}`));
  return keyedSubject(
    {
      ...subject,
      kind: 'glTF',
      clips: gltf.animations.filter(good),
      before: keyBytes({ ...tree, animations: tree.animations.filter(good) }),
    },
    1,
    async (source) => {
      const { animations: names, ...nodes } = await nodesOf(gltf, source);
      return headOf(data, 4) === 'glTF' && { data, ...nodes, animations: faults.map((fault) => (fault ? null : names.shift())) };
    },
  );
}

// Gives the error for which an animation cannot be shown, or undefined.
function faultOf(root, clip) {
  try {
    checkNumbers(sourceOf(root, [clip]));
  } catch (error) {
    return error;
  }
  return undefined;
}

// BVHLoader adds OFFSET to positions, but a position replaces OFFSET on its axis. So the loader gets a text in which OFFSET is 0 on
// such axes, and the bones get their OFFSET afterwards.
function readBvh(text) {
  const offsets = [],
    changed = text.replace(/^(\s*OFFSET)\s+(\S+)\s+(\S+)\s+(\S+)(\s+CHANNELS.*)?/gm, (_, word, x, y, z, channels = '') => {
      offsets.push([x, y, z].map(parseFloat));
      return `${word} ${[x, y, z].map((at, axis) => (channels.includes(`${'XYZ'[axis]}position`) ? 0 : at)).join(' ')}${channels}`;
    });
  const read = new BVHLoader().parse(changed);
  read.skeleton.bones.forEach((bone, b) => bone.position.fromArray(offsets[b]));
  return read;
}

function openBvh({ name, data }) {
  const text = new TextDecoder().decode(data),
    motion = text.indexOf('MOTION');
  let read;
  try {
    read = readBvh(text);
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
  clip.name = stem(name);
  const size = data.length - new TextEncoder().encode(text.slice(0, motion)).length;
  return keyedSubject(
    { name, bytes: data.length, kind: 'BVH', root, clips: [clip], before: { each: [size], all: size }, notes: [] },
    0,
    () => undefined,
  );
}

// Keys that are no numbers would draw nothing.
function checkNumbers({ skeleton, animations }) {
  const check = (animation, name, curves) => {
    for (const { times, values } of curves)
      if (!times.every(Number.isFinite) || !values.every(Number.isFinite))
        throw new Error(`A key of ${name} in ${animation} is not a number.`);
  };
  for (const { name, joints, tracks } of animations) {
    joints.forEach((joint, j) => check(name, skeleton.joints[j].name, Object.values(joint)));
    tracks.forEach((track, t) => track && check(name, skeleton.tracks[t].name, [track]));
  }
}

async function keyedSubject(subject, metres, glbOf) {
  const { root, clips, kind } = subject,
    source = sourceOf(root, clips, { metres });
  if (!source.joints.length && !source.tracks.length)
    throw new Error('Its animations move nothing that this page knows: neither objects nor morph targets.');
  checkNumbers(source);
  if (source.left.length)
    subject.notes.push(
      `These of its animations are left out, since they move neither an object nor a morph target: ${source.left.join(', ')}.`,
    );
  const parents = source.skeleton.joints.map(({ parent }) => parent);
  return {
    ...subject,
    source,
    joints: source.joints,
    parents,
    glb: (await glbOf(source)) || undefined,
    ...unitOf(root, source.joints, kind === 'glTF' ? 1 : 0),
  };
}

function openBundle({ name, data }, _all, player) {
  const bundle = player.openBundle(data),
    { skeleton } = bundle,
    root = new Group(),
    { rest } = skeleton;
  const joints = skeleton.names.map((joint) => Object.assign(new Object3D(), { name: joint }));
  joints.forEach((joint, j) => {
    joint.position.fromArray(rest.translations, 3 * j);
    joint.quaternion.fromArray(rest.rotations, 4 * j);
    joint.scale.fromArray(rest.scales, 3 * j);
    (joints[skeleton.parents[j]] ?? root).add(joint);
  });
  return boundSubject(
    { name, bytes: data.length, root, notes: ['A bundle has a skeleton and its clips, and no mesh: here is the skeleton.'] },
    'bundle',
    { bundle, joints, tracks: [] },
  );
}

function boundSubject(subject, kind, bound, bundleBytes = subject.bytes) {
  if (bound.bundle.length === 0) throw new Error('Its bundle has no clips.');
  const { metres } = bound.bundle.skeleton;
  return {
    ...subject,
    kind,
    bound,
    bundleBytes,
    joints: bound.joints,
    parents: [...bound.bundle.skeleton.parents],
    ...unitOf(subject.root, bound.joints.filter(Boolean), metres),
  };
}

/** Gives memory of the graphics card and of WebAssembly back. */
export function close({ root, bound }) {
  root.traverse((object) => {
    object.geometry?.dispose();
    object.skeleton?.dispose?.();
    for (const material of [object.material ?? []].flat()) {
      for (const value of Object.values(material)) {
        if (!value?.isTexture) continue;
        value.dispose();
        value.source.data?.close?.();
      }
      material.dispose();
    }
  });
  bound?.bundle.dispose();
}
