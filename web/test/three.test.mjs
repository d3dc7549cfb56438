// three.js plays a bundle as it plays the file that it was made of: bones in model space, at 100 times, within the bound.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd node --test three.test.mjs
// three is in node_modules of the package's folder.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { glbOf, readGlb, withoutMeshes } from '../../tests/tools/support/glb.mjs';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_TOOL: command } = process.env;
const load = (...path) => import(pathToFileURL(join(folder, ...path)));
const { AnimationMixer, LoopOnce, Vector3 } = await load('node_modules/three/build/three.module.js');
const { GLTFLoader } = await load('node_modules/three/examples/jsm/loaders/GLTFLoader.js');
const [{ loadPlayer }, { QuatsimdMixer, QuatsimdGLTFExtension, bindByName, toAnimationClip }] = await Promise.all([load('player.js'), load('three.js')]);
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
after(() => rmSync(work, { recursive: true }));
const player = await loadPlayer();

const parse = async (bytes, prepare = () => {}) => {
  const loader = new GLTFLoader();
  prepare(loader);
  return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
};

const withExtension = (loader) => loader.register((parser) => new QuatsimdGLTFExtension(parser, player));

// A file without meshes, its bundle, the file with that in it, and what the command says of it.
function bundled(path) {
  const bytes = glbOf(...Object.values(withoutMeshes(readGlb(fileURLToPath(new URL(`../site/models/${path}`, import.meta.url))))));
  const file = join(work, basename(path));
  writeFileSync(file, bytes);
  const said = JSON.parse(execFileSync(command, ['compress', '--json', '--bundle', '--object', '1mm@10cm', '-o', join(work, 'out'), file], { encoding: 'utf8' }));
  execFileSync(command, ['compress', '--object', '1mm@10cm', '--glb', join(work, `with-${basename(path)}`), file]);
  return { bytes, glb: readFileSync(join(work, `with-${basename(path)}`)), bundle: readFileSync(join(work, 'out', `${basename(path)}`, `${basename(path, '.glb')}.qsb`)), said };
}

function* points(objects, distance) {
  for (const object of objects)
    for (const offset of [[0, 0, 0], [distance, 0, 0], [0, distance, 0], [0, 0, distance]]) yield object && new Vector3(...offset).applyMatrix4(object.matrixWorld);
}

function worst(was, is, distance, allowed) {
  let most = 0;
  const others = points(is, distance);
  for (const p of points(was, distance)) {
    const q = others.next().value;
    if (p) most = Math.max(most, p.distanceTo(q) - 1e-6 * p.length());
  }
  assert.ok(most <= allowed, `${most} of ${allowed}`);
  return most;
}

for (const path of ['Knight.glb', 'Fox.glb'])
  test(`${path} is played as three.js plays it`, async () => {
    const { bytes, glb, bundle, said } = bundled(path), { object_bound: allowed, object_distance: distance } = said;
    const before = await parse(bytes), opened = player.openBundle(bundle);
    const afterwards = await parse(glb, withExtension), bound = afterwards.userData.quatsimd;
    assert.equal(afterwards.animations.length, 0);
    const converted = await parse(bytes), boundToo = { bundle: opened, ...bindByName(converted.scene, opened.skeleton) };
    assert.ok(bound.joints.every(Boolean));
    const names = opened.skeleton.names.map((_, j) => bound.joints[j].name), originals = names.map((name) => before.scene.getObjectByName(name));
    let most = 0;
    for (const clip of before.animations.slice(0, 6)) {
      const mixer = new AnimationMixer(before.scene), action = mixer.clipAction(clip);
      action.setLoop(LoopOnce), (action.clampWhenFinished = true), action.play();
      const ours = new QuatsimdMixer(bound), own = ours.action(clip.name);
      own.loop = false, own.play();
      const three = new AnimationMixer(converted.scene), theirs = three.clipAction(toAnimationClip(boundToo, clip.name));
      theirs.setLoop(LoopOnce), (theirs.clampWhenFinished = true), theirs.play();
      for (let i = 0; i < 100; i++) {
        const time = (clip.duration * (i + 0.317 * (i % 3))) / 100;
        mixer.setTime(time), (own.time = own.clip.start + time), ours.update(0), three.setTime(time - own.clip.start > 0 ? time - own.clip.start : 0);
        for (const { scene } of [before, afterwards, converted]) scene.updateMatrixWorld(true);
        most = Math.max(most, worst(originals, bound.joints, distance, allowed));
        if (own.clip.rate > 0 && i % 10 === 0) worst(originals, boundToo.joints, distance, 3 * allowed);
      }
      mixer.stopAllAction(), ours.dispose(), three.stopAllAction();
    }
    console.log(`${path}: ${((100 * most) / allowed).toFixed(1)} % of the bound`);
  });

test('a GLB with the extension', async () => {
  const { bundle, glb } = bundled('Fox.glb'), opened = player.openBundle(bundle), gltf = await parse(glb, withExtension);
  const mixer = new QuatsimdMixer(gltf.userData.quatsimd), [survey, walk] = ['Survey', 'Walk'].map((name) => mixer.action(name));
  const rotation = () => mixer.joints[5].quaternion.toArray();
  survey.play(), mixer.update(0.5);
  const before = rotation();
  survey.crossFadeTo(walk, 0.25), mixer.update(0.1);
  assert.ok(survey.isPlaying && walk.isPlaying && Math.abs(walk.weight - 0.4) < 1e-6);
  mixer.update(0.2);
  assert.ok(!survey.isPlaying && walk.weight === 1);
  assert.notDeepEqual(rotation(), before);
  let finished;
  mixer.addEventListener('finished', ({ action }) => (finished = action));
  walk.loop = false, mixer.update(10);
  assert.equal(finished, walk);
  walk.stop(), mixer.update(0);
  const rest = opened.skeleton.rest.rotations.subarray(20, 24);
  rotation().forEach((x, c) => assert.ok(Math.abs(x - rest[c]) < 1e-6, 'the rest pose'));
  mixer.dispose();
});
