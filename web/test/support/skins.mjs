import { glbOf } from '../../../tests/tools/support/glb.mjs';

const WIDTHS = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 },
  BYTES = new Map([
    [Float32Array, 5126],
    [Uint8Array, 5121],
    [Int16Array, 5122],
  ]);

/** A GLB with what moves vertices: two skins of the same joints with other bind matrices, two morph targets, three instances of a mesh
 *  that hangs below a joint and a node that is none, scaled and scaling joints, and positions of integers. */
export function skinsGlb() {
  let seed = 1;
  const random = () => ((seed = (seed * 16807) % 2147483647) / 2147483647) * 2 - 1,
    many = (count, of = random) => Array.from({ length: count }, of),
    parts = [];
  const accessor = (type, values, more = {}, Kind = Float32Array) => parts.push({ type, values: Kind.from(values), more }) - 1,
    bounds = (values) => ({ min: [0, 1, 2].map((c) => Math.min(...values.filter((_, i) => i % 3 === c))), max: [9, 9, 9] });
  const times = accessor('SCALAR', [0, 0.4, 1, 1.5], { min: [0], max: [1.5] }),
    turn = (angle, x) => [x * Math.sin(angle / 2), Math.sqrt(1 - x * x) * Math.sin(angle / 2), 0, Math.cos(angle / 2)],
    turns = (by) =>
      accessor(
        'VEC4',
        [0, 1, 2, 3].flatMap((k) => turn(by * k, 0.6)),
      );
  const count = 40,
    points = many(3 * count),
    weights = many(count, () => Math.round(100 * Math.abs(random())) / 100);
  const skinned = (position) => ({
    POSITION: position,
    JOINTS_0: accessor(
      'VEC4',
      many(count).flatMap((_, v) => [0, 1, v % 3, 0]),
      {},
      Uint8Array,
    ), // unused by weights of 0
    WEIGHTS_0: accessor(
      'VEC4',
      weights.flatMap((w) => [w, 1 - w, 0, 0]),
    ),
  });
  const bind = () => {
    const m = many(16);
    [m[3], m[7], m[11], m[15]] = [0, 0, 0, 1];
    return m;
  };
  const integers = many(3 * count, () => Math.round(500 * random()));
  const meshes = [
    {
      name: 'face',
      primitives: [
        {
          attributes: skinned(accessor('VEC3', points, bounds(points))),
          targets: [0.3, 0.05].map((far) => ({
            POSITION: accessor(
              'VEC3',
              many(3 * count, () => far * random()),
              bounds([0, 0, 0]),
            ),
          })),
        },
      ],
    },
    { name: 'coat', primitives: [{ attributes: skinned(accessor('VEC3', points, bounds(points))) }] },
    {
      name: 'sword',
      primitives: [{ attributes: { POSITION: accessor('VEC3', integers, { ...bounds(integers), normalized: true }, Int16Array) } }],
    },
  ];
  const skins = [0, 1].map(() => ({ joints: [1, 2, 6], inverseBindMatrices: accessor('MAT4', [...bind(), ...bind(), ...bind()]) }));
  const channels = [
    [1, 'rotation', turns(0.5), 'LINEAR'],
    [2, 'rotation', turns(0.9), 'LINEAR'],
    [2, 'scale', accessor('VEC3', many(36)), 'CUBICSPLINE'],
    [3, 'weights', accessor('SCALAR', many(24)), 'CUBICSPLINE'],
  ];
  const instancing = {
    TRANSLATION: accessor('VEC3', many(9)),
    ROTATION: accessor(
      'VEC4',
      [0, 1, 2].flatMap((angle) => turn(angle, 0.3)),
    ),
    SCALE: accessor('VEC3', many(9)),
  };
  let offset = 0;
  const views = parts.map(({ values }) => {
    const view = { buffer: 0, byteOffset: offset, byteLength: values.byteLength };
    offset += (values.byteLength + 3) & ~3;
    return view;
  });
  return glbOf(
    {
      asset: { version: '2.0' },
      extensionsUsed: ['EXT_mesh_gpu_instancing', 'KHR_mesh_quantization'],
      extensionsRequired: ['KHR_mesh_quantization'],
      scene: 0,
      scenes: [{ nodes: [0] }],
      buffers: [{ byteLength: offset }],
      bufferViews: views,
      accessors: parts.map(({ type, values, more }, bufferView) => ({
        bufferView,
        componentType: BYTES.get(values.constructor),
        type,
        count: values.length / WIDTHS[type],
        ...more,
      })),
      nodes: [
        { name: 'armature', scale: [0.5, 0.5, 2], children: [1, 3, 4] },
        { name: 'hip', translation: [0, 1, 0], children: [2, 6] },
        { name: 'arm', translation: [0.5, 0, 0], children: [5] },
        { name: 'face', mesh: 0, skin: 0, weights: [-0.2, 0.1] },
        { name: 'coat', mesh: 1, skin: 1 },
        { name: 'hand', translation: [0.1, 0.2, 0], rotation: turn(1, 0.8), scale: [2, 1, 1], children: [7] },
        { name: 'tail' },
        { name: 'sword', translation: [0, 0.3, 0], mesh: 2, extensions: { EXT_mesh_gpu_instancing: { attributes: instancing } } },
      ],
      meshes,
      skins,
      animations: [
        {
          name: 'move',
          samplers: channels.map(([, , output, interpolation]) => ({ input: times, output, interpolation })),
          channels: channels.map(([node, path], sampler) => ({ sampler, target: { node, path } })),
        },
      ],
    },
    Buffer.concat(parts.flatMap(({ values }) => [Buffer.from(values.buffer), Buffer.alloc(-values.byteLength & 3)])),
  );
}
