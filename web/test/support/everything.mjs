import { glbOf } from '../../../tests/tools/support/glb.mjs';

/** times: those of all keys, four. A GLB with nodes that have no name or one name, all interpolations, morph targets of two primitives, and names of targets twice. */
export function everything(times = [0, 0.5, 1, 2]) {
  const parts = [];
  const accessor = (type, values, more = {}) => parts.push({ type, values: Float32Array.from(values), more }) - 1;
  const time = accessor('SCALAR', times, { min: [times[0]], max: [times[3]] });
  const turn = (angle) => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
  const slerp = accessor(
    'VEC4',
    times.flatMap((t) => turn(2 * t)),
  );
  const cubic = accessor(
    'VEC4',
    times.flatMap((t) => [0, 0.3, 0, 0, ...turn(t), 0, -0.2, 0, 0.1]),
  );
  const walk = accessor(
      'VEC3',
      times.flatMap((t) => [t, Math.sin(t), 0]),
    ),
    spline = accessor(
      'VEC3',
      times.flatMap((t) => [1, 0, 0, t, t * t, 0, 0, 2, 0]),
    );
  const smile = accessor(
      'SCALAR',
      times.flatMap((t) => [t / 2, 1 - t / 2]),
    ),
    frown = accessor(
      'SCALAR',
      times.flatMap((t) => [0.1, 0.2, t / 3, 1 - t / 3, -0.1, 0.3]),
    );
  const corner = accessor('VEC3', [0, 0, 0, 1, 0, 0, 0, 1, 0], { min: [0, 0, 0], max: [1, 1, 0] }),
    shift = accessor('VEC3', [0, 0, 1, 0, 0, 1, 0, 0, 1], { min: [0, 0, 1], max: [0, 0, 1] });
  const primitive = { attributes: { POSITION: corner }, targets: [{ POSITION: shift }, { POSITION: shift }] };
  const channels = [
    [1, 'rotation', slerp, 'LINEAR'],
    [1, 'translation', walk, 'STEP'],
    [2, 'rotation', cubic, 'CUBICSPLINE'],
    [2, 'translation', spline, 'CUBICSPLINE'],
    [3, 'scale', walk, 'LINEAR'],
    [4, 'weights', smile, 'LINEAR'],
    [5, 'weights', frown, 'CUBICSPLINE'],
    [6, 'translation', walk, 'LINEAR'],
  ];
  const animation = {
    name: 'a',
    samplers: channels.map(([, , output, interpolation]) => ({ input: time, output, interpolation })),
    channels: channels.map(([node, path], sampler) => ({ sampler, target: { node, path } })),
  };
  let offset = 0;
  const bufferViews = parts.map(({ values }) => ({
    buffer: 0,
    byteOffset: (offset += values.byteLength) - values.byteLength,
    byteLength: values.byteLength,
  }));
  const sizes = { SCALAR: 1, VEC3: 3, VEC4: 4 };
  return glbOf(
    {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      buffers: [{ byteLength: offset }],
      bufferViews,
      accessors: parts.map(({ type, values, more }, bufferView) => ({
        bufferView,
        componentType: 5126,
        type,
        count: values.length / sizes[type],
        ...more,
      })),
      nodes: [
        { children: [1, 6] },
        { children: [2, 3] },
        { name: 'arm', children: [4] },
        { name: 'arm', children: [5] },
        { name: 'face', mesh: 0 },
        { mesh: 1 },
        {},
      ],
      meshes: [{ primitives: [primitive, primitive], extras: { targetNames: ['smile', 'smile'] } }, { primitives: [primitive] }],
      animations: [animation, { ...animation, channels: animation.channels.slice(0, 1) }],
    },
    Buffer.concat(parts.map(({ values }) => Buffer.from(values.buffer))),
  );
}
