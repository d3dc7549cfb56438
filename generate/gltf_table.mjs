// Prints the table of docs/gltf-extension.md: sizes of animations in GLBs by `quatsimd compress --glb` and by gltfpack, and how far each is off.
// Usage: gltf_table.mjs [--check] QUATSIMD PACKAGE NODE_MODULES
// PACKAGE: the folder of the npm package (web/build.sh). NODE_MODULES: of build/npm. The folder of QUATSIMD_DATA, or ../shared/data, has the files.
// --check: does the page have these lines?
//
// The bytes of animations are those of the file less those of the same file without any, made in the same way; gzipped both by themselves.
// An error is the largest one of the joint's origin and of points 3 cm from it along its axes, of all joints of skins, in the space of the scene, at
// one of 240 times a second, which lie between keys; of all times the worst one, and that which 99 % are not above. three.js plays all
// files. A millimetre is what compress takes it for: of the Fox, which does not say its unit, a thousandth of its height.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { glbOf, readGlb } from '../tests/tools/support/glb.mjs';

const check = process.argv[2] === '--check',
  [command, folder, modules] = process.argv.slice(check ? 3 : 2).map((path) => resolve(path));
if (!modules) {
  console.error('Usage: gltf_table.mjs [--check] QUATSIMD PACKAGE NODE_MODULES');
  process.exit(2);
}
const root = join(dirname(fileURLToPath(import.meta.url)), '..'),
  page = join(root, 'docs/gltf-extension.md');
const data = process.env.QUATSIMD_DATA || join(root, '../shared/data');
const load = (...path) => import(pathToFileURL(join(...path)));
const { AnimationMixer, LoopOnce, Vector3 } = await load(modules, 'three/build/three.module.js');
const { GLTFLoader } = await load(modules, 'three/examples/jsm/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await load(modules, 'meshoptimizer/meshopt_decoder.module.js');
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
process.on('exit', () => rmSync(work, { recursive: true }));
cpSync(folder, join(work, 'package'), { recursive: true }); // which looks for three.js beside it
symlinkSync(modules, join(work, 'package/node_modules'));
const [{ loadPlayer }, { QuatsimdMixer, QuatsimdGLTFExtension, EXTENSION }] = await Promise.all([
  load(work, 'package', 'player.js'),
  load(work, 'package', 'three.js'),
]);
const player = await loadPlayer();

const FILES = [
  ['Khronos Fox', 'khronos/Fox.glb'],
  ['Cesium Man', 'khronos/cesium_man.gltf'],
  ['KayKit Knight', 'kaykit/Knight.glb'],
  ['raylib robot', 'raylib/robot.glb'],
  ['Mesh2Motion fox', 'mesh2motion/fox-animations.glb'],
  ['Mesh2Motion horse', 'mesh2motion/horse-animations.glb'],
  ['Mesh2Motion dragon', 'mesh2motion/dragon-animations.glb'],
  ['Mesh2Motion bird', 'mesh2motion/bird-animations.glb'],
];
const PACKS = [['-c'], ['-cc'], ['-cc', '-ar', '16', '-at', '24', '-as', '24', '-af', '0']]; // the last: as near as gltfpack can be
const HERTZ = 240,
  LATER = 0.381966 / HERTZ,
  DISTANCE = 30; // seconds; mm

// ---- files

// The scene, its animations and its skins alone, for three.js without a browser.
async function open(path) {
  const { tree, binary } = readGlb(path),
    { asset, scene, scenes, animations, accessors, bufferViews, buffers, extensionsUsed = [], extensions = {} } = tree;
  const nodes = tree.nodes.map(({ mesh, skin, camera, extensions: _, ...node }) => node),
    own = extensions[EXTENSION];
  const used = extensionsUsed.filter((name) => [EXTENSION, 'EXT_meshopt_compression'].includes(name));
  const bytes = glbOf(
    {
      asset,
      scene,
      scenes,
      nodes,
      animations,
      accessors,
      bufferViews,
      buffers,
      extensionsUsed: used,
      ...(own && { extensions: { [EXTENSION]: own } }),
    },
    binary,
  );
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder).register((parser) => new QuatsimdGLTFExtension(parser, player));
  const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
  const skins = (tree.skins ?? []).map(({ joints }) => joints),
    joints = await Promise.all(skins.flat().map((node) => gltf.parser.getDependency('node', node)));
  // Where each animation is: in a clip, or at a place among the animations that stay.
  const places = [...(own?.animations ?? []), ...(animations ?? []).map(({ name }, at) => ({ name, at }))];
  return { gltf, joints, places };
}

// A .gltf with addresses of its own, as .glb.
function asGlb(path, to) {
  if (path.endsWith('.glb')) return path;
  const tree = JSON.parse(readFileSync(path, 'utf8')),
    { uri } = tree.buffers[0];
  delete tree.buffers[0].uri;
  writeFileSync(to, glbOf(tree, Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')));
  return to;
}

// Without the bundle, which is at the end.
function withoutBundle(from, to) {
  const { tree, binary } = readGlb(from),
    view = tree.bufferViews.pop();
  delete tree.extensions[EXTENSION];
  if (!Object.keys(tree.extensions).length) delete tree.extensions;
  tree.extensionsUsed = tree.extensionsUsed.filter((name) => name !== EXTENSION);
  if (!tree.extensionsUsed.length) delete tree.extensionsUsed;
  tree.buffers[0].byteLength = view.byteOffset;
  writeFileSync(to, glbOf(tree, binary.subarray(0, view.byteOffset)));
  return to;
}

function gltfpack(from, to, options) {
  execFileSync(process.execPath, [join(modules, 'gltfpack/cli.js'), ...options, '-i', from, '-o', to], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return to;
}

function compress(from, to, ...options) {
  return JSON.parse(execFileSync(command, ['compress', '--json', '--glb', to, ...options, from], { stdio: ['ignore', 'pipe', 'ignore'] }));
}

// ---- errors

// Sets a time of the animation at a place; returns its end.
function player_of({ gltf }, { clip, at }) {
  if (clip !== undefined) {
    const mixer = new QuatsimdMixer(gltf.userData.quatsimd),
      action = mixer.action(clip);
    (action.loop = false), action.play();
    return {
      set: (time) => ((action.time = time), mixer.update(0)),
      end: action.end,
      stop: () => mixer.dispose(),
    };
  }
  const mixer = new AnimationMixer(gltf.scene),
    action = mixer.clipAction(gltf.animations[at]);
  action.setLoop(LoopOnce), (action.clampWhenFinished = true), action.play();
  return {
    set: (time) => mixer.setTime(time),
    end: gltf.animations[at].duration,
    stop: () => (mixer.stopAllAction(), mixer.uncacheRoot(gltf.scene)),
  };
}

const offsets = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const p = new Vector3(),
  q = new Vector3();

async function measure(before, path, millimetre) {
  const after = await open(path),
    left = [...after.places];
  if (after.joints.length !== before.joints.length)
    throw new Error(`${path}: ${after.joints.length} joints of skins, not ${before.joints.length}`);
  const errors = [];
  for (const place of before.places) {
    const found = left.findIndex(({ name }) => name === place.name);
    if (found < 0) throw new Error(`${path}: no animation ${place.name}`);
    const was = player_of(before, place),
      is = player_of(after, ...left.splice(found, 1));
    for (let step = 0; step / HERTZ + LATER < was.end; step++) {
      const time = step / HERTZ + LATER;
      let most = 0;
      for (const [player, { gltf }] of [
        [was, before],
        [is, after],
      ])
        player.set(time), gltf.scene.updateMatrixWorld(true);
      before.joints.forEach((joint, j) => {
        for (const offset of offsets) {
          p.set(...offset)
            .multiplyScalar(DISTANCE * millimetre)
            .applyMatrix4(joint.matrixWorld);
          q.set(...offset)
            .multiplyScalar(DISTANCE * millimetre)
            .applyMatrix4(after.joints[j].matrixWorld);
          most = Math.max(most, p.distanceTo(q) / millimetre);
        }
      });
      errors.push(most);
    }
    was.stop(), is.stop();
  }
  if (left.length) throw new Error(`${path}: more animations`);
  errors.sort((x, y) => x - y);
  return { most: errors.at(-1), nearly: errors[Math.ceil(0.99 * errors.length) - 1] };
}

// ---- the tables

const shown = (error) => (error < 100 ? error.toPrecision(2) : error.toFixed(0));
const number = (n) => n.toLocaleString('en-US'),
  zipped = (path) => gzipSync(readFileSync(path), { level: 9 }).length,
  size = (path) => readFileSync(path).length;

// Of a file: cells of its animations, and of it as a whole.
async function rows([name, file]) {
  const path = asGlb(join(data, file), join(work, 'in.glb')),
    ours = join(work, 'ours.glb'),
    packed = join(work, 'packed.glb'),
    empty = join(work, 'empty.glb');
  const millimetre = compress(path, ours).object_bound / 0.1,
    bare = withoutBundle(ours, join(work, 'bare.glb'));
  const bounded = (bound) => ['--object', `${bound * millimetre}@${DISTANCE * millimetre}`];
  const before = await open(path),
    sizes = [],
    wholes = [];
  const add = async (made, without) => {
    const error = made === path ? undefined : await measure(before, made, millimetre);
    const all = [
      number(size(made) - size(without)),
      number(zipped(made) - zipped(without)),
      ...(error ? [shown(error.most), shown(error.nearly)] : []),
    ];
    sizes.push(all.join(' / ')), wholes.push(`${number(size(made))} / ${number(zipped(made))}`);
    return error?.most;
  };
  await add(path, bare);
  let fine;
  for (const options of PACKS) fine = await add(gltfpack(path, packed, options), gltfpack(bare, empty, options));
  for (const bound of [fine.toPrecision(2), 0.1]) compress(path, ours, ...bounded(bound)), await add(ours, bare);
  compress(packed, ours, ...bounded(0.1));
  await add(ours, withoutBundle(ours, empty));
  return [
    [name, ...sizes],
    [name, ...wholes],
  ];
}

const line = (cells) => `| ${cells.join(' | ')} |`,
  ways = [
    'as it is',
    'gltfpack -c',
    'gltfpack -cc',
    'gltfpack, as near as it can',
    'quatsimd, as near',
    'quatsimd, 0.1 mm',
    'gltfpack, as near as it can, then quatsimd, 0.1 mm',
  ];
const tables = [[], []];
for (const file of FILES)
  if (existsSync(join(data, file[1]))) (await rows(file)).forEach((row, i) => tables[i].push(line(row)));
  else console.error(`SKIP: no ${join(data, file[1])}`);
const lines = tables.flat(),
  head = (what) => `${line([what, ...ways])}\n${'|---'.repeat(ways.length + 1)}|`;
if (!check) console.log(`${head('animations')}\n${tables[0].join('\n')}\n\n${head('whole files')}\n${tables[1].join('\n')}`);
else {
  const there = readFileSync(page, 'utf8').split('\n'),
    missing = lines.filter((text) => !there.includes(text));
  for (const text of missing) console.log(`gltf-extension.md has not the line that is measured: ${text}`);
  console.log(lines.length ? `${lines.length} rows, ${missing.length} wrong` : 'SKIP: none of the files is there');
  process.exitCode = missing.length ? 1 : 0;
}
