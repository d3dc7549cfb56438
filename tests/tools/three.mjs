// Files that quatsimd decompress made play in three.js as the originals do: points around every joint at many times, of
// animations of recorded files.
// Usage: node three.mjs QUATSIMD_COMMAND NODE_MODULES_DIR. QUATSIMD_DATA names the folder of recorded files; without it
// the exit status is 77, unless something is wrong.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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

const FILES = { 'khronos/Fox.glb': 100, 'kaykit/Knight.glb': 1, 'raylib/robot.glb': 1, 'mesh2motion/horse-animations.glb': 1 }; // units of a metre
const ANIMATIONS = 6; // of a file, at most
const TIMES = 30; // of an animation
const BOUND = 0.001,
  DISTANCE = 0.1; // metres: of points at a distance from a joint
const SLERP = 1.1; // three.js interpolates keys that are up to 120 degrees apart, and the clip its own

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

const POINTS = [
  [0, 0, 0],
  [DISTANCE, 0, 0],
  [0, DISTANCE, 0],
  [0, 0, DISTANCE],
];
// Points are in a joint's own space, and their distance is that before the scales above it.
const place = (m, unit, [x, y, z]) => [0, 1, 2].map((i) => unit * (m[i] * x + m[4 + i] * y + m[8 + i] * z) + m[12 + i]);

// How far points are off at most, in metres, and where, of the nodes with names that no other has.
async function compare(before, after, unit, number, other = number) {
  const [was, is] = [await play(before, number), await play(after, other)];
  const [own, names] = [before, after].map(({ tree }) => tree.nodes.map(({ name }) => name));
  const partner = own.map((name) => (own.indexOf(name) === own.lastIndexOf(name) ? names.indexOf(name) : -1));
  if (!partner.some((n) => n >= 0)) throw new Error('no node of one is in the other');
  let worst = { off: 0 };
  for (let i = 0; i < TIMES; i++) {
    const time = (was.duration * (i + 0.317 * (i % 3))) / TIMES; // every third one may be a key's
    const [here, there] = [was.at(time), is.at(time)];
    for (const [n, node] of was.nodes.entries()) {
      for (const point of partner[n] < 0 ? [] : POINTS) {
        const [p, q] = [place(here[n], unit, point), place(there[partner[n]], unit, point)];
        const off = Math.hypot(...p.map((x, axis) => x - q[axis])) / unit;
        if (!(off >= 0)) throw new Error(`${node.name} at ${time} s: ${p} and ${q}`);
        if (off > worst.off) worst = { off, time, node: node.name };
      }
    }
  }
  return worst;
}

// ---- what is compared

const directory = mkdtempSync(join(tmpdir(), 'quatsimd-three-'));
const run = (...options) => execFileSync(command, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
let wrong = 0,
  compared = 0;

async function check(path, unit) {
  const before = readGlb(path),
    out = join(directory, 'clips.qsb'),
    made = join(directory, 'made.glb');
  const { animations } = JSON.parse(run('compress', '--json', '--object', `${BOUND * unit}@${DISTANCE * unit}`, '-o', out, path));
  if (animations.length === 0) throw new Error(`${path}: no animations`);
  for (const { number, clip } of animations.filter((_, i) => i % Math.ceil(animations.length / ANIMATIONS) === 0)) {
    run('decompress', out, clip, '-o', made);
    const worst = await compare(before, readGlb(made), unit, number, 0);
    const good = worst.off <= SLERP * BOUND;
    compared++;
    if (!good) wrong++;
    console.log(`${good ? 'ok' : 'WRONG'}: ${basename(path)}, ${clip}: ${worst.off} m of ${BOUND} at ${worst.node}, ${worst.time} s`);
  }
}

// Is a channel found that goes backward, and a node that stands a little beside its place?
async function checkFaults(path, unit) {
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
  beside.nodes[still].translation[1] += 2 * BOUND * unit;
  for (const [title, file] of [
    ['backward', backward],
    ['beside', { tree: beside, binary: before.binary }],
  ]) {
    if ((await compare(before, file, unit, 0)).off > SLERP * BOUND) continue;
    console.log(`WRONG: ${basename(path)}: a fault is not found: ${title}`);
    wrong++;
  }
  if ((await compare(before, before, unit, 0)).off !== 0) throw new Error('a file is not like itself');
}

const started = Date.now();
const found = Object.keys(FILES).filter((name) => process.env.QUATSIMD_DATA && existsSync(join(process.env.QUATSIMD_DATA, name)));
for (const name of found) {
  const path = join(process.env.QUATSIMD_DATA, name);
  if (name === 'khronos/Fox.glb') await checkFaults(path, FILES[name]);
  await check(path, FILES[name]);
}
rmSync(directory, { recursive: true });
console.log(`three.js r${REVISION}: ${compared} animations compared, ${wrong} wrong, ${((Date.now() - started) / 1000).toFixed(1)} s`);
const missing = Object.keys(FILES).filter((name) => !found.includes(name));
if (missing.length) console.log(`SKIP: no ${missing.join(', ')}: QUATSIMD_DATA is '${process.env.QUATSIMD_DATA ?? ''}'`);
process.exit(wrong ? 1 : missing.length ? 77 : 0);
