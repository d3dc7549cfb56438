// In a browser, QuatsimdMixer plays files of `quatsimd compress --glb` as AnimationMixer plays the files that they are made of: points
// about joints in model space are within the bound, at 200 times of each clip and 200 times in its loops of 10 s.
// Usage: QUATSIMD_SITE=FOLDER QUATSIMD_MODULES=FOLDER/node_modules QUATSIMD_TOOL=quatsimd QUATSIMD_DATA=FOLDER node --test motion.test.mjs
// FOLDER: of ./dev web. QUATSIMD_BROWSER: a Chromium, else the one in PATH.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { findBrowser, launch, serve } from './support/browser.mjs';

const { QUATSIMD_SITE: site, QUATSIMD_MODULES: modules, QUATSIMD_TOOL: command, QUATSIMD_DATA: data } = process.env,
  path = findBrowser(),
  skip = (!path && 'SKIP: there is no browser: clips are not compared there') || (!data && 'SKIP: QUATSIMD_DATA names no folder'),
  FILES = [
    'kaykit/Knight.glb',
    'kaykit2/Med_CombatMelee.glb',
    'khronos/Fox.glb',
    'mesh2motion/bird-animations.glb',
    'mesh2motion/horse-animations.glb',
    'quaternius/Alpaca.glb',
    'quaternius/Character.glb',
    'quaternius/Trex.glb',
    'raylib/robot.glb',
    'sumerian/adult_male_face_idle.glb',
  ];
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
let server, browser;
before(async () => {
  if (skip) return console.log(skip);
  server = await serve(site);
  browser = await launch(modules, path);
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(work, { recursive: true });
});

// In the browser: of each clip the worst error of a point at times of the clip, and in its loops. files: before and after, in base64.
async function compare({ files, distance, times, seconds }) {
  const load = (part) => import(new URL(part, document.baseURI)),
    { AnimationMixer, LoopOnce, LoopRepeat, Vector3 } = await load('three/three.module.min.js'),
    { GLTFLoader } = await load('three/addons/loaders/GLTFLoader.js'),
    { QuatsimdGLTFExtension, QuatsimdMixer } = await load('quatsimd/three.js'),
    player = await (await load('quatsimd/player.js')).loadPlayer();
  const [before, after] = await Promise.all(
    files.map((text) =>
      new GLTFLoader()
        .register((parser) => new QuatsimdGLTFExtension(parser, player))
        .parseAsync(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer, ''),
    ),
  );
  const bound = after.userData.quatsimd,
    nodeOf = (gltf, object) => gltf.parser.associations.get(object)?.nodes,
    originals = new Map();
  before.scene.traverse((object) => originals.set(nodeOf(before, object), object));
  const pairs = bound.joints.map((object) => [originals.get(nodeOf(after, object)), object]),
    offsets = [new Vector3(), ...[0, 1, 2].map((axis) => new Vector3().setComponent(axis, distance))],
    p = new Vector3(),
    q = new Vector3();
  function error() {
    let worst = 0;
    for (const { scene } of [before, after]) scene.updateMatrixWorld(true);
    for (const [was, is] of pairs)
      for (const offset of offsets) {
        p.copy(offset).applyMatrix4(was.matrixWorld), q.copy(offset).applyMatrix4(is.matrixWorld);
        worst = Math.max(worst, p.distanceTo(q) - 1e-6 * p.length()); // what float takes
      }
    return worst;
  }
  const mixer = new AnimationMixer(before.scene),
    playing = new QuatsimdMixer(bound);
  return before.animations.map((clip) => {
    const both = [mixer.clipAction(clip), playing.action(clip.name)],
      worst = { name: clip.name, once: 0, loops: 0 };
    for (const isLoop of [false, true]) {
      for (const action of both)
        action
          .reset()
          .setLoop(isLoop ? LoopRepeat : LoopOnce)
          .play();
      for (let i = 0; i < times; i++) {
        if (!isLoop) for (const action of both) action.time = (clip.duration * (i + 0.317 * (i % 3))) / times;
        for (const each of [mixer, playing]) each.update(isLoop ? seconds / times : 0);
        worst[isLoop ? 'loops' : 'once'] = Math.max(worst[isLoop ? 'loops' : 'once'], error());
      }
      for (const action of both) action.stop();
    }
    return worst;
  });
}

for (const file of FILES)
  test(`${file} is played as three.js plays it`, { skip }, async () => {
    const source = join(data, file),
      packed = join(work, basename(file)),
      object = ['--object', '1mm@10cm'];
    execFileSync(command, ['compress', ...object, '--glb', packed, source]);
    const { object_bound: allowed, object_distance: distance } = JSON.parse(
        execFileSync(command, ['compress', '--json', ...object, source], { encoding: 'utf8', maxBuffer: 2 ** 28 }),
      ),
      page = await browser.newPage();
    await page.goto(`${server.address}words.js`); // a document without anything
    const clips = await page.evaluate(compare, {
      files: [source, packed].map((each) => readFileSync(each).toString('base64')),
      distance,
      times: 200,
      seconds: 10,
    });
    await page.close();
    assert.ok(clips.length > 0);
    for (const { name, once, loops } of clips)
      assert.ok(Math.max(once, loops) <= allowed, `${name}: off by ${once} of ${allowed}, in loops by ${loops}`);
    const most = Math.max(...clips.flatMap(({ once, loops }) => [once, loops]));
    console.log(`${file}: ${clips.length} clips: ${((100 * most) / allowed).toFixed(1)} % of the bound`);
  });
