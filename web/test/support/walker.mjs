// A figure that walks, with an arm and a leg, as a GLB and a recipe: clips whose first key is not at 0, events and masks.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { glbOf } from '../../../tests/tools/support/glb.mjs';

const NODES = [
  { name: 'base', children: [1], translation: [0.5, 0, -0.25], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
  { name: 'hips', children: [2, 6] },
  { name: 'spine', children: [3], translation: [0, 0.4, 0] },
  { name: 'upper', children: [4], translation: [0.2, 0.1, 0] },
  { name: 'lower', children: [5], translation: [0.3, 0, 0.05] },
  { name: 'hand', translation: [0.25, 0, 0] },
  { name: 'thigh', children: [7], translation: [0, -0.1, 0] },
  { name: 'shin', children: [8], translation: [0, -0.4, 0.02] },
  { name: 'foot', translation: [0, -0.4, -0.02] },
  { name: 'face', mesh: 0 },
];

/** The events of the clips; those of `walk` at its ends, before its first key and twice at one time. */
export const EVENTS = {
  walk: [
    { time: 0, name: 'zero' },
    { time: 0.02, name: 'early' },
    { time: 1 / 24, name: 'first' },
    { time: 0.2, name: 'left' },
    { time: 0.2, name: 'sound' },
    { time: 0.4, name: 'right' },
    { time: 13 / 24, name: 'last' },
    { time: 0.7, name: 'never' },
  ],
  run: [{ time: 0.11, name: 'step' }],
  before: [
    { time: -0.25, name: 'never' },
    { time: 0.125, name: 'now' },
  ],
  round: [
    { time: 0, name: 'start' },
    { time: 0.125, name: 'a' },
    { time: 0.25, name: 'b' },
    { time: 0.25, name: 'c' },
    { time: 0.5, name: 'end' },
  ],
};

const turn = (axis, angle) => [0, 1, 2].map((c) => (c === axis ? Math.sin(angle / 2) : 0)).concat(Math.cos(angle / 2));
const range = (first, count, rate) => Array.from({ length: count }, (_, i) => first + i / rate);

// name: times of keys, and values of nodes at seconds since the first key
const CLIPS = {
  walk: [
    range(1 / 24, 13, 24),
    {
      1: { translation: (t) => [0.8 * t, 0.1 * Math.sin(9 * t), -0.9 - 0.3 * t], rotation: (t) => turn(2, 0.6 * t) },
      3: { rotation: (t) => turn(2, -1 + t) },
      9: { weights: (t) => [t] },
    },
  ],
  run: [range(2 / 24, 9, 24), { 1: { translation: (t) => [2 * t, 0, -1], rotation: (t) => turn(2, -0.2 * t) } }],
  before: [range(-0.5, 9, 8), { 1: { translation: (t) => [t * t, 0, -1], rotation: (t) => turn(2, t) } }],
  round: [range(0, 5, 8), { 1: { translation: (t) => [t, 0.2 * t, t * t - 1], rotation: (t) => turn(2, 0.4 * t) } }],
  wave: [
    range(0, 5, 8),
    { 2: { rotation: (t) => turn(0, 0.5 * t) }, 3: { rotation: (t) => turn(2, 1 + 2 * t) }, 9: { weights: (t) => [1 - t] } },
  ],
  breath: [range(0, 5, 8), { 2: { rotation: (t) => turn(1, 0.3 * t), translation: (t) => [0, 0.4 + 0.1 * t, 0] } }],
};

/** The bytes of the bundle, made by the command in a folder. */
export function walker(command, folder) {
  const parts = [];
  const accessor = (type, values, more = {}) => parts.push({ type, values: Float32Array.from(values), more }) - 1;
  const animations = Object.entries(CLIPS).map(([name, [times, nodes]]) => {
    const samplers = [],
      channels = [],
      input = accessor('SCALAR', times, { min: [times[0]], max: [times.at(-1)] });
    for (const [node, paths] of Object.entries(nodes))
      for (const [path, value] of Object.entries(paths)) {
        const values = times.flatMap((time) => value(time - times[0])),
          type = { rotation: 'VEC4', translation: 'VEC3', weights: 'SCALAR' }[path];
        channels.push({ sampler: samplers.push({ input, output: accessor(type, values) }) - 1, target: { node: Number(node), path } });
      }
    return { name, samplers, channels };
  });
  const corner = accessor('VEC3', [0, 0, 0, 1, 0, 0, 0, 1, 0], { min: [0, 0, 0], max: [1, 1, 0] });
  let offset = 0;
  const bufferViews = parts.map(({ values: { byteLength } }) => ({
    buffer: 0,
    byteOffset: (offset += byteLength) - byteLength,
    byteLength,
  }));
  const sizes = { SCALAR: 1, VEC3: 3, VEC4: 4 };
  const glb = glbOf(
    {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0, 9] }],
      buffers: [{ byteLength: offset }],
      bufferViews,
      accessors: parts.map(({ type, values, more }, bufferView) => ({
        bufferView,
        componentType: 5126,
        type,
        count: values.length / sizes[type],
        ...more,
      })),
      nodes: NODES,
      skins: [{ joints: NODES.map((_, node) => node).slice(0, 9) }],
      meshes: [{ primitives: [{ attributes: { POSITION: corner }, targets: [{ POSITION: corner }] }], extras: { targetNames: ['smile'] } }],
      animations,
    },
    Buffer.concat(parts.map(({ values }) => Buffer.from(values.buffer))),
  );
  const path = join(folder, 'walker.glb'),
    out = join(folder, 'walker.qsb'),
    recipe = join(folder, 'walker.json');
  writeFileSync(path, glb);
  writeFileSync(
    recipe,
    JSON.stringify({
      files: ['walker.glb'],
      bound: '0.01mm@10cm',
      track: 0.0001,
      masks: [
        { name: 'arm', joints: ['upper+'] },
        { name: 'top', joints: ['spine+', '*smile'] },
      ],
      animations: [{ match: 'breath', additive: 'first' }, ...Object.entries(EVENTS).map(([match, events]) => ({ match, events }))],
    }),
  );
  execFileSync(command, ['compress', recipe, '-o', out], { stdio: 'pipe' });
  return { glb, bundle: readFileSync(out) };
}
