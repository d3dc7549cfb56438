// three.js plays a bundle as it plays the file that it was made of: bones in model space, at 100 times, within the bound.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd QUATSIMD_DATA=FOLDER node --test three.test.mjs
// three is in node_modules of the package's folder.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { glbOf, readGlb, withoutMeshes } from '../../tests/tools/support/glb.mjs';
import { everything } from './support/everything.mjs';
import { walker } from './support/walker.mjs';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_TOOL: command, QUATSIMD_DATA: data } = process.env;
const load = (...path) => import(pathToFileURL(join(folder, ...path)));
const {
  AdditiveAnimationBlendMode,
  AnimationClip,
  AnimationMixer,
  Euler,
  Group,
  LoopOnce,
  LoopPingPong,
  LoopRepeat,
  Mesh,
  NormalAnimationBlendMode,
  Object3D,
  Quaternion,
  QuaternionKeyframeTrack,
  Vector3,
} = await load('node_modules/three/build/three.module.js');
const { GLTFLoader } = await load('node_modules/three/examples/jsm/loaders/GLTFLoader.js');
const { clone } = await load('node_modules/three/examples/jsm/utils/SkeletonUtils.js');
const [{ loadPlayer }, { loadEncoder }, { bundleGlb }, ours] = await Promise.all(
  ['player.js', 'encoder.js', 'glb.js', 'three.js'].map((part) => load(part)),
);
const { QuatsimdGLTFExtension, QuatsimdLoader, QuatsimdMixer, bindByName, nodesOf, sourceOf, toAnimationClip } = ours;
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
const MODELS = fileURLToPath(new URL('../site/models', import.meta.url));
function bundled(path, from = MODELS) {
  const bytes = glbOf(...Object.values(withoutMeshes(readGlb(join(from, path)))));
  const file = join(work, basename(path));
  writeFileSync(file, bytes);
  const said = JSON.parse(
    execFileSync(command, ['compress', '--json', '--object', '1mm@10cm', '-o', `${file}.qsb`, file], { encoding: 'utf8' }),
  );
  execFileSync(command, ['compress', '--object', '1mm@10cm', '--glb', join(work, `with-${basename(path)}`), file]);
  return {
    bytes,
    glb: readFileSync(join(work, `with-${basename(path)}`)),
    bundle: readFileSync(`${file}.qsb`),
    said,
  };
}

function* points(objects, distance) {
  for (const object of objects)
    for (const offset of [
      [0, 0, 0],
      [distance, 0, 0],
      [0, distance, 0],
      [0, 0, distance],
    ])
      yield object && new Vector3(...offset).applyMatrix4(object.matrixWorld);
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
    const { bytes, glb, bundle, said } = bundled(path),
      { object_bound: allowed, object_distance: distance } = said;
    const before = await parse(bytes),
      opened = player.openBundle(bundle);
    const afterwards = await parse(glb, withExtension),
      bound = afterwards.userData.quatsimd;
    assert.equal(afterwards.animations.length, 0);
    const converted = await parse(bytes),
      boundToo = { bundle: opened, ...bindByName(converted.scene, opened.skeleton) };
    assert.ok(bound.joints.every(Boolean));
    const names = opened.skeleton.names.map((_, j) => bound.joints[j].name),
      originals = names.map((name) => before.scene.getObjectByName(name));
    let most = 0;
    for (const clip of before.animations.slice(0, 6)) {
      const mixer = new AnimationMixer(before.scene),
        action = mixer.clipAction(clip);
      action.setLoop(LoopOnce), (action.clampWhenFinished = true), action.play();
      const playing = new QuatsimdMixer(bound),
        own = playing.action(clip.name);
      (own.loop = false), own.play();
      const three = new AnimationMixer(converted.scene),
        theirs = three.clipAction(toAnimationClip(boundToo, clip.name));
      theirs.setLoop(LoopOnce), (theirs.clampWhenFinished = true), theirs.play();
      for (let i = 0; i < 100; i++) {
        const time = (clip.duration * (i + 0.317 * (i % 3))) / 100;
        mixer.setTime(time), (own.time = time), playing.update(0), three.setTime(time);
        for (const { scene } of [before, afterwards, converted]) scene.updateMatrixWorld(true);
        most = Math.max(most, worst(originals, bound.joints, distance, allowed));
        if (own.clip.rate > 0 && i % 10 === 0) worst(originals, boundToo.joints, distance, 3 * allowed);
      }
      mixer.stopAllAction(), playing.dispose(), three.stopAllAction();
    }
    console.log(`${path}: ${((100 * most) / allowed).toFixed(1)} % of the bound`);
  });

test('Euler angles are those of the quaternion that a mixer has written, when they are read and when they are changed', async () => {
  const { glb } = bundled('Fox.glb'),
    bone = async () => {
      const { scene, userData } = await parse(glb, withExtension),
        mixer = new QuatsimdMixer(userData.quatsimd);
      mixer.action('Run').play(), new QuatsimdMixer(userData.quatsimd).action('Run').play();
      return { mixer, object: scene.getObjectByName('b_Spine01_02') };
    };
  const { mixer, object } = await bone(),
    { rotation } = object, // the same object all the time
    expected = () => new Euler().setFromQuaternion(object.quaternion, rotation.order).toArray();
  for (const step of [0.1, 0.2]) mixer.update(step), assert.deepEqual(rotation.toArray(), expected());
  mixer.update(0.1), assert.deepEqual(rotation.clone().toArray(), expected());
  const changes = [(r) => (r.y += 0.3), (r) => r.set(0.1, 0.2, 4), (r) => r.copy(new Euler(0.1, 4, 0)), (r) => (r.order = 'ZXY')];
  for (const change of [...changes, (r) => r.reorder('YXZ')]) {
    const own = new Object3D();
    own.rotation.order = rotation.order;
    mixer.update(0.1);
    own.quaternion.copy(object.quaternion);
    change(own.rotation), change(rotation);
    assert.deepEqual(rotation.toArray(), own.rotation.toArray());
    assert.deepEqual(object.quaternion.toArray(), own.quaternion.toArray());
  }
  object.quaternion.set(0, 1, 0, 0), assert.deepEqual(rotation.toArray(), expected());
  assert.deepEqual(object.clone().rotation.toArray(), rotation.toArray());
});

test('mixers of one bundle take turns, until the last is disposed of', async () => {
  const { glb } = bundled('Fox.glb'),
    { scene, userData } = await parse(glb, withExtension),
    { bundle } = userData.quatsimd,
    copies = Array.from({ length: 20 }, () => ({ bundle, ...bindByName(clone(scene), bundle.skeleton) }));
  const mixers = copies.map((bound) => new QuatsimdMixer(bound));
  mixers.forEach((mixer, i) => (mixer.action('Run').play().time = 0.01 * i));
  mixers.forEach((mixer) => mixer.update(0));
  const alone = new QuatsimdMixer(userData.quatsimd);
  for (const [i, { joints }] of copies.entries()) {
    (alone.action('Run').play().time = 0.01 * i), alone.update(0);
    joints.forEach((joint, j) => assert.deepEqual(joint.quaternion.toArray(), alone.joints[j].quaternion.toArray()));
  }
  mixers.forEach((mixer) => (mixer.dispose(), mixer.dispose()));
  alone.update(0.1);
  assert.throws(() => mixers[0].update(0.1), /this mixer was disposed/);
  assert.throws(() => mixers[0].action('Walk'), /this mixer was disposed/);
  alone.dispose();
  new QuatsimdMixer(userData.quatsimd).action('Walk').play().mixer.update(0.1);
});

// ---- time

// An action of three.js and one of ours, with the events that each has dispatched.
function besides(theirs, clip, ours, name) {
  const action = theirs.clipAction(clip).play(),
    own = ours.action(name).play(),
    told = [[], []];
  [theirs, ours].forEach((mixer, i) => {
    mixer.addEventListener('loop', ({ loopDelta }) => told[i].push(loopDelta));
    mixer.addEventListener('finished', () => told[i].push('finished'));
  });
  return { action, own, told };
}

for (const path of ['horse', 'bird', 'dragon'].map((animal) => `${animal}-animations.glb`))
  test(
    `${path}, whose first key is at frame 1, has the rounds of three.js, forwards and backwards`,
    { skip: data ? false : 'SKIP: QUATSIMD_DATA is not set' },
    async () => {
      const { bytes, glb, said } = bundled(path, join(data, 'mesh2motion')),
        { object_bound: allowed, object_distance: distance } = said,
        [before, afterwards] = [await parse(bytes), await parse(glb, withExtension)],
        bound = afterwards.userData.quatsimd,
        originals = bound.bundle.skeleton.names.map((_, j) => before.scene.getObjectByName(bound.joints[j].name));
      assert.ok(before.animations.length > 4);
      for (const clip of before.animations)
        for (const timeScale of [1, -1, 1.7, -0.6]) {
          const theirs = new AnimationMixer(before.scene),
            ours = new QuatsimdMixer(bound),
            { action, own, told } = besides(theirs, clip, ours, clip.name);
          (action.timeScale = timeScale), (ours.timeScale = timeScale);
          assert.ok(own.clip.start > 0.03 && own.time === 0 && own.end === clip.duration, `${own.clip.start}`);
          for (let frame = 0; frame <= 600; frame++) {
            const seconds = frame && 1 / 60;
            theirs.update(seconds), ours.update(seconds);
            assert.ok(Math.abs(own.time - action.time) < 1e-12, `${clip.name}, frame ${frame}: ${own.time}, not ${action.time}`);
            for (const { scene } of [before, afterwards]) scene.updateMatrixWorld(true);
            worst(originals, bound.joints, distance, allowed);
          }
          const rounds = Math.abs(Math.floor((10 * timeScale) / clip.duration));
          assert.ok(told[0].length >= rounds - 1 && told[0].length <= rounds + 1, `${told[0].length} of ${rounds}`);
          assert.deepEqual(told[1], told[0]);
          theirs.uncacheRoot(before.scene), ours.dispose();
        }
    },
  );

test('toAnimationClip keeps the times of keys', { skip: data ? false : 'SKIP: QUATSIMD_DATA is not set' }, async () => {
  const { bytes, bundle, said } = bundled('horse-animations.glb', join(data, 'mesh2motion')),
    { object_bound: allowed, object_distance: distance } = said,
    [before, afterwards] = [await parse(bytes), await parse(bytes)],
    opened = player.openBundle(bundle),
    bound = { bundle: opened, ...bindByName(afterwards.scene, opened.skeleton) },
    originals = bound.joints.map(({ name }) => before.scene.getObjectByName(name));
  for (const original of before.animations) {
    const clip = toAnimationClip(bound, original.name),
      keys = new Set(original.tracks.flatMap(({ times }) => [...times])),
      { start } = opened.clip(original.name);
    assert.equal(clip.duration, original.duration);
    for (const { times } of clip.tracks) {
      assert.deepEqual([times[0], times.at(-1)], [Math.min(...keys), original.duration]);
      for (const key of keys) assert.ok(Math.min(...times.map((time) => Math.abs(time - key))) < 1e-6, `a key at ${key}`);
    }
    const moved = toAnimationClip(bound, original.name, { fromFirstKey: true });
    assert.ok(Math.abs(moved.duration + start - original.duration) < 1e-6);
    assert.ok(moved.tracks.every(({ times }) => times[0] === 0 && times.at(-1) === Math.fround(moved.duration)));
    const mixers = [before, afterwards].map(({ scene }) => new AnimationMixer(scene));
    mixers[0].clipAction(original).play(), mixers[1].clipAction(clip).play();
    for (let i = 0; i < 200; i++) {
      for (const mixer of mixers) mixer.update(1 / 24);
      for (const { scene } of [before, afterwards]) scene.updateMatrixWorld(true);
      worst(originals, bound.joints, distance, 3 * allowed);
    }
    mixers.forEach((mixer) => mixer.stopAllAction());
  }
});

// An object that an animation turns by keys at these times, twice: as three.js has it, and with its bundle.
async function turned(times) {
  const encoder = await loadEncoder(),
    [theirs, ours] = [0, 1].map(() => new Group().add(Object.assign(new Group(), { name: 'arm' }))),
    y = new Vector3(0, 1, 0),
    values = times.flatMap((_, i) => new Quaternion().setFromAxisAngle(y, 0.3 + Math.sin(3 * i)).toArray());
  const clip = new AnimationClip('turn', -1, [new QuaternionKeyframeTrack('arm.quaternion', times, values)]),
    source = sourceOf(theirs, [clip]),
    skeleton = encoder.encodeSkeleton(source.skeleton),
    bytes = encoder.encodeClip(source.animations[0], { rotation: 1e-4, translation: 1e-4, scale: 1e-4, skeleton, bundled: true }),
    bundle = player.openBundle(encoder.encodeBundle(skeleton, { turn: bytes }));
  const apart = () => {
    const [q, r] = [theirs, ours].map(({ children: [arm] }) => arm.quaternion);
    return Math.min(...[1, -1].map((sign) => Math.hypot(...q.toArray().map((x, c) => x - sign * r.toArray()[c]))));
  };
  return { clip, theirs, bound: { bundle, ...bindByName(ours, bundle.skeleton) }, apart };
}

let seed = 1;
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32,
  among = (list) => list[Math.floor(random() * list.length)];

test('the time of an action is that of three.js: keys before 0, at 0 and after it, steps of all lengths', async () => {
  let count = 0;
  for (const first of [-2, -0.75, 0, 1 / 24, 1.5])
    for (const keys of [2, 7]) {
      const times = Array.from({ length: keys }, (_, i) => first + (keys === 7 && i % 2 ? i / 6 + 0.05 : i / 6)),
        { clip, theirs, bound, apart } = await turned(times),
        [three, ours] = [new AnimationMixer(theirs), new QuatsimdMixer(bound)],
        { action, own, told } = besides(three, clip, ours, 'turn'),
        what = `${keys} keys from ${first}`;
      assert.deepEqual([own.start, own.end], [0, clip.duration], what);
      for (let i = 0; i < 400; i++) {
        own.loop = i % 2 === 0 && clip.duration > 0; // three.js' time is NaN in a loop of no length
        action.setLoop(own.loop ? LoopRepeat : LoopOnce, Infinity), (action.clampWhenFinished = true), (action.paused = false);
        if (!own.loop || random() < 0.2)
          own.time = action.time = clip.duration * among([random(), random(), own.loop ? among([0, 1]) : 0.5]);
        const from = own.time,
          step = among([0, 1 / 60, -1 / 60, random(), -random(), 5 * random(), -5 * random(), clip.duration - from, clip.duration]);
        action.timeScale = own.timeScale = among([1, -1, 0.5, 2]);
        three.update(step), ours.update(step);
        const words = `${what}: ${step} * ${own.timeScale} from ${from}${own.loop ? ' in a loop' : ''}`;
        assert.ok(Math.abs(own.time - action.time) < 1e-9, `${words}: ${own.time}, not ${action.time}`);
        own.time = action.time; // of several rounds at once three.js rounds the length
        // exactly at 0, three.js tells the end in the next step
        const isTold = clip.duration > 0 && (own.loop || from + step * own.timeScale !== 0);
        if (isTold) assert.deepEqual(told[1], told[0], words);
        count += isTold ? told[0].length : 0;
        told[0].length = told[1].length = 0;
        assert.ok(apart() < 2e-3, `${words}: ${apart()} apart`);
      }
    }
  assert.ok(count > 1000, `${count} events`);
});

test('random scripts of calls: times, speeds, poses, rounds and ends are those of three.js', async () => {
  const counts = { loops: 0, ends: 0, turned: 0 },
    near = (is, wanted, words) => assert.ok(Math.abs(is - wanted) < 1e-5, `${words}: ${is}, not ${wanted}`);
  const { clip, theirs, bound, apart } = await turned([0, 0.2, 0.35, 0.5, 0.7]);
  for (let script = 0; script < 60; script++) {
    const [three, ours] = [new AnimationMixer(theirs), new QuatsimdMixer(bound)],
      { action, own, told } = besides(three, clip, ours, 'turn'),
      both = [action, own],
      words = [],
      call = (name, ...values) => (words.push(`${name}(${values})`), both.forEach((each) => assert.equal(each[name](...values), each))),
      set = (name, value) => (words.push(`${name} = ${value}`), both.forEach((each) => (each[name] = value)));
    let mode = LoopRepeat,
      repetitions = Infinity,
      began = 0; // 1 where the first end is passed forwards: else three.js jumps in ping-pong
    const begin = () => {
      (mode = among([LoopOnce, LoopRepeat, LoopPingPong])), (repetitions = among([1, 2, 5, Infinity])), (began = 0);
      call('reset'),
        call('setLoop', mode, repetitions),
        call('setEffectiveTimeScale', among([1, 0.7, -1.2])),
        set('clampWhenFinished', true);
      if (mode !== LoopPingPong || repetitions < 3) return;
      call('setEffectiveTimeScale', 1), words.push('update(0.9)'), three.update(0.9), ours.update(0.9);
    };
    begin();
    for (let i = 0; i < 60; i++) {
      const does = Math.floor(16 * random());
      if (does === 0 || (action.paused && random() < 0.2)) begin();
      if (does === 1) set('time', clip.duration * random());
      if (does === 2) call('setEffectiveTimeScale', among([1, 0.5, -1, 2]));
      if (does === 3) set('paused', !own.paused);
      if (does === 4) call('startAt', three.time + random() - 0.4);
      if (does === 5) call('warp', among([0.5, 1, 2]), among([0.5, 1, 3]), 0.2 + random());
      if (does === 6) call('halt', 0.2 + random());
      if (does === 7) call('setDuration', among([0.3, 2, -1]));
      if (does === 8) call('stopWarping');
      if (does === 9) call('fadeIn', 0), call('setEffectiveWeight', 1);
      const step = among([random() / 30, random() / 30, random() / 2, -random() / 4]); // exactly at 0, three.js ends in the next step
      three.update(step), ours.update(step), words.push(`update(${step})`);
      const story = words.join(', ');
      near(own.time, action.time, story);
      near(own.getEffectiveTimeScale(), action.getEffectiveTimeScale(), story);
      near(own.timeScale, action.timeScale, story);
      set('time', action.time), set('timeScale', action.timeScale), words.splice(-2); // warps of three.js are floats
      assert.deepEqual(told[1], told[0], story);
      const hasEnded = told[0].includes('finished');
      began ||= (action.getEffectiveTimeScale() * step < 0 && -1) || (told[0].length && 1);
      (counts.ends += hasEnded), (counts.loops += told[0].length);
      told[0].length = told[1].length = 0;
      if (mode !== LoopPingPong || (began > 0 && !hasEnded)) assert.ok(apart() < 2e-3, `${story}: ${apart()} apart`);
      counts.turned += mode === LoopPingPong && began > 0 && !hasEnded;
      if (hasEnded)
        begin(); // three.js is paused then, and in ping-pong has lost the round
      else
        assert.deepEqual(
          [own.paused, own.isRunning(), own.isScheduled()],
          [action.paused, action.isRunning(), action.isScheduled()],
          story,
        );
    }
    three.uncacheRoot(theirs), ours.dispose();
  }
  assert.ok(counts.loops > 200 && counts.ends > 100 && counts.turned > 300, JSON.stringify(counts));
});

test('crossfades, as the examples of three.js write them', async () => {
  const { bytes, glb } = bundled('Fox.glb'),
    before = await parse(bytes),
    packed = await parse(glb, withExtension),
    clips = Object.fromEntries(before.animations.map((clip) => [clip.name, clip])),
    ways = {
      'at rest': (walk, run) => walk.crossFadeTo(run.play(), 0.5),
      'after reset': (walk, run) => walk.crossFadeTo(run.reset().play(), 0.5),
      'after play at weight 0': (walk, run) => {
        run.enabled = true;
        run.setEffectiveTimeScale(1).setEffectiveWeight(1).time = 0;
        walk.crossFadeTo(run, 0.5, true);
      },
      from: (walk, run) => run.reset().play().crossFadeFrom(walk, 0.5, true),
      'two fades': (walk, run) => (walk.fadeOut(0.5), run.reset().fadeIn(0.5).play()),
      disabled: (walk, run) => (run.play(), (walk.enabled = false)),
    };
  for (const [name, fade] of Object.entries(ways)) {
    const three = new AnimationMixer(before.scene),
      ours = new QuatsimdMixer(packed.userData.quatsimd),
      actions = [three, ours].map((mixer) =>
        ['Walk', 'Run'].map((clip) => (mixer === three ? mixer.clipAction(clips[clip]) : mixer.action(clip))),
      );
    for (const [walk, run] of actions) {
      walk.play();
      if (name.endsWith('0')) run.setEffectiveWeight(0).play();
    }
    for (const mixer of [three, ours]) mixer.update(0.11);
    for (const [walk, run] of actions) fade(walk, run);
    for (let i = 0; i < 6; i++) {
      for (const mixer of [three, ours]) mixer.update(0.11);
      const [wanted, is] = actions.map((both) =>
        both.flatMap((action) => [action.getEffectiveWeight(), action.isRunning(), action.getEffectiveWeight() && action.time]),
      );
      wanted.forEach((value, v) => assert.ok(Math.abs(is[v] - value) < 1e-6, `${name}, update ${i}: ${is}, not ${wanted}`));
    }
    three.stopAllAction(), ours.dispose();
  }
});

test('an action of no length', async () => {
  // a clip of one key has no time: it is a pose
  for (const times of [[0], [1.5], [-1, -0.5]]) {
    const { bound } = await turned(times),
      mixer = new QuatsimdMixer(bound),
      action = mixer.action('turn').play(),
      told = [];
    for (const type of ['loop', 'finished']) mixer.addEventListener(type, () => told.push(type));
    for (const step of [0, 1, -1]) mixer.update(step), assert.deepEqual([action.time, told], [0, []]);
    action.loop = false;
    mixer.update(0), assert.deepEqual(told, []);
    for (const step of [1, 1]) mixer.update(step), assert.deepEqual([action.time, told], [0, ['finished']]);
    action.reset(), mixer.update(-1), assert.deepEqual(told, ['finished', 'finished']);
  }
});

test('fromFirstKey', async () => {
  for (const first of [1.5, -2]) {
    const { clip, theirs, bound, apart } = await turned([0, 0.25, 0.75, 1].map((time) => first + time)),
      three = new AnimationMixer(theirs),
      mixer = new QuatsimdMixer(bound, { fromFirstKey: true }),
      action = mixer.action('turn').play(),
      told = [];
    mixer.addEventListener('loop', ({ loopDelta }) => told.push(loopDelta));
    assert.deepEqual([action.time, action.start, action.end], [first, first, first + 1]);
    const it = three.clipAction(clip).play();
    const check = (time) => {
      (it.time = time), three.update(0);
      assert.ok(Math.abs(action.time - time) < 1e-9 && apart() < 1e-3, `${action.time}, not ${time}; ${apart()} apart`);
    };
    mixer.update(0.3), check(first + 0.3), mixer.update(0.9), check(first + 0.2), mixer.update(-0.5), check(first + 0.7);
    assert.deepEqual(told.splice(0), [1, -1]);
    action.stop(), assert.equal(action.time, first);
    (action.loop = false), action.play(), mixer.update(7), check(first + 1), mixer.update(-7), check(first);
  }
});

// Six animations of the Knight with other names: as a file, and with the bundle that the command makes.
function renamed(names) {
  const { tree, binary } = withoutMeshes(readGlb(join(MODELS, 'Knight.glb'))),
    path = join(work, 'renamed.glb'),
    packed = join(work, 'renamed-packed.glb');
  tree.animations = names.map((name, a) => ({ ...tree.animations[a], name }));
  writeFileSync(path, glbOf(tree, binary));
  execFileSync(command, ['compress', '--object', '1mm@10cm', '--glb', packed, path], { stdio: 'ignore' });
  return { bytes: readFileSync(path), glb: readFileSync(packed) };
}
const NAMES = [undefined, 'a', 'a', 'a-2', undefined, 'animation-2'];

test('clips have the names that the command gives them', async () => {
  const { bytes, glb } = renamed(NAMES),
    { scene, animations } = await parse(bytes),
    named = sourceOf(scene, animations).animations.map(({ name }) => name),
    loaded = (await parse(glb, withExtension)).userData.quatsimd.animations;
  assert.deepEqual(named, ['animation', 'a', 'a-3', 'a-2', 'animation-3', 'animation-2']);
  assert.deepEqual(
    loaded.map(({ clip }) => clip),
    named,
  );
  assert.deepEqual(
    loaded.map(({ name }) => name),
    NAMES,
  );
  assert.deepEqual(
    sourceOf(new Group(), [new AnimationClip('', 1, []), new AnimationClip('animation_3', 1, [])]).animations.map(({ name }) => name),
    ['animation', 'animation_3'],
  );
});

test('with the option animations gltf.animations has the clips', async () => {
  const { bytes, glb } = renamed(NAMES),
    errors = [],
    filled = (loader) =>
      loader.register(
        (parser) => new QuatsimdGLTFExtension(parser, player, { animations: true, onError: ({ message }) => errors.push(message) }),
      ),
    namesOf = ({ animations }) => animations.map(({ name }) => name);
  const [before, after] = [await parse(bytes), await parse(glb, filled)];
  assert.deepEqual(namesOf(after), ['animation', 'a', 'a', 'a-2', 'animation-3', 'animation-2'], 'as the file has them');
  assert.deepEqual(namesOf(await parse(glb, withExtension)), []);
  const wanted = before.animations.map(({ duration }) => duration);
  assert.deepEqual(
    after.animations.map(({ duration }) => duration),
    wanted,
  );
  // an AnimationMixer plays them as it plays those of the original
  const originals = after.userData.quatsimd.joints.map(({ name }) => before.scene.getObjectByName(name));
  for (let a = 0; a < NAMES.length; a++) {
    const mixers = [before, after].map(({ scene, animations }) => {
      const mixer = new AnimationMixer(scene);
      return mixer.clipAction(animations[a]).play(), mixer;
    });
    for (const share of [0.2, 0.71]) {
      for (const mixer of mixers) mixer.setTime(share * wanted[a]);
      for (const { scene } of [before, after]) scene.updateMatrixWorld(true);
      worst(originals, after.userData.quatsimd.joints, 0.1, 0.003);
    }
    mixers.forEach((mixer) => mixer.stopAllAction());
  }
  assert.deepEqual(errors, []);
  // one that cannot be opened, and one that stays in the file
  writeFileSync(join(work, 'part.glb'), glb);
  const { tree, binary } = readGlb(join(work, 'part.glb')),
    { bufferView } = tree.extensions.QUATSIMD_bundle,
    { byteOffset = 0, byteLength } = tree.bufferViews[bufferView];
  binary[byteOffset + Math.round(0.6 * byteLength)] ^= 1; // of a clip
  const damaged = await parse(glbOf({ ...tree, animations: [{ name: 'kept', channels: [], samplers: [] }] }, binary), filled);
  assert.equal(damaged.animations[0].name, 'kept');
  assert.equal(damaged.animations.length, 6), assert.match(errors.join(), /^the clip [-a-z0-9]+: the clip is damaged$/);
  // additive clips are none of three.js'
  const additive = await parse((await packed(true)).glb, filled);
  assert.deepEqual([namesOf(additive), additive.userData.quatsimd.animations.length], [['a'], 2]);
});

test('a GLB with the extension', async () => {
  const { bundle, glb } = bundled('Fox.glb'),
    opened = player.openBundle(bundle),
    gltf = await parse(glb, withExtension);
  const mixer = new QuatsimdMixer(gltf.userData.quatsimd),
    [survey, walk] = ['Survey', 'Walk'].map((name) => mixer.action(name));
  const rotation = () => mixer.joints[5].quaternion.toArray(),
    near = (value, wanted) => assert.ok(Math.abs(value - wanted) < 1e-6, `${value}, not ${wanted}`);
  survey.play(), mixer.update(0.5);
  const before = rotation();
  // a fade, turned back half way: the weights go on from where they are, and their sum stays 1
  survey.crossFadeTo(walk, 0.25), mixer.update(0.1);
  near(survey.effectiveWeight, 0.6), near(walk.effectiveWeight, 0.4);
  walk.crossFadeTo(survey, 0.2);
  near(survey.effectiveWeight, 0.6), near(walk.effectiveWeight, 0.4);
  mixer.update(0.1);
  near(survey.effectiveWeight, 0.8), near(walk.effectiveWeight, 0.2);
  mixer.update(0.2);
  assert.ok(!walk.isPlaying && survey.effectiveWeight === 1);
  // what has faded out plays again with its whole weight
  survey.crossFadeTo(walk, 0.1), mixer.update(0.05), survey.stop(), mixer.update(0.1);
  assert.ok(walk.isPlaying && !survey.isPlaying);
  assert.notDeepEqual(rotation(), before);
  survey.reset().play(), walk.stop(), (survey.time = 0.5), mixer.update(0);
  assert.equal(survey.effectiveWeight, 1);
  rotation().forEach((x, c) => near(x, before[c]));
  (survey.weight = 0.5), survey.fadeOut(1), mixer.update(0.5);
  near(survey.effectiveWeight, 0.25), assert.equal(survey.weight, 0.5);
  survey.stop();
  // rounds and ends, told when the pose is there
  const told = [],
    { duration } = walk.clip;
  for (const type of ['finished', 'loop'])
    mixer.addEventListener(type, ({ action, loopDelta }) => told.push([type, action.name, loopDelta]));
  walk.play(), mixer.update(3.25 * duration);
  assert.deepEqual(told.splice(0), [['loop', 'Walk', 3]]);
  near(walk.time, 0.25 * duration);
  (walk.loop = false), mixer.update(0.5 * duration);
  assert.deepEqual(told, [], 'it goes on from its place in the round');
  mixer.update(duration), mixer.update(1);
  assert.deepEqual(told.splice(0), [['finished', 'Walk', undefined]]);
  near(walk.time, duration);
  walk.reset().play(), mixer.update(2 * duration);
  assert.deepEqual(told.splice(0), [['finished', 'Walk', undefined]], 'again');
  (walk.timeScale = -1), mixer.update(2 * duration);
  assert.equal(walk.time, 0);
  mixer.stopAll(), mixer.update(0);
  opened.skeleton.rest.rotations.subarray(20, 24).forEach((x, c) => near(rotation()[c], x));
  // speeds and masks
  (walk.loop = true), (walk.timeScale = 2), (mixer.timeScale = 0.5), walk.play(), mixer.update(0.25);
  near(walk.time, 0.25);
  (walk.mask = mixer.skeleton.mask()), walk.mask.values.fill(0), mixer.update(0);
  opened.skeleton.rest.rotations.subarray(20, 24).forEach((x, c) => near(rotation()[c], x));
  mixer.dispose();
});

test('an action over another, by its mode, weight and mask', async () => {
  const { glb } = bundled('Knight.glb'),
    gltf = await parse(glb, withExtension),
    mixer = new QuatsimdMixer(gltf.userData.quatsimd),
    { skeleton, joints } = mixer;
  const [walk, attack] = ['Walking_A', '1H_Melee_Attack_Chop'].map((name) => mixer.action(name)),
    upper = skeleton.mask({ spine: 1 });
  const ends = ['hand.r', 'foot.l'].map((name) => skeleton.find(name)),
    places = () => (gltf.scene.updateMatrixWorld(true), ends.map((j) => new Vector3().setFromMatrixPosition(joints[j].matrixWorld)));
  assert.deepEqual(
    ends.map((j) => upper.values[j]),
    [1, 0],
  );
  const alone = [walk, attack].map((action) => {
    mixer.stopAll(), (action.play().time = 0.3), mixer.update(0);
    return joints.map(({ quaternion, position }) => [quaternion.clone(), position.clone()]);
  });
  (walk.play().time = attack.time = 0.3), (attack.mask = upper), (attack.mode = 'over');
  for (const w of [0, 0.5, 1]) {
    (attack.weight = w), mixer.update(0);
    const got = places();
    joints.forEach(({ quaternion, position }, j) => {
      const share = w * upper.values[j],
        [[q, p], [r, t]] = alone.map((pose) => pose[j]),
        sign = q.dot(r) < 0 ? -1 : 1;
      quaternion.set(...['x', 'y', 'z', 'w'].map((c) => (1 - share) * q[c] + share * sign * r[c])).normalize(),
        position.lerpVectors(p, t, share);
    });
    places().forEach((place, i) =>
      assert.ok(place.distanceTo(got[i]) < 1e-5, `weight ${w}: ${skeleton.names[ends[i]]} is off by ${place.distanceTo(got[i])}`),
    );
  }
  mixer.dispose();
});

// The walker below objects that are turned, moved and scaled, and its mixer. scales: of the outer object and of the scene
async function walking(options, scales = [0.5, 2]) {
  const gltf = await parse(glb),
    outer = new Group().add(gltf.scene),
    world = new Group().add(outer),
    bundle = player.openBundle(walk),
    bound = { bundle, ...bindByName(gltf.scene, bundle.skeleton) };
  world.position.set(3, -1, 2), world.rotation.set(0.3, 0.4, -0.5), world.scale.setScalar(3);
  outer.position.set(-1, 0.5, 1),
    outer.rotation.set(0, 2, 0.1),
    outer.scale.fromArray([].concat(scales[0], scales[0], scales[0]).slice(0, 3));
  gltf.scene.position.set(0.2, 0.1, 0), gltf.scene.rotation.set(-Math.PI / 2, 0, 0), gltf.scene.scale.setScalar(scales[1]);
  const joint = (name) => bound.joints[bundle.skeleton.find(name)],
    place = (name) => (world.updateMatrixWorld(true), new Vector3().setFromMatrixPosition(joint(name).matrixWorld));
  return { world, outer, scene: gltf.scene, mixer: new QuatsimdMixer(bound, options), joint, place };
}
const { glb, bundle: walk } = walker(command, work);

test('root motion moves an object above the joints, however that is turned and scaled', async () => {
  const rootMotion = { joint: 'hips', up: [0, 0, 1], along: true };
  for (const options of [rootMotion, { joint: 'hips', all: true }])
    for (const [which, scales] of [
      ['scene', [0.5, 2]],
      ['outer', [0.5, 2]],
      ['outer', [[-0.5, 0.5, 0.5], 2]],
      ['outer', [[0.5, 0.5, -0.5], 100]],
      ['world', [0.5, 2]],
    ]) {
      const [plain, moved] = [await walking({}, scales), await walking({ rootMotion: options }, scales)];
      moved.mixer.root = moved[which];
      const scale = moved[which].scale.toArray();
      for (const { mixer } of [plain, moved]) mixer.action('walk').loop = false;
      for (const { mixer } of [plain, moved]) mixer.action('walk').play();
      for (const step of [0, 0.05, 0.1, 0.2, -0.15, 0.3, 1, -9]) {
        for (const { mixer } of [plain, moved]) mixer.update(step);
        for (const name of ['hips', 'hand', 'foot']) {
          const off = plain.place(name).distanceTo(moved.place(name));
          assert.ok(off < 1e-5 * 6 * scales[1], `${name}, ${which}, scales ${scales}: off by ${off}`);
        }
      }
      assert.deepEqual(moved[which].scale.toArray(), scale);
      // ten rounds: the character walks on
      moved.mixer.update(-9), (moved.mixer.action('walk').loop = true), moved.mixer.action('walk').reset();
      const places = [];
      for (let round = 0; round < 4; round++) places.push(moved.place('hips')), moved.mixer.update(moved.mixer.action('walk').end);
      const lengths = places.slice(1).map((place, i) => place.distanceTo(places[i]));
      assert.ok(
        lengths.every((length) => length > 0.05 && Math.abs(length - lengths[0]) < 1e-3 * lengths[0]),
        `${lengths}`,
      );
      (moved.mixer.root = new Group()), assert.throws(() => moved.mixer.update(0.1), /mixer.root is an object above the joints/);
    }
  const { mixer, outer } = await walking({ rootMotion });
  (mixer.root = outer), outer.scale.setScalar(0), mixer.action('walk').play(), mixer.update(0.3);
  assert.ok(mixer.step.translation.length() > 0.1 && outer.quaternion.toArray().every(Number.isFinite), 'an object of no size stays');
});

test('hands and feet are where the world has their targets, and a head looks there', async () => {
  for (const scales of [
    [0.5, 2],
    [1, 0.01],
    [[-0.5, 0.5, 0.5], 2],
  ]) {
    const { mixer, joint, place, outer } = await walking({ rootMotion: { joint: 'hips', up: [0, 0, 1] } }, scales),
      size = 3 * outer.scale.y * scales[1],
      action = mixer.action('walk').play(),
      mark = new Group();
    mixer.root = outer;
    mixer.update(0.1);
    const [hand, foot, shoulder] = ['hand', 'foot', 'upper'].map(place),
      elbow = place('lower'),
      target = hand
        .clone()
        .lerp(shoulder, 0.2)
        .add(new Vector3(0.02, 0.03, -0.02).multiplyScalar(size)),
      before = joint('thigh').quaternion.toArray();
    // a foot that stays while the character moves on: no clip moves its joints
    const goals = [
      { kind: 'reach', joint: 'hand', target, pole: new Vector3(0, 1, 0) },
      { kind: 'reach', joint: 'foot', target: mark },
      { kind: 'aim', joint: 'spine', axis: [0, 0, 1], target: new Vector3(5, 6, 7) },
    ];
    mark.position.copy(foot).lerp(place('thigh'), 0.3), mark.updateMatrixWorld(true);
    for (let i = 0; i < 4; i++) {
      (mixer.goals = goals.slice(1, 2)), mixer.update(1 / 60);
      assert.ok(
        place('foot').distanceTo(mark.position) < 1e-5 * size,
        `frame ${i}: the foot is off by ${place('foot').distanceTo(mark.position)}`,
      );
    }
    assert.notDeepEqual(joint('thigh').quaternion.toArray(), before, 'what no clip moves is written, too');
    (action.timeScale = 0), (mixer.goals = goals.slice(0, 1)), mixer.update(0.1);
    assert.ok(place('hand').distanceTo(target) < 1e-5 * size, `the hand is off by ${place('hand').distanceTo(target)}`);
    const way = target.clone().sub(place('upper')).normalize(),
      across = (v) => v.addScaledVector(way, -v.dot(way)).normalize(),
      bend = across(place('lower').sub(place('upper')));
    assert.ok(bend.distanceTo(across(new Vector3(0, 1, 0))) < 1e-3, `the elbow is toward ${bend.toArray()}`);
    assert.ok(place('lower').distanceTo(elbow) > 0.01 * size);
    (mixer.goals = goals.slice(2)), mixer.update(0);
    const from = place('spine'),
      axis = new Vector3(0, 0, 1).applyMatrix4(joint('spine').matrixWorld).sub(from).normalize();
    assert.ok(axis.distanceTo(new Vector3(5, 6, 7).sub(from).normalize()) < 1e-4, 'the axis');
    (mixer.goals = []), mixer.update(0);
    joint('thigh')
      .quaternion.toArray()
      .forEach((x, c) => assert.ok(Math.abs(x - before[c]) < 1e-6, 'without goals the rest pose'));
    // more goals than the mixer had room for, and weights of 0
    mixer.goals = Array.from({ length: 20 }, () => ({ ...goals[0], weight: 0 }));
    mixer.update(0), (mixer.goals = Array(20).fill(goals[1])), mixer.update(0);
    assert.ok(place('foot').distanceTo(mark.position) < 1e-5 * size);
    (mixer.goals = [{ ...goals[0], joint: 'fin' }]), assert.throws(() => mixer.update(0), /no joint fin/);
  }
});

// The GLB with everything, encoded, as a GLB with the extension.
async function packed(additive) {
  const encoder = await loadEncoder(),
    bytes = everything(),
    { scene, animations, parser } = await new GLTFLoader().parseAsync(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      '',
    );
  const source = sourceOf(scene, animations),
    skeleton = encoder.encodeSkeleton(source.skeleton);
  const clips = source.animations.map((animation, i) => [
    animation.name,
    encoder.encodeClip(animation, { object: 1e-4, distance: 0.1, skeleton, bundled: true, ...(additive && i && { additive: 'first' }) }),
  ]);
  const bundle = encoder.encodeBundle(skeleton, Object.fromEntries(clips));
  return { bundle, glb: bundleGlb(bytes, bundle, await nodesOf({ parser }, source)) };
}

test('morph targets: of the extension, by names, as clips of three.js, and left alone', async () => {
  const { bundle, glb } = await packed(),
    original = await parse(everything()),
    theirs = new AnimationMixer(original.scene);
  theirs.clipAction(original.animations[0]).play();
  const morphs = (root) => {
    const all = [];
    root.traverse(({ morphTargetInfluences }) => morphTargetInfluences && all.push(...morphTargetInfluences));
    return all;
  };
  const opened = player.openBundle(bundle),
    withIt = await parse(glb, withExtension),
    byName = await parse(everything()),
    converted = await parse(everything());
  assert.deepEqual(
    withIt.userData.quatsimd.tracks.map((moved) => moved.length),
    [2, 2, 1, 1],
  );
  const three = new AnimationMixer(converted.scene),
    clip = toAnimationClip({ bundle: opened, ...bindByName(converted.scene, opened.skeleton) }, 'a');
  three.clipAction(clip).play();
  const mixers = [withIt.userData.quatsimd, { bundle: opened, ...bindByName(byName.scene, opened.skeleton) }].map(
    (bound) => new QuatsimdMixer(bound),
  );
  for (const mixer of mixers) mixer.action('a').play();
  for (const step of [0, 0.25, 0.25, 0.5, 0.7]) {
    for (const mixer of [theirs, three, ...mixers]) mixer.update(step);
    const wanted = morphs(original.scene);
    assert.equal(wanted.length, 6);
    for (const { scene } of [withIt, byName, converted])
      morphs(scene).forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 0.01, `${value}, not ${wanted[i]}`));
  }
  const alone = await parse(glb, withExtension),
    mixer = new QuatsimdMixer(alone.userData.quatsimd),
    mesh = mixer.tracks[0][0].mesh;
  mixer.action('a-2').play(), (mesh.morphTargetInfluences[0] = 0.9), mixer.update(0.1);
  assert.equal(mesh.morphTargetInfluences[0], 0.9, 'no clip that plays moves it');
});

test('usual mistakes get words', async () => {
  const { glb } = await packed(),
    bound = (await parse(glb, withExtension)).userData.quatsimd,
    mixer = new QuatsimdMixer(bound),
    action = mixer.action('a').play();
  assert.throws(() => mixer.update(), /seconds that have passed/);
  assert.throws(() => mixer.update(NaN), TypeError);
  assert.equal(mixer.time, 0);
  assert.throws(() => action.crossFadeTo('a-2', 1), /mixer\.action/);
  assert.throws(() => mixer.action('b'), /no clip b/);
  assert.throws(() => new QuatsimdMixer(undefined), /QuatsimdGLTFExtension/);
  assert.throws(() => new QuatsimdGLTFExtension({}, loadPlayer()), /awaited/);
  action.mask = new Float32Array(5);
  assert.throws(() => mixer.update(0), /mask is of skeleton/);
  // a damaged bundle: the file is shown without its animations
  const damaged = Buffer.from(glb),
    errors = [];
  damaged[damaged.indexOf('QSB\x02') + 30] ^= 1; // of its table of sections
  const gltf = await parse(damaged, (loader) =>
    loader.register((parser) => new QuatsimdGLTFExtension(parser, player, { onError: (error) => errors.push(error) })),
  );
  assert.ok(gltf.scene.children.length > 0 && gltf.userData.quatsimd === undefined);
  assert.match(errors.pop().message, /damaged/);
  // parts that do not fit
  writeFileSync(join(work, 'packed.glb'), glb);
  const { tree, binary } = readGlb(join(work, 'packed.glb')),
    changed = async (change) => {
      const copy = structuredClone(tree);
      change(copy.extensions.QUATSIMD_bundle, copy);
      const it = await parse(glbOf(copy, binary), (loader) =>
        loader.register((parser) => new QuatsimdGLTFExtension(parser, player, { onError: (error) => errors.push(error.message) })),
      );
      return it.userData.quatsimd ?? errors.pop();
    };
  for (const version of [0, 3, '2', null]) assert.match(await changed((it) => (it.version = version)), /version .* is a later one/);
  for (const version of [1, undefined]) assert.ok((await changed((it) => (it.version = version))).bundle, 'files of 0.1 have no version');
  assert.match(await changed((it) => it.joints.pop()), /4 nodes are named for 5 joints/);
  assert.match(await changed((it) => it.tracks.push({ node: 0, target: 0 })), /5 morph targets are named for 4 tracks/);
  assert.match(await changed((it) => (it.joints[0] = it.joints[1])), /two joints are one node/);
  assert.match(await changed((it) => (it.tracks[0] = it.tracks[1])), /two tracks are one morph target/);
  assert.match(await changed((it) => (it.tracks[0].target = 9)), /has no morph target 9/);
  assert.match(await changed((it) => (it.tracks[0].node = 0)), /node 0 has no morph target/);
  assert.match(await changed((it) => (it.joints[0] = 99)), /there is no node 99/);
  const { animations } = await changed((it) => (it.animations = [{ name: 'A', clip: 'a', extras: 1 }, { clip: 'none' }, { clip: 'a' }]));
  assert.deepEqual(animations, [{ name: 'A', clip: 'a', extras: 1 }], 'the first of each clip that is there');
  const warned = [],
    { warn } = console;
  console.warn = (line) => warned.push(line);
  bindByName(new Group(), bound.bundle.skeleton);
  console.warn = warn;
  assert.match(warned[0], /only 0 of 5 joints and 0 of 4 tracks/);
});

test('64 clips at once, on clones', async () => {
  const { bundle, glb, bytes } = bundled('Knight.glb'),
    bound = (await parse(glb, withExtension)).userData.quatsimd,
    mixer = new QuatsimdMixer(bound),
    { names } = bound.bundle;
  names.slice(0, 64).forEach((name) => (mixer.action(name).play().weight = 1 / 64));
  mixer.update(0.1);
  assert.ok(mixer.joints.every((joint) => joint.quaternion.toArray().every(Number.isFinite)));
  mixer.action(names[64]).play();
  assert.throws(() => mixer.update(0.1), /65 clips play at once; 64 may/);
  const { scene } = await parse(bytes),
    opened = player.openBundle(bundle),
    clip = toAnimationClip({ bundle: opened, ...bindByName(scene, opened.skeleton) }, 'Walking_A');
  const copy = clone(scene),
    three = new AnimationMixer(copy),
    own = new QuatsimdMixer({ bundle: opened, ...bindByName(copy, opened.skeleton) }),
    at = () => own.joints.map(({ quaternion }) => quaternion.toArray());
  three.clipAction(clip).play(), three.setTime(0.4);
  const theirs = at();
  own.action('Walking_A').play(), own.update(0.4);
  at().forEach((q, j) => assert.ok(Math.abs(q.reduce((sum, x, c) => sum + x * theirs[j][c], 0)) > 0.9999, own.joints[j].name));
});

test('additive clips are put on the others', async () => {
  const { bundle } = await packed(true),
    { scene } = await parse(everything()),
    opened = player.openBundle(bundle),
    mixer = new QuatsimdMixer({ bundle: opened, ...bindByName(scene, opened.skeleton) });
  const arm = mixer.joints.findIndex((_, j) => mixer.action('a-2').clip.curve(0, j) > 1),
    angle = () => 2 * Math.atan2(mixer.joints[arm].quaternion.y, mixer.joints[arm].quaternion.w);
  mixer.action('a').play(), mixer.update(0.5);
  const before = angle();
  mixer.action('a-2').play(), (mixer.action('a-2').time = 0.5), mixer.update(0);
  assert.ok(Math.abs(angle() - 2 * before) < 0.01, `${angle()} and ${before}`);
});

// The walker, whose hand grows while it breathes, as a .glb with additive clips by a recipe, and its own animations.
async function added() {
  const { tree, binary } = readGlb(join(work, 'walker.glb')),
    keys = Float32Array.from([0, 0.5, 2, 1, 0.5, 3, 1, 0.25]), // two times, two scales
    view = tree.bufferViews.push({ buffer: 0, byteOffset: binary.length, byteLength: keys.byteLength }) - 1,
    output = tree.accessors.push(
      { bufferView: view, componentType: 5126, type: 'SCALAR', count: 2, min: [0], max: [0.5] },
      { bufferView: view, byteOffset: 8, componentType: 5126, type: 'VEC3', count: 2 },
    );
  const { samplers, channels } = tree.animations.find(({ name }) => name === 'breath');
  tree.nodes[5].scale = [2, 1, 0.5];
  tree.buffers[0].byteLength = binary.length + keys.byteLength;
  channels.push({ sampler: samplers.push({ input: output - 2, output: output - 1 }) - 1, target: { node: 5, path: 'scale' } });
  const bytes = glbOf(tree, Buffer.concat([binary, Buffer.from(keys.buffer)])),
    recipe = join(work, 'growing.json'),
    out = join(work, 'additive.glb'),
    animations = [
      { match: 'wave', additive: { animation: 'walk' } },
      { match: 'breath', additive: 'first' },
    ];
  writeFileSync(join(work, 'growing.glb'), bytes);
  writeFileSync(recipe, JSON.stringify({ files: ['growing.glb'], bound: '0.01mm@10cm', track: 0.0001, animations }));
  execFileSync(command, ['compress', recipe, '--glb', out], { stdio: 'pipe' });
  return { original: await parse(bytes), bound: (await parse(readFileSync(out), withExtension)).userData.quatsimd };
}

test('additive clips of a .glb: on another clip, and as three.js adds them', async () => {
  const { original, bound } = await added(),
    { skeleton } = bound.bundle,
    [base, wave, breath] = ['walk', 'wave', 'breath'].map((name) => bound.bundle.clip(name)),
    mixer = new QuatsimdMixer(bound),
    actions = ['walk', 'wave', 'breath'].map((name) => mixer.action(name).play());
  assert.deepEqual(
    [base, wave, breath].map(({ additive }) => additive),
    ['none', 'base', 'first'],
  );
  const near = (got, wanted, what) => assert.ok(Math.abs(got - wanted) < 2e-6 * (1 + Math.abs(wanted)), `${what}: ${got}, not ${wanted}`),
    nearTurn = (got, wanted, what) => near(Math.abs(got.dot(wanted)), 1, what),
    morphOf = ({ mesh, target }) => mesh.morphTargetInfluences[target];
  const converted = new AnimationMixer(original.scene),
    clips = ['walk', 'wave', 'breath'].map((name) => toAnimationClip({ ...bound, ...bindByName(original.scene, skeleton) }, name)),
    theirs = clips.map((clip) => converted.clipAction(clip).play()),
    { joints, tracks } = bindByName(original.scene, skeleton);
  assert.deepEqual(
    clips.map(({ blendMode }) => blendMode),
    [NormalAnimationBlendMode, AdditiveAnimationBlendMode, AdditiveAnimationBlendMode],
  );
  for (let f = 0; f < wave.frames; f++) {
    for (const action of [...actions, ...theirs]) action.time = wave.time(f);
    mixer.update(0), converted.update(0);
    const poses = [base, wave, breath].map((clip) => clip.sample(skeleton.pose(), wave.time(f), 'clamp', skeleton.rest)),
      all = (kind, from, size) => poses.map((pose) => Array.from(pose[kind].subarray(from, from + size)));
    skeleton.names.forEach((name, j) => {
      const turn = new Quaternion(),
        { quaternion, position, scale } = bound.joints[j];
      for (const q of all('rotations', 4 * j, 4)) turn.multiply(new Quaternion().fromArray(q));
      nearTurn(quaternion, turn, name), nearTurn(joints[j].quaternion, turn, name);
      for (let c = 0; c < 3; c++) {
        const place = all('translations', 3 * j + c, 1).reduce((sum, [x]) => sum + x, 0),
          size = all('scales', 3 * j + c, 1).reduce((product, [x]) => product * x, 1);
        for (const object of [{ position, scale }, joints[j]])
          near(object.position.getComponent(c), place, name), near(object.scale.getComponent(c), size, name);
      }
    });
    const weight = all('tracks', 0, 1).reduce((sum, [x]) => sum + x, 0);
    near(morphOf(bound.tracks[0][0]), weight), near(morphOf(tracks[0][0]), weight);
  }
  assert.ok(bound.joints[skeleton.find('hand')].scale.x > 2.5 && Math.abs(morphOf(tracks[0][0])) > 0.1);
  converted.stopAllAction(), mixer.dispose();
});

test('an additive clip of a .glb on its own base is the animation', async () => {
  const { original, bound } = await added(),
    { original: other } = await added(),
    mixer = new QuatsimdMixer(bound),
    own = ['walk', 'wave'].map((name) => mixer.action(name).play()),
    named = ({ scene }) => bound.bundle.skeleton.names.map((name) => scene.getObjectByName(name)),
    play = ({ scene, animations }, ...names) => {
      const playing = new AnimationMixer(scene),
        clip = (name) => animations.find((animation) => animation.name === name);
      return [playing, names.map((name) => playing.clipAction(typeof name === 'string' ? clip(name) : name).play())];
    };
  const [wanted, [waves]] = play(original, 'wave'),
    [three, summed] = play(other, 'walk', toAnimationClip({ ...bound, ...bindByName(other.scene, bound.bundle.skeleton) }, 'wave'));
  for (let i = 0; i <= 100; i++) {
    for (const action of [waves, ...summed, ...own]) action.time = (0.5 * i) / 100;
    wanted.update(0), three.update(0), mixer.update(0);
    for (const root of [original.scene, other.scene, bound.joints[0].parent]) root.updateMatrixWorld(true);
    if (i % 25 === 0) worst(named(original), named(other), 0.1, 1e-5); // keys of the animation
    worst(named(original), bound.joints, 0.1, 2e-5); // the base is a clip, too
  }
  mixer.dispose();
});

test('names of siblings do not mix', () => {
  const root = new Group(),
    head = Object.assign(new Group(), { name: 'Head' }),
    mesh = (name, ...targets) =>
      Object.assign(new Mesh(), {
        name,
        morphTargetInfluences: targets.map(() => 0),
        morphTargetDictionary: Object.fromEntries(targets.map((target, i) => [target, i])),
      });
  const meshes = [mesh('Head_1', 'smile', 'blink'), mesh('Head_2', 'smile', 'blink'), mesh('Hair', 'blink', 'smile')];
  root.add(head.add(...meshes));
  const { tracks } = bindByName(root, { names: [], trackNames: ['Head.smile', 'Hair.smile', 'Gone.smile'] });
  assert.deepEqual(
    tracks.map((moved) => moved.map(({ mesh: { name }, target }) => [name, target])),
    [
      [
        ['Head_1', 0],
        ['Head_2', 0],
      ],
      [['Hair', 1]],
      [],
    ],
  );
  // names that are alike without the signs that three.js leaves out, and tracks with a mesh's name
  const { tracks: alike } = bindByName(new Group().add(mesh('Body', 'a.b', 'ab', 'c')), {
    names: [],
    trackNames: ['Body.a.b', 'Body.ab', 'Mesh.c'],
  });
  assert.deepEqual(
    alike.map((moved) => moved.map(({ target }) => target)),
    [[0], [1], [2]],
  );
});

test('several scenes', async () => {
  writeFileSync(join(work, 'scenes.glb'), everything());
  const { tree, binary } = readGlb(join(work, 'scenes.glb')),
    bytes = glbOf(
      { ...tree, scenes: [...tree.scenes, { nodes: [tree.nodes.length] }, { nodes: [] }], nodes: [...tree.nodes, { name: 'alone' }] },
      binary,
    );
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), ''),
    source = sourceOf(gltf.scene, gltf.animations);
  const { joints, tracks } = await nodesOf(gltf, source);
  assert.ok([...joints, ...tracks.map(({ node }) => node)].every(Number.isInteger), `${joints}`);
  const encoder = await loadEncoder(),
    skeleton = encoder.encodeSkeleton(source.skeleton);
  const clips = new Map(
    source.animations.map((animation) => [
      animation.name,
      encoder.encodeClip(animation, { object: 1e-3, distance: 0.1, skeleton, bundled: true }),
    ]),
  );
  const bound = (
    await parse(bundleGlb(bytes, encoder.encodeBundle(skeleton, clips), { joints, tracks, animations: [...clips.keys()] }), withExtension)
  ).userData.quatsimd;
  assert.deepEqual(
    bound.tracks.map((moved) => moved.length),
    [2, 2, 1, 1],
  );
});

test('a bundle from a server', async () => {
  const { bundle } = await packed(),
    server = createServer((request, answer) =>
      answer.writeHead(request.url === '/a.qsb' ? 200 : 404).end(request.url === '/a.qsb' ? bundle : ''),
    );
  await new Promise((listens) => server.listen(0, '127.0.0.1', listens));
  globalThis.ProgressEvent ??= class extends Event {}; // which FileLoader makes, and Node.js lacks
  try {
    const loader = new QuatsimdLoader(player).setPath(`http://127.0.0.1:${server.address().port}/`);
    assert.deepEqual((await loader.loadAsync('a.qsb')).names, ['a', 'a-2']);
    await assert.rejects(loader.loadAsync('b.qsb'), /404/);
  } finally {
    server.close();
  }
});
