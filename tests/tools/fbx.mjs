// FBX files in three.js' FBXLoader, which shares no code with ufbx, beside what `quatsimd compress` and `decompress` make of them in
// GLTFLoader: each joint's rotation in its parent's space and its place in the world, at 30 times of each animation. It prints a table.
// Usage: node fbx.mjs QUATSIMD NODE_MODULES; the folder of QUATSIMD_DATA and Debian's assimp-testmodels have the files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { glbOf, readGlb, withoutMeshes } from './support/glb.mjs';

const { QUATSIMD_DATA: data } = process.env,
  models = '/usr/share/assimp/models/FBX';
for (const [name, path] of Object.entries({ QUATSIMD_DATA: data, 'assimp-testmodels': models }))
  if (!path || !existsSync(path)) {
    console.log(`SKIP: no ${name}`);
    process.exit(77);
  }
// FBXLoader wants a browser for images, which nothing here draws.
globalThis.window = { innerWidth: 1, innerHeight: 1, URL };
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {}, style: {} }) };
console.warn = () => {};

const [command, modules] = process.argv.slice(2).map((path) => resolve(path)),
  urlOf = (path) => pathToFileURL(join(modules, 'three', path)),
  load = (path) => import(urlOf(path));
const { AnimationMixer, LoopOnce, PropertyBinding, REVISION, Vector3 } = await load('build/three.module.js');
const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');
const work = mkdtempSync(join(tmpdir(), 'quatsimd-fbx-'));
process.on('exit', () => rmSync(work, { recursive: true }));

const TIMES = 30, // of an animation
  DEGREES = 0.02,
  HEIGHT = 2e-4; // a part of the distance of the farthest joint from the origin
// FBXLoader plays each of these files wrong, for the reasons LISTED. The proof: given keys of x, y and z at the same times, of the same
// curves and close to each other (`even`), it agrees with the command.
const LISTED =
  'of a rotation it pairs the keys of x, y and z by their number, and takes the times of x; of places and scales it holds an axis ' +
  'that has no key; and it turns from key to key by the shortest way';
const FILES = [
  ...['Eagle', 'KnightCharacter', 'Manta ray', 'P90', 'Sheep', 'Snake', 'Tank2', 'Triceratops'].map((name) => join(data, 'fbx', name)),
  ...['animation_with_skeleton', 'huesitos'].map((name) => join(models, name)),
].map((path) => `${path}.fbx`);

// ---- two loaders: FBXLoader, and the same with other keys of the same curves

const { FBXLoader } = await load('examples/jsm/loaders/FBXLoader.js');

function valueAt({ times, values }, time) {
  const next = times.findIndex((t) => t >= time);
  if (next <= 0) return values.at(next); // -1, behind all keys: the last one
  return values[next - 1] + ((values[next] - values[next - 1]) * (time - times[next - 1])) / (times[next] - times[next - 1]);
}

const PIECES = 32; // between two keys
globalThis.even = (nodes) => {
  for (const { curves } of nodes.values()) {
    const keys = [...new Set(Object.values(curves).flatMap(({ times }) => times))].sort((a, b) => a - b);
    const times = keys.flatMap((key, k) =>
      Array.from({ length: k + 1 < keys.length ? PIECES : 1 }, (_, i) => (i ? key + (i / PIECES) * (keys[k + 1] - key) : key)),
    );
    for (const curve of Object.values(curves)) Object.assign(curve, { times, values: times.map((time) => valueAt(curve, time)) });
  }
};
const source = readFileSync(urlOf('examples/jsm/loaders/FBXLoader.js'), 'utf8'),
  parse = 'this.parseAnimationCurves( curveNodesMap );';
assert.ok(source.includes(parse));
const mended = join(work, 'loader.mjs');
writeFileSync(
  mended,
  source
    .replace(parse, `${parse} even( curveNodesMap );`)
    .replaceAll("from '../", `from '${urlOf('examples/jsm')}/`)
    .replaceAll("from 'three'", `from '${urlOf('build/three.module.js')}'`),
);
const { FBXLoader: EvenLoader } = await import(pathToFileURL(mended));

// ---- playing and comparing

const bytesOf = (content) => content.buffer.slice(content.byteOffset, content.byteOffset + content.length);

async function made(path) {
  const bundle = join(work, 'clips.qsb'),
    out = join(work, 'made.glb');
  execFileSync(command, ['compress', '-r', '0.001', '-t', '1e-4', '-s', '1e-5', '-o', bundle, path], { stdio: 'ignore' });
  execFileSync(command, ['decompress', bundle, '-o', out], { stdio: 'ignore' });
  const file = readGlb(out),
    { scene, animations, parser } = await new GLTFLoader().parseAsync(bytesOf(glbOf(...Object.values(withoutMeshes(file)))), '');
  const nodes = await Promise.all(file.tree.nodes.map((_, i) => parser.getDependency('node', i)));
  return { scene, animations, nodes, names: file.tree.nodes.map(({ name }) => PropertyBinding.sanitizeNodeName(name)) };
}

const named = (animations, name) => animations.find((animation) => animation.name === name);

function player(root, animations, name, nodes) {
  const mixer = new AnimationMixer(root),
    clip = named(animations, name),
    action = mixer.clipAction(clip);
  action.setLoop(LoopOnce), (action.clampWhenFinished = true);
  return (time) => {
    action.reset().play();
    mixer.setTime(time);
    root.updateMatrixWorld(true);
    return nodes.map((node) => [node.quaternion.toArray(), new Vector3().setFromMatrixPosition(node.matrixWorld)]);
  };
}

const degreesBetween = (p, q) =>
  (720 / Math.PI) * Math.asin(Math.min(...[1, -1].map((sign) => Math.hypot(...p.map((x, i) => x - sign * q[i])))) / 2);

function compare({ scene, animations, nodes, names }, fbx) {
  const worst = { degrees: 0, height: 0 },
    others = names.map((name) => fbx.getObjectByName(name));
  scene.scale.setScalar(100 / fbx.userData.unitScaleFactor);
  assert.deepEqual(animations.map(({ name }) => name).sort(), fbx.animations.map(({ name }) => name).sort());
  for (const { name } of animations) {
    const { duration } = named(animations, name);
    assert(Math.abs(duration - named(fbx.animations, name).duration) < 1e-3, `${name} takes another time`);
    const [own, other] = [player(scene, animations, name, nodes), player(fbx, fbx.animations, name, others)];
    const height = Math.max(...own(0).map(([, place]) => place.length()));
    for (let t = 0; t < TIMES; t++) {
      const [is, wanted] = [own, other].map((at) => at((duration * (t + 0.4142)) / TIMES));
      for (const [n, [turn, place]] of is.entries()) {
        const off = { degrees: degreesBetween(turn, wanted[n][0]), height: place.distanceTo(wanted[n][1]) / height };
        for (const kind of ['degrees', 'height']) if (!(off[kind] <= worst[kind])) worst[kind] = off[kind];
      }
    }
  }
  return { ...worst, good: worst.degrees <= DEGREES && worst.height <= HEIGHT };
}

let wrong = 0;
console.log(`three.js r${REVISION}: ${LISTED}\n| file | animations | degrees | of height | FBXLoader as it is: degrees | of height |`);
for (const path of FILES) {
  const own = await made(path),
    content = bytesOf(readFileSync(path));
  const [even, plain] = [EvenLoader, FBXLoader].map((Loader) => compare(own, new Loader().parse(content, '')));
  const faults = [!even.good && 'a difference', plain.good && 'none as FBXLoader is, though listed'].filter(Boolean);
  const numbers = [even, plain].flatMap(({ degrees, height }) => [degrees, height].map((x) => x.toPrecision(2)));
  console.log(`| ${[basename(path), own.animations.length, ...numbers].join(' | ')} |${faults.map((fault) => ` WRONG: ${fault}`)}`);
  wrong += faults.length;
}
process.exit(wrong ? 1 : 0);
