// Files for the page, good and bad.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { glbOf } from '../../../tests/tools/support/glb.mjs';

export const bvhOf = (
  frames,
  { joint = 'Spine', row = (f) => [0, 90, f, 10 * Math.sin(f / 5), f, 0, 20 * Math.cos(f / 7), 0, f] } = {},
) => `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT ${joint}
  {
    OFFSET 0 40 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 60 0
    }
  }
}
MOTION
Frames: ${frames}
Frame Time: 0.033333
${Array.from({ length: frames }, (_, f) => row(f).join(' ')).join('\n')}
`;

/** A GLB of one triangle with one morph target, which its animation moves, and nothing else. */
export function faceOf() {
  const times = [0, 1],
    parts = [times, [0, 1], [0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 0, 0, 0.5, 0.5, 0, 0, 0, 0]].map((values) => Float32Array.from(values));
  let offset = 0;
  const bufferViews = parts.map(({ byteLength }) => ({ buffer: 0, byteOffset: (offset += byteLength) - byteLength, byteLength }));
  const accessor = (bufferView, type, count, min, max) => ({ bufferView, componentType: 5126, type, count, min, max });
  return glbOf(
    {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ name: 'face', mesh: 0 }],
      buffers: [{ byteLength: offset }],
      bufferViews,
      accessors: [
        accessor(0, 'SCALAR', 2, [0], [1]),
        accessor(1, 'SCALAR', 2, [0], [1]),
        accessor(2, 'VEC3', 3, [0, 0, 0], [1, 1, 0]),
        accessor(3, 'VEC3', 3, [0, 0, 0], [0.5, 0.5, 0]),
      ],
      meshes: [{ primitives: [{ attributes: { POSITION: 2 }, targets: [{ POSITION: 3 }] }], extras: { targetNames: ['open'] } }],
      animations: [{ name: 'Open', channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }], samplers: [{ input: 0, output: 1 }] }],
    },
    Buffer.concat(parts.map(({ buffer }) => Buffer.from(buffer))),
  );
}

/** of: of readGlb. With first values of the rotation that an animation moves first, { number of the animation: [x, y, z, w] }, in a
 *  copy of its keys. */
export function withFirstRotations({ tree, binary }, values) {
  const result = structuredClone(tree),
    parts = [binary];
  let end = binary.length;
  for (const [number, value] of Object.entries(values)) {
    const { channels, samplers } = result.animations[number],
      sampler = samplers[channels.find(({ target }) => target.path === 'rotation').sampler];
    const accessor = tree.accessors[sampler.output],
      start = (tree.bufferViews[accessor.bufferView].byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const bytes = Buffer.from(binary.subarray(start, start + 16 * accessor.count));
    value.forEach((x, i) => bytes.writeFloatLE(x, 4 * i));
    const bufferView = result.bufferViews.push({ buffer: 0, byteOffset: end, byteLength: bytes.length }) - 1;
    sampler.output = result.accessors.push({ ...accessor, bufferView, byteOffset: 0 }) - 1;
    parts.push(bytes);
    end += bytes.length;
  }
  result.buffers[0].byteLength = end;
  return glbOf(result, Buffer.concat(parts));
}

/** A GLB of two nodes. Animation Long is a turn of 300 keys; Short has four keys, a spline as by hand: its clip is larger than
 *  its keys. only: the names of those that are in the file. */
export function shortAndLong(only = ['Short', 'Long']) {
  const long = Array.from({ length: 300 }, (_, i) => i / 30),
    short = [0, 0.6177, 1.9413, 2.0771],
    turn = (angle) => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
  const values = [
    [long, 'SCALAR'],
    [long.flatMap((t) => turn(Math.sin(t))), 'VEC4'],
    [short, 'SCALAR'],
    [short.flatMap((_, k) => [0, 2, 0, 0, ...turn(2 * k), 0, -3, 0, 1]), 'VEC4'],
  ].map(([of, type]) => ({ type, of: Float32Array.from(of) }));
  let offset = 0;
  const bufferViews = values.map(({ of }) => ({
    buffer: 0,
    byteOffset: (offset += of.byteLength) - of.byteLength,
    byteLength: of.byteLength,
  }));
  const animation = (name, node, input, interpolation) => ({
    name,
    channels: [{ sampler: 0, target: { node, path: 'rotation' } }],
    samplers: [{ input, output: input + 1, interpolation }],
  });
  return glbOf(
    {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [
        { name: 'hips', children: [1] },
        { name: 'spine', translation: [0, 1, 0] },
      ],
      buffers: [{ byteLength: offset }],
      bufferViews,
      accessors: values.map(({ type, of }, bufferView) => ({
        bufferView,
        componentType: 5126,
        type,
        count: of.length / (type === 'VEC4' ? 4 : 1),
        ...(type === 'SCALAR' && { min: [of[0]], max: [of.at(-1)] }),
      })),
      animations: [animation('Short', 1, 2, 'CUBICSPLINE'), animation('Long', 1, 0, 'LINEAR')].filter(({ name }) => only.includes(name)),
    },
    Buffer.concat(values.map(({ of }) => Buffer.from(of.buffer))),
  );
}

/** positionsBvh has joints with positions of all axes, also in another order, of one, and of none. rest, at(frame): the translations of its joints. */
export const POSITIONS = {
  rest: [0, 94, 3, 1, 40, 2, 5, 30, 7, 20, 10, 0, 0, 25, 0],
  at: (f) => [1, 90 + f, 2, 6, 44 + f, 4, 5, 33 + f, 7, 20, 10, 0, 3 + f, 25, 0],
};
export const positionsBvh = () =>
  `HIERARCHY
ROOT Hips
{
  OFFSET 0 94 3
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 1 40 2

    CHANNELS 6 Zposition Yposition Xposition Zrotation Xrotation Yrotation
    JOINT Neck
    {
      OFFSET 5 30 7
      CHANNELS 4 Yposition Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0 20 0
      }
    }
    JOINT Arm
    {
      OFFSET 20 10 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT Hand
      {
        OFFSET 0 25 0
        CHANNELS 1 Xposition
      }
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.1
${[0, 1, 2].map((f) => `1 ${90 + f} 2 0 0 0 4 ${44 + f} 6 0 0 0 ${33 + f} 0 0 0 0 0 0 ${3 + f}`).join('\n')}
`.replaceAll('\n', '\r\n');

/** A BVH of a thin figure, 180 high. */
export const tallBvh = () => `HIERARCHY
ROOT Feet
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Hips
  {
    OFFSET 0 90 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Head
    {
      OFFSET 0 90 0
      CHANNELS 3 Zrotation Xrotation Yrotation
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
0 0 0 0 0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0 2 0 0 0
`;

/** A bundle of more than a megabyte: keys that nothing can make less. */
export function largeBundle(encoder) {
  const count = 100000,
    times = Array.from({ length: count }, (_, i) => i / 100);
  const turns = times.flatMap((_, i) => [Math.sin(i * i), Math.sin(2.3 * i * i), Math.cos(1.7 * i * i), 1]);
  const values = turns.map((x, i) => x / Math.hypot(...turns.slice(i & ~3, (i & ~3) + 4)));
  const skeleton = encoder.encodeSkeleton({ joints: [{ name: 'a' }] });
  return encoder.encodeBundle(skeleton, {
    x: encoder.encodeClip(
      { joints: [{ rotation: { times, values, interpolation: 'STEP' } }] },
      { rotation: 1e-5, translation: 1e-5, scale: 1e-5, skeleton, bundled: true },
    ),
  });
}

/** A bundle of three clips, of which Nod is additive. */
export function smallBundle(encoder) {
  const skeleton = encoder.encodeSkeleton({ joints: [{ name: 'a' }] }),
    turns = (by) => Array.from({ length: 9 }, (_, i) => [0, Math.sin(by * i), 0, Math.cos(by * i)]).flat(),
    times = Array.from({ length: 9 }, (_, i) => i / 8),
    bounds = { rotation: 1e-5, translation: 1e-5, scale: 1e-5, skeleton, bundled: true },
    clip = (by, more) =>
      encoder.encodeClip({ joints: [{ rotation: { times, values: turns(by), interpolation: 'LINEAR' } }] }, { ...bounds, ...more });
  return encoder.encodeBundle(skeleton, { Walk: clip(0.1), Nod: clip(0.2, { additive: 'first' }), Turn: clip(0.3) });
}

/** A file whose animations are compressed with EXT_meshopt_compression. */
export async function meshoptOf({ tree, binary }, modules) {
  const { MeshoptEncoder } = createRequire(join(modules, 'x.js'))('meshoptimizer');
  await MeshoptEncoder.ready;
  const result = structuredClone(tree),
    parts = [binary];
  let end = binary.length,
    unpacked = 0;
  const used = new Set(tree.animations.flatMap(({ samplers }) => samplers.flatMap(({ input, output }) => [input, output])));
  for (const index of used) {
    const accessor = result.accessors[index],
      view = tree.bufferViews[accessor.bufferView],
      size = { SCALAR: 1, VEC3: 3, VEC4: 4 }[accessor.type];
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0),
      bytes = binary.subarray(start, start + 4 * size * accessor.count);
    const packed = Buffer.from(MeshoptEncoder.encodeGltfBuffer(Uint8Array.from(bytes), accessor.count, 4 * size, 'ATTRIBUTES'));
    accessor.bufferView =
      result.bufferViews.push({
        buffer: 1,
        byteOffset: unpacked,
        byteLength: bytes.length,
        extensions: {
          EXT_meshopt_compression: {
            buffer: 0,
            byteOffset: end,
            byteLength: packed.length,
            byteStride: 4 * size,
            count: accessor.count,
            mode: 'ATTRIBUTES',
          },
        },
      }) - 1;
    accessor.byteOffset = 0;
    parts.push(packed, Buffer.alloc(-packed.length & 3));
    end += (packed.length + 3) & ~3;
    unpacked += bytes.length;
  }
  result.buffers = [{ byteLength: end }, { byteLength: unpacked, extensions: { EXT_meshopt_compression: { fallback: true } } }];
  result.extensionsUsed = result.extensionsRequired = ['EXT_meshopt_compression'];
  return glbOf(result, Buffer.concat(parts));
}

/** fox: of readGlb. Names, bytes and what the page should say of each. */
export function badFiles(fox, bytes, bundle) {
  const { tree, binary } = fox,
    changed = (change) => glbOf({ ...structuredClone(tree), ...change }, binary);
  const damaged = Buffer.from(bundle),
    garbled = Buffer.from(bytes),
    old = Buffer.from(bytes);
  damaged[damaged.length >> 1] ^= 1;
  garbled.write('}}}}', 40, 'latin1');
  old.writeUInt32LE(1, 4);
  return [
    ['half.glb', bytes.subarray(0, bytes.length >> 1), /cut off/],
    ['first.glb', bytes.subarray(0, 10), /cut off/],
    ['garbled.glb', garbled, /JSON is damaged/],
    ['old.glb', old, /version 1/],
    ['letter.txt', Buffer.from('Dear reader,'), /no file that this page reads/],
    ['picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /image/],
    ['empty.bvh', Buffer.alloc(0), /empty/],
    ['cut.bvh', Buffer.from(bvhOf(20).slice(0, -300)), /damaged or cut off/],
    ['words.bvh', Buffer.from(bvhOf(20, { row: () => Array(9).fill('many') })), /not a number/],
    [
      'scene.gltf',
      Buffer.from(JSON.stringify({ ...tree, buffers: [{ byteLength: 1, uri: 'scene%20data.bin' }] })),
      /other files: scene%20data\.bin/,
    ],
    ['thing.json', Buffer.from('{"a": 1}'), /not a glTF/],
    ['ktx.glb', changed({ extensionsRequired: ['KHR_texture_basisu'] }), /KTX2/],
    ['standing.vrm', changed({ animations: undefined }), /no animations.*BVH/],
    ['numbers.glb', changed({ accessors: tree.accessors.map((accessor) => ({ ...accessor, bufferView: 999 })) }), /\w/],
    ['damaged.qsb', damaged, /damaged/],
    [
      'fewvalues.glb',
      changed({
        animations: tree.animations.slice(0, 1),
        accessors: tree.accessors.map((accessor, i) =>
          i === tree.animations[0].samplers[0].output ? { ...accessor, count: 1 } : accessor,
        ),
      }),
      /numbers for \d+ keys/,
    ],
    ['walk.qsc', Buffer.from('QSC\x02'), /bundles \(\.qsb\)/],
    ['figure.fbx', Buffer.from('Kaydara FBX Binary  \0'), /^figure\.fbx cannot be shown\. The file .*\w/],
  ];
}

/** of: of readGlb. With all animations so many times, each time with keys of its own. */
export function manyAnimations({ tree, binary }, times) {
  const { accessors, animations, bufferViews, buffers } = tree,
    size = (binary.length + 3) & ~3,
    copies = (make) => Array.from({ length: times }, (_, c) => make(c)).flat();
  return glbOf(
    {
      ...tree,
      buffers: [{ ...buffers[0], byteLength: times * size }],
      bufferViews: copies((c) => bufferViews.map((view) => ({ ...view, byteOffset: (view.byteOffset ?? 0) + c * size }))),
      accessors: copies((c) => accessors.map((accessor) => ({ ...accessor, bufferView: accessor.bufferView + c * bufferViews.length }))),
      animations: copies((c) =>
        animations.map(({ name, samplers, ...animation }) => ({
          ...animation,
          name: c ? `${name} ${c + 1}` : name,
          samplers: samplers.map(({ input, output, ...sampler }) => ({
            ...sampler,
            input: input + c * accessors.length,
            output: output + c * accessors.length,
          })),
        })),
      ),
    },
    Buffer.concat(Array(times).fill(Buffer.concat([binary, Buffer.alloc(size - binary.length)]))),
  );
}

/** A BVH of about 20 MB: 60 joints, of which the first moves, so that it is long to read and short to encode. */
export function largeBvh(frames = 14000, joints = 60) {
  const open = Array.from(
    { length: joints },
    (_, j) => `${j ? 'JOINT' : 'ROOT'} Joint${j}\n{\nOFFSET 0 ${j} 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n`,
  );
  const rest = ' 0.000000'.repeat(3 * joints - 1),
    rows = Array.from({ length: frames }, (_, f) => `${(30 * Math.sin(f / 200)).toFixed(6)}${rest}`);
  return `HIERARCHY\n${open.join('')}End Site\n{\nOFFSET 0 1 0\n}\n${'}\n'.repeat(joints)}MOTION\nFrames: ${frames}\nFrame Time: 0.01\n${rows.join('\n')}\n`;
}

/** A GLB whose first mesh, which has no indices, is compressed with Draco by the encoder of three.js. change: gets its bytes. */
export async function dracoOf({ tree, binary }, modules, change = (data) => data) {
  // It is no module, though three's package.json says so; and without `process` it leaves the test's errors alone.
  const script = readFileSync(join(modules, 'three/examples/jsm/libs/draco/gltf/draco_encoder.js'), 'utf8'),
    load = new Function('process', `${script}; return DracoEncoderModule`);
  // it is like a promise, and gives itself without end
  const { draco } = await new Promise((done) => load()({ onModuleLoaded: (draco) => done({ draco }) })),
    [builder, mesh, encoder, out] = ['MeshBuilder', 'Mesh', 'Encoder', 'DracoInt8Array'].map((name) => new draco[name]());
  const result = structuredClone(tree),
    [primitive] = result.meshes[0].primitives,
    { count } = tree.accessors[primitive.attributes.POSITION],
    attributes = {};
  builder.AddFacesToMesh(
    mesh,
    count / 3,
    Uint32Array.from({ length: count }, (_, i) => i),
  );
  for (const [name, index] of Object.entries(primitive.attributes)) {
    const { type, componentType, bufferView, byteOffset = 0 } = tree.accessors[index],
      { byteOffset: start, byteStride: stride } = tree.bufferViews[bufferView],
      size = { VEC2: 2, VEC3: 3, VEC4: 4 }[type];
    const read = (i, c) => {
      const at = start + byteOffset + i * (stride ?? 4 * size);
      return componentType === 5126 ? binary.readFloatLE(at + 4 * c) : binary.readUInt16LE(at + 2 * c);
    };
    const values = Array.from({ length: count * size }, (_, i) => read(Math.floor(i / size), i % size));
    const kind = { POSITION: draco.POSITION, TEXCOORD_0: draco.TEX_COORD }[name] ?? draco.GENERIC;
    attributes[name] =
      componentType === 5126
        ? builder.AddFloatAttribute(mesh, kind, count, size, Float32Array.from(values))
        : builder.AddUInt16Attribute(mesh, kind, count, size, Uint16Array.from(values));
    delete result.accessors[index].bufferView;
    delete result.accessors[index].byteOffset;
  }
  encoder.SetEncodingMethod(draco.MESH_SEQUENTIAL_ENCODING);
  const length = encoder.EncodeMeshToDracoBuffer(mesh, out),
    data = change(Buffer.from(Array.from({ length }, (_, i) => out.GetValue(i))));
  const bufferView = result.bufferViews.push({ buffer: 0, byteOffset: binary.length, byteLength: length }) - 1;
  primitive.indices = result.accessors.push({ componentType: 5125, type: 'SCALAR', count }) - 1;
  primitive.extensions = { KHR_draco_mesh_compression: { bufferView, attributes } };
  result.extensionsUsed = result.extensionsRequired = ['KHR_draco_mesh_compression'];
  result.buffers[0].byteLength = binary.length + length;
  return glbOf(result, Buffer.concat([binary, data]));
}
