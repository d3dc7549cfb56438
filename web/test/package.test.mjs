// The npm package in Node.js: both builds, against the command of this machine and against each other.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd node --test package.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_TOOL: command } = process.env;
const part = (name) => import(pathToFileURL(join(folder, `${name}.js`)));
const [{ loadPlayer, QuatsimdError }, { loadCodec }, { loadEncoder }] = await Promise.all(['player', 'codec', 'encoder'].map(part));
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
after(() => rmSync(work, { recursive: true }));
const quatsimd = (...options) => execFileSync(command, options, { encoding: 'utf8' });
const BUILDS = [{ simd: true }, { simd: false }];

// ---- inputs

let seed = 1;
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
function rotations(count) {
  const all = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) {
    const q = Array.from({ length: 4 }, () => random() - 0.5), length = Math.hypot(...q);
    q.forEach((x, c) => (all[4 * i + c] = x / length));
  }
  return all;
}

function npy(array, count) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${count}, 4), }`;
  const text = `${header.padEnd(128 - 10 - 1)}\n`;
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([text.length & 255, text.length >> 8]), Buffer.from(text), Buffer.from(array.buffer)]);
}
function npyBytes(path) {
  const file = readFileSync(path);
  return new Uint8Array(file.subarray(10 + file.readUInt16LE(8)));
}

const JOINTS = [
  { name: 'hips', translation: [0, 1, 0] }, { name: 'spine', parent: 0, translation: [0, 0.3, 0] },
  { name: 'Kopf ü', parent: 1, translation: [0, 0.2, 0], inverseBind: [1, 0, 0, 0, 0, 1, 0, -1.5, 0, 0, 1, 0] }];
function animation(keys) {
  const times = Array.from({ length: keys }, (_, i) => i / 30);
  const turns = (speed) => times.flatMap((t) => [Math.sin(speed * t), 0, 0, Math.cos(speed * t)]);
  return {
    joints: [
      { rotation: { times, values: turns(1) }, translation: { times, values: times.flatMap((t) => [t, 1 + Math.sin(t), 0]) } },
      { rotation: { times, values: turns(0.5) } }, {}],
    tracks: [{ times, values: times.map((t) => Math.cos(3 * t)) }],
  };
}
const BOUNDS = { rotation: 0.001, translation: 0.001, scale: 0.001, track: 0.01 };

// ---- tests

test('the player is small', () => assert.ok(gzipSync(readFileSync(join(folder, 'player.simd.wasm')), { level: 9 }).length <= 32000));

test('all formats have the bytes and floats of the command', async () => {
  const count = 1003, input = rotations(count);
  writeFileSync(join(work, 'in.npy'), npy(input, count));
  const codecs = await Promise.all(BUILDS.map(loadCodec));
  const formats = codecs[0].formats;
  assert.ok(formats.length > 40);
  for (const [format] of formats.filter((_, i) => i % 5 === 0)) {
    quatsimd('pack', '-f', format, join(work, 'in.npy'), join(work, 'packed.npy'));
    const wanted = npyBytes(join(work, 'packed.npy'));
    for (const codec of codecs) {
      const packed = codec.pack(format, input);
      assert.deepEqual(packed, wanted.subarray(0, packed.length), format); // behind bits the command has their count
      assert.deepEqual(codec.unpack(format, packed, count), codecs[0].unpack(format, wanted, count), format);
      assert.deepEqual(codec.unpack(format, packed, 3, 1000), codecs[0].unpack(format, wanted, count).slice(4000), format);
    }
  }
  let replaced = 0;
  codecs[0].pack('lattice32', Float32Array.of(NaN, 0, 0, 1), () => replaced++);
  assert.equal(replaced, 1);
  assert.throws(() => codecs[0].pack('none', input), RangeError);
  assert.throws(() => codecs[0].unpack('lattice32', new Uint8Array(7), 2), QuatsimdError);
});

async function made(build) {
  const encoder = await loadEncoder(build);
  const skeleton = encoder.encodeSkeleton({ joints: JOINTS, tracks: [{ name: 'smile', rest: 0.25 }], metres: 1 });
  let worst;
  const clip = encoder.encodeClip(animation(61), { ...BOUNDS, skeleton, bundled: true, onWorst: (w) => (worst = w) });
  const other = encoder.encodeClip(animation(31), { object: 0.001, distance: 0.1, skeleton, bundled: true });
  return { encoder, skeleton, clip, worst, bundle: encoder.encodeBundle(skeleton, { Walk: clip, Läuft: other }) };
}
const [one, two] = await Promise.all(BUILDS.map(made));

test('both builds encode the same bytes, and the command takes them', () => {
  for (const name of ['skeleton', 'clip', 'bundle']) assert.deepEqual(one[name], two[name], name);
  for (const kind of ['rotation', 'translation', 'scale']) assert.ok(one.worst[kind] <= BOUNDS[kind], kind);
  writeFileSync(join(work, 'a.qsb'), one.bundle);
  assert.match(quatsimd('info', join(work, 'a.qsb')), /Läuft/);
});

test('a bundle is played', async () => {
  const poses = [];
  for (const build of BUILDS) {
    const player = await loadPlayer(build);
    const bundle = player.openBundle(one.bundle), { skeleton } = bundle;
    assert.deepEqual(bundle.names, ['Läuft', 'Walk']);
    assert.deepEqual(skeleton.names, ['hips', 'spine', 'Kopf ü']);
    assert.deepEqual([...skeleton.parents], [-1, 0, 1]);
    assert.deepEqual(skeleton.trackNames, ['smile']);
    assert.equal(skeleton.find('Kopf ü'), 2);
    assert.equal(skeleton.find('none'), -1);
    const clip = bundle.clip('Walk'), pose = skeleton.pose();
    assert.deepEqual([clip.joints, clip.tracks, clip.frames, clip.duration, clip.skeletonHash], [3, 1, 61, 2, skeleton.hash]);
    clip.sample(pose, 1.234, 'clip', skeleton.rest);
    const half = 1.234;
    assert.ok(Math.abs(pose.rotations[0] - Math.sin(half)) < 0.001 && Math.abs(pose.rotations[3] - Math.cos(half)) < 0.001);
    assert.ok(Math.abs(pose.translations[0] - half) < 0.002 && Math.abs(pose.tracks[0] - Math.cos(3 * half)) < 0.02);
    assert.ok(Math.abs(pose.translations[4] - 0.3) < 1e-6, 'the rest pose');
    const evaluator = skeleton.evaluator({ model: true, skinning: true });
    evaluator.evaluate([{ clip, time: 1.234 }]);
    assert.deepEqual(evaluator.pose.rotations, pose.rotations);
    const matrices = skeleton.toModel(skeleton.matrices(), pose);
    assert.deepEqual(evaluator.model.values, matrices.values);
    evaluator.evaluate([{ clip, time: 1.234, weight: 0.5 }, { clip: bundle.clip(0), time: 0.5, weight: 0.5, mask: skeleton.mask() }]);
    poses.push(Float32Array.from(evaluator.pose.values), Float32Array.from(evaluator.skinning.values));
    assert.throws(() => clip.sample(player.pose(2), 0), RangeError);
    assert.throws(() => clip.sample(pose, 0, 'sideways'), TypeError);
    assert.throws(() => bundle.clip('Jump'), RangeError);
    clip.dispose(), clip.dispose();
    assert.throws(() => clip.sample(pose, 0), /Clip was disposed/);
  }
  assert.deepEqual(poses.slice(0, 2), poses.slice(2));
});

test('what was disposed gives its memory back, and no sooner than its parts', async () => {
  const player = await loadPlayer();
  const round = () => {
    const bundle = player.openBundle(one.bundle), { skeleton } = bundle, clip = bundle.clip(0);
    const evaluator = skeleton.evaluator({ layers: 64, model: true }), pose = skeleton.pose();
    bundle.dispose();
    evaluator.evaluate([{ clip, time: 0.1 }]);
    clip.sample(pose, 0.1);
    for (const each of [clip, evaluator, pose]) each.dispose();
  };
  round();
  const before = player.memory;
  for (let i = 0; i < 20000; i++) round();
  assert.equal(player.memory, before);
});

test('bad bytes get words', async () => {
  const player = await loadPlayer();
  const damaged = one.bundle.slice();
  damaged[damaged.length >> 1] ^= 1;
  assert.throws(() => player.openBundle(damaged), { name: 'QuatsimdError', status: -16, message: /damaged/ });
  assert.throws(() => player.openBundle(new Uint8Array(3)), { status: -15 });
  assert.throws(() => player.openClip(one.bundle), { status: -7 });
  assert.throws(() => player.openSkeleton(new ArrayBuffer(0)), { status: -12 });
  const before = player.memory;
  for (let i = 0; i < 20000; i++) assert.throws(() => player.openBundle(damaged));
  assert.equal(player.memory, before);
  const bad = animation(4);
  bad.joints[1].rotation.values[7] = NaN;
  assert.throws(() => one.encoder.encodeClip(bad, BOUNDS), { status: -10, index: 1, key: 1, kind: 'rotation' });
  assert.throws(() => one.encoder.encodeClip(animation(4), {}), { status: -3, message: /bound/ });
  assert.throws(() => one.encoder.encodeSkeleton({ joints: [{ name: 'a', parent: 0 }] }), { status: -14, index: 0 });
});
