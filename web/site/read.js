// The worker that reads a file with keys, and has the keys: see reading.js.
import { readBvh } from './bvh.js';
import { curvesOf } from './curves.js';
import { finder } from './folder.js';
import { check, keyBytes, treeOf, withoutKeys, withoutLooks } from './gltf.js';
import { loadGltf } from './load.js';
import { accessorsOf, packedOf } from './pack.js';
import { nodesOf } from './quatsimd/three_loader.js';
import { extentsOf } from './quatsimd/three_mesh.js';
import { clipNames, sourceOf } from './quatsimd/three_source.js';
import { AnimationClip } from './three/three.module.min.js';
import { inWords, sentence, stem } from './words.js';

let kept, // animations, all that are good, as the encoder takes them
  getKeys; // as packedOf takes them

const tellDone = (done, of) => postMessage({ done, of });
const each = (count, make) => Array.from({ length: count }, (_, i) => make(i));

// ---- what is wrong with animations

// Keys that are no numbers would draw nothing.
function checkNumbers({ skeleton, animations }) {
  const checkCurves = (animation, name, curves) => {
    for (const { times, values } of curves)
      if (!times.every(Number.isFinite) || !values.every(Number.isFinite))
        throw new Error(`A key of ${name} in ${animation} is not a number.`);
  };
  for (const { name, joints, tracks } of animations) {
    joints.forEach((joint, j) => checkCurves(name, skeleton.joints[j].name, Object.values(joint)));
    tracks.forEach((track, t) => track && checkCurves(name, skeleton.tracks[t].name, [track]));
  }
}

// Gives the error of `use`, or undefined.
function faultOf(use) {
  try {
    use();
  } catch (error) {
    return error;
  }
  return undefined;
}

// Sentences of those that are bad. If all are, the first error is that of the file.
function notesOf(faults, names) {
  if (faults.length && faults.every(Boolean)) throw faults[0];
  return faults.flatMap((fault, a) => (fault ? [`The animation ${names[a]} is left out. ${inWords(fault)}`] : []));
}

function mustMove({ joints, tracks }) {
  if (!joints.length && !tracks.length)
    throw new Error('Its animations move nothing that this page knows: neither objects nor morph targets.');
}

// ---- files

// tree and binary are for three.js to show it. nodes: of its joints and tracks. names: of the clips of all its animations, with null
// for those that are left out.
async function readGltf(file, files) {
  const { tree, binary } = await treeOf(file),
    find = finder(file, files);
  check(tree, file.size, find);
  const shown = await withoutKeys({ tree, binary }),
    count = tree.animations?.length ?? 0;
  if (tree.extensions?.QUATSIMD_bundle) {
    const more = `Beside the bundle it has keys of ${count} more animations, which are not shown.`;
    return { kind: 'glTF with a bundle', shown, notes: count ? [more] : [] };
  }
  const faults = [];
  const loadEach = (parser) => ({
    name: 'each animation by itself',
    async loadAnimation(a) {
      try {
        return await parser.loadAnimation(a);
      } catch (error) {
        faults[a] = error;
        return new AnimationClip('', 0, []);
      }
    },
  });
  const gltf = await loadGltf({ tree: withoutLooks(tree), binary }, find, () => {}, loadEach);
  const root = gltf.scene ?? gltf.scenes[0],
    clips = gltf.animations;
  if (!root) throw new Error('It has no scene, so there is nothing to show.');
  clips.forEach((clip, a) => {
    if (a % 10 === 0) tellDone(a, count);
    clip.name = tree.animations[a].name ?? ''; // GLTFLoader gives numbers to those without one
    faults[a] ??= faultOf(() => checkNumbers(sourceOf(root, [clip])));
  });
  const notes = notesOf(
      each(count, (a) => faults[a]),
      clipNames(clips.map(({ name }) => name)),
    ),
    good = (_, a) => !faults[a];
  const { left, ...source } = sourceOf(root, clips.filter(good), { metres: 1 });
  const pointers = tree.animations
    .filter(good)
    .flatMap(({ channels }) => channels.flatMap(({ target }) => target.extensions?.KHR_animation_pointer?.pointer ?? []));
  const { animations: names, ...nodes } = await nodesOf(gltf, source),
    keyed = { ...tree, animations: tree.animations.filter(good) };
  return {
    ...{ kind: 'glTF', isGlb: Boolean(binary), shown, source, nodes, notes, left: [...left, ...new Set(pointers)] },
    names: each(count, (a) => (faults[a] ? null : names.shift())),
    before: keyBytes(keyed),
    keys: () => accessorsOf(keyed, gltf.parser),
  };
}

async function readBvhFile(file) {
  const data = new Uint8Array(await file.arrayBuffer()),
    text = new TextDecoder().decode(data),
    { root, clip } = readBvh(text);
  clip.name = stem(file.name);
  const source = sourceOf(root, [clip]),
    array = data.subarray(new TextEncoder().encode(text.slice(0, text.search(/^[ \t]*MOTION\b/m))).length),
    size = array.length;
  checkNumbers(source);
  return { kind: 'BVH', source, notes: [], left: source.left, before: { each: [size], views: [size], all: size }, keys: () => [{ array }] };
}

// Times and values of keys; curves of the same times share them.
function numbersOf(animation) {
  const shared = [],
    all = [];
  for (const { times, values } of curvesOf(animation)) {
    all.push(values);
    if (shared.some((other) => other.length === times.length && other.every((time, k) => time === times[k]))) continue;
    shared.push(times);
    all.push(times);
  }
  return all;
}

async function readFbx(file) {
  const { loadFbx } = await import('./quatsimd/fbx.js'); // for these files alone
  const fbx = await loadFbx(),
    { skeleton, animations: all, messages } = fbx.read(await file.arrayBuffer());
  if (!all.length) throw new Error('It has no animations, so there is nothing to compress.');
  const names = clipNames(all.map(({ name }) => name)),
    named = all.map((animation, a) => ({ ...animation, name: names[a] })),
    faults = named.map((animation) => faultOf(() => checkNumbers({ skeleton, animations: [animation] }))),
    good = named.filter((_, a) => !faults[a]),
    numbers = good.map(numbersOf),
    sizes = numbers.map((all) => all.reduce((sum, { length }) => sum + 4 * length, 0)); // as 32-bit numbers
  return {
    kind: 'FBX',
    source: { skeleton, animations: good },
    notes: [...messages.map(sentence), ...notesOf(faults, names)],
    left: [],
    before: { each: sizes, views: sizes, all: sizes.reduce((sum, size) => sum + size, 0) },
    keys: () => numbers.flat().map((array) => ({ array: Float32Array.from(array) })),
  };
}

// ---- what the page asks for

async function read({ kind, file, files }) {
  const { source, keys, ...rest } = await { glTF: readGltf, BVH: readBvhFile, FBX: readFbx }[kind](file, files);
  if (!source) return rest;
  const { skeleton } = source;
  mustMove(skeleton);
  kept = source.animations;
  getKeys = keys;
  const told = kept.map((animation) => {
    const curves = curvesOf(animation);
    return {
      name: animation.name,
      keys: curves.reduce((keys, { times }) => keys + times.length, 0),
      end: curves.reduce((most, { times }) => Math.max(most, times.at(-1) ?? 0), 0),
    };
  });
  const moved = skeleton.joints.map((_, j) => kept.some(({ joints }) => Object.keys(joints[j]).length > 0));
  return { ...rest, source: { skeleton, animations: told, moved, extents: extentsOf(source) } };
}

// Once, since what only this needs is let go then.
async function pack() {
  const keys = await getKeys();
  getKeys = undefined;
  return packedOf(keys);
}

// An animation with memory of its own, which can be given away: curves of a file are views of all its bytes.
function copyOf({ name, joints, tracks }) {
  const copies = new Map(),
    own = (array) => copies.get(array) ?? copies.set(array, array.slice()).get(array),
    curve = (it) => it && { ...it, times: own(it.times), values: own(it.values) };
  const copy = {
    name,
    joints: joints.map((joint) => Object.fromEntries(Object.entries(joint).map(([kind, it]) => [kind, curve(it)]))),
    tracks: tracks.map(curve),
  };
  return [copy, [...copies.values()].map(({ buffer }) => buffer)];
}

// to: whoever asks.
async function reply({ id, job, animation }, to) {
  try {
    if (animation !== undefined) {
      const [answer, buffers] = copyOf(kept[animation]);
      return to.postMessage({ id, answer }, buffers);
    }
    const answer = job === 'pack' ? await pack() : await read(job);
    to.postMessage({ id, answer }, [answer.shown?.binary ?? []].flat());
  } catch (error) {
    to.postMessage({ id, error });
  }
}

self.onmessage = ({ data: { port, ...question } }) => {
  if (!port) return reply(question, self);
  port.onmessage = ({ data }) => reply(data, port); // the encoder asks, too
};
