// All that the page must know of a glTF file before three.js reads it, and how large its animations are.

import { bytes } from './units.js';
import { listed } from './words.js';

/** Bytes of a file, and of those beside it. */
export const MOST_BYTES = 400e6;
const MAGIC = 0x46546c67,
  JSON_CHUNK = 0x4e4f534a;
const CANNOT = {
  KHR_texture_basisu: 'Its textures are KTX2, which this page does not read. Save it with PNG, JPEG or WebP textures.',
};
const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const BYTES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Its JSON is damaged: ${error.message}.`);
  }
};

/** Of a GLB or a .gltf, a Blob: tree, its JSON, and binary, an ArrayBuffer, the bytes of a GLB beside that. */
export async function treeOf(file) {
  const view = new DataView(await file.slice(0, 20).arrayBuffer());
  if (view.byteLength < 4 || view.getUint32(0, true) !== MAGIC) {
    const tree = parse(await file.text());
    if (!tree.asset) throw new Error('It is JSON, but not a glTF.');
    return { tree };
  }
  if (view.byteLength < 20) throw new Error('It is a GLB that is cut off.');
  const [version, length, size, type] = [4, 8, 12, 16].map((at) => view.getUint32(at, true));
  if (version !== 2) throw new Error(`It is a GLB of version ${version}. This page reads version 2.`);
  if (length > file.size)
    throw new Error(`It is cut off: ${file.size.toLocaleString('en')} of ${length.toLocaleString('en')} bytes are there.`);
  if (type !== JSON_CHUNK || 20 + size > file.size) throw new Error('It is a damaged GLB.');
  return { tree: parse(await file.slice(20, 20 + size).text()), binary: await file.slice(28 + size, length).arrayBuffer() };
}

const urisOf = (items = []) => items.map(({ uri }) => uri).filter((uri) => uri && !uri.startsWith('data:'));

/** Says in words why a file of this size cannot be shown. find(uri): the file of those that came with it. */
export function check(tree, size, find) {
  for (const name of tree.extensionsRequired ?? []) if (CANNOT[name]) throw new Error(CANNOT[name]);
  const missing = urisOf(tree.buffers).filter((uri) => !find(uri));
  if (missing.length)
    throw new Error(
      `It keeps its data in other files: ${listed(missing)}. Drop its folder, or these files together with it, or save it as a GLB.`,
    );
  const beside = new Set([...urisOf(tree.buffers), ...urisOf(tree.images)].map(find)),
    sum = [...beside].reduce((sum, file) => sum + (file?.size ?? 0), size);
  if (sum > MOST_BYTES) throw new Error(`With the files beside it, it has ${bytes(sum)}. This page opens up to ${bytes(MOST_BYTES)}.`);
  if (!tree.animations?.length && !tree.extensions?.QUATSIMD_bundle)
    throw new Error(
      'It has no animations, so there is nothing to compress. Drop a file with animations: a GLB of the same figure that moves, or a BVH.',
    );
}

// Whole numbers in JSON, some of which are those of items in an array: too many do no harm.
const numbersIn = (json) => new Set(JSON.stringify(json).match(/\d+/g)?.map(Number));
const only = (array, numbers) => array?.map((item, i) => (numbers.has(i) ? item : null));

/** Of treeOf, without animations and what they alone have, which may be most of it. Numbers of items stay as they are. */
export async function withoutKeys({ tree: { animations: _, accessors, bufferViews, ...tree }, binary }) {
  const kept = only(accessors, numbersIn({ ...tree, buffers: [] })),
    views = only(bufferViews, numbersIn({ ...tree, kept, buffers: [] }));
  if (!binary || tree.buffers?.[0]?.uri !== undefined) return { tree: { ...tree, accessors: kept, bufferViews: views } };
  const parts = [];
  let size = 0;
  const move = (range) => {
    if (range.buffer !== 0) return range;
    const { byteOffset = 0, byteLength } = range;
    parts.push(new Uint8Array(binary, byteOffset, byteLength));
    size += byteLength;
    return { ...range, byteOffset: size - byteLength };
  };
  const moved = views?.map((view) => {
    const extensions = Object.entries(view?.extensions ?? {}).map(([name, it]) => [name, move(it)]);
    return view && { ...move(view), extensions: Object.fromEntries(extensions) };
  });
  return { tree: { ...tree, accessors: kept, bufferViews: moved }, binary: await new Blob(parts).arrayBuffer() };
}

/** The tree with all that animations need, and without all that is seen: a mesh has one vertex, and its morph targets. */
export function withoutLooks({
  asset,
  scene,
  scenes,
  nodes,
  skins,
  meshes,
  accessors = [],
  bufferViews,
  buffers,
  animations,
  extensionsUsed,
}) {
  const zeros = (type) => accessors.length + ['VEC3', 'VEC4'].indexOf(type);
  const attributes = { POSITION: zeros('VEC3'), JOINTS_0: zeros('VEC4'), WEIGHTS_0: zeros('VEC4') };
  return {
    ...{ asset, scene, scenes, skins, bufferViews, buffers, animations },
    extensionsUsed: extensionsUsed?.filter((name) => name.includes('meshopt')),
    nodes: nodes?.map(({ extensions: _, camera: __, ...node }) => node),
    meshes: meshes?.map(({ primitives, ...mesh }) => ({
      ...mesh,
      primitives: primitives.map(({ mode, targets }) => ({ mode, attributes, targets: targets?.map(() => ({ POSITION: zeros('VEC3') })) })),
    })),
    accessors: [...accessors, ...['VEC3', 'VEC4'].map((type) => ({ componentType: 5126, count: 1, type, min: [0, 0, 0], max: [0, 0, 0] }))],
  };
}

const compressionOf = ({ extensions = {} }) => extensions.EXT_meshopt_compression ?? extensions.KHR_meshopt_compression;

/** Bytes in the file of the keys of each animation, of the buffer views that have them (views), and of the keys of all: keys that
 *  animations share count once. */
export function keyBytes(tree) {
  const sizeOf = (index) => {
    const { count, type, componentType, bufferView } = tree.accessors[index],
      bytes = count * COMPONENTS[type] * BYTES[componentType],
      packed = compressionOf(tree.bufferViews?.[bufferView] ?? {});
    return packed ? (bytes * packed.byteLength) / (packed.count * packed.byteStride) : bytes;
  };
  const viewSize = (index) => {
    const view = tree.bufferViews[index];
    return (compressionOf(view) ?? view).byteLength;
  };
  const sum = (indices, size) => [...indices].reduce((bytes, index) => bytes + size(index), 0),
    all = new Set();
  const both = (tree.animations ?? []).map(({ samplers }) => {
    const own = new Set(samplers.flatMap(({ input, output }) => [input, output])),
      views = new Set();
    own.forEach((index) => {
      const { bufferView, sparse } = tree.accessors[index];
      [bufferView, sparse?.indices.bufferView, sparse?.values.bufferView].forEach((view) => view !== undefined && views.add(view));
      all.add(index);
    });
    return [sum(own, sizeOf), sum(views, viewSize)];
  });
  return { each: both.map(([own]) => own), views: both.map(([, views]) => views), all: sum(all, sizeOf) };
}
