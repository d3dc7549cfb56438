// A GLB's animations replaced by a bundle: the same JSON and bytes as `quatsimd compress --glb` makes of the same bundle. docs/gltf-extension.md has the extension.
import { EXTENSION } from './extension.js';

const ARRAYS = ['animations', 'accessors', 'bufferViews', 'buffers'];
const COMPRESSED = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];
const ALIGNMENT = 8; // the most that any bufferView needs

// Where glTF refers to what by its number: * stands for each item or member. tools/readers/gltf/gltf_references.c has the same lists.
const PLACES = {
  animations: [
    'nodes/*/extensions/MOZ_hubs_components/loop-animation/activeClipIndices/*',
    'scenes/*/extensions/MOZ_hubs_components/loop-animation/activeClipIndices/*',
  ],
  accessors: [
    'animations/*/samplers/*/input',
    'animations/*/samplers/*/output',
    'meshes/*/primitives/*/indices',
    'meshes/*/primitives/*/attributes/*',
    'meshes/*/primitives/*/targets/*/*',
    'meshes/*/primitives/*/extensions/CESIUM_primitive_outline/indices',
    'nodes/*/extensions/EXT_mesh_gpu_instancing/attributes/*',
    'skins/*/inverseBindMatrices',
  ],
  bufferViews: [
    'accessors/*/bufferView',
    'accessors/*/sparse/indices/bufferView',
    'accessors/*/sparse/values/bufferView',
    'images/*/bufferView',
    'meshes/*/primitives/*/extensions/KHR_draco_mesh_compression/bufferView',
    'meshes/*/primitives/*/extensions/KHR_gaussian_splatting/extensions/KHR_gaussian_splatting_compression_spz_2/bufferView',
    'extensions/EXT_feature_metadata/featureTables/*/properties/*/arrayOffsetBufferView',
    'extensions/EXT_feature_metadata/featureTables/*/properties/*/bufferView',
    'extensions/EXT_feature_metadata/featureTables/*/properties/*/stringOffsetBufferView',
    'extensions/EXT_lights_ies/lights/*/bufferView',
    'extensions/EXT_structural_metadata/propertyTables/*/properties/*/arrayOffsets',
    'extensions/EXT_structural_metadata/propertyTables/*/properties/*/stringOffsets',
    'extensions/EXT_structural_metadata/propertyTables/*/properties/*/values',
    'extensions/KHR_audio_emitter/audio/*/bufferView',
    'extensions/KHR_techniques_webgl/shaders/*/bufferView',
  ],
  buffers: [
    'bufferViews/*/buffer',
    'bufferViews/*/extensions/EXT_meshopt_compression/buffer',
    'bufferViews/*/extensions/KHR_meshopt_compression/buffer',
  ],
};
// Extensions that have references there alone, or none; * stands for the rest of a name.
const KNOWN = [
  'AGI_articulations',
  'AGI_stk_metadata',
  'CESIUM_primitive_outline',
  'CESIUM_RTC',
  'EXT_feature_metadata',
  'EXT_instance_features',
  'EXT_lights_ies',
  'EXT_lights_image_based',
  'EXT_mesh_features',
  'EXT_mesh_gpu_instancing',
  'EXT_meshopt_compression',
  'EXT_structural_metadata',
  'EXT_texture_avif',
  'EXT_texture_webp',
  'FB_ngon_encoding',
  'GODOT_single_root',
  'KHR_animation_pointer',
  'KHR_audio_emitter',
  'KHR_draco_mesh_compression',
  'KHR_gaussian_splatting',
  'KHR_gaussian_splatting_compression_spz_2',
  'KHR_lights_punctual',
  'KHR_materials_*',
  'KHR_mesh_quantization',
  'KHR_meshopt_compression',
  'KHR_node_*',
  'KHR_techniques_webgl',
  'KHR_texture_basisu',
  'KHR_texture_transform',
  'KHR_xmp*',
  'MOZ_hubs_components',
  'MSFT_lod',
  'MSFT_packing_*',
  'MSFT_texture_dds',
  'VRM',
  'VRMC_*',
];
const isKnown = (name) => KNOWN.some((known) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known));

// ---- JSON

// Numbers that JavaScript has as they are: small whole ones, as all are that refer to something.
const isExact = (number) =>
  /^-?\d+(\.0+)?([eE]\+?\d+)?$/.test(number) && Number.isSafeInteger(Number(number)) && !Object.is(Number(number), -0);

// The parts of JSON: texts with their quotes, and what is between them.
function* partsOf(json) {
  for (let at = 0, end = 0; at < json.length; at = end) {
    end = json.indexOf('"', at);
    if (end < 0) end = json.length;
    yield json.slice(at, end);
    const start = end;
    for (let escaped = true; escaped && end < json.length; ) {
      end = json.indexOf('"', end + 1);
      escaped = false;
      for (let before = end - 1; json[before] === '\\'; before--) escaped = !escaped;
    }
    yield json.slice(start, ++end);
  }
}

// The tree, in which all other numbers, and names that JavaScript would put first, are texts that begin with a mark that it has nowhere; and the
// function that writes it, with these as they were. others: values that the tree may get.
function readJson(json, others) {
  const all = JSON.stringify([JSON.parse(json), others]),
    parts = [...partsOf(json)];
  let mark;
  do mark = `#${Math.random().toString(36).slice(2)}#`;
  while (all.includes(mark));
  const marked = parts.map((part, p) => {
    if (part[0] !== '"') return part.replace(/-?\d[\d.eE+-]*/g, (number) => (isExact(number) ? number : `"${mark}${number}"`));
    const name = /^\s*:/.test(parts[p + 1]) ? JSON.parse(part) : '';
    return /^\d+$/.test(name) ? `"${mark}${name}"` : part;
  });
  const write = (tree) =>
    JSON.stringify(tree).replace(new RegExp(`"${mark}([^"]*)"(:?)`, 'g'), (_, token, colon) => (colon ? `"${token}":` : token));
  return { tree: JSON.parse(marked.join('')), write, plain: (name) => name.replaceAll(mark, '') };
}

// ---- files

const bytesOf = (data) => (ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data));
const padded = (size) => Math.ceil(size / 4) * 4;

function readGlb(data, names) {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  if (data.length < 20 || view.getUint32(0) !== 0x676c5446 || view.getUint32(4, true) !== 2 || view.getUint32(16) !== 0x4a534f4e)
    throw new TypeError('this is no .glb of glTF 2.0');
  const file = data.subarray(0, view.getUint32(8, true)); // no more is its own
  if (file.length < 20) throw new TypeError('the .glb is cut off');
  const chunks = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const size = view.getUint32(at, true);
    if (at + 8 + size > file.length) throw new TypeError('the .glb is cut off');
    chunks.push({
      type: view.getUint32(at + 4),
      bytes: file.subarray(at + 8, at + 8 + size),
      whole: file.subarray(at, at + 8 + padded(size)),
    });
    at += 8 + padded(size);
  }
  const [json, second] = chunks,
    binary = second?.type === 0x42494e00 ? second.bytes : undefined;
  return {
    ...readJson(new TextDecoder().decode(json.bytes), names),
    binary,
    others: chunks.slice(binary ? 2 : 1).map(({ whole }) => whole),
  };
}

function writeGlb(json, binary, others) {
  const text = new TextEncoder().encode(json),
    size = 28 + padded(text.length) + padded(binary.length);
  const whole = size + others.reduce((sum, chunk) => sum + chunk.length, 0);
  if (whole >= 2 ** 32) throw new RangeError('it would be too large for a .glb');
  const file = new Uint8Array(whole),
    view = new DataView(file.buffer),
    start = 20 + padded(text.length);
  [0x676c5446, 0, 0, 0, 0x4a534f4e].forEach((word, i) => view.setUint32(4 * i, word));
  view.setUint32(4, 2, true), view.setUint32(8, whole, true), view.setUint32(12, padded(text.length), true);
  file.fill(32, 20, start).set(text, 20);
  view.setUint32(start, padded(binary.length), true), view.setUint32(start + 4, 0x42494e00);
  file.set(binary, start + 8);
  let at = size;
  for (const chunk of others) file.set(chunk, at), (at += chunk.length);
  return file;
}

// The bytes of a buffer that become the file's own; undefined: it stays as it is.
function ownBytes(buffer, number, binary) {
  const { uri } = buffer;
  let bytes;
  if (COMPRESSED.some((name) => buffer.extensions?.[name]?.fallback)) return undefined;
  if (uri === undefined && number === 0 && !binary) throw new TypeError('buffer 0 is not in the file');
  if (uri === undefined) bytes = number === 0 ? binary : undefined;
  else if (/^data:[^,]*;base64,/.test(uri)) bytes = Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), (c) => c.charCodeAt(0));
  else throw new TypeError(`buffer ${number} is in another file, ${uri}`);
  if (bytes && bytes.length < buffer.byteLength)
    throw new RangeError(`buffer ${number} has ${bytes.length} bytes, and should have ${buffer.byteLength}`);
  return bytes?.subarray(0, buffer.byteLength);
}

// ---- references

function* follow(item, [name, ...rest], where = []) {
  if (item === null || typeof item !== 'object') return;
  for (const key of name === '*' ? Object.keys(item) : Object.hasOwn(item, name) ? [name] : [])
    if (rest.length) yield* follow(item[key], rest, [...where, key]);
    else yield { holder: item, key, number: item[key], where: [...where, key] };
}

const placeOf = (where, plain) => plain(`/${where.join('/')}`);

function findReferences(tree, plain) {
  const found = [];
  for (const [to, places] of Object.entries(PLACES))
    for (const place of places)
      for (const reference of follow(tree, place.split('/'))) {
        const { number, where } = reference,
          count = tree[to]?.length ?? 0;
        if (!(Number.isInteger(number) && number >= 0 && number < count))
          throw new RangeError(`${placeOf(where, plain)} is not the number of one of its ${count} ${to}`);
        found.push({ ...reference, to });
      }
  return found;
}

// The names of a member's extensions, if it has extensions: an object.
const extensionsOf = (key, value) =>
  key === 'extensions' && value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];

// The first extension below an item that may refer to what nobody here knows; extras are nobody's.
function unknownExtension(item) {
  if (item === null || typeof item !== 'object') return undefined;
  for (const [key, value] of Object.entries(item)) {
    if (key === 'extras') continue;
    const found = extensionsOf(key, value).find((name) => !isKnown(name)) ?? unknownExtension(value);
    if (found) return found;
  }
  return undefined;
}

// Where an extension that is not known seems to refer to one of so many animations: by its number in a member called so, or by a JSON
// pointer.
function findAnimation(item, animations, extension, where = []) {
  const names = extensionsOf(where.at(-1), item);
  for (const [key, value] of Object.entries(item)) {
    if (!extension && key === 'extras') continue;
    const inside = extension ?? (names.includes(key) && !isKnown(key) ? key : undefined),
      numbers = [value].flat(),
      at = [...where, key];
    const refers =
      typeof value === 'string'
        ? value.startsWith('/animations/')
        : /animation/i.test(key) &&
          numbers.length > 0 &&
          numbers.every((number) => Number.isInteger(number) && number >= 0 && number < animations);
    if (inside && refers) return { extension: inside, where: at };
    const found = value !== null && typeof value === 'object' && findAnimation(value, animations, inside, at);
    if (found) return found;
  }
  return undefined;
}

function hasExtension(item, name) {
  if (item === null || typeof item !== 'object') return false;
  return Object.entries(item).some(
    ([key, value]) => key !== 'extras' && (extensionsOf(key, value).includes(name) || hasExtension(value, name)),
  );
}

// ---- bytes

// Bytes from `start` to `end` that go, of a buffer: those that ranges have which go, and none which stay.
function gapsOf(ranges) {
  const edges = ranges
    .flatMap(({ start, size, goes }) => [
      [start, +!goes, +goes],
      [start + size, -!goes, -goes],
    ])
    .sort((a, b) => a[0] - b[0]);
  const gaps = [];
  let stays = 0,
    leaving = 0,
    lastStay = 0;
  for (let e = 0; e + 1 < edges.length; e++) {
    const [start, stay, go] = edges[e],
      end = edges[e + 1][0],
      last = gaps.at(-1);
    (stays += stay), (leaving += go);
    if (start === end) continue;
    if (stays > 0) lastStay = end;
    if (stays > 0 || leaving === 0) continue;
    if (last && start - last.end < ALIGNMENT && lastStay <= last.end)
      last.end = end; // padding between the two
    else gaps.push({ start, end });
  }
  return gaps;
}

// All bytes that stay: pieces of buffers, one behind the other. Whole multiples of the alignment go, so it stays, too.
function cut(buffers, ranges) {
  const pieces = [];
  let size = 0;
  const add = (buffer, start, end) => {
    pieces.push({ buffer, start, end, to: size });
    size += end - start;
  };
  buffers.forEach((bytes, b) => {
    if (!bytes) return;
    const own = ranges.filter(({ buffer }) => buffer === b);
    let start = 0;
    if (own.some((range) => range.start + range.size > bytes.length))
      throw new RangeError(`a bufferView goes beyond the ${bytes.length} bytes of buffer ${b}`);
    size = Math.ceil(size / ALIGNMENT) * ALIGNMENT;
    for (const gap of gapsOf(own)) {
      const whole = Math.floor((gap.end - gap.start) / ALIGNMENT) * ALIGNMENT;
      if (whole > 0) add(b, start, gap.start), (start = gap.start + whole);
    }
    add(b, start, bytes.length);
  });
  const place = (b, at) => {
    const piece = pieces.findLast(({ buffer, start }) => buffer === b && start <= at);
    return piece.to + at - piece.start;
  };
  return { pieces, size, place };
}

// ---- the file

// Why an animation cannot go: it moves what the bundle does not, or says more than a clip can. Undefined: it can.
function whyItStays({ channels = [], samplers = [] }, joints, tracks) {
  for (const { target, ...channel } of channels) {
    const pointer = target.extensions?.KHR_animation_pointer?.pointer,
      [, at, member] = /^\/nodes\/(\d+)\/(.*)$/.exec(pointer ?? '') ?? [];
    const node = pointer === undefined ? target.node : at && Number(at),
      path = pointer === undefined ? target.path : member;
    const moves =
      path === 'weights'
        ? tracks.some((track) => track.node === node)
        : ['rotation', 'translation', 'scale'].includes(path) && joints.includes(node);
    if (!moves) return `moves ${pointer ?? `${path} of node ${node}`}, and the bundle does not`;
    const more = Object.keys(target.extensions ?? {}).some((name) => name !== 'KHR_animation_pointer');
    if (channel.extras || channel.extensions || target.extras || more) return 'has extras or extensions of a channel';
  }
  return samplers.some(({ extras, extensions }) => extras || extensions) ? 'has extras or extensions of a sampler' : undefined;
}

const mustStay = (number, why) => {
  throw new TypeError(`animation ${number} ${why}: it must stay, with null`);
};

/** The file with the bundle in it, in place of animations. joints: the node of each joint of the bundle's skeleton. tracks: of
 *  each of its tracks { node, target }. animations: of each animation of the file the name of its clip; null: it stays as it is.
 *  onUnknown gets the name of an extension that may refer to accessors and animations by their numbers: accessors stay that only
 *  animations had, and animations that stay may get other numbers. An error if one visibly refers to animations. onStays(number, why): this animation stays, since a clip cannot
 *  have all of it; without onStays that is an error. */
export function bundleGlb(glb, bundle, { joints = [], tracks = [], animations, onUnknown = () => {}, onStays = mustStay }) {
  const { tree, write, plain, binary, others } = readGlb(bytesOf(glb), animations),
    content = bytesOf(bundle);
  if (tree.extensions?.[EXTENSION]) throw new TypeError('its animations are a bundle already');
  if (hasExtension(tree, 'KHR_interactivity')) throw new TypeError('KHR_interactivity starts animations by their numbers: they must stay');
  if (animations.length !== (tree.animations?.length ?? 0))
    throw new RangeError(`there are ${tree.animations?.length ?? 0} animations, and names for ${animations.length}`);
  const goes = Object.fromEntries(ARRAYS.map((name) => [name, (tree[name] ?? []).map(() => false)]));
  goes.animations = animations.map((clip) => clip !== null && clip !== undefined);
  const references = findReferences(tree, plain),
    unknown = unknownExtension(tree),
    seen = unknown && findAnimation(tree, tree.animations?.length ?? 0);
  if (seen)
    throw new TypeError(
      plain(
        `has the unknown extension ${seen.extension}, which seems to refer to an animation at /${seen.where.join('/')}: animations would get other numbers`,
      ),
    );
  goes.animations.forEach((go, a) => {
    const by = references.find(({ to, number }) => to === 'animations' && number === a);
    const why =
      go && (by ? `is referred to by its number, at ${placeOf(by.where, plain)}` : whyItStays(tree.animations[a], joints, tracks));
    if (!why) return;
    goes.animations[a] = false;
    onStays(a, why);
  });
  if (!goes.animations.includes(true)) throw new RangeError('no animation goes');

  // what goes: also what nothing else refers to
  const leaves = ({ where: [array, number] }) => goes[array]?.[number] ?? false;
  if (unknown) onUnknown(plain(unknown));
  else
    for (const array of ['accessors', 'bufferViews', 'buffers']) {
      const of = references.filter(({ to }) => to === array);
      for (const reference of of) if (leaves(reference)) goes[array][reference.number] = true;
      for (const reference of of) if (!leaves(reference)) goes[array][reference.number] = false;
    }
  const buffers = (tree.buffers ?? []).map((buffer, b) => (b === 0 || !unknown ? ownBytes(buffer, b, binary) : undefined));
  buffers.forEach((bytes, b) => bytes && (goes.buffers[b] = false)); // its bytes go as views do
  if (unknown && buffers.length && !buffers[0]) throw new TypeError('its buffers cannot be renumbered, and the first one has no bytes');

  const ranges = (tree.bufferViews ?? []).flatMap((view, v) =>
    [view, ...COMPRESSED.flatMap((name) => view.extensions?.[name] ?? [])].map((holder) => {
      const { buffer, byteOffset: start = 0, byteLength: size } = holder;
      if (!(Number.isInteger(size) && size > 0 && Number.isInteger(start) && start >= 0)) throw new RangeError(`bufferView ${v} is broken`);
      return { holder, buffer, start, size, goes: goes.bufferViews[v] && Boolean(buffers[buffer]) };
    }),
  );
  const { pieces, size, place } = cut(buffers, ranges),
    start = padded(size),
    all = new Uint8Array(start + content.length);
  for (const piece of pieces) all.set(buffers[piece.buffer].subarray(piece.start, piece.end), piece.to);
  all.set(content, start);

  // numbers
  for (const { holder, buffer, start: at, goes: go } of ranges)
    if (!go && buffers[buffer] && place(buffer, at) !== at) holder.byteOffset = place(buffer, at);
  const numbers = Object.fromEntries(
    ARRAYS.slice(0, 3).map((name) => {
      let next = 0;
      return [name, goes[name].map((go) => (go ? undefined : next++))];
    }),
  );
  let next = 1;
  numbers.buffers = buffers.map((bytes, b) => (bytes ? 0 : goes.buffers[b] ? undefined : next++));
  for (const { holder, key, to, number } of references) holder[key] = numbers[to][number] ?? number;

  // arrays
  const gone = tree.animations.flatMap((animation, a) => (goes.animations[a] ? [{ animation, clip: animations[a] }] : []));
  for (const name of ARRAYS.slice(0, 3)) {
    if (!tree[name]) continue;
    tree[name] = tree[name].filter((_, i) => !goes[name][i]);
    if (tree[name].length === 0) delete tree[name];
  }
  (tree.bufferViews ??= []).push({ buffer: 0, byteOffset: start, byteLength: content.length });
  const { uri: _, ...own } = (tree.buffers ?? [])[buffers.findIndex(Boolean)] ?? {};
  tree.buffers = [{ ...own, byteLength: all.length }, ...(tree.buffers ?? []).filter((_, b) => !buffers[b] && !goes.buffers[b])];
  if (!(tree.extensionsUsed ??= []).includes(EXTENSION)) tree.extensionsUsed.push(EXTENSION);
  (tree.extensions ??= {})[EXTENSION] = {
    version: 2,
    bufferView: tree.bufferViews.length - 1,
    ...(joints.length && { joints: [...joints] }),
    ...(tracks.length && { tracks: tracks.map(({ node, target }) => ({ node, target })) }),
    animations: gone.map(({ animation: { name, extensions, extras }, clip }) => ({
      ...(name !== undefined && { name }),
      clip,
      ...(extensions !== undefined && { extensions }),
      ...(extras !== undefined && { extras }),
    })),
  };
  return writeGlb(write(tree), all, others);
}
