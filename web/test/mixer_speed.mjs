// Prints the table of web/README.md that puts QuatsimdMixer beside AnimationMixer: microseconds of an update of one character and of
// 100 that take turns, with one clip and with two that fade into each other. Each is the least of many rounds.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd node mixer_speed.mjs FILE.glb...
// three is in node_modules of the package's folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { glbOf, readGlb, withoutMeshes } from '../../tests/tools/support/glb.mjs';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_TOOL: command } = process.env,
  load = (...path) => import(pathToFileURL(join(folder, ...path)));
const { AnimationMixer } = await load('node_modules/three/build/three.module.js'),
  { GLTFLoader } = await load('node_modules/three/examples/jsm/loaders/GLTFLoader.js'),
  { clone } = await load('node_modules/three/examples/jsm/utils/SkeletonUtils.js'),
  { QuatsimdGLTFExtension, QuatsimdMixer, bindByName } = await load('three.js'),
  player = await (await load('player.js')).loadPlayer();
const ROUNDS = 30,
  UPDATES = 2000,
  STEP = 0.0037; // seconds, which no frame is a multiple of

const parse = (bytes, loader = new GLTFLoader()) =>
  loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');

function theirs({ scene, animations }, names) {
  const mixer = new AnimationMixer(clone(scene));
  for (const name of names)
    mixer
      .clipAction(animations.find((clip) => clip.name === name))
      .setEffectiveWeight(1 / names.length)
      .play();
  return mixer;
}

function ours({ scene, userData: { quatsimd } }, names) {
  const mixer = new QuatsimdMixer({ bundle: quatsimd.bundle, ...bindByName(clone(scene), quatsimd.bundle.skeleton) });
  for (const name of names) Object.assign(mixer.action(name), { weight: 1 / names.length }).play();
  return mixer;
}

// The least time of an update of each of two crowds, whose rounds take turns.
function measure(crowds) {
  const least = crowds.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++)
    crowds.forEach((crowd, c) => {
      const start = performance.now();
      for (let i = 0; i < UPDATES; i++) crowd[i % crowd.length].update(STEP);
      least[c] = Math.min(least[c], (1000 * (performance.now() - start)) / UPDATES);
    });
  return least;
}

const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
console.log(
  '| µs an update: three.js / quatsimd | one clip | two clips | 100 characters, one clip | 100, two clips |\n|---|---|---|---|---|',
);
for (const path of process.argv.slice(2)) {
  const name = basename(path),
    [source, packed] = ['source', 'packed'].map((kind) => join(work, `${kind}-${name}`));
  writeFileSync(source, glbOf(...Object.values(withoutMeshes(readGlb(path)))));
  execFileSync(command, ['compress', '--glb', packed, source]);
  const before = await parse(readFileSync(source)),
    loader = new GLTFLoader().register((parser) => new QuatsimdGLTFExtension(parser, player)),
    after = await parse(readFileSync(packed), loader);
  const names = after.userData.quatsimd.animations
      .map(({ clip }) => clip)
      .filter((clip) => before.animations.some((their) => their.name === clip)),
    cells = [];
  for (const people of [1, 100])
    for (const clips of [1, 2]) {
      const chosen = names.slice(0, clips),
        crowds = [theirs, ours].map((make) => Array.from({ length: people }, () => make(make === ours ? after : before, chosen)));
      cells.push(
        chosen.length < clips
          ? ''
          : measure(crowds)
              .map((time) => time.toFixed(1))
              .join(' / '),
      );
    }
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
rmSync(work, { recursive: true });
