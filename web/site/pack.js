// How many bytes keys take as others pack them. A browser without CompressionStream has no sizes by gzip.
const ONE = { Int8Array: 127, Uint8Array: 255, Int16Array: 32767, Uint16Array: 65535 }; // in normalised integers

export const gzip = async (parts) =>
  globalThis.CompressionStream &&
  (await new Response(new Blob(parts).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()).byteLength;

/** The numbers of the keys in a glTF, each accessor once: [{ array, size, normalized, kind }]. */
export function accessorsOf({ animations }, parser) {
  const kinds = new Map();
  for (const { channels, samplers } of animations)
    for (const { sampler, target } of channels) {
      const { input, output, interpolation } = samplers[sampler];
      kinds.set(input, 'times');
      kinds.set(output, interpolation === 'CUBICSPLINE' ? 'splines' : target.path);
    }
  return Promise.all(
    [...kinds].map(async ([accessor, kind]) => {
      const { array, itemSize: size, normalized } = await parser.getDependency('accessor', accessor);
      return { array, size, normalized, kind };
    }),
  );
}

// Puts the numbers of accessors one behind the other.
function floatsOf(keys) {
  const floats = new Float32Array(keys.reduce((sum, { array }) => sum + array.length, 0));
  let at = 0;
  for (const { array, normalized } of keys) {
    const one = (normalized && ONE[array.constructor.name]) || 1;
    for (const x of array) floats[at++] = Math.max(x / one, normalized ? -1 : -Infinity);
  }
  return floats;
}

// As gltfpack -cc stores accessors of a kind: all in one view.
function meshoptOf(keys, encoder) {
  const [{ kind, size }] = keys,
    floats = floatsOf(keys),
    count = floats.length / size;
  const packed = (bytes, stride) => encoder.encodeVertexBuffer(bytes, bytes.length / stride, stride);
  if (kind === 'rotation') return packed(encoder.encodeFilterQuat(floats, count, 8, 12), 8);
  if (kind === 'translation' || kind === 'scale') return packed(encoder.encodeFilterExp(floats, count, 12, 16), 12);
  if (kind !== 'weights') return packed(new Uint8Array(floats.buffer), 4 * size);
  const bytes = new Uint8Array(4 * Math.ceil(count / 4));
  bytes.set(floats.map((weight) => Math.round(255 * Math.min(Math.max(weight, 0), 1))));
  return packed(bytes, 4);
}

const groupsOf = (keys) =>
  [...new Set(keys.map(({ kind, size }) => kind + size))].map((name) => keys.filter(({ kind, size }) => kind + size === name));

/** keys: accessorsOf, or [{ array }], which meshopt does not pack. Gives { gzip, meshopt: { size, gzip } } in bytes. */
export async function packedOf(keys) {
  const zipped = await gzip(keys.map(({ array }) => array));
  if (!keys.every(({ kind }) => kind)) return { gzip: zipped };
  const { MeshoptEncoder } = await import('./meshoptimizer/meshopt_encoder.module.js');
  await MeshoptEncoder.ready;
  const parts = groupsOf(keys).map((group) => meshoptOf(group, MeshoptEncoder));
  return { gzip: zipped, meshopt: { size: parts.reduce((sum, { length }) => sum + length, 0), gzip: await gzip(parts) } };
}
