// The player, and three.js' mixer on objects of the test's own: what `./dev test` runs, with neither npm nor three.js.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd node --test play.test.mjs
// FOLDER has the build of the player without SIMD (QUICK=1 ONLY=player web/build.sh).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { glbOf, readGlb } from '../../tests/tools/support/glb.mjs';
import { everything } from './support/everything.mjs';
import { QuatsimdError, QuatsimdMixer, bindByName, command, load, object, work } from './support/player.mjs';

// The bundle of a file's animations. change: what becomes of the two of `everything`. times: those of their keys.
function bundled(change, times) {
  const path = join(work, 'all.glb'),
    out = join(work, 'all.qsb');
  writeFileSync(path, everything(times));
  const { tree, binary } = readGlb(path);
  tree.animations = change(...tree.animations);
  writeFileSync(path, glbOf(tree, binary));
  execFileSync(command, ['compress', '--object', '0.1mm@10cm', '-o', out, path], { stdio: ['ignore', 'ignore', 'inherit'] });
  return readFileSync(out);
}
const bytes = bundled((all, arm) => [all, { ...arm, name: 'a-2' }]);
const open = async () => (await load()).openBundle(bytes);

// ---- the player

test('a bundle is played: the arm turns by 2 radians a second', async () => {
  const bundle = await open(),
    { skeleton } = bundle,
    clip = bundle.clip('a'),
    pose = skeleton.pose();
  assert.deepEqual(
    [bundle.length, bundle.names, clip.duration, clip.joints, clip.tracks],
    [2, ['a', 'a-2'], 2, skeleton.joints, skeleton.tracks],
  );
  const turning = Array.from({ length: clip.joints }, (_, j) => j).filter((j) => bundle.clip('a-2').curve(0, j) > 2);
  assert.equal(turning.length, 1);
  for (const time of [0, 0.3, 0.5, 1.25, 2]) {
    clip.sample(pose, time, 'clamp', skeleton.rest);
    const [, y, , w] = pose.rotations.subarray(4 * turning[0]);
    assert.ok(Math.abs(Math.abs(Math.sin(time) * y + Math.cos(time) * w) - 1) < 1e-5, `at ${time}: ${y}, ${w}`);
    assert.ok(Math.abs(pose.tracks[0] - time / 2) < 0.02, `${pose.tracks}`);
  }
});

// Everything that has floats in WebAssembly's memory, as an array of views.
const viewsOf = (pose) => ({
  values: pose.values,
  rotations: pose.rotations,
  translations: pose.translations,
  scales: pose.scales,
  tracks: pose.tracks,
});

test('views are those of the memory after it grew', async () => {
  const player = await load(),
    bundle = player.openBundle(bytes),
    { skeleton } = bundle,
    clip = bundle.clip('a');
  const pose = skeleton.pose(),
    mask = skeleton.mask(),
    trackMask = skeleton.trackMask(),
    evaluator = skeleton.evaluator({ model: true, skinning: true });
  clip.sample(pose, 0.7, 'clip', skeleton.rest);
  evaluator.evaluate([{ clip, time: 0.7 }]);
  const floats = () => [
    ...Object.values(viewsOf(pose)),
    ...Object.values(viewsOf(skeleton.rest)),
    ...Object.values(viewsOf(evaluator.pose)),
    evaluator.model.values,
    evaluator.skinning.values,
    mask.values,
    trackMask.values,
  ];
  const before = floats(),
    contents = before.map((view) => [...view]),
    size = player.memory;
  assert.ok(before.every((view) => view.length > 0));
  const large = player.pose(500000);
  assert.ok(player.memory > size);
  assert.ok(
    before.every((view) => view.length === 0),
    'the views of before have no elements: memory is another',
  );
  assert.deepEqual(
    floats().map((view) => [...view]),
    contents,
  );
  // calls write to where the new views are, and read from there
  clip.sample(pose, 1.1, 'clip', skeleton.rest);
  const there = [...pose.rotations];
  assert.notDeepEqual(there, contents[1]);
  mask.values.fill(0), trackMask.values.fill(0);
  evaluator.evaluate([{ clip, time: 1.1, mask, trackMask }]);
  assert.deepEqual([...evaluator.pose.rotations], [...skeleton.rest.rotations]);
  evaluator.evaluate([{ clip, time: 1.1 }]);
  assert.deepEqual([...evaluator.pose.rotations], there);
  assert.deepEqual([...skeleton.toModel(skeleton.matrices(), evaluator.pose).values], [...evaluator.model.values]);
  // what is opened after memory grew is found as well
  assert.deepEqual(player.openBundle(bytes).names, bundle.names);
  assert.deepEqual([large.rotations.length, large.rotations[1999999], large.scales[1499999], large.tracks.length], [2000000, 1, 1, 0]);
});

test('a view is made once while memory stays', async () => {
  const { skeleton } = await open(),
    pose = skeleton.pose();
  for (const name of ['values', 'rotations', 'translations', 'scales', 'tracks']) assert.equal(pose[name], pose[name], name);
});

test('wraps: before the start, behind the end, and over it', async () => {
  const bundle = await open(),
    { skeleton } = bundle,
    clip = bundle.clip('a');
  const at = (time, wrap) => [...clip.sample(skeleton.pose(), time, wrap, skeleton.rest).rotations];
  assert.equal(clip.isLooping, false);
  for (const wrap of ['clip', 'clamp']) {
    assert.deepEqual(at(-1, wrap), at(0, wrap));
    assert.deepEqual(at(9, wrap), at(2, wrap));
  }
  assert.deepEqual(at(2.5, 'loop'), at(0.5, 'clip'));
  assert.deepEqual(at(-0.5, 'loop'), at(1.5, 'clip'));
  assert.notDeepEqual(at(2.5, 'loop'), at(2.5, 'clip'));
  for (const wrap of ['', 'Loop', undefined, 1]) {
    if (wrap === undefined) assert.deepEqual(at(9, wrap), at(9, 'clip'));
    else assert.throws(() => at(0, wrap), TypeError);
  }
});

test('a layer for each time, weight, wrap and mask', async () => {
  const bundle = await open(),
    { skeleton } = bundle,
    [a, b] = ['a', 'a-2'].map((name) => bundle.clip(name)),
    evaluator = skeleton.evaluator({ layers: 3 });
  const alone = (clip, time) => [...clip.sample(skeleton.pose(), time, 'clip', skeleton.rest).values];
  const got = (...layers) => [...evaluator.evaluate(layers).values];
  assert.deepEqual(got(), [...skeleton.rest.values]);
  assert.deepEqual(got({ clip: a, time: 0.4 }), alone(a, 0.4));
  assert.deepEqual(got({ clip: a, time: 2.4, wrap: 'loop' }), alone(a, 0.4));
  assert.deepEqual(got({ clip: a, time: 0.4 }, { clip: b, time: 1.3, weight: 0 }), alone(a, 0.4));
  assert.deepEqual(got({ clip: a, time: 0.4, weight: 0 }, { clip: b, time: 1.3 }), alone(b, 1.3));
  // what an earlier call left in a layer is not read again
  const mask = skeleton.mask(),
    trackMask = skeleton.trackMask();
  mask.values.fill(0), trackMask.values.fill(0);
  assert.deepEqual(got({ clip: a, time: 0.4, weight: 0.5, wrap: 'loop', mask, trackMask }), [...skeleton.rest.values]);
  assert.deepEqual(got({ clip: a, time: 2.4 }), alone(a, 2));
  // half of each, of tracks exactly
  const tracks = (values) => values.slice(10 * skeleton.joints),
    half = tracks(got({ clip: a, time: 0.4, weight: 0.5 }, { clip: a, time: 1.2, weight: 0.5 }));
  tracks(alone(a, 0.4)).forEach((x, t) => assert.ok(Math.abs((x + tracks(alone(a, 1.2))[t]) / 2 - half[t]) < 1e-6));
  const three = Array.from({ length: 3 }, () => ({ clip: a, time: 0, weight: 1 / 3 }));
  assert.equal(got(...three).length, 10 * skeleton.joints + skeleton.tracks);
  assert.throws(() => got(...three, three[0]), /4 layers; this evaluator was made for 3/);
  for (const layers of [0, 65, 1.5, -1]) assert.throws(() => skeleton.evaluator({ layers }), RangeError);
  for (const layers of [1, 64]) skeleton.evaluator({ layers }).dispose();
});

test('what is of another player, of another size or disposed is refused', async () => {
  const player = await load(),
    bundle = player.openBundle(bytes),
    { skeleton } = bundle,
    clip = bundle.clip('a'),
    other = (await load()).openBundle(bytes);
  const evaluator = skeleton.evaluator({ layers: 2 }),
    pose = skeleton.pose(),
    small = player.pose(skeleton.joints - 1, skeleton.tracks);
  const wrong = [
    () => clip.sample(small, 0),
    () => clip.sample(player.pose(skeleton.joints, skeleton.tracks + 1), 0),
    () => clip.sample(other.skeleton.pose(), 0),
    () => clip.sample(pose, 0, 'clip', small),
    () => clip.sample(pose, 0, 'clip', player.pose(skeleton.joints - 1, skeleton.tracks + 10)),
    () => clip.sample(pose, 0, 'clip', other.skeleton.rest),
    () => clip.sample(pose, NaN),
    () => clip.sample(pose, '0'),
    () => evaluator.evaluate([{ clip: other.clip(0), time: 0 }]),
    () => evaluator.evaluate([{ clip: {}, time: 0 }]),
    () => evaluator.evaluate([{ clip }]),
    () =>
      evaluator.evaluate([
        { clip, time: 0 },
        { clip, time: NaN },
      ]),
    () => evaluator.evaluate([{ clip, time: 0, mask: skeleton.trackMask() }]),
    () => evaluator.evaluate([{ clip, time: 0, trackMask: skeleton.mask() }]),
    () => evaluator.evaluate([{ clip, time: 0, mask: other.skeleton.mask() }]),
    () => evaluator.evaluate([{ clip, time: 0 }], Array(12).fill(0)),
    () => skeleton.toModel(pose, pose),
    () => skeleton.toModel(other.skeleton.matrices(), pose),
    () => skeleton.toModel(skeleton.matrices(), small),
    () => bundle.clip(2),
    () => bundle.clip(-1),
    () => bundle.clip('none'),
    () => player.pose(-1),
    () => player.pose(1, 0.5),
  ];
  for (const call of wrong) assert.throws(call, (error) => error instanceof TypeError || error instanceof RangeError, `${call}`);
  const kept = [...evaluator.evaluate([{ clip, time: 0.5 }]).values];
  bundle.dispose();
  assert.deepEqual([...evaluator.evaluate([{ clip, time: 0.5 }]).values], kept, 'parts keep what they are of');
  for (const each of [clip, evaluator, pose]) each.dispose(), each.dispose();
  assert.throws(() => clip.sample(pose, 0), /was disposed/);
  assert.throws(() => pose.values, /was disposed/);
  const damaged = Uint8Array.from(bytes);
  damaged[30] ^= 1;
  assert.throws(
    () => player.openBundle(damaged),
    (error) => error instanceof QuatsimdError && error.status === -16,
  );
  for (const data of [new Uint8Array(0), new Uint8Array(3), new TextEncoder().encode('<!doctype html>')])
    assert.throws(() => player.openBundle(data), { status: -15 });
  assert.throws(() => player.openClip(bytes), { status: -7 });
  assert.throws(() => player.openSkeleton(bytes), { status: -12 });
  assert.throws(() => player.openBundle('text'), TypeError);
});

test('bytes are taken from any array, from its part of the memory alone', async () => {
  const player = await load(),
    room = new Uint8Array(bytes.length + 24).fill(7);
  room.set(bytes, 8);
  for (const data of [
    room.subarray(8, 8 + bytes.length),
    new DataView(room.buffer, 8, bytes.length),
    room.slice(8, 8 + bytes.length).buffer,
  ])
    assert.deepEqual(player.openBundle(data).names, ['a', 'a-2']);
});

test('what was disposed gives its memory back, and so does what was refused', async () => {
  const player = await load(),
    { module } = player.openBundle(bytes),
    { malloc, free } = module.call,
    held = new Set();
  module.call = {
    ...module.call,
    malloc: (size) => held.add(malloc(size)) && [...held].at(-1),
    free: (at) => (held.delete(at), free(at)),
  };
  const refused = [new Uint8Array(30), bytes.subarray(0, bytes.length - 1), Uint8Array.from(bytes, (byte, i) => byte ^ (i === 30))];
  const bundle = player.openBundle(bytes),
    { skeleton } = bundle,
    clip = bundle.clip(0),
    root = new Float32Array(16),
    matrices = skeleton.matrices();
  const parts = [
    skeleton.evaluator({ layers: 64, model: true, skinning: true }),
    skeleton.pose(),
    skeleton.mask(),
    skeleton.trackMask(),
    matrices,
    clip,
  ];
  skeleton.find('arm'), skeleton.toModel(matrices, skeleton.rest, root);
  const before = held.size;
  for (const data of refused) assert.throws(() => player.openBundle(data), QuatsimdError);
  assert.throws(() => player.openClip(bytes)), assert.throws(() => player.openSkeleton(bytes));
  assert.throws(() => skeleton.toModel(matrices, skeleton.rest, [1]));
  assert.equal(held.size, before, 'what was refused');
  bundle.dispose(), assert.ok(held.size > 0, 'its parts are there');
  for (const each of parts) each.dispose(), each.dispose();
  assert.equal(held.size, 0, 'what was disposed');
});

// ---- three.js' mixer

async function mixed(more = bytes, options = undefined) {
  const bundle = (await load()).openBundle(more),
    { skeleton } = bundle;
  const joints = skeleton.names.map(object),
    meshes = skeleton.trackNames.map(() => ({ morphTargetInfluences: [9, 9] }));
  const mixer = new QuatsimdMixer({ bundle, joints, tracks: meshes.map((mesh) => [{ mesh, target: 1 }]) }, options),
    told = [];
  for (const type of ['finished', 'loop'])
    mixer.addEventListener(type, ({ action, loopDelta, target }) => told.push([type, action.name, loopDelta, target === mixer]));
  return { bundle, skeleton, joints, meshes, mixer, told, a: mixer.action(bundle.names[0]), b: mixer.action(bundle.names.at(-1)) };
}

test('the mixer writes what the clips that play move, and leaves all else alone', async () => {
  const { skeleton, joints, meshes, mixer, a, b, bundle } = await mixed(),
    pose = skeleton.pose();
  const check = (clip, rotates) =>
    joints.forEach((joint, j) => {
      const moves = (kind) => clip.curve(kind, j) > 0;
      assert.deepEqual(
        joint.quaternion.values,
        rotates && moves(0) ? [...pose.rotations.subarray(4 * j, 4 * j + 4)] : [9, 9, 9, 9],
        joint.name,
      );
      if (!moves(1)) assert.deepEqual(joint.position.values, [9, 9, 9]);
      if (!moves(2)) assert.deepEqual(joint.scale.values, [9, 9, 9]);
    });
  mixer.update(0.3);
  check(b.clip, false);
  b.play(), mixer.update(0.5);
  b.clip.sample(pose, 0.5, 'clip', skeleton.rest);
  check(b.clip, true);
  assert.ok(
    meshes.every(({ morphTargetInfluences }) => morphTargetInfluences[1] === 9),
    'no clip that plays moves them',
  );
  b.stop(), a.play(), mixer.update(0.7);
  bundle.clip('a').sample(pose, 0.7, 'clip', skeleton.rest);
  joints.forEach(
    (joint, j) => a.clip.curve(0, j) > 0 && assert.deepEqual(joint.quaternion.values, [...pose.rotations.subarray(4 * j, 4 * j + 4)]),
  );
  joints.forEach((joint, j) => {
    if (a.clip.curve(1, j) > 0) assert.deepEqual(joint.position.values, [...pose.translations.subarray(3 * j, 3 * j + 3)]);
    if (a.clip.curve(2, j) > 0) assert.deepEqual(joint.scale.values, [...pose.scales.subarray(3 * j, 3 * j + 3)]);
  });
  meshes.forEach(({ morphTargetInfluences }, t) => assert.deepEqual(morphTargetInfluences, [9, pose.tracks[t]]));
});

test('what one action has written is written on by another, whose clip moves other kinds', async () => {
  // the arm is turned by one clip, and moved by the other
  const parts = bundled((all, arm) => [
    { ...arm, name: 'turns' },
    { ...all, name: 'walks', channels: all.channels.slice(1, 2) },
  ]);
  const { skeleton, joints, mixer } = await mixed(parts),
    turns = mixer.action('turns'),
    walks = mixer.action('walks'),
    arm = joints.findIndex((_, j) => turns.clip.curve(0, j) > 1);
  assert.deepEqual([turns.clip.curve(1, arm), walks.clip.curve(0, arm)], [0, 0]);
  turns.play(), mixer.update(1), turns.stop(), walks.play(), mixer.update(0);
  assert.deepEqual(
    joints[arm].quaternion.values,
    [...skeleton.rest.rotations.subarray(4 * arm, 4 * arm + 4)],
    'its turn goes to the rest pose',
  );
});

test('a looping action wraps, another stays at its end', async () => {
  const { bundle, skeleton, joints, mixer, a } = await mixed(),
    pose = skeleton.pose(),
    { duration } = a.clip;
  const check = (time) => {
    bundle.clip('a').sample(pose, time, 'clip', skeleton.rest);
    joints.forEach(
      (joint, j) =>
        a.clip.curve(0, j) > 0 &&
        assert.deepEqual(joint.quaternion.values, [...pose.rotations.subarray(4 * j, 4 * j + 4)], `${joint.name} at ${time}`),
    );
  };
  a.play(), mixer.update(1.25 * duration), check(0.25 * duration);
  (a.loop = false), mixer.update(9 * duration), check(duration);
  (a.timeScale = -1), mixer.update(9 * duration), check(0);
});

test('an action without loop tells its end once, forwards and backwards, and starts again', async () => {
  const { mixer, told, a } = await mixed(),
    finished = [['finished', 'a', undefined, true]],
    { start, duration } = a.clip,
    end = start + duration;
  (a.loop = false), a.play(), mixer.update(duration / 2);
  assert.deepEqual(told, []);
  mixer.update(duration), assert.equal(a.time, end), assert.deepEqual(told.splice(0), finished);
  mixer.update(1), assert.deepEqual(told, [], 'told once');
  (a.timeScale = -1), mixer.update(duration / 2);
  assert.ok(Math.abs(a.time - (start + duration / 2)) < 1e-9), assert.deepEqual(told, []);
  mixer.update(duration), assert.equal(a.time, start), assert.deepEqual(told.splice(0), finished, 'backwards');
  mixer.update(1), assert.deepEqual(told, []);
  (a.timeScale = 1),
    mixer.update(duration / 2),
    mixer.update(duration),
    assert.deepEqual(told.splice(0), finished, 'from there to the end');
  a.reset().play(), mixer.update(duration), assert.deepEqual(told.splice(0), finished, 'exactly at the end');
  (a.time = end), (a.timeScale = -0.5), a.stop(), (a.time = end), a.play(), mixer.update(2 * duration);
  assert.equal(a.time, start), assert.deepEqual(told.splice(0), finished, 'at half of the speed');
  (mixer.timeScale = -1), (a.timeScale = 1), a.stop(), (a.time = start + 0.1), a.play(), mixer.update(1);
  assert.equal(a.time, start), assert.ok(a.isPlaying);
});

test('an action with loop tells its rounds, forwards and backwards', async () => {
  const { mixer, told, a } = await mixed(),
    { start, duration } = a.clip,
    near = (x, wanted) => assert.ok(Math.abs(x - wanted) < 1e-9, `${x}, not ${wanted}`);
  a.play(), mixer.update(3.25 * duration), near(a.time, start + 0.25 * duration);
  assert.deepEqual(told.splice(0), [['loop', 'a', 3, true]]);
  mixer.update(0.5 * duration), assert.deepEqual(told, []);
  (a.timeScale = -2), mixer.update(duration), near(a.time, start + 0.75 * duration);
  assert.deepEqual(told.splice(0), [['loop', 'a', -2, true]]);
  (a.timeScale = 0), mixer.update(100), near(a.time, start + 0.75 * duration), assert.deepEqual(told, []);
  (a.timeScale = 1), mixer.update(0.25 * duration), assert.deepEqual(told.splice(0), [['loop', 'a', 1, true]], 'the end is the next start');
  near(a.time, start), assert.equal(mixer.time, 3.25 * duration + 0.5 * duration + duration + 100 + 0.25 * duration);
});

for (const fromFirstKey of [false, true])
  test(`an action on the clock of a year, from ${fromFirstKey ? 'its first key' : '0'}`, async () => {
    const { bundle, skeleton, joints, mixer, told, a } = await mixed(
        bundled((_, arm) => [{ ...arm, name: 'a' }], [0.1, 0.2, 0.3, 0.4]), // a rate of 10: from the first key, a round is no float
        { fromFirstKey },
      ),
      { start, end } = a,
      duration = end - start,
      pose = skeleton.pose();
    assert.deepEqual([start, end], fromFirstKey ? [a.clip.start, a.clip.start + a.clip.duration] : [0, Math.fround(0.4)]);
    a.play();
    for (const clock of [1, 3600, 86400, 8640000, 31557600])
      for (const sign of [1, -1])
        for (let i = 0; i < 50; i++) {
          const time = start + sign * (clock + i / 144) + 1 / 64,
            rest = (time - start) % duration,
            within = rest < 0 ? rest + duration : rest;
          (a.time = time - 1 / 64), mixer.update(1 / 64);
          if (a.time !== start + within) assert.equal(a.time, start + within, `clock ${sign * clock}`);
          const rounds = Math.round((time - start - within) / duration);
          assert.deepEqual(told.splice(0), rounds ? [['loop', 'a', rounds, true]] : []);
          bundle.clip('a').sample(pose, start + within, 'clamp', skeleton.rest);
          joints.forEach((joint, j) => {
            if (a.clip.curve(0, j) > 0)
              joint.quaternion.values.forEach((x, c) =>
                assert.ok(Math.abs(x - pose.rotations[4 * j + c]) < 1e-6, `${joint.name} at ${time}`),
              );
          });
        }
  });

test('an action plays the times from 0, and its first key before that', async () => {
  const { bundle, skeleton, joints, mixer, told, a } = await mixed(bundled((all) => [all], [0.5, 0.75, 1, 2])),
    pose = skeleton.pose();
  const check = (time, shown) => {
    assert.equal(a.time, time);
    bundle.clip('a').sample(pose, shown, 'clamp', skeleton.rest);
    joints.forEach(
      ({ quaternion, name }, j) =>
        a.clip.curve(0, j) > 0 && assert.deepEqual(quaternion.values, [...pose.rotations.subarray(4 * j, 4 * j + 4)], `${name} at ${time}`),
    );
  };
  assert.deepEqual([a.clip.start, a.start, a.end], [0.5, 0, 2]);
  a.play(), mixer.update(0), check(0, 0.5), mixer.update(0.25), check(0.25, 0.5), mixer.update(0.5), check(0.75, 0.75);
  mixer.update(1.25), check(0, 0.5), assert.deepEqual(told.splice(0), [['loop', 'a', 1, true]], 'the end is the next start');
  (a.time = 2), mixer.update(0), check(2, 2), assert.deepEqual(told, [], 'a time that is set');
  mixer.update(-0.25), check(1.75, 1.75), mixer.update(-2), check(1.75, 1.75), assert.deepEqual(told.splice(0), [['loop', 'a', -1, true]]);
  (a.loop = false), mixer.update(-1.5), check(0.25, 0.5), assert.deepEqual(told, [], 'the first key is no end');
  mixer.update(-1), check(0, 0.5), assert.deepEqual(told.splice(0), [['finished', 'a', undefined, true]]);
  (a.time = 3), mixer.update(0), check(3, 2), assert.deepEqual(told, []);
  a.reset(), check(0, 2), a.stop(), assert.equal(a.time, 0);
});

test('fades: what is gone stops, and what is turned back goes on from its share', async () => {
  const { mixer, a, b } = await mixed(),
    near = (x, wanted) => assert.ok(Math.abs(x - wanted) < 1e-9, `${x}, not ${wanted}`);
  a.play(), mixer.update(0.1), a.crossFadeTo(b, 0.5), mixer.update(0.2);
  near(a.effectiveWeight, 0.6), near(b.effectiveWeight, 0.4);
  b.crossFadeTo(a, 0.4), mixer.update(0.2);
  near(a.effectiveWeight, 0.8), near(b.effectiveWeight, 0.2);
  mixer.update(0.3), near(a.effectiveWeight, 1), assert.equal(b.isPlaying, false), mixer.update(1), near(a.effectiveWeight, 1);
  (a.weight = 2),
    a.fadeOut(1),
    mixer.update(-0.5),
    near(a.effectiveWeight, 2),
    mixer.update(0.75),
    near(a.effectiveWeight, 1.5),
    a.fadeIn(0),
    mixer.update(0);
  (a.weight = 0.5), a.fadeOut(1), mixer.update(0.25), near(a.effectiveWeight, 0.375);
  a.fadeIn(1), near(a.effectiveWeight, 0.375), mixer.update(1), near(a.effectiveWeight, 0.5), assert.ok(a.isPlaying);
  a.fadeOut(0), mixer.update(0), assert.equal(a.isPlaying, false);
  a.play(), near(a.effectiveWeight, 0.5);
  b.fadeIn(2).play(), mixer.update(1), near(b.effectiveWeight, 0.5);
  assert.equal(a.crossFadeTo(a, 1), a), assert.ok(a.isPlaying);
  assert.throws(() => a.crossFadeTo('a-2', 1), TypeError);
  mixer.stopAll(), assert.ok(!a.isPlaying && !b.isPlaying && a.time === a.clip.start);
  for (const seconds of [undefined, NaN, Infinity]) assert.throws(() => mixer.update(seconds), TypeError);
});

test("an action's masks, of joints and of tracks", async () => {
  const { skeleton, joints, meshes, mixer, a } = await mixed();
  (a.trackMask = skeleton.trackMask()).values.fill(0), a.play(), mixer.update(0.7);
  meshes.forEach(({ morphTargetInfluences }, t) => assert.equal(morphTargetInfluences[1], skeleton.rest.tracks[t]));
  (a.mask = skeleton.mask()).values.fill(0), mixer.update(0);
  const rest = (j) => [...skeleton.rest.rotations.subarray(4 * j, 4 * j + 4)];
  joints.forEach((joint, j) => a.clip.curve(0, j) > 0 && assert.deepEqual(joint.quaternion.values, rest(j)));
});

test('64 clips at once, and no more', async () => {
  const { bundle, mixer } = await mixed(bundled((all) => Array.from({ length: 65 }, (_, i) => ({ ...all, name: `a${i}` }))));
  bundle.names.slice(0, 64).forEach((name) => mixer.action(name).play());
  mixer.update(0.1), mixer.action(bundle.names[64]).play();
  assert.throws(() => mixer.update(0.1), /65 clips play at once; 64 may/);
});

test('an action without loop stops when it has gone, too', async () => {
  const { mixer, a } = await mixed();
  (a.loop = false), a.play().fadeOut(1), mixer.update(2);
  assert.equal(a.isPlaying, false);
});

test('more clips than the mixer had room for', async () => {
  const { mixer, a, joints } = await mixed(),
    actions = Array.from({ length: 9 }, () => a);
  (a.play().weight = 1 / 9), mixer.update(0.4);
  // nine actions of one clip: as many layers as the mixer meets at once
  const player = mixer.skeleton.evaluator({ layers: 9 }),
    wanted = [...player.evaluate(actions.map(({ clip, time }) => ({ clip, time, weight: 1 / 9, wrap: 'loop' }))).rotations];
  mixer.dispose();
  const { mixer: many, joints: other } = await mixed(bundled((all) => Array.from({ length: 9 }, (_, i) => ({ ...all, name: `a${i}` }))));
  many.bundle.names.slice(0, 9).forEach((name) => (many.action(name).play().weight = 1 / 9));
  many.update(0.4);
  other.forEach(
    ({ quaternion }, j) =>
      quaternion.values[0] === 9 ||
      quaternion.values.forEach((x, c) => assert.ok(Math.abs(x - wanted[4 * j + c]) < 1e-4, `${joints[j].name}`)),
  );
});

test('objects are found by their names', async () => {
  const { skeleton } = await open(),
    root = object('root'),
    names = skeleton.names.filter((name, j) => skeleton.names.indexOf(name) === j && !root.children.some((child) => child.name === name));
  root.children = names.map(object);
  const warned = [],
    { warn } = console;
  console.warn = (line) => warned.push(line);
  const { joints } = bindByName(root, skeleton);
  console.warn = warn;
  assert.match(warned.join(), /only 5 of 5 joints and 0 of 4 tracks/);
  skeleton.names.forEach((name, j) => assert.equal(joints[j]?.name, name));
});
