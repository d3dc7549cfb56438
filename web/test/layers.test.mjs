// Layers over layers, masks, events, root motion and goals, beside models in JavaScript: what `./dev test` runs, as play.test.mjs.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd node --test layers.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuatsimdError, QuatsimdMixer, command, load, object, work } from './support/player.mjs';
import { EVENTS, walker } from './support/walker.mjs';

const { bundle: bytes } = walker(command, work);
const open = async () => (await load()).openBundle(bytes);

let seed = 1;
const random = (low = 0, high = 1) => low + ((high - low) * (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0)) / 2 ** 32,
  among = (list) => list[Math.floor(random(0, list.length))];
const near = (got, wanted, bound, words) =>
  wanted.forEach((x, i) => assert.ok(Math.abs(got[i] - x) <= bound, `${words}: ${[...got]}, not ${[...wanted]}`));

// ---- a model: quaternions, movements and layers, from docs/pose.md

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0),
  scaled = (a, by) => a.map((x) => x * by),
  plus = (a, b) => a.map((x, i) => x + b[i]),
  unit = (a) => scaled(a, 1 / Math.sqrt(dot(a, a)));
const times = ([x, y, z, w], [X, Y, Z, W]) => [
    w * X + x * W + y * Z - z * Y,
    w * Y - x * Z + y * W + z * X,
    w * Z + x * Y - y * X + z * W,
    w * W - x * X - y * Y - z * Z,
  ],
  conjugate = ([x, y, z, w]) => [-x, -y, -z, w],
  rotated = (q, v) => times(times(q, [...v, 0]), conjugate(q)).slice(0, 3);

const STILL = { q: [0, 0, 0, 1], t: [0, 0, 0] },
  compose = (a, b) => ({ q: times(a.q, b.q), t: plus(a.t, rotated(a.q, b.t)) }),
  invert = ({ q, t }) => ({ q: conjugate(q), t: scaled(rotated(conjugate(q), t), -1) });

// The weighted mean of values, which go on where the weights do not reach 1.
function mix(values, weights, rest, isRotation) {
  const all = [...values, rest],
    given = weights.reduce((sum, w) => sum + w, 0),
    shares = [...weights, Math.max(1 - given, 0)];
  let sum = all[0].map(() => 0);
  all.forEach((value, i) => (sum = plus(sum, scaled(value, isRotation && dot(sum, value) < 0 ? -shares[i] : shares[i]))));
  return isRotation ? unit(sum) : scaled(sum, 1 / Math.max(given, 1));
}

const splitPose = (pose, j) => [
  [...pose.rotations.slice(4 * j, 4 * j + 4)],
  [...pose.translations.slice(3 * j, 3 * j + 3)],
  [...pose.scales.slice(3 * j, 3 * j + 3)],
];
const jointsOf = (pose) => Array.from({ length: pose.joints }, (_, j) => splitPose(pose, j)),
  kept = (pose) => ({ joints: jointsOf(pose), tracks: [...pose.tracks] });

// The pose of layers: { sample, weight, mode, mask, trackMask }, of which samples are poses as `kept`.
function layered(layers, rest) {
  const blended = layers.filter(({ mode }) => mode === 'blend'),
    factor = (mask, i) => Math.max(mask ? mask[i] : 1, 0),
    share = ({ weight, mask }, j) => Math.max(weight, 0) * factor(mask, j);
  const pose = {
    joints: rest.joints.map((parts, j) =>
      parts.map((part, kind) =>
        mix(
          blended.map(({ sample }) => sample.joints[j][kind]),
          blended.map((layer) => share(layer, j)),
          part,
          kind === 0,
        ),
      ),
    ),
    tracks: rest.tracks.map(
      (value, t) =>
        mix(
          blended.map(({ sample }) => [sample.tracks[t]]),
          blended.map(({ weight, trackMask }) => share({ weight, mask: trackMask }, t)),
          [value],
        )[0],
    ),
  };
  for (const layer of layers.filter(({ mode }) => mode !== 'blend')) {
    const { sample, mode, weight, trackMask } = layer;
    pose.joints.forEach((parts, j) => {
      const w = mode === 'over' ? share(layer, j) : weight * (layer.mask ? layer.mask[j] : 1),
        [q, t, s] = sample.joints[j];
      if (mode === 'over') [q, t, s].forEach((part, kind) => (parts[kind] = mix([part], [w], parts[kind], kind === 0)));
      else {
        const sign = q[3] < 0 ? -1 : 1;
        parts[0] = times(parts[0], unit(plus(scaled(q, w * sign), [0, 0, 0, 1 - w])));
        parts[1] = plus(parts[1], scaled(t, w));
        parts[2] = parts[2].map((x, c) => x * (1 + w * (s[c] - 1)));
      }
    });
    pose.tracks = pose.tracks.map((x, t) => {
      const w = weight * (trackMask ? trackMask[t] : 1);
      return mode === 'over' ? mix([[sample.tracks[t]]], [Math.max(w, 0)], [x])[0] : x + w * sample.tracks[t];
    });
  }
  return pose;
}

function samePose(got, wanted, words) {
  wanted.joints.forEach((parts, j) =>
    parts.forEach((part, kind) => {
      const is = got.joints[j][kind],
        sign = kind === 0 && dot(is, part) < 0 ? -1 : 1;
      near(scaled(is, sign), part, 3e-6, `${words}, joint ${j}, kind ${kind}`);
    }),
  );
  near(got.tracks, wanted.tracks, 3e-6, `${words}, tracks`);
}

// ---- layers and masks

test('layers of all modes, weights and masks, as docs/pose.md defines them', async () => {
  const bundle = await open(),
    { skeleton } = bundle,
    clips = bundle.names.map((name) => bundle.clip(name)),
    evaluator = skeleton.evaluator({ layers: 6 }),
    rest = kept(skeleton.rest),
    zero = {
      joints: rest.joints.map(() => [
        [0, 0, 0, 1],
        [0, 0, 0],
        [1, 1, 1],
      ]),
      tracks: rest.tracks.map(() => 0),
    };
  const identity = skeleton.pose();
  const count = { over: 0, blend: 0, add: 0 };
  for (let i = 0; i < 300; i++) {
    const layers = Array.from({ length: 1 + Math.floor(random(0, 6)) }, () => {
      const clip = among(clips),
        isAdditive = clip.additive !== 'none',
        mask = random() < 0.5 ? skeleton.mask() : undefined,
        trackMask = random() < 0.5 ? skeleton.trackMask() : undefined;
      for (const { values } of [mask, trackMask].filter(Boolean)) values.forEach((_, j) => (values[j] = among([0, 1, random()])));
      return {
        clip,
        time: random(0, 0.6),
        wrap: 'clamp',
        weight: among([1, 0.5, random(), random(), isAdditive ? -0.3 : 2]),
        mode: isAdditive ? among(['auto', 'add', undefined]) : among(['auto', 'blend', 'over', 'over', undefined]),
        mask,
        trackMask,
      };
    });
    const model = layers.map(({ clip, time, mode, mask, trackMask, ...layer }) => {
      const isAdditive = clip.additive !== 'none',
        sample = kept(clip.sample(skeleton.pose(), time, 'clamp', isAdditive ? identity : skeleton.rest));
      const meant = !mode || mode === 'auto' ? (isAdditive ? 'add' : 'blend') : mode;
      count[meant]++;
      return { ...layer, sample, mode: meant, mask: mask?.values, trackMask: trackMask?.values };
    });
    const words = `${i}: ${model.map(({ mode, weight }) => `${mode} ${weight}`)}`;
    samePose(kept(evaluator.evaluate(layers)), layered(model, rest), words);
  }
  assert.ok(Object.values(count).every((n) => n > 50) && zero.joints.length === 9, JSON.stringify(count));
});

test('a mode that does not fit its clip is refused with the reason', async () => {
  const bundle = await open(),
    [walk, breath] = ['walk', 'breath'].map((name) => bundle.clip(name)),
    evaluator = bundle.skeleton.evaluator();
  for (const [clip, mode, words] of [
    [breath, 'over', /^layer 1: an additive clip cannot have the mode over$/],
    [breath, 'blend', /^layer 1: an additive clip cannot have the mode blend$/],
    [walk, 'add', /^layer 1: a clip that is not additive cannot have the mode add$/],
  ])
    assert.throws(
      () =>
        evaluator.evaluate([
          { clip: walk, time: 0 },
          { clip, time: 0, mode },
        ]),
      (error) => error instanceof QuatsimdError && error.status === -3 && words.test(error.message),
    );
  for (const mode of ['Over', '', 3]) assert.throws(() => evaluator.evaluate([{ clip: walk, time: 0, mode }]), /mode is one of 'auto'/);
});

test('masks of the bundle, and of joints and all below them', async () => {
  const bundle = await open(),
    { skeleton } = bundle,
    below = (name) => {
      const first = skeleton.find(name),
        isBelow = (j) => j === first || (j >= 0 && isBelow(skeleton.parents[j]));
      return skeleton.names.map((_, j) => (isBelow(j) ? 1 : 0));
    };
  assert.deepEqual(bundle.masks, ['arm', 'top']);
  for (const [name, joint, track] of [
    ['arm', 'upper', 0],
    ['top', 'spine', 1],
  ]) {
    const { mask, trackMask } = bundle.mask(name);
    assert.deepEqual([[...mask.values], [...trackMask.values]], [below(joint), [track]], name);
    assert.deepEqual([...skeleton.mask({ [joint]: 1 }).values], below(joint));
  }
  const own = bundle.mask('arm').mask;
  own.values.fill(0.5), assert.deepEqual([...bundle.mask('arm').mask.values], below('upper'), 'a copy each');
  assert.deepEqual(
    [...skeleton.mask({ hips: 0.25, lower: 0.75, foot: 1 }).values],
    skeleton.names.map((name) => ({ base: 0, lower: 0.75, hand: 0.75, foot: 1 })[name] ?? 0.25),
  );
  assert.deepEqual([...skeleton.mask({}).values], Array(9).fill(0)), assert.deepEqual([...skeleton.mask().values], Array(9).fill(1));
  assert.throws(() => bundle.mask('none'), /no mask none/), assert.throws(() => skeleton.mask({ none: 1 }), /no joint none/);
});

// ---- events

// The passes of a clock, one by one: `marks` in each round of a length, moved by `round * length`.
function passes(marks, from, to, length) {
  const [low, high] = from < to ? [from, to] : [to, from],
    rounds = length ? Array.from({ length: Math.ceil((high - low) / length) + 4 }, (_, i) => Math.floor(low / length) - 2 + i) : [0],
    all = rounds.flatMap((round) => marks.map(({ name, time }) => ({ name, clock: time + round * (length ?? 0) })));
  const passed = all.filter(({ clock }) => (from < to ? clock > from && clock <= to : clock >= to && clock < from));
  return passed.map(({ name }) => name).sort();
}

// The command moves an event at the first key to where the key's float is.
const FIRST = Math.fround(1 / 24);

test('the events of a clip, and those that a clock passes', async () => {
  const bundle = await open(),
    walk = bundle.clip('walk');
  for (const [name, events] of Object.entries(EVENTS)) {
    const wanted = [...events].sort((a, b) => a.time - b.time || (a.name < b.name ? -1 : 1));
    assert.deepEqual(
      bundle.clip(name).events,
      wanted.map(({ time, name }) => ({ name, time: name === 'first' ? FIRST : time })),
    );
  }
  assert.deepEqual([bundle.clip('wave').events, bundle.clip('wave').eventsBetween(-9, 9, 'loop')], [[], []]);
  assert.deepEqual(walk.eventsBetween(0.15, 0.4), [
    { name: 'left', time: 0.2, clock: 0.2 },
    { name: 'sound', time: 0.2, clock: 0.2 },
    { name: 'right', time: 0.4, clock: 0.4 },
  ]);
  assert.deepEqual(
    walk.eventsBetween(0.4, 0.19).map(({ name }) => name),
    ['sound', 'left'],
  );
  const looped = walk.eventsBetween(0.45, 1.25, 'loop');
  assert.deepEqual(
    looped.map(({ name, time, clock }) => [name, time, Math.round(100 * clock)]),
    [
      ['last', 13 / 24, 54],
      ['first', FIRST, 54],
      ['left', 0.2, 70],
      ['sound', 0.2, 70],
      ['right', 0.4, 90],
      ['last', 13 / 24, 104],
      ['first', FIRST, 104],
      ['left', 0.2, 120],
      ['sound', 0.2, 120],
    ],
  );
  const inside = walk.events.filter(({ time }) => time > walk.start && time < walk.start + walk.duration);
  let clock = 3;
  for (let i = 0; i < 500; i++) {
    const to = clock + among([1, 1, -1]) * random(0, among([0.02, 0.3, 2])),
      names = walk.eventsBetween(clock, to, 'loop').map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => name !== 'last' && name !== 'first').sort(),
      passes(inside, clock, to, walk.duration).filter((name) => name !== 'last'),
    );
    clock = to;
  }
  for (const call of [() => walk.eventsBetween(NaN, 1), () => walk.eventsBetween(0), () => walk.eventsBetween(0, 1, 'round')])
    assert.throws(call, TypeError);
});

test('an evaluator gives the events of its layers', async () => {
  const bundle = await open(),
    { skeleton } = bundle,
    [walk, run, breath] = ['walk', 'run', 'breath'].map((name) => bundle.clip(name)),
    evaluator = skeleton.evaluator();
  const at = (clip, more) => ({ clip, lastTime: 0.1, time: 0.25, ...more });
  evaluator.evaluate([at(run, { weight: 0.25 }), at(breath), at(walk, { wrap: 'loop', time: 0.75, mode: 'over' })]);
  assert.deepEqual(
    evaluator.events.filter(({ name }) => name !== 'last').map(({ layer, weight, name, time }) => [layer, weight, name, time]),
    [
      [0, 0.25, 'step', 0.11],
      [2, 1, 'left', 0.2],
      [2, 1, 'sound', 0.2],
      [2, 1, 'right', 0.4],
      [2, 1, 'first', FIRST],
      [2, 1, 'left', 0.2],
      [2, 1, 'sound', 0.2],
    ],
  );
  assert.ok(Math.abs(evaluator.events.at(-1).clock - 0.7) < 1e-9);
  evaluator.evaluate([at(run, { weight: 0 }), at(run, { weight: -1 }), at(run, { weight: NaN }), { clip: run, time: 0.25 }]);
  assert.deepEqual(evaluator.events, [], 'layers that are ignored, and one without a last time');
});

// ---- root motion

// X(t) of a clip: the movement of hips since its start. across and turn are those that count; about y.
function pathOf(bundle, name) {
  const { skeleton } = bundle,
    clip = bundle.clip(name),
    hips = skeleton.find('hips'),
    pose = skeleton.pose(),
    matrices = skeleton.matrices();
  const end = clip.start + clip.duration;
  const place = (time) => {
    const { values } = skeleton.toModel(matrices, clip.sample(pose, Math.min(Math.max(time, clip.start), end), 'clamp', skeleton.rest)),
      base = [...skeleton.rest.rotations.slice(0, 4)];
    return { q: times(base, [...pose.rotations.slice(4 * hips, 4 * hips + 4)]), t: [...values.slice(16 * hips + 12, 16 * hips + 15)] };
  };
  const start = place(clip.start),
    flat = ([x, , z]) => [x, 0, z];
  const path = (time) => {
    const { q, t } = place(time),
      [, y, , w] = times(q, conjugate(start.q)),
      turn = unit([0, y, 0, w]);
    return { q: turn, t: plus(flat(t), scaled(rotated(turn, flat(start.t)), -1)) };
  };
  return Object.assign(path, { start: flat(start.t) });
}
function sameMovement({ rotation, translation }, { q, t }, words, bound = 2e-6) {
  const array = (v) => ('x' in v ? [v.x, v.y, v.z, v.w].filter((x) => x !== undefined) : [...v]),
    sign = dot(array(rotation), q) < 0 ? -1 : 1;
  near(scaled(array(rotation), sign), q, bound, `${words}, rotation`);
  near(array(translation), t, bound * (1 + Math.max(...t.map(Math.abs))), `${words}, translation`);
}
const power = (movement, n) =>
  Array.from({ length: Math.abs(n) }).reduce((all) => compose(all, n < 0 ? invert(movement) : movement), STILL);

test('root motion of a clip, of layers, and at a root that moves', async () => {
  const bundle = await open(),
    { skeleton } = bundle,
    [walk, run] = ['walk', 'run'].map((name) => bundle.clip(name)),
    options = { joint: 'hips' },
    [motion, other] = [walk, run].map((clip) => skeleton.rootMotion(clip, options)),
    [X, Y] = ['walk', 'run'].map((name) => pathOf(bundle, name));
  const movement = (path, clip, from, to) => {
    const at = (time) => {
      const rounds = Math.floor((time - clip.start) / clip.duration);
      return compose(power(path(clip.start + clip.duration), rounds), path(time - rounds * clip.duration));
    };
    return compose(invert(at(from)), at(to));
  };
  assert.equal(motion.joint, skeleton.find('hips'));
  sameMovement(motion.between(0.1, 0.4), movement(X, walk, 0.1, 0.4), 'between');
  sameMovement(motion.between(0.1, 1.4, 'loop'), movement(X, walk, 0.1, 1.4), 'in a loop');
  sameMovement(motion.between(1.4, 0.1, 'loop'), movement(X, walk, 1.4, 0.1), 'backwards');
  const straight = skeleton.rootMotion(walk, { ...options, straight: true }),
    [half, whole] = [0.25, 0.5].map((time) => straight.between(walk.start, walk.start + time));
  sameMovement(whole, X(walk.start + 0.5), 'straight');
  near(times([...half.rotation], [...half.rotation]), [...whole.rotation], 1e-6, 'half of the straight turn, twice');
  const moved = ({ rotation, translation }) => plus(rotated([...rotation], X.start), [...translation]);
  near(moved(half), scaled(plus(X.start, moved(whole)), 0.5), 1e-6, 'half of the straight path');
  const along = skeleton.rootMotion(walk, { joint: 1, across: false, turn: false, along: true, up: [0, 0, -2] }).between(0.1, 0.4),
    all = skeleton.rootMotion(walk, { joint: 1, all: true });
  assert.deepEqual([...along.rotation], [0, 0, 0, 1]), near(along.translation.slice(0, 2), [0, 0], 1e-6, 'along z');
  assert.ok(Math.abs(along.translation[2]) > 0.01 && Math.abs(all.between(0.1, 0.4).translation[1]) > 0.05);
  // of layers: their mean, then those over it
  const evaluator = skeleton.evaluator({ model: true }),
    plain = skeleton.evaluator({ model: true }),
    mask = skeleton.mask();
  sameMovement(evaluator.step, STILL, 'before any evaluation');
  mask.values[motion.joint] = 0.5;
  let place = STILL,
    clock = 0.1;
  for (let i = 0; i < 100; i++) {
    const [from, to] = [clock, (clock += random(-0.1, 0.4))],
      layers = [
        { clip: walk, weight: 0.5, motion, lastTime: from, time: to, wrap: 'loop' },
        { clip: run, weight: 0.25, motion: other, lastTime: from, time: to, wrap: 'loop', mask },
      ],
      over = { clip: run, mode: 'over', weight: 0.5, mask, motion: other, lastTime: 0, time: 0.2 };
    const [a, b, c] = [movement(X, walk, from, to), movement(Y, run, from, to), movement(Y, run, run.start, 0.2)],
      mean = (list, weights, rest) => ({
        q: mix(
          list.map(({ q }) => q),
          weights,
          rest.q,
          true,
        ),
        t: mix(
          list.map(({ t }) => t),
          weights,
          rest.t,
        ),
      }),
      blended = mean([a, b], [0.5, 0.125], STILL);
    evaluator.evaluate(layers), sameMovement(evaluator.step, blended, `layers, ${i}`, 1e-5);
    evaluator.evaluate([over, ...layers]), sameMovement(evaluator.step, mean([c], [0.25], blended), `over, ${i}`, 1e-5);
    evaluator.evaluate([{ ...layers[0], weight: 1 }]), sameMovement(evaluator.step, a, `one layer, ${i}`, 1e-5);
    place = compose(place, a);
    // the same matrices, at a root that moves and at one that has moved
    const root = [0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 3, 4, 5, 1],
      turn = ([x, y, z]) => plus([2 * z, 2 * y, -2 * x], [3, 4, 5]);
    evaluator.evaluate([{ ...layers[0], weight: 1 }], { root, moveRoot: true }), plain.evaluate([{ ...layers[0], weight: 1 }]);
    for (let j = 0; j < skeleton.joints; j++) {
      const at = [...plain.model.values.slice(16 * j + 12, 16 * j + 15)];
      near(evaluator.model.values.slice(16 * j + 12, 16 * j + 15), turn(plus(a.t, rotated(a.q, at))), 1e-4, `joint ${j}`);
    }
  }
  // what the layer shows without it, at the place to which it has moved, is where the clip has it
  const wanted = movement(X, walk, 0.1, clock);
  near(place.t, wanted.t, 1e-4, 'steps sum');
  evaluator.evaluate([{ clip: walk, time: 0.3, motion }]), plain.evaluate([{ clip: walk, time: 0.3 }]);
  const { q, t } = X(0.3);
  for (let j = 1; j < skeleton.joints; j++) {
    const at = [...evaluator.model.values.slice(16 * j + 12, 16 * j + 15)];
    near(plus(t, rotated(q, at)), [...plain.model.values.slice(16 * j + 12, 16 * j + 15)], 1e-5, `joint ${j} without its motion`);
  }
  assert.deepEqual([evaluator.step.rotation, evaluator.step.translation], [Float32Array.of(0, 0, 0, 1), new Float32Array(3)]);
});

test('root motion that a clip cannot have gets words', async () => {
  const player = await load(),
    bundle = player.openBundle(bytes),
    { skeleton } = bundle,
    [walk, breath] = ['walk', 'breath'].map((name) => bundle.clip(name)),
    evaluator = skeleton.evaluator(),
    motion = skeleton.rootMotion(walk, { joint: 'hips' });
  for (const [call, words] of [
    [() => skeleton.rootMotion(breath, { joint: 'hips' }), /joint hips has no root motion: the clip is additive/],
    [() => skeleton.rootMotion(walk, { joint: 'spine' }), /joint spine .* moves a joint above it/],
    [() => skeleton.rootMotion(walk, { joint: 'hips', across: false, turn: false }), /no part is chosen/],
    [() => skeleton.rootMotion(walk, { joint: 'hips', up: [0, 0, 0] }), /up is 0/],
    [() => skeleton.rootMotion(walk, { joint: 'hips', up: [0, 1] }), /up has 3 floats, not 2/],
    [() => skeleton.rootMotion(walk, { joint: 'tail' }), /no joint tail/],
    [() => skeleton.rootMotion(walk, { joint: 9 }), /no joint 9/],
    [() => skeleton.rootMotion({}, { joint: 'hips' }), /clip is not of this player/],
    [() => evaluator.evaluate([{ clip: bundle.clip('run'), time: 0, motion }]), /motion of layer 0 is not of its clip/],
    [() => evaluator.evaluate([{ clip: walk, time: 0, lastTime: NaN }]), /lastTime of layer 0/],
    [() => motion.between(0, NaN), /number of seconds/],
  ])
    assert.throws(call, words);
  const before = motion.between(0, 0.4);
  walk.dispose(), bundle.dispose();
  assert.deepEqual(motion.between(0, 0.4), before, 'it keeps its clip');
  motion.dispose(), assert.throws(() => motion.between(0, 1), /RootMotion was disposed/);
});

// ---- goals

test('a hand reaches its target, and an axis aims at it', async () => {
  const bundle = await open(),
    { skeleton } = bundle,
    clip = bundle.clip('walk'),
    evaluator = skeleton.evaluator({ model: true, goals: 2 }),
    root = [0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 3, 4, 5, 1],
    matrix = (name) => [...evaluator.model.values.slice(16 * skeleton.find(name), 16 * skeleton.find(name) + 16)],
    at = (name) => matrix(name).slice(12, 15),
    layers = [{ clip, time: 0.3 }];
  evaluator.evaluate(layers, root);
  const shoulder = at('upper'),
    foot = at('foot'),
    elbow = at('lower');
  for (const given of [(v) => v, ([x, y, z]) => ({ x, y, z, isVector3: true }), (v) => Float32Array.from(v)]) {
    const target = plus(shoulder, [0.5, 0.3, -0.6]),
      pole = [0, 1, 0];
    evaluator.evaluate(layers, { root, goals: [{ kind: 'reach', joint: 'hand', target: given(target) }] });
    near(at('hand'), target, 2e-5, 'the hand'), near(at('foot'), foot, 1e-6, 'the foot'), near(at('upper'), shoulder, 1e-6, 'the shoulder');
    evaluator.evaluate(layers, {
      root: { elements: root },
      goals: [{ kind: 'reach', joint: 'hand', target, pole: given(pole), weight: 1 }],
    });
    near(at('hand'), target, 2e-5, 'the hand, with a pole');
    const way = unit(plus(target, scaled(shoulder, -1))),
      bend = plus(at('lower'), scaled(shoulder, -1)),
      across = (v) => unit(plus(v, scaled(way, -dot(v, way))));
    near(across(bend), across(pole), 1e-3, 'the elbow is toward the pole');
  }
  // by numbers, with a weight of 0, and out of reach
  const far = plus(shoulder, [9, 0, 0]),
    [upper, lower, hand] = ['upper', 'lower', 'hand'].map((name) => skeleton.find(name));
  evaluator.evaluate(layers, { root, goals: [{ kind: 'reach', first: upper, middle: lower, joint: hand, target: far }] });
  near(unit(plus(at('hand'), scaled(shoulder, -1))), [1, 0, 0], 1e-4, 'a straight arm');
  const reach = Math.hypot(...plus(at('hand'), scaled(shoulder, -1)));
  evaluator.evaluate(layers, { root, goals: [{ kind: 'reach', joint: hand, target: far, softness: 0.5 }] });
  evaluator.evaluate(layers, {
    root,
    goals: [{ kind: 'reach', joint: hand, target: plus(shoulder, [0.95 * reach, 0, 0]), softness: 0.5 }],
  });
  assert.ok(Math.hypot(...plus(at('hand'), scaled(shoulder, -1))) < 0.94 * reach, 'a soft limb is not yet there');
  evaluator.evaluate(layers, { root, goals: [{ kind: 'reach', joint: hand, target: far, weight: 0 }] });
  near(at('lower'), elbow, 1e-6, 'a weight of 0');
  // aim: an axis of the hand, by the hand alone, and with a limit
  const axis = [0, 1, 0],
    direction = () => unit(matrix('hand').slice(4, 7)),
    toward = (target) => unit(plus(target, scaled(at('hand'), -1)));
  evaluator.evaluate(layers, root);
  const before = direction(),
    place = at('hand'),
    angle = (a, b) => Math.acos(Math.min(Math.max(dot(a, b), -1), 1));
  evaluator.evaluate(layers, { root, goals: [{ kind: 'aim', joint: 'hand', axis, target: far }] });
  near(direction(), toward(far), 1e-5, 'the axis'), near(at('hand'), place, 1e-6, 'by the hand alone');
  evaluator.evaluate(layers, { root, goals: [{ kind: 'aim', joint: 'hand', axis, target: far, limit: 0.2 }] });
  assert.ok(Math.abs(angle(before, direction()) - 0.2) < 1e-3, `${angle(before, direction())}`);
  evaluator.evaluate(layers, { root, goals: [{ kind: 'aim', joint: 'hand', first: 'upper', axis, target: far }] });
  near(direction(), toward(far), 1e-4, 'the axis, shared'), assert.ok(Math.hypot(...plus(at('lower'), scaled(elbow, -1))) > 1e-3);
  // mistakes
  for (const [goals, words] of [
    [[{ kind: 'grasp', joint: 'hand', target: far }], /kind of a goal is one of 'reach', 'aim'/],
    [[{ kind: 'reach', joint: 'fin', target: far }], /a goal: the skeleton has no joint fin/],
    [[{ kind: 'reach', joint: 'hand' }], /target has 3 floats/],
    [
      [
        { kind: 'reach', joint: 'hand', target: far, weight: 0 },
        { kind: 'reach', joint: 'hand', first: 'thigh', target: far },
      ],
      /goal 1: .*not above its middle/,
    ],
    [[{ kind: 'reach', joint: 'hips', target: far }], /goal 0: /],
    [[{ kind: 'reach', joint: 'base', target: far }], /goal 0: /],
    [Array(3).fill({ kind: 'aim', joint: 'hand', axis, target: far }), /3 goals; this evaluator was made for 2/],
  ])
    assert.throws(() => evaluator.evaluate(layers, { goals }), words);
  for (const goals of [0, 1.5, 1025]) assert.throws(() => skeleton.evaluator({ goals }), RangeError);
  assert.deepEqual(skeleton.limb({ kind: 'reach', joint: 'hand' }), { joint: hand, middle: lower, first: upper });
  assert.deepEqual(skeleton.limb({ kind: 'aim', joint: 'hand', first: 'upper' }).first, upper);
});

test('all that layers need gives its memory back', async () => {
  const player = await load(),
    { module } = player.openBundle(bytes),
    { malloc, free } = module.call,
    held = new Set();
  module.call = { ...module.call, malloc: (size) => held.add(malloc(size)) && [...held].at(-1), free: (at) => (held.delete(at), free(at)) };
  const bundle = player.openBundle(bytes),
    { skeleton } = bundle,
    clip = bundle.clip('walk'),
    motion = skeleton.rootMotion(clip, { joint: 'hips' }),
    evaluator = skeleton.evaluator(),
    { mask, trackMask } = bundle.mask('top'),
    other = skeleton.mask({ hips: 1 });
  const before = held.size;
  clip.eventsBetween(0, 9, 'loop'), motion.between(0, 1), evaluator.evaluate([{ clip, time: 1, lastTime: 0, motion }], { goals: [] });
  assert.throws(() => skeleton.rootMotion(clip, { joint: 'spine' })), assert.throws(() => skeleton.mask({ none: 1 }));
  assert.equal(held.size, before);
  for (const each of [bundle, clip, motion, evaluator, mask, trackMask, other]) each.dispose();
  assert.equal(held.size, 0);
  const { mixer } = await mixed({ rootMotion: { joint: 'hips' } }, player);
  (mixer.action('walk').play().mask = 'top'), mixer.update(0.1);
  const one = held.size,
    second = new QuatsimdMixer({ ...mixer, joints: [] }); // shares clips and the memory of a pose
  second.action('walk').play(), second.update(0.1), assert.equal(held.size, one);
  mixer.dispose(), second.update(0.1), second.dispose(), second.bundle.dispose(), assert.equal(held.size, 0);
});

// ---- the mixer

async function mixed(options, player) {
  const bundle = (player ?? (await load())).openBundle(bytes),
    { skeleton } = bundle,
    joints = skeleton.names.map(object),
    meshes = skeleton.trackNames.map(() => ({ morphTargetInfluences: [9] })),
    mixer = new QuatsimdMixer({ bundle, joints, tracks: meshes.map((mesh) => [{ mesh, target: 0 }]) }, options),
    told = [];
  for (const type of ['event', 'loop', 'finished']) mixer.addEventListener(type, (event) => told.push(event));
  const shown = () => ({
    joints: joints.map(({ quaternion, position }) => [quaternion.values, position.values]),
    track: meshes[0].morphTargetInfluences[0],
  });
  return { bundle, skeleton, joints, mixer, told, shown };
}

test('an action over another, by a mask of the bundle, while it fades', async () => {
  const { bundle, skeleton, mixer, shown } = await mixed(),
    [walk, wave] = ['walk', 'wave'].map((name) => mixer.action(name).play()),
    evaluator = skeleton.evaluator(),
    check = (weight, masks, words) => {
      const pose = evaluator.evaluate([
        { clip: walk.clip, time: walk.time, wrap: 'clamp' },
        { clip: wave.clip, time: wave.time, wrap: 'clamp', weight, mode: 'over', ...masks },
      ]);
      const { joints, track } = shown();
      joints.forEach(([q], j) => q[0] === 9 || assert.deepEqual(q, [...pose.rotations.slice(4 * j, 4 * j + 4)], `${words}, joint ${j}`));
      assert.equal(track, pose.tracks[0], words);
    };
  (wave.mode = 'over'), (wave.mask = 'top'), wave.fadeIn(1);
  for (let i = 1; i <= 4; i++) mixer.update(0.25), check(i / 4, bundle.mask('top'), `faded to ${i / 4}`);
  (wave.trackMask = skeleton.trackMask()).values[0] = 0.5;
  mixer.update(0.1), check(1, { ...bundle.mask('top'), trackMask: wave.trackMask }, 'a mask of tracks of its own');
  (wave.mask = 'arm'), (wave.trackMask = undefined), mixer.update(0.1), check(1, bundle.mask('arm'), 'another mask');
  (wave.mask = 'none'), assert.throws(() => mixer.update(0), /no mask none/);
});

// Events of an action whose time is in [start, end]: those of whole rounds from one clock to another.
test('the mixer tells each event once in each pass of the time of the file, forwards and backwards', async () => {
  let count = 0;
  for (const [name, fromFirstKey] of [
    ['walk', false],
    ['walk', true],
    ['before', false],
    ['run', false],
  ]) {
    const { mixer, told } = await mixed({ fromFirstKey }),
      action = mixer.action(name),
      { start, end } = action,
      length = end - start;
    // at the ends a clock passes what is at both
    const marks = action.clip.events
      .filter(({ time }) => Math.fround(time) >= Math.fround(start) && Math.fround(time) <= Math.fround(end))
      .map(({ name, time }) => ({ name, time: Math.fround(time) === Math.fround(end) ? 0 : Math.max(time - start, 0) }));
    assert.deepEqual(
      marks.map(({ name }) => name).sort(),
      EVENTS[name]
        .map(({ name }) => name)
        .filter((name) => name !== 'never' && !(fromFirstKey && /zero|early/.test(name)))
        .sort(),
    );
    action.play(),
      mixer.update(1e-3),
      assert.deepEqual(
        told.splice(0).map((event) => event.name),
        marks
          .filter(({ time }) => time < 1e-3)
          .map(({ name }) => name)
          .sort((a, b) => (a === 'last' ? -1 : a < b ? -1 : 1)),
        'those at its beginning',
      );
    let clock = 1e-3;
    for (let i = 0; i < 2000; i++) {
      const step = among([1, 1, 1, -1]) * random(0, among([0.01, 0.1, 0.7, 4])),
        // some clocks are exactly at an end, or at an event
        rounds = Math.round(clock / length),
        to = i % 7 === 0 ? rounds * length : clock + step;
      if (Math.abs(to - clock) < 1e-6) continue;
      mixer.update(to - clock);
      const round = action.time - start;
      if (i % 7 === 0 && (round < 1e-9 || length - round < 1e-9)) action.time = start;
      // the clock of the model is that of the action, in the round in which it is
      const whole = Math.round((to - round) / length),
        isExact = Math.abs(whole * length + (action.time - start) - to) < 1e-9;
      assert.ok(isExact || i % 7 === 0, `${to}: ${action.time}`);
      const is = told.splice(0).filter(({ type }) => type === 'event');
      if (i % 7 !== 0) {
        const wanted = passes(marks, clock, to, length);
        assert.deepEqual(is.map(({ name }) => name).sort(), wanted, `${name}: from ${clock} to ${to}`);
        count += wanted.length;
      } else {
        // rounding decides on which side of the end it is: step aside and compare both together
        const aside = to + (to > clock ? 1e-4 : -1e-4);
        action.time = start + ((((to > clock ? 1e-4 : -1e-4) % length) + length) % length);
        const missing = passes(marks, clock, aside, length),
          names = is.map(({ name }) => name);
        assert.ok(
          names.every((name) => missing.includes(name)) && missing.length - names.length <= marks.filter(({ time }) => time < 1e-3).length,
        );
        clock = aside;
        continue;
      }
      assert.ok(is.every(({ action: of, weight, time }) => of === action && weight === 1 && Number.isFinite(time)));
      clock = to;
    }
    mixer.dispose();
  }
  assert.ok(count > 3000, `${count}`);
});

test('events exactly at the ends of a round', async () => {
  const { mixer, told } = await mixed(),
    action = mixer.action('walk').play(),
    { end } = action,
    names = () => told.splice(0).map(({ type, name }) => name ?? type);
  const [eighth, quarter] = [0.125, 0.25];
  mixer.update(0), assert.deepEqual(names(), [], 'no time has passed');
  mixer.update(eighth), assert.deepEqual(names(), ['last', 'zero', 'early', 'first'], 'those at the beginning');
  (action.time = end - eighth), mixer.update(eighth), assert.deepEqual([action.time, ...names()], [0, 'last', 'zero', 'loop']);
  mixer.update(-eighth), assert.deepEqual([action.time, ...names()], [end - eighth, 'loop'], 'backwards from there');
  mixer.update(eighth), assert.deepEqual(names(), ['last', 'zero', 'loop'], 'and forwards again');
  (action.time = quarter),
    mixer.update(-quarter),
    assert.deepEqual([action.time, ...names()], [0, 'sound', 'left', 'first', 'early', 'zero', 'last']);
  mixer.update(-eighth), assert.deepEqual(names(), ['loop'], 'each once');
  (action.time = end), mixer.update(0), assert.deepEqual([action.time, ...names()], [end]), mixer.update(eighth);
  assert.deepEqual(names(), ['early', 'first', 'loop']);
  // without a loop both ends are themselves
  (action.loop = false), action.reset(), mixer.update(9);
  assert.deepEqual(names(), ['zero', 'early', 'first', 'left', 'sound', 'right', 'last', 'finished']);
  mixer.update(-9), assert.deepEqual(names(), ['last', 'right', 'sound', 'left', 'first', 'early', 'zero', 'finished']);
  // several rounds at once, a time that was set beyond them, and weights
  (action.loop = true), action.reset(), mixer.update(0.3), told.splice(0), mixer.update(2 * end);
  assert.deepEqual(names(), [...Array(2).fill(['right', 'last', 'zero', 'early', 'first', 'left', 'sound']).flat(), 'loop']);
  (action.time = 5 * end + 0.3), mixer.update(0.15), assert.deepEqual(names(), ['right', 'loop'], 'a seek passes nothing');
  (action.weight = 0.5), action.fadeOut(0.2), mixer.update(0.2);
  assert.deepEqual(names(), ['loop'], 'it is gone'), action.play().fadeOut(0.4), (action.time = 0.3), mixer.update(0.2);
  const [{ weight, time }] = told;
  near([weight, time], [0.25, 0.4], 1e-9, 'its weight and its time');
  assert.equal(mixer.action('breath').play().clip.events.length, 0);
});

test('root motion of the mixer counts the rounds of the file, and adds up', async () => {
  for (const [name, fromFirstKey] of [
    ['walk', false],
    ['walk', true],
    ['before', false],
    ['run', false],
  ]) {
    const { bundle, mixer } = await mixed({ fromFirstKey, rootMotion: { joint: 'hips' } }),
      action = mixer.action(name).play(),
      { start, end } = action,
      X = pathOf(bundle, name),
      length = end - start,
      begin = invert(X(start)),
      round = compose(begin, X(end)),
      at = (clock) => {
        const rounds = Math.floor(clock / length);
        return compose(power(round, rounds), compose(begin, X(start + clock - rounds * length)));
      };
    let clock = 0;
    for (let i = 0; i < 300; i++) {
      const step = among([1, 1, -1]) * random(0, among([0.02, 0.1, 0.5, 4])) + 1e-4,
        from = clock;
      mixer.update(step), (clock += step);
      sameMovement(mixer.step, compose(invert(at(from)), at(clock)), `${name}: from ${from} to ${clock}`, 3e-6);
    }
    (action.time = start + 7 * length), mixer.update(0.01);
    sameMovement(mixer.step, compose(begin, X(start + 0.01)), 'a time that is set is no movement', 3e-6);
    (action.loop = false), action.reset(), mixer.update(9), sameMovement(mixer.step, round, 'to the end');
    mixer.update(1), sameMovement(mixer.step, STILL, 'at the end'), mixer.update(-9), sameMovement(mixer.step, invert(round), 'and back');
    mixer.stopAll(), mixer.update(1), sameMovement(mixer.step, STILL, 'nothing plays');
    mixer.dispose();
  }
});

test('turns to opposite sides are blended the shorter way', async () => {
  const { bundle, mixer } = await mixed({ rootMotion: { joint: 'hips' } }),
    moves = [
      ['walk', 8],
      ['before', -5],
    ].map(([name, rounds]) => {
      const action = mixer.action(name).play(),
        X = pathOf(bundle, name);
      (action.weight = 0.5), (action.timeScale = rounds * action.end);
      return power(compose(invert(X(0)), X(action.end)), rounds);
    }),
    [a, b] = moves;
  assert.ok(dot(a.q, b.q) < -0.5, `${dot(a.q, b.q)}`);
  mixer.update(1);
  const q = mix([a.q, b.q], [0.5, 0.5], STILL.q, true),
    t = mix([a.t, b.t], [0.5, 0.5], STILL.t);
  sameMovement(mixer.step, { q, t }, 'the mean', 1e-5);
});

test('root motion of actions is blended as that of layers', async () => {
  const { skeleton, mixer, shown } = await mixed({
      rootMotion: (name) => (name === 'wave' ? undefined : { joint: 'hips', straight: true }),
    }),
    [walk, run, wave, breath] = ['walk', 'run', 'wave', 'breath'].map((name) => mixer.action(name)),
    evaluator = skeleton.evaluator(),
    mask = skeleton.mask();
  mask.values[1] = 0.5;
  assert.deepEqual([walk.motion.joint, wave.motion, breath.motion], [1, undefined, undefined]);
  for (let i = 0; i < 200; i++) {
    const layers = [];
    mixer.stopAll();
    for (const action of [walk, run, wave, breath].filter(() => random() < 0.7)) {
      const isAdditive = action === breath,
        step = random(0, 0.1);
      action.play().weight = among([0.5, 1, 2, random(), isAdditive ? -1 : 0.1]);
      action.mode = isAdditive ? 'auto' : among(['auto', 'blend', 'over']);
      action.mask = among([undefined, mask]);
      (action.time = random(0.1, 0.15)), (action.timeScale = step);
      layers.push({
        clip: action.clip,
        weight: action.weight,
        mode: action.mode,
        mask: action.mask,
        motion: action.motion,
        lastTime: action.time,
        time: action.time + step,
        wrap: 'clamp',
      });
    }
    mixer.update(1);
    const pose = evaluator.evaluate(layers),
      { rotation, translation } = evaluator.step;
    sameMovement(
      mixer.step,
      { q: [...rotation], t: [...translation] },
      `${i}: ${layers.map(({ mode, weight }) => `${mode} ${weight}`)}`,
      1e-6,
    );
    const { joints } = shown();
    joints.forEach(([q, t], j) => {
      if (q[0] !== 9) near(q, [...pose.rotations.slice(4 * j, 4 * j + 4)], 1e-6, `joint ${j}`);
      if (t[0] !== 9) near(t, [...pose.translations.slice(3 * j, 3 * j + 3)], 1e-6, `joint ${j}`);
    });
  }
  assert.throws(() => new QuatsimdMixer(mixer, { rootMotion: { joint: 'spine' } }).action('walk'), /joint spine has no root motion/);
});
