// Files that quatsimd decompress made play in three.js as the originals do: the world matrix of every
// joint at many times, of animations of recorded files and of wheels that turn by half turns.
// Usage: node three.mjs QUATSIMD_COMMAND NODE_MODULES_DIR. QUATSIMD_DATA names the folder of recorded files; without it
// the exit status is 77, unless something is wrong.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { glbOf, readGlb, withoutMeshes } from './support/glb.mjs';

if (process.argv.length !== 4) {
  console.error('Usage: node three.mjs QUATSIMD_COMMAND NODE_MODULES_DIR');
  process.exit(2);
}
const [command, modules] = process.argv.slice(2).map((path) => resolve(path));
const load = (path) => import(pathToFileURL(join(modules, 'three', path)));
const { AnimationMixer, LoopOnce, REVISION } = await load('build/three.module.js');
const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');

const FILES = ['kaykit/Knight.glb', 'khronos/Fox.glb', 'raylib/robot.glb', 'mesh2motion/horse-animations.glb'];
const ANIMATIONS = 6; // of a file, at most
const TIMES = 30; // of an animation
const ROTATION = (0.05 * Math.PI) / 180,
  TRANSLATION = 0.001,
  SCALE = 0.001;
// Slerp between keys that are up to 120 degrees apart and off by so much: its middle is off by this times as much.
const SPREAD = 1 / Math.cos(Math.PI / 6);
const FLOATS = 1e-6; // rounding: radians, and of lengths the part

// ---- files

// Nodes that turn about z as the keys say, degrees at so many seconds, one on the other.
function wheels() {
  const turns = [
    [0, 180, 360, 540, 720],
    [0, -180, -360, -540, -720],
    [0, 179.98, 0, -179.97, 0],
    [10, 190, 10, 190, 10],
  ];
  const times = Float32Array.of(0, 0.5, 1, 1.75, 2);
  const values = turns.map((keys) =>
    Float32Array.from(keys.flatMap((d) => [0, 0, Math.sin((d * Math.PI) / 360), Math.cos((d * Math.PI) / 360)])),
  );
  const arrays = [times, ...values].map((array) => Buffer.from(array.buffer));
  const starts = arrays.map((_, i) => arrays.slice(0, i).reduce((sum, array) => sum + array.length, 0));
  const binary = Buffer.concat(arrays);
  return glbOf(
    {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: turns.map((_, i) => ({ name: `wheel${i}`, translation: [1, 0, 0], ...(i + 1 < turns.length && { children: [i + 1] }) })),
      buffers: [{ byteLength: binary.length }],
      bufferViews: arrays.map((array, i) => ({ buffer: 0, byteOffset: starts[i], byteLength: array.length })),
      accessors: arrays.map((_, i) => ({
        bufferView: i,
        componentType: 5126,
        count: 5,
        type: i ? 'VEC4' : 'SCALAR',
        ...(!i && { min: [0], max: [2] }),
      })),
      animations: [
        {
          name: 'turn',
          samplers: turns.map((_, i) => ({ input: 0, output: i + 1 })),
          channels: turns.map((_, i) => ({ sampler: i, target: { node: i, path: 'rotation' } })),
        },
      ],
    },
    binary,
  );
}

// ---- playing

async function play(file, number) {
  const bytes = glbOf(...Object.values(withoutMeshes(file)));
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
  const nodes = await Promise.all(file.tree.nodes.map((_, i) => gltf.parser.getDependency('node', i)));
  const mixer = new AnimationMixer(gltf.scene),
    clip = gltf.animations[number],
    action = mixer.clipAction(clip);
  action.setLoop(LoopOnce), (action.clampWhenFinished = true);
  return {
    nodes,
    duration: clip.duration,
    at(time) {
      action.reset().play();
      mixer.setTime(time);
      gltf.scene.updateMatrixWorld(true);
      return nodes.map((node) => Float64Array.from(node.matrixWorld.elements));
    },
  };
}

// ---- how far off a point may be that is fixed to a node: bounds of the curves of all nodes above it

const far = (v) => Math.hypot(...v);

// a point, in the space of a node's parent
function up(node, [x, y, z]) {
  const e = node.matrix.elements;
  return [0, 1, 2].map((i) => e[i] * x + e[4 + i] * y + e[8 + i] * z + e[12 + i]);
}

function allowed(node, point, moves) {
  let off = 0;
  for (let at = node; at; at = at.parent) {
    const moved = moves.get(at) ?? {},
      size = Math.max(...at.scale.toArray().map(Math.abs));
    const scale = moved.scale ? SCALE + FLOATS * size : 0,
      angle = moved.rotation ? ROTATION * SPREAD + FLOATS : 0;
    const radius = far(point),
      next = up(at, point);
    off =
      (size + scale) * off +
      scale * radius +
      2 * Math.sin(angle / 2) * size * radius +
      (moved.translation ? TRANSLATION : 0) +
      FLOATS * (far(next) + size * radius);
    point = next;
  }
  return off;
}

const POINTS = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]; // the last three: where a matrix's columns go
const place = (m, [x, y, z]) => [0, 1, 2].map((i) => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i]);

// The worst part of what is allowed, and where, of the nodes with names that no other has.
async function compare(before, after, number, other = number) {
  const [was, is] = [await play(before, number), await play(after, other)];
  const [own, names] = [before, after].map(({ tree }) => tree.nodes.map(({ name }) => name));
  const partner = own.map((name) => (own.indexOf(name) === own.lastIndexOf(name) ? names.indexOf(name) : -1));
  if (!partner.some((n) => n >= 0)) throw new Error('no node of one is in the other');
  const moves = new Map();
  for (const { target } of before.tree.animations[number].channels) {
    if (target.node === undefined) continue;
    const node = was.nodes[target.node];
    moves.set(node, { ...moves.get(node), [target.path]: true });
  }
  let worst = { part: 0 };
  for (let i = 0; i < TIMES; i++) {
    const time = (was.duration * (i + 0.317 * (i % 3))) / TIMES; // every third one may be a key's
    const matrices = [was.at(time), is.at(time)];
    was.nodes.forEach((node, n) => {
      if (partner[n] < 0) return;
      for (const point of POINTS) {
        const [p, q] = matrices.map((of, i) => place(of[i ? partner[n] : n], point));
        const off = far(p.map((x, axis) => x - q[axis])),
          most = allowed(node, point, moves);
        if (!(off >= 0 && most >= 0)) throw new Error(`${node.name} at ${time} s: ${p} and ${q}, within ${most}`);
        const part = off === 0 ? 0 : off / most;
        if (part >= worst.part) worst = { part, off, most, time, node: node.name };
      }
    });
  }
  return { ...worst, duration: was.duration, nodes: was.nodes.length };
}

// ---- what is compared

const directory = mkdtempSync(join(tmpdir(), 'quatsimd-three-'));
const run = (...options) => execFileSync(command, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
let wrong = 0,
  compared = 0;

function report(title, worst) {
  compared++;
  const good = worst.part <= 1;
  if (!good) wrong++;
  console.log(
    `${good ? 'ok' : 'WRONG'}: ${title}: ${(100 * worst.part).toFixed(1)} % of what is allowed, ${worst.off} of ${worst.most} at ${worst.node}, ${worst.time} s`,
  );
}

function decompress(path) {
  const out = join(directory, 'clips.qsb');
  const { animations } = JSON.parse(run('compress', '--json', '-r', '0.05', '-t', TRANSLATION, '-s', SCALE, '-o', out, path));
  const chosen = animations.filter((_, i) => i % Math.ceil(animations.length / ANIMATIONS) === 0);
  return chosen.map(({ animation, number, clip }) => {
    const made = join(directory, 'made.glb');
    run('decompress', out, clip, '-o', made);
    return { title: `${basename(path)}, ${animation}`, number, file: readGlb(made) };
  });
}

async function check(path) {
  const before = readGlb(path);
  let made = [];
  try {
    made = decompress(path);
    if (made.length === 0) throw new Error('no animations');
  } catch (error) {
    console.log(`WRONG: ${basename(path)}: ${error.stderr || error.message}`);
    wrong++;
  }
  for (const { title, number, file } of made) report(title, await compare(before, file, number, 0));
}

// Is a channel found that goes backward, and a node that stands a little beside its place?
async function checkFaults(path) {
  const before = readGlb(path);
  const { samplers, channels } = before.tree.animations[0];
  const { output } = samplers[channels.find(({ target }) => target.path === 'rotation').sampler];
  const { bufferView, byteOffset = 0, count } = before.tree.accessors[output];
  const start = (before.tree.bufferViews[bufferView].byteOffset ?? 0) + byteOffset,
    binary = Buffer.from(before.binary);
  for (let k = 0; k < count; k++) before.binary.copy(binary, start + 16 * k, start + 16 * (count - 1 - k), start + 16 * (count - k));
  const backward = { tree: before.tree, binary },
    beside = structuredClone(before.tree);
  const still = beside.nodes.findIndex(
    (node, i) => node.translation && !channels.some(({ target }) => target.node === i && target.path === 'translation'),
  );
  beside.nodes[still].translation[1] += 0.02;
  for (const [title, file] of [
    ['backward', backward],
    ['beside', { tree: beside, binary: before.binary }],
  ]) {
    const worst = await compare(before, file, 0);
    if (worst.part > 1) continue;
    console.log(`WRONG: ${basename(path)}: a fault is not found: ${title}`);
    wrong++;
  }
  if ((await compare(before, before, 0)).part !== 0) throw new Error('a file is not like itself');
}

const started = Date.now(),
  wheel = join(directory, 'wheel.glb');
writeFileSync(wheel, wheels());
await checkFaults(wheel);
await check(wheel);
const missing = FILES.filter((name) => !existsSync(join(process.env.QUATSIMD_DATA ?? '', name)) || !process.env.QUATSIMD_DATA);
for (const name of FILES.filter((name) => !missing.includes(name))) await check(join(process.env.QUATSIMD_DATA, name));
rmSync(directory, { recursive: true });
console.log(`three.js r${REVISION}: ${compared} animations compared, ${wrong} wrong, ${((Date.now() - started) / 1000).toFixed(1)} s`);
if (missing.length) console.log(`SKIP: no ${missing.join(', ')}: QUATSIMD_DATA is '${process.env.QUATSIMD_DATA ?? ''}'`);
process.exit(wrong ? 1 : missing.length ? 77 : 0);
