// FBX files are read as three's FBXLoader reads them, and files that quatsimd compress and decompress made of them play
// in GLTFLoader so: positions and rotations of the joints in the world, of every FBX file of Debian's assimp-testmodels
// that is animated, and of the figures of support/fbx_figures.py.
// Usage: node fbx.mjs QUATSIMD_COMMAND PRINT_SCENE NODE_MODULES_DIR PYTHON. Without assimp-testmodels the exit status is 77,
// unless something is wrong.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readGlb, glbOf, withoutMeshes } from './support/glb.mjs';

if (process.argv.length !== 6) {
  console.error('Usage: node fbx.mjs QUATSIMD_COMMAND PRINT_SCENE NODE_MODULES_DIR PYTHON');
  process.exit(2);
}
// All that FBXLoader and GLTFLoader want of a browser: images, which nothing here draws.
globalThis.window ??= { innerWidth: 1, innerHeight: 1, URL };
globalThis.self ??= globalThis;
globalThis.document ??= { createElementNS: () => ({ addEventListener() {}, removeEventListener() {}, style: {} }) };

const [command, printScene, modules] = process.argv.slice(2, 5).map((path) => resolve(path));
const load = (path) => import(pathToFileURL(join(modules, 'three', path)));
const {
  AnimationClip,
  AnimationMixer,
  Interpolant,
  InterpolateDiscrete,
  LoopOnce,
  Matrix4,
  Object3D,
  PropertyBinding,
  QuaternionKeyframeTrack,
  REVISION,
  Vector3,
  VectorKeyframeTrack,
} = await load('build/three.module.js');
const { FBXLoader } = await load('examples/jsm/loaders/FBXLoader.js');
const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');

const MODELS = '/usr/share/assimp/models';
const DEGREES = 0.1,
  HEIGHT = 1e-3; // the latter: a part of the figure's height

// Where FBXLoader r170 is wrong. For each of these files, tests/tools/test_fbx.py evaluates FBX's formula on the file's own
// numbers and finds that quatsimd is right; here they must differ, or they would not need to be listed.
const PIVOTS = 'it leaves pivots and offsets out of keys';
const PAIRS = 'it pairs the keys of x, y and z by their number, and here they have different times';
const AXES = 'it drops rotations that have no curve for one of the axes';
const LISTED = {
  'animation_with_skeleton.fbx': PAIRS,
  'arcs.fbx': PIVOTS,
  'huesitos.fbx': PAIRS,
  'mirrored.fbx': `it mirrors another axis than the file does, and turns it as the file does; ${PIVOTS}`,
  'partly.fbx': `${AXES}; ${PIVOTS}`,
  'pivoted.fbx': PIVOTS,
  'scaled.fbx': PIVOTS,
  'wide.fbx': AXES,
  'without_parents_scale.fbx': `it hands down the scales of keys; ${PIVOTS}`,
};

// ---- playing

// A root, its animations, and the objects that are named.
function player(root, animations, named) {
  const mixer = new AnimationMixer(root);
  return {
    animations,
    named,
    at(number, time) {
      mixer.stopAllAction();
      if (number !== null) {
        const action = mixer.clipAction(animations[Math.min(number, animations.length - 1)]); // a made file has one
        action.setLoop(LoopOnce), (action.clampWhenFinished = true);
        action.reset().play();
        mixer.setTime(time);
      }
      root.updateMatrixWorld(true);
      return new Map([...named].map(([name, object]) => [name, object.matrixWorld.clone()]));
    },
  };
}

function playFbx(path) {
  const content = readFileSync(path);
  const warn = console.warn;
  console.warn = () => {};
  const root = new FBXLoader().parse(content.buffer.slice(content.byteOffset, content.byteOffset + content.length), '');
  console.warn = warn;
  const named = new Map();
  root.traverse((object) => named.has(object.name) || named.set(object.name, object));
  return player(root, root.animations, named);
}

const TRACKS = {
  rotation: ['quaternion', QuaternionKeyframeTrack],
  translation: ['position', VectorKeyframeTrack],
  scale: ['scale', VectorKeyframeTrack],
};

// glTF's splines, in-tangent, value and out-tangent for each key, for three.js, whose own are not exported.
class Spline extends Interpolant {
  constructor(times, values, result) {
    super(times, values, values.length / times.length / 3, result);
  }

  copySampleValue_(key) {
    const n = this.valueSize;
    for (let c = 0; c < n; c++) this.resultBuffer[c] = this.sampleValues[(3 * key + 1) * n + c];
    return this.resultBuffer;
  }

  interpolate_(after, before, time, end) {
    const n = this.valueSize,
      at = (key, part, c) => this.sampleValues[(3 * key + part) * n + c],
      seconds = end - before,
      u = (time - before) / seconds;
    for (let c = 0; c < n; c++)
      this.resultBuffer[c] =
        (2 * u ** 3 - 3 * u ** 2 + 1) * at(after - 1, 1, c) +
        seconds * (u ** 3 - 2 * u ** 2 + u) * at(after - 1, 2, c) +
        (3 * u ** 2 - 2 * u ** 3) * at(after, 1, c) +
        seconds * (u ** 3 - u ** 2) * at(after, 0, c);
    const length = n === 4 ? Math.hypot(...this.resultBuffer.slice(0, n)) : 1; // it may be longer
    for (let c = 0; c < n; c++) this.resultBuffer[c] /= length;
    return this.resultBuffer;
  }
}

function trackOf(Track, name, { times, values, hold, cubic }) {
  const track = new Track(name, times, values, hold ? InterpolateDiscrete : undefined);
  if (cubic) track.createInterpolant = (result) => new Spline(times, values, result);
  return track;
}

function playScene(scene) {
  const root = new Object3D(),
    named = new Map();
  const objects = scene.nodes.map(({ name, rotation, translation, scale }) => {
    const object = new Object3D();
    object.quaternion.fromArray(rotation), object.position.fromArray(translation), object.scale.fromArray(scale);
    named.set(PropertyBinding.sanitizeNodeName(name), object);
    return object;
  });
  scene.nodes.forEach(({ parent }, n) => (parent < 0 ? root : objects[parent]).add(objects[n]));
  const animations = scene.animations.map(
    ({ name, channels }) =>
      new AnimationClip(
        name,
        -1,
        channels.flatMap((channel) =>
          Object.entries(TRACKS)
            .filter(([kind]) => channel[kind])
            .map(([kind, [property, Track]]) => trackOf(Track, `${objects[channel.node].uuid}.${property}`, channel[kind])),
        ),
      ),
  );
  return player(root, animations, named);
}

// metres: of the unit that the file was made of, in which its places are compared.
async function playGlb(path, metres) {
  const file = readGlb(path),
    bytes = glbOf(...Object.values(withoutMeshes(file)));
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
  const nodes = await Promise.all(file.tree.nodes.map((_, i) => gltf.parser.getDependency('node', i)));
  gltf.scene.scale.setScalar(1 / (metres || 1));
  return player(
    gltf.scene,
    gltf.animations,
    new Map(nodes.map((node, i) => [PropertyBinding.sanitizeNodeName(file.tree.nodes[i].name), node])),
  );
}

// ---- comparing

const directions = (m) => {
  const turned = new Matrix4().copy(m).setPosition(0, 0, 0),
    size = new Vector3().setFromMatrixScale(m);
  return turned.scale(new Vector3(1 / size.x, 1 / size.y, 1 / size.z));
};

function degreesBetween(p, q) {
  const turn = directions(p).invert().multiply(directions(q)),
    e = turn.elements;
  const squares = e.reduce((sum, x, i) => sum + (x - (i % 5 === 0)) ** 2, 0);
  return (2 * Math.asin(Math.min(Math.sqrt(squares / 8), 1)) * 180) / Math.PI;
}

const place = (m) => new Vector3().setFromMatrixPosition(m);

function heightOf(worlds) {
  const places = [...worlds.values()].map(place),
    far = (axis) => Math.max(...places.map((p) => p[axis])) - Math.min(...places.map((p) => p[axis]));
  return Math.max(far('x'), far('y'), far('z')) || 1;
}

// How far apart two players are at some times.
function compare(one, other, number, times, joints, height) {
  const worst = { degrees: 0, distance: 0, joint: '' };
  for (const time of times) {
    const [a, b] = [one.at(number, time), other.at(number, time)];
    for (const joint of joints) {
      const degrees = degreesBetween(a.get(joint), b.get(joint)),
        distance = place(a.get(joint)).distanceTo(place(b.get(joint))) / height;
      if (!(degrees <= worst.degrees)) (worst.degrees = degrees), (worst.joint = `${joint} at ${time} s`);
      if (!(distance <= worst.distance)) worst.distance = distance;
    }
  }
  return worst;
}

const isGood = ({ degrees, distance }) => degrees <= DEGREES && distance <= HEIGHT;
const shown = ({ degrees, distance, joint }) =>
  `${degrees.toFixed(4)} degrees${joint && degrees > DEGREES ? ` (${joint})` : ''}, ${distance.toExponential(1)} of the height`;

// ---- what is compared

const directory = mkdtempSync(join(tmpdir(), 'quatsimd-fbx-'));
const run = (program, ...options) =>
  execFileSync(program, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 30 });
let wrong = 0,
  compared = 0;
const report = (good, text) => {
  if (!good) wrong++;
  console.log(`${good ? 'ok' : 'WRONG'}: ${text}`);
};

function keyTimes({ channels }) {
  const times = channels.flatMap((channel) => Object.keys(TRACKS).flatMap((kind) => channel[kind]?.times ?? []));
  return [...new Set(times)].sort((a, b) => a - b);
}

// All files that the animations of a scene were put into.
function decompressed(path) {
  const out = join(directory, 'clips.qsb');
  const { animations } = JSON.parse(run(command, 'compress', '--json', '-r', '0.001', '-t', '1e-4', '-s', '1e-5', '-o', out, path));
  return animations.map(({ number, clip }) => {
    const made = join(directory, `made-${number}.glb`);
    run(command, 'decompress', out, clip, '-o', made);
    return made;
  });
}

// The times of keys that both have: those of the file. Between them, FBXLoader goes another way round where turns are wide,
// and the command adds keys on the arcs about pivots.
function commonTimes(animation, clip) {
  const times = clip.tracks.flatMap((track) => [...track.times]).sort((a, b) => a - b);
  return keyTimes(animation).filter((time) => {
    let from = 0,
      to = times.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (times[middle] < time - 1e-5) from = middle + 1;
      else to = middle;
    }
    return times[from] < time + 1e-5;
  });
}

// even: the same file with keys of three axes at the same times, perhaps.
async function check(path, even) {
  const name = basename(path),
    scene = JSON.parse(run(printScene, path));
  const fbx = playFbx(path),
    own = playScene(scene),
    made = decompressed(path),
    evened = even && playFbx(even);
  const joints = scene.joints
    .map(({ node }) => PropertyBinding.sanitizeNodeName(scene.nodes[node].name))
    .filter((joint) => joint !== 'RootNode');
  const missing = joints.filter((joint) => !fbx.named.has(joint));
  if (missing.length) return report(false, `${name}: FBXLoader has no ${missing.join(', ')}`);
  if (fbx.animations.length !== scene.animations.length)
    return report(false, `${name}: FBXLoader has ${fbx.animations.length} animations, not ${scene.animations.length}`);
  const height = heightOf(own.at(null));
  for (const [number, animation] of scene.animations.entries()) {
    const other = await playGlb(made[number], scene.metres),
      keys = keyTimes(animation);
    const differ = (one, two, times) => compare(one, two, number, times, joints, height);
    compared++;
    console.log(`${name}, ${animation.name}: ${joints.length} joints, height ${height.toFixed(1)}`);
    if (LISTED[name]) {
      const off = differ(own, fbx, commonTimes(animation, fbx.animations[number]));
      report(!isGood(off), `  FBXLoader is wrong: ${LISTED[name]}: ${shown(off)}`);
    }
    for (const [loader, what] of [
      [LISTED[name] ? null : fbx, 'FBXLoader'],
      [evened, 'FBXLoader, if all axes have keys at the same times'],
    ])
      for (const [one, title] of loader
        ? [
            [own, 'read'],
            [other, '.glb in GLTFLoader'],
          ]
        : []) {
        const times = commonTimes(animation, loader.animations[number]),
          off = differ(one, loader, times);
        report(isGood(off) && times.length > 1, `  ${title} and ${what}: at ${times.length} times ${shown(off)}`);
      }
    const played = differ(other, own, keys);
    report(isGood(played), `  .glb in GLTFLoader and read: at ${keys.length} times ${shown(played)}`);
  }
}

const files = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.fbx$/i.test(name))
    .sort()
    .map((name) => join(folder, name));

// Why a file is not compared: one of the two does not read it, or both find nothing that moves.
function reasonNotTo(path) {
  let tracks = 0;
  try {
    tracks = playFbx(path).animations.reduce((sum, clip) => sum + clip.tracks.length, 0);
  } catch (error) {
    return `FBXLoader: ${error.message}`;
  }
  try {
    run(printScene, path);
  } catch (error) {
    if (tracks) report(false, `${basename(path)}: FBXLoader finds ${tracks} tracks`);
    return error.stderr.trim().replace(`quatsimd: ${path}: `, '');
  }
  return null;
}

const started = Date.now(),
  figures = join(directory, 'figures'),
  evened = join(directory, 'even');
const write = (folder, ...from) =>
  execFileSync(resolve(process.argv[5]), ['-m', 'support.fbx_figures', folder, ...from], { cwd: dirname(fileURLToPath(import.meta.url)) });
const found = existsSync(MODELS) ? files(MODELS) : [];
mkdirSync(figures), mkdirSync(evened);
write(figures);
write(evened, ...found.filter((path) => LISTED[basename(path)] === PAIRS));
for (const path of [...files(figures), ...found]) {
  const reason = reasonNotTo(path),
    even = join(evened, basename(path));
  if (reason) console.log(`not compared: ${basename(path)}: ${reason}`);
  else await check(path, LISTED[basename(path)] === PAIRS && even);
}
rmSync(directory, { recursive: true });
console.log(`three.js r${REVISION}: ${compared} animations compared, ${wrong} wrong, ${((Date.now() - started) / 1000).toFixed(1)} s`);
if (!found.length) console.log(`SKIP: no FBX files in ${MODELS}: assimp-testmodels is not installed`);
process.exit(wrong ? 1 : found.length ? 0 : 77);
