// The npm package in Node.js: both builds, against the command of this machine and against each other.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd node --test package.test.mjs
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readme } from './support/readme.mjs';

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
    const q = Array.from({ length: 4 }, () => random() - 0.5),
      length = Math.hypot(...q);
    q.forEach((x, c) => (all[4 * i + c] = x / length));
  }
  return all;
}

function npy(array, count) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${count}, 4), }`;
  const text = `${header.padEnd(128 - 10 - 1)}\n`;
  return Buffer.concat([
    Buffer.from('\x93NUMPY\x01\x00', 'latin1'),
    Buffer.from([text.length & 255, text.length >> 8]),
    Buffer.from(text),
    Buffer.from(array.buffer),
  ]);
}
function npyBytes(path) {
  const file = readFileSync(path);
  return new Uint8Array(file.subarray(10 + file.readUInt16LE(8)));
}

const JOINTS = [
  { name: 'hips', translation: [0, 1, 0] },
  { name: 'spine', parent: 0, translation: [0, 0.3, 0] },
  { name: 'Kopf ü', parent: 1, translation: [0, 0.2, 0], inverseBind: [1, 0, 0, 0, 0, 1, 0, -1.5, 0, 0, 1, 0] },
];
function animation(keys) {
  const times = Array.from({ length: keys }, (_, i) => i / 30);
  const turns = (speed) => times.flatMap((t) => [Math.sin(speed * t), 0, 0, Math.cos(speed * t)]);
  return {
    joints: [
      { rotation: { times, values: turns(1) }, translation: { times, values: times.flatMap((t) => [t, 1 + Math.sin(t), 0]) } },
      { rotation: { times, values: turns(0.5) } },
      {},
    ],
    tracks: [{ times, values: times.map((t) => Math.cos(3 * t)) }],
  };
}
const BOUNDS = { rotation: 0.001, translation: 0.001, scale: 0.001, track: 0.01 };

async function made(build) {
  const encoder = await loadEncoder(build);
  const skeleton = encoder.encodeSkeleton({ joints: JOINTS, tracks: [{ name: 'smile', rest: 0.25 }], metres: 1 });
  let worst;
  const clip = encoder.encodeClip(animation(61), { ...BOUNDS, skeleton, bundled: true, onWorst: (w) => (worst = w) });
  const other = encoder.encodeClip(animation(31), { object: 0.001, distance: 0.1, skeleton, bundled: true });
  return { encoder, skeleton, clip, worst, bundle: encoder.encodeBundle(skeleton, { Walk: clip, Läuft: other }) };
}
const [one, two] = await Promise.all(BUILDS.map(made));

// ---- tests, all of them after what is awaited

test('the player is small', () => assert.ok(gzipSync(readFileSync(join(folder, 'player.simd.wasm')), { level: 9 }).length <= 50300)); // as web servers send it

test('all formats have the bytes and floats of the command', async () => {
  const count = 1003,
    input = rotations(count);
  writeFileSync(join(work, 'in.npy'), npy(input, count));
  const codecs = await Promise.all(BUILDS.map(loadCodec));
  const formats = codecs[0].formats;
  assert.ok(formats.length > 40);
  for (const [format, bits] of formats) {
    quatsimd('pack', '-f', format, join(work, 'in.npy'), join(work, 'packed.npy'));
    quatsimd('unpack', '-f', format, join(work, 'packed.npy'), join(work, 'out.npy'));
    const wanted = npyBytes(join(work, 'packed.npy')),
      floats = new Float32Array(npyBytes(join(work, 'out.npy')).slice().buffer);
    for (const codec of codecs) {
      const packed = codec.pack(format, input),
        size = codec.size(format, count);
      assert.ok(packed.length === size && size >= (bits * count) / 8, format);
      assert.deepEqual(packed, wanted.subarray(0, size), format); // behind bits the command has their count
      assert.deepEqual(codec.unpack(format, packed, count), floats, format);
      assert.deepEqual(codec.unpack(format, packed, 3, 1000), floats.slice(4000), format);
      assert.deepEqual(codec.unpack(format, packed).subarray(0, 4 * count), floats, format);
    }
  }
  assert.equal(codecs[0].size('lattice32', 2 ** 29 + 2 ** 27), 2 ** 31 + 2 ** 29);
  assert.throws(() => codecs[0].size('float4', 2 ** 30), RangeError);
  for (const count of [-1, 2.5, NaN, 2 ** 32]) assert.throws(() => codecs[0].unpack('lattice32', new Uint8Array(8), count), RangeError);
  let replaced = 0;
  codecs[0].pack('lattice32', Float32Array.of(NaN, 0, 0, 1), () => replaced++);
  assert.equal(replaced, 1);
  assert.throws(() => codecs[0].pack('none', input), RangeError);
  assert.throws(() => codecs[0].unpack('lattice32', new Uint8Array(7), 2), QuatsimdError);
});

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
    const bundle = player.openBundle(one.bundle),
      { skeleton } = bundle;
    assert.deepEqual(bundle.names, ['Läuft', 'Walk']);
    assert.deepEqual(skeleton.names, ['hips', 'spine', 'Kopf ü']);
    assert.deepEqual([...skeleton.parents], [-1, 0, 1]);
    assert.deepEqual(skeleton.trackNames, ['smile']);
    assert.equal(skeleton.find('Kopf ü'), 2);
    assert.equal(skeleton.find('none'), -1);
    const clip = bundle.clip('Walk'),
      pose = skeleton.pose();
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
    evaluator.evaluate([
      { clip, time: 1.234, weight: 0.5 },
      { clip: bundle.clip(0), time: 0.5, weight: 0.5, mask: skeleton.mask() },
    ]);
    poses.push(Float32Array.from(evaluator.pose.values), Float32Array.from(evaluator.skinning.values));
    // masks, and a root
    const mask = skeleton.mask(),
      trackMask = skeleton.trackMask(),
      root = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1];
    (mask.values[0] = 0), (trackMask.values[0] = 0);
    evaluator.evaluate([{ clip, time: 1.234, mask, trackMask }], root);
    assert.deepEqual([...evaluator.pose.rotations.subarray(0, 4)], [...skeleton.rest.rotations.subarray(0, 4)], 'the mask');
    assert.deepEqual(evaluator.pose.rotations.subarray(4), pose.rotations.subarray(4));
    assert.equal(evaluator.pose.tracks[0], 0.25, 'the mask of tracks');
    assert.deepEqual([...evaluator.model.values.subarray(12, 16)], [4, 6, 7, 1], 'the root turns and moves hips at 0 1 0');
    assert.deepEqual(skeleton.toModel(matrices, evaluator.pose, root).values, evaluator.model.values);
    assert.throws(() => clip.sample(player.pose(2), 0), RangeError);
    assert.throws(() => clip.sample(pose, 0, 'sideways'), TypeError);
    assert.throws(() => bundle.clip('Jump'), RangeError);
    clip.dispose(), clip.dispose();
    assert.throws(() => clip.sample(pose, 0), /Clip was disposed/);
  }
  assert.deepEqual(poses.slice(0, 2), poses.slice(2));
});

test('the README waves over a walk: at no weight do arms show the rest pose', async () => {
  const turn = (angle) => ({ rotation: { times: [0], values: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] } }),
    angles = { walk: [0.2, -1.3], wave: [0.6, 1] };
  const skeleton = one.encoder.encodeSkeleton({
    joints: [
      { name: 'hips' },
      { name: 'arm.l', parent: 0 },
      { name: 'hand', parent: 1, translation: [1, 0, 0] },
      { name: 'foot', parent: 0, translation: [0, -1, 0] },
      { name: 'arm.r', parent: 0 },
    ],
  });
  const clips = Object.entries(angles).map(([name, [hips, arm]]) => [
    name,
    one.encoder.encodeClip({ joints: [turn(hips), turn(arm), {}, {}, {}] }, { ...BOUNDS, skeleton, bundled: true }),
  ]);
  const waveOver = readme("mode: 'over', mask: arms", ['bundle', 'evaluator', 'walk', 'wave', 'time', 'w']);
  for (const build of BUILDS) {
    const bundle = (await loadPlayer(build)).openBundle(one.encoder.encodeBundle(skeleton, new Map(clips))),
      evaluator = bundle.skeleton.evaluator({ model: true });
    for (const w of [0, 0.5, 1]) {
      waveOver(bundle, evaluator, bundle.clip('walk'), bundle.clip('wave'), 0, w);
      const { values } = evaluator.model,
        arm = angles.walk[0] + angles.walk[1] * (1 - w) + angles.wave[1] * w;
      const wanted = [Math.cos(arm), Math.sin(arm), Math.sin(angles.walk[0]), -Math.cos(angles.walk[0])],
        got = [32 + 12, 32 + 13, 48 + 12, 48 + 13].map((i) => values[i]);
      got.forEach((x, i) => assert.ok(Math.abs(x - wanted[i]) < 0.002, `weight ${w}: hand and foot are at ${got}, not ${wanted}`));
    }
  }
});

test('a year later a looping clip holds its bound', async () => {
  const K = 31,
    bound = 0.000873,
    angle = (k) => (k === K - 1 ? 0 : 0.5 * Math.sin((2 * Math.PI * k) / 30));
  const skeleton = one.encoder.encodeSkeleton({ joints: [{ name: 'a' }] }),
    player = await loadPlayer();
  for (const start of [0, 0.5, -3.25]) {
    const keys = Array.from({ length: K }, (_, k) => k),
      values = keys.flatMap((k) => [Math.sin(angle(k) / 2), 0, 0, Math.cos(angle(k) / 2)]);
    const clip = player.openClip(
        one.encoder.encodeClip(
          { joints: [{ rotation: { times: keys.map((k) => start + k / 30), values } }] },
          { rotation: bound, loop: true, skeleton },
        ),
      ),
      pose = player.pose(1);
    for (const clock of [0, 1, 3600, 86400, -86400, 8640000, 31557600])
      for (let i = 0; i < 2048; i++) {
        const time = start + clock + i / 2048, // all of these numbers are exact
          u = 30 * (i / 2048),
          k = Math.floor(u),
          { rotations } = clip.sample(pose, time, 'loop');
        const off = Math.abs(2 * Math.atan2(rotations[0], rotations[3]) - angle(k) - (angle(k + 1) - angle(k)) * (u - k));
        assert.ok(off <= bound, `start ${start}, clock ${clock} and ${i / 2048}: off by ${off / bound} of the bound`);
      }
  }
});

test('arguments of another size, and of another player, are refused', async () => {
  const [player, other] = await Promise.all([loadPlayer(), loadPlayer()]);
  const bundle = player.openBundle(one.bundle),
    { skeleton } = bundle,
    clip = bundle.clip('Walk'),
    evaluator = skeleton.evaluator({ layers: 1 });
  const small = player.openSkeleton(one.encoder.encodeSkeleton({ joints: [{ name: 'a' }] })),
    strange = other.openBundle(one.bundle);
  const wrong = [
    () => skeleton.toModel(small.matrices(), skeleton.pose()),
    () => skeleton.toModel(skeleton.matrices(), small.pose()),
    () => skeleton.toModel(skeleton.matrices(), skeleton.pose(), [1, 2, 3]),
    () => evaluator.evaluate([{ clip, time: 0, mask: small.mask() }]),
    () => evaluator.evaluate([{ clip, time: 0, trackMask: skeleton.mask() }]),
    () => evaluator.evaluate([{ clip: strange.clip(0), time: 0 }]),
    () => evaluator.evaluate([{ clip: bundle, time: 0 }]),
    () => evaluator.evaluate([{ clip, time: 0 }], [1]),
    () =>
      evaluator.evaluate([
        { clip, time: 0 },
        { clip, time: 0 },
      ]),
    () => strange.clip(0).sample(skeleton.pose(), 0),
    () => clip.sample(small.pose(), 0),
    () => clip.sample(skeleton.matrices(), 0),
    () => skeleton.evaluator({ layers: 2.5 }),
    () => bundle.clip(0.5),
    () => player.pose(-1),
    () => player.pose(2 ** 31),
    () => player.openBundle('bytes'),
    () => player.openBundle(1e9),
    () => player.openBundle([1, 2]),
  ];
  for (const call of wrong)
    assert.throws(call, (error) => error instanceof TypeError || error instanceof RangeError || error instanceof QuatsimdError, `${call}`);
  const times = [0, 1],
    encode = (curve) => () => one.encoder.encodeClip({ joints: [{ rotation: curve }] }, BOUNDS),
    joint = (it) => () => one.encoder.encodeSkeleton({ joints: [{ name: 'a', ...it }] });
  for (const [call, words] of [
    [encode({ times, values: [0, 0, 0, 1] }), /rotation 0 of 2 keys has 4 numbers, and 8 are needed/],
    [encode({ times, values: Array(8).fill(1), interpolation: 'CUBICSPLINE' }), /24 are needed/],
    [joint({ translation: [1, 2] }), /translation of joint a has 2 numbers, and 3/],
    [joint({ inverseBind: Array(16).fill(0) }), /12 are needed/],
    [() => one.encoder.encodeClip(animation(4), { ...BOUNDS, additive: 'frist' }), /additive is/],
  ])
    assert.throws(call, words);
});

test('other files get words', async () => {
  const page = new TextEncoder().encode('<!doctype html><html>');
  await assert.rejects(loadPlayer({ wasm: page }), /not WebAssembly: it begins with "<!doctype html>"/);
  await assert.rejects(loadPlayer({ wasm: readFileSync(join(folder, 'codec.simd.wasm')) }), /another part/);
  const player = await loadPlayer();
  assert.throws(() => player.openBundle(page), { status: -15, message: /begin with "<!doctype html>"/ });
  const bundle = player.openBundle(one.bundle),
    evaluator = bundle.skeleton.evaluator(),
    clip = bundle.clip(0);
  for (const time of [undefined, NaN, '1']) {
    assert.throws(() => evaluator.evaluate([{ clip, time }]), /number of seconds/);
    assert.throws(() => clip.sample(bundle.skeleton.pose(), time), /number of seconds/);
  }
  assert.throws(() => one.encoder.encodeBundle(one.skeleton, []), /no clips/);
  assert.deepEqual(
    one.encoder.encodeBundle(one.skeleton, new Map([['Walk', one.clip]])),
    one.encoder.encodeBundle(one.skeleton, { Walk: one.clip }),
  );
  assert.throws(() => one.encoder.encodeClip(animation(4), { object: 0.001, skeleton: one.skeleton }), /distance/);
  assert.throws(() => one.encoder.encodeClip(animation(4), { object: 0.001, distance: 0.1 }), /needs the skeleton/);
});

test('views keep what they are of', { skip: !globalThis.gc && 'node without --expose-gc' }, async () => {
  const player = await loadPlayer(),
    view = (() => player.openSkeleton(one.skeleton).rest.translations)(),
    before = [...view];
  for (let i = 0; i < 10; i++) {
    await new Promise((done) => setTimeout(done, 5));
    globalThis.gc();
    for (let k = 0; k < 20; k++) player.pose(3, 1).values.fill(9);
  }
  assert.deepEqual([...view], before);
});

// @types/three as build/npm has it, and the oldest and the newest that peerDependencies allows; and gltf-transform, whose types
// need TypeScript 5.9.
for (const [title, types = title, program = 'types.mts', compiler = 'typescript', lib = 'es2023,dom'] of [
  ['@types/three'],
  ['types-oldest'],
  ['types-newest'],
  ['gltf-transform', '@types/three', 'types_transform.mts', 'typescript-newer', 'es2023,dom,esnext.float16'],
])
  test(
    `types, with ${title}`,
    { skip: !existsSync(join(folder, 'node_modules', types)) && `SKIP: there is no ${types} in node_modules` },
    () => {
      const own = join(work, title),
        modules = realpathSync(join(folder, 'node_modules'));
      mkdirSync(join(own, 'node_modules/@types'), { recursive: true });
      for (const name of ['three', 'fflate', 'lil-gui', '@webgpu', '@types/stats.js', '@types/webxr', '@gltf-transform', 'property-graph'])
        symlinkSync(join(modules, name), join(own, 'node_modules', name));
      cpSync(join(modules, types), join(own, 'node_modules/@types/three'), { recursive: true });
      cpSync(folder, join(own, 'node_modules/quatsimd'), {
        recursive: true,
        filter: (path) => !/node_modules\/quatsimd\/node_modules|\.wasm$/.test(path) && path !== join(folder, 'node_modules'),
      });
      cpSync(fileURLToPath(new URL(`support/${program}`, import.meta.url)), join(own, program));
      const options = `--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022 --module nodenext --moduleResolution nodenext --lib ${lib}`;
      const { stdout, status } = spawnSync(process.execPath, [join(modules, compiler, 'lib/tsc.js'), ...options.split(' '), program], {
        cwd: own,
        encoding: 'utf8',
      });
      assert.equal(stdout, '');
      assert.equal(status, 0);
    },
  );

test('types of all that package.json exports are compiled', () => {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    programs = ['types.mts', 'types_transform.mts']
      .map((name) => readFileSync(new URL(`support/${name}`, import.meta.url), 'utf8'))
      .join('');
  for (const [name, { types, default: module }] of Object.entries(exports).filter(([, to]) => to.types)) {
    for (const file of [types, module]) assert.ok(existsSync(join(folder, file)), file);
    assert.match(programs, new RegExp(`from '${name.replace('.', 'quatsimd')}'`));
  }
});

test('what was disposed gives its memory back, and no sooner than its parts', async () => {
  const player = await loadPlayer();
  const round = () => {
    const bundle = player.openBundle(one.bundle),
      { skeleton } = bundle,
      clip = bundle.clip(0);
    const evaluator = skeleton.evaluator({ layers: 64, model: true }),
      pose = skeleton.pose();
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
