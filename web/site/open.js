// Files that people drop, as what the page shows: a subject.
//   name, kind ('glTF', 'BVH', 'FBX', 'glTF with a bundle', 'bundle'), bytes, notes (sentences for people)
//   root, joints (objects), tracks (of each its morph targets), parents (numbers of joints), metres (of its unit, with `why`)
//   of files with keys, all that read.js tells, and:
//     reading (which has the keys), source ({ skeleton, animations: [{ name, keys, end }], moved }: the keys are not in it),
//     before ({ each, views, all }: bytes of keys, see gltf.js)
//     packed (as others pack them, once it is known: packedOf)
//     glb (what bundleGlb needs: the file, and null for animations that are left out)
//   of files with a bundle: bound ({ bundle, joints, tracks }), names (of its clips)
import { Group, Object3D } from 'three';
import { QuatsimdGLTFExtension } from 'quatsimd/three';
import { withoutBadDraco } from './draco.js';
import { finder, isFigure, mainOf, mayBeFigure, withPaths } from './folder.js';
import { MOST_BYTES } from './gltf.js';
import { loadGltf } from './load.js';
import { partsOf } from './quatsimd/three_loader.js';
import { bytes as bytesOf, unitOf } from './units.js';
import { listed } from './words.js';

const KNOWN = [
  [/^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF....WEBP|^BM/s, 'It is an image.'],
  [/^PK\x03\x04/, 'It is a zip archive: unpack it first.'],
  [
    /^QS[CK]/,
    'It is a clip or a skeleton alone. This page opens bundles (.qsb), which have both: “quatsimd compress -o hero.qsb” makes them.',
  ],
  [/^%PDF/, 'It is a PDF.'],
];

/** files: those that came together, and have paths if they are of a folder. reading: makes a Reading, for a file with keys. */
export async function open(files, player, reading) {
  const first = await look(mainOf(files)),
    main = first.kind ? first : ((await firstOfKind(files.filter((other) => other !== first.file && mayBeFigure(other)))) ?? first),
    { file, kind } = main;
  if (!kind) throw new Error(strangeness(main.head));
  const given = { name: file.name, bytes: file.size },
    subject = await (kind === 'bundle' ? openBundle(file, given, player) : openKeyed(main, given, files, player, reading()));
  const others = files.filter((other) => other !== file && isFigure(other)).map(({ name }) => name);
  if (others.length) subject.notes.push(`The page shows one figure at a time. These are not shown: ${listed(others)}.`);
  return subject;
}

async function firstOfKind(files) {
  for (const file of files) {
    const it = await look(file);
    if (it.kind) return it;
  }
  return undefined;
}

async function look(file) {
  if (file.size > MOST_BYTES) throw new Error(`It has ${bytesOf(file.size)}. This page opens files of up to ${bytesOf(MOST_BYTES)}.`);
  try {
    const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 256).arrayBuffer()));
    return { file, head, kind: kindOf(head.replace(/^\xef\xbb\xbf/, '')) };
  } catch {
    throw new Error('It cannot be read. Is it a folder?');
  }
}

function kindOf(head) {
  if (/^QSB/.test(head)) return 'bundle';
  if (/^\s*HIERARCHY\b/.test(head)) return 'BVH';
  if (/^Kaydara FBX|^\s*; FBX /.test(head)) return 'FBX';
  if (/^glTF/.test(head) || /^\s*\{/.test(head)) return 'glTF';
  return undefined;
}

function strangeness(head) {
  if (!head) return 'It is empty.';
  const known = KNOWN.find(([pattern]) => pattern.test(head));
  return `${known ? known[1] : 'It is no file that this page reads.'} Drop a GLB, a VRM, an FBX, a BVH or a bundle (.qsb).`;
}

async function openKeyed({ file, kind }, given, all, player, reading) {
  const files = withPaths(all);
  try {
    const { shown, left = [], ...read } = await reading.read({ kind, file, files });
    if (left.length) read.notes.push(`Its animations also change what a clip cannot have, which is left out: ${listed(left)}.`);
    const figure = shown ? await openGltf(shown, read, finder(file, files), player) : figureOf(read.source.skeleton);
    if (figure.bound) return reading.close(), boundSubject({ ...given, ...read, ...figure }, figure.bound);
    const { joints, metres } = read.source.skeleton,
      tall = kind === 'FBX' ? figure.joints.filter((_, j) => read.source.moved[j]) : figure.joints; // every node is a joint there
    return {
      ...{ ...given, ...read, ...figure, reading },
      parents: joints.map(({ parent }) => parent),
      glb: read.isGlb && { file, ...read.nodes, animations: read.names },
      ...unitOf(figure.root, tall, metres),
    };
  } catch (error) {
    reading.close();
    throw error;
  }
}

async function openGltf(shown, { nodes, notes }, find, player) {
  let refusal;
  const missing = (name) => notes.push(`Its picture ${name} did not come with it.`);
  const gltf = await loadGltf(
    shown,
    find,
    missing,
    withoutBadDraco(notes),
    (parser) => new QuatsimdGLTFExtension(parser, player, { onError: (error) => (refusal = error) }),
  );
  const root = gltf.scene ?? gltf.scenes[0],
    bound = gltf.userData.quatsimd;
  if (!root) throw new Error('It has no scene, so there is nothing to show.');
  if (refusal) throw refusal;
  if (!bound) return { root, ...(await partsOf(gltf.parser, nodes)) };
  const { extensions, bufferViews } = shown.tree;
  return { root, bound, bundleBytes: bufferViews[extensions.QUATSIMD_bundle.bufferView].byteLength };
}

// A skeleton as objects.
function figureOf({ joints: all, tracks }) {
  const root = new Group(),
    joints = all.map(({ name }) => Object.assign(new Object3D(), { name }));
  joints.forEach((joint, j) => {
    const { parent, rotation, translation, scale } = all[j];
    joint.position.fromArray(translation);
    joint.quaternion.fromArray(rotation);
    joint.scale.fromArray(scale);
    (joints[parent] ?? root).add(joint);
  });
  return { root, joints, tracks: tracks.map(() => []) };
}

async function openBundle(file, given, player) {
  const bundle = player.openBundle(await file.arrayBuffer()),
    { names, parents, rest } = bundle.skeleton,
    part = (values, size, j) => values.subarray(size * j, size * (j + 1));
  const figure = figureOf({
    joints: names.map((name, j) => ({
      name,
      parent: parents[j],
      rotation: part(rest.rotations, 4, j),
      translation: part(rest.translations, 3, j),
      scale: part(rest.scales, 3, j),
    })),
    tracks: [],
  });
  const notes = ['A bundle has a skeleton and its clips, and no mesh: here is the skeleton.'];
  return boundSubject({ ...given, kind: 'bundle', root: figure.root, notes }, { bundle, ...figure });
}

// Of the clips that can be opened, in the order of the file.
function namesOfClips({ bundle, animations }, notes) {
  const additive = [],
    names = (animations?.map(({ clip }) => clip) ?? bundle.names).filter((name) => {
      try {
        const clip = bundle.clip(name);
        if (clip.additive !== 'none') additive.push(name);
        return clip.dispose(), true;
      } catch (error) {
        return notes.push(`It is shown without one clip: ${error.message}.`), false;
      }
    });
  if (additive.length) notes.push(`These clips are additive, and are shown on the rest pose: ${listed(additive)}.`);
  if (names.length === 0) throw new Error('Its bundle has no clips that can be played.');
  return names;
}

function boundSubject(subject, bound) {
  const { metres, parents } = bound.bundle.skeleton,
    names = namesOfClips(bound, subject.notes);
  return {
    bundleBytes: subject.bytes,
    ...{ ...subject, bound, names },
    joints: bound.joints,
    parents: [...parents],
    ...unitOf(subject.root, bound.joints.filter(Boolean), metres),
  };
}

/** Gives memory of the graphics card and of WebAssembly back. */
export function close({ root, bound, reading }) {
  reading?.close();
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
