// The npm package's reader of FBX in Node.js: both builds, beside what the command of this machine reads.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd QUATSIMD_PRINT_SCENE=print_scene QUATSIMD_DATA=FOLDER node --test fbx.test.mjs
// FOLDER/fbx has FBX files; those of Debian's assimp-testmodels are read, too.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fbxOf } from './support/fbx.mjs';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_TOOL: command, QUATSIMD_PRINT_SCENE: printScene, QUATSIMD_DATA: data = '' } = process.env;
const part = (name) => import(pathToFileURL(join(folder, `${name}.js`)));
const [{ loadFbx }, { loadEncoder }] = await Promise.all(['fbx', 'encoder'].map(part));
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
after(() => rmSync(work, { recursive: true }));
const BUILDS = [{ simd: true }, { simd: false }];
const NAMES = ['simd', 'scalar'];
const readers = await Promise.all(BUILDS.map((build) => loadFbx(build))),
  encoder = await loadEncoder();

// What a reader makes of bytes: a scene, or an Error.
function readBy(reader, bytes) {
  try {
    return reader.read(bytes);
  } catch (error) {
    return error;
  }
}

// ---- beside the command

const KINDS = ['rotation', 'translation', 'scale'];

// The scene that the command reads, and its messages. Null: nothing moves, or it fails, which the last message says.
function native(path) {
  const { stdout, stderr } = spawnSync(printScene, [path], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  const start = `quatsimd: ${path}: `,
    messages = stderr.split('\n').filter(Boolean);
  for (const message of messages) assert.ok(message.startsWith(start), message);
  return { scene: stdout ? JSON.parse(stdout) : null, messages: messages.map((message) => message.slice(start.length)) };
}

// Sines and cosines differ in the last bits between C libraries.
function near(found, wanted, what) {
  assert.equal(found.length, wanted.length, what);
  const most = 1e-6 * wanted.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  for (const [i, x] of wanted.entries()) assert.ok(Math.abs(found[i] - x) <= most, `${what}: number ${i} is ${found[i]}, not ${x}`);
}

// Values of keys, of in-tangents and of out-tangents are compared with their own kind.
function partsOf(values, cubic, size) {
  return [0, 1, 2].slice(0, cubic ? 3 : 1).map((n) => values.filter((_, i) => !cubic || Math.floor(i / size) % 3 === n));
}

function sameCurve(found, wanted, size, what) {
  if (!wanted || !found) {
    assert.ok(!wanted && !found, `${what}: ${wanted ? 'it is missing' : 'it is one too many'}`);
    return 0;
  }
  assert.equal(found.interpolation, wanted.cubic ? 'CUBICSPLINE' : wanted.hold ? 'STEP' : 'LINEAR', what);
  near(found.times, wanted.times, `${what}: times`);
  const [one, other] = [[...found.values], wanted.values].map((values) => partsOf(values, wanted.cubic, size));
  one.forEach((values, n) => {
    near(values, other[n], what);
  });
  return 1;
}

// How many curves were compared.
function sameScene({ skeleton, animations }, scene, what) {
  assert.deepEqual(
    skeleton.joints.map(({ name, parent }) => [name, parent]),
    scene.nodes.map(({ name, parent }) => [name, parent]),
    what,
  );
  skeleton.joints.forEach((joint, j) => {
    for (const kind of KINDS) near(joint[kind], scene.nodes[j][kind], `${what}, ${joint.name}: ${kind}`);
    near(joint.inverseBind ?? [], scene.nodes[j].inverse_bind ?? [], `${what}, ${joint.name}: inverseBind`);
  });
  assert.deepEqual(
    skeleton.tracks.map(({ name, rest }) => ({ name, rest: [rest] })),
    scene.tracks,
    what,
  );
  near([skeleton.metres], [scene.metres], `${what}: metres`);
  assert.deepEqual(
    animations.map(({ name }) => name),
    scene.animations.map(({ name }) => name),
    what,
  );
  let curves = 0;
  animations.forEach(({ name, joints, tracks }, a) => {
    const { channels, tracks: wanted } = scene.animations[a],
      of = new Map(channels.map((channel) => [channel.node, channel]));
    assert.deepEqual([joints.length, tracks.length], [scene.nodes.length, scene.tracks.length], what);
    joints.forEach((joint, j) =>
      KINDS.forEach((kind, k) => {
        curves += sameCurve(joint[kind], of.get(j)?.[kind], k ? 3 : 4, `${what}, ${name}, ${skeleton.joints[j].name}: ${kind}`);
      }),
    );
    tracks.forEach((track, t) => {
      curves += sameCurve(track, wanted[t], 1, `${what}, ${name}, ${skeleton.tracks[t].name}`);
    });
  });
  return curves;
}

const moves = ({ joints, tracks }) => joints.some((joint) => Object.keys(joint).length) || tracks.some(Boolean);

// All clips of a scene, in a bundle. An empty animation is a clip, too.
function bundled({ skeleton, animations }) {
  const metre = 1 / (skeleton.metres || 1),
    bytes = encoder.encodeSkeleton(skeleton);
  const clips = animations.map((animation, a) => [
    `${a} ${animation.name}`,
    encoder.encodeClip(animation, { object: 0.001 * metre, distance: 0.1 * metre, skeleton: bytes, bundled: true }),
  ]);
  return clips.length ? encoder.encodeBundle(bytes, new Map(clips)) : undefined;
}

const filesOf = (place) =>
  existsSync(place)
    ? readdirSync(place, { recursive: true })
        .filter((name) => /\.fbx$/i.test(name))
        .sort()
        .map((name) => join(place, name))
    : [];

// How many curves and clips there were.
function compare(path) {
  const bytes = readFileSync(path),
    what = basename(path),
    [one, two] = readers.map((reader) => readBy(reader, bytes)),
    { scene, messages } = native(path);
  if (one instanceof Error) {
    assert.equal(scene, null, `${what}: ${one.message}`);
    for (const error of [one, two]) assert.equal(error.message, `the file ${messages.at(-1)}`, what);
    return [0, 0];
  }
  assert.deepEqual(one, two, `${what}: both builds`);
  if (!scene) assert.equal(messages.pop(), 'no node moves in this file', what);
  assert.deepEqual(one.messages, messages, what);
  assert.equal(scene !== null, one.animations.some(moves), `${what}: it moves`);
  const curves = scene ? sameScene(one, scene, what) : 0,
    bundle = bundled(one);
  if (bundle) {
    writeFileSync(join(work, 'all.qsb'), bundle);
    const info = execFileSync(command, ['info', '--json', join(work, 'all.qsb')], { encoding: 'utf8', maxBuffer: 2 ** 30 }),
      [{ clips }] = JSON.parse(info);
    assert.equal(clips.length, one.animations.length, what);
  }
  return [curves, one.animations.length];
}

for (const [place, missing] of [
  ['/usr/share/assimp/models', 'assimp-testmodels is not installed'],
  [join(data, 'fbx'), `QUATSIMD_DATA is '${data}'`],
]) {
  const files = data || place !== 'fbx' ? filesOf(place) : [];
  test(
    `the command and both builds read the same: files of ${missing.split(' ')[0]}`,
    { skip: !files.length && `SKIP: there are no FBX files in ${place}: ${missing}` },
    (t) => {
      let curves = 0,
        clips = 0;
      for (const path of files) {
        const [some, made] = compare(path);
        curves += some;
        clips += made;
      }
      t.diagnostic(`${files.length} files, ${curves} curves compared, ${clips} clips made`);
      assert.ok(curves > 50 && clips > 1, `${curves} curves, ${clips} clips`);
    },
  );
}

// ---- files of our own

const PAIR = [{ name: 'hips' }, { name: 'arm', parent: 0 }];
const good = fbxOf(PAIR),
  many = (count) => Array.from({ length: count }, (_, i) => ({ name: `${i}` }));

test('a scene is what the file says', () => {
  for (const reader of readers) {
    const { skeleton, animations, messages } = reader.read(good);
    const joint = (name, parent) => ({
      name,
      parent,
      rotation: Float32Array.of(0, 0, 0, 1),
      translation: new Float32Array(3),
      scale: Float32Array.of(1, 1, 1),
    });
    assert.deepEqual(skeleton, { joints: [joint('hips', -1), joint('arm', 0)], tracks: [], metres: 0.01 });
    assert.deepEqual(messages, []);
    const translation = {
      times: Float64Array.of(0, 0.5, 1),
      values: Float32Array.of(0, 0, 0, 5, 0, 0, 10, 0, 0),
      interpolation: 'LINEAR',
    };
    assert.deepEqual(animations, [{ name: 'walk', joints: [{}, { translation }], tracks: [] }]);
    assert.deepEqual(reader.read(good.buffer.slice(good.byteOffset, good.byteOffset + good.length)).animations, animations);
  }
});

test('names that are not UTF-8 are those of the command', () => {
  const names = [Buffer.from('a\xff\xe4b', 'latin1'), Buffer.from('ü\u202e\x07'), Buffer.from([0xc3, 0x28])],
    path = join(work, 'names.fbx');
  writeFileSync(path, fbxOf(names.map((name, i) => (i ? { name, parent: i - 1 } : { name }))));
  assert.ok(compare(path)[0] > 0);
  assert.deepEqual(
    readers[0].read(readFileSync(path)).skeleton.joints.map(({ name }) => name),
    ['a\\xFF\\xE4b', 'ü\ufffd\ufffd', '\\xC3('],
  );
});

test('a hierarchy is as deep as the command reads', () => {
  const chain = (depth) => fbxOf(Array.from({ length: depth }, (_, i) => (i ? { name: `${i}`, parent: i - 1 } : { name: '0' })));
  for (const reader of readers) {
    assert.equal(reader.read(chain(9999)).skeleton.joints.at(-1).parent, 9997);
    assert.throws(() => reader.read(chain(10001)), /depth limit/);
  }
});

test('broken bytes get a sentence, and the next file is read', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex');
  const lengths = [1, 10, 22, 23, 27, 40, 100, 0.25, 0.5, 0.75, 0.9].map((at) => (at < 1 ? Math.floor(at * good.length) : at));
  const cases = [
    ['empty', new Uint8Array(0), /^the file is no FBX file that ufbx reads: Empty file$/],
    ['png', png, /^the file is no FBX file that ufbx reads: ./],
    ['800 MB', fbxOf(PAIR, { claimed: 1e8 }), /^the file takes more than 1 GB of memory \(the option memory allows more\)$/],
    ['half a stream', fbxOf(PAIR, { claimed: 1e5 }), /Bad DEFLATE data/],
    ...lengths.map((length) => [`${length} bytes`, good.subarray(0, length), /^the file is no FBX file that ufbx reads: ./]),
  ];
  readers.forEach((reader, i) => {
    const before = reader.read(good);
    for (const [name, bytes, words] of cases) {
      const error = readBy(reader, bytes);
      assert.ok(error instanceof Error, `${NAMES[i]}, ${name}: it is read`);
      assert.match(error.message, words, `${NAMES[i]}, ${name}`);
      assert.deepEqual(reader.read(good), before, `${NAMES[i]}, after ${name}`);
    }
    for (const bytes of ['Kaydara', undefined, 7]) assert.throws(() => reader.read(bytes), TypeError);
    // any byte may be wrong
    for (let at = 0, seed = 1; at < 300; at++) {
      const bytes = Uint8Array.from(good);
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      bytes[seed % bytes.length] ^= 1 << (seed >>> 29);
      const result = readBy(reader, bytes);
      if (result instanceof Error) assert.match(result.message, /^the file (is no FBX file|takes more)/);
    }
    assert.deepEqual(reader.read(good), before);
  });
});

test('limits of memory and time', async () => {
  const ofLength = (length) => {
    const times = Array.from({ length }, (_, i) => i / 100);
    return fbxOf(PAIR, { times, values: times.map((t) => Math.sin(t * t)) });
  };
  const short = ofLength(3000),
    long = ofLength(60000); // takes more than a second
  for (const build of BUILDS) {
    const small = await loadFbx({ ...build, memory: short.length / 2 }),
      less = await loadFbx({ ...build, memory: 2 * short.length }),
      hasty = await loadFbx({ ...build, seconds: 0.01 });
    for (const reader of [small, less]) assert.throws(() => reader.read(short), /takes more than .* GB of memory \(the option memory/);
    assert.throws(() => hasty.read(long), /^Error: the file takes more than 0.01 seconds \(the option seconds allows more\)$/);
    assert.equal(hasty.read(good).animations.length, 1);
    const any = await loadFbx({ ...build, memory: 0, seconds: 0 });
    assert.equal(any.read(short).animations[0].joints[1].translation.times.length, 3000);
  }
  for (const wrong of [{ memory: -1 }, { memory: '1 GB' }, { seconds: Number.NaN }]) await assert.rejects(loadFbx(wrong), RangeError);
});

// The module's memory, with so many pages at most: two numbers in section 5, of which the second has three bytes.
function withMemory(bytes, pages) {
  const module = Uint8Array.from(bytes);
  const number = (at, shift = 0) =>
    module[at] & 128 ? (([more, end]) => [(module[at] & 127) + more * 128, end])(number(at + 1, shift + 7)) : [module[at], at + 1];
  let at = 8;
  while (module[at] !== 5) {
    const [size, start] = number(at + 1);
    at = start + size;
  }
  const [, start] = number(number(at + 1)[1]), // behind how many memories there are
    [, most] = number(start + 1);
  assert.equal(number(most)[1], most + 3);
  module.set([(pages & 127) | 128, ((pages >> 7) & 127) | 128, pages >> 14], most);
  return module;
}

test('where memory ends there is an error, and the next file is read', async () => {
  const large = fbxOf([{ name: Buffer.alloc(6e6, 'a') }]); // a name is copied several times
  for (const name of NAMES) {
    const wasm = readFileSync(join(folder, `fbx.${name}.wasm`)),
      seen = new Set();
    for (let pages = 32; pages <= 1632; pages += 160) {
      const reader = await loadFbx({ wasm: withMemory(wasm, pages) }),
        result = readBy(reader, large);
      if (!(result instanceof Error)) seen.add('read');
      else if (result.message === 'there is no memory left') seen.add('copy');
      else {
        assert.equal(result.message, 'the file takes more memory than there is');
        seen.add(reader.memory ? 'ufbx' : 'reader'); // which of them found the end
      }
      assert.equal(reader.read(good).animations.length, 1);
    }
    assert.deepEqual([...seen].sort(), ['copy', 'read', 'reader', 'ufbx'], name);
  }
});

test('all memory is freed', () => {
  const path = '/usr/share/assimp/models/FBX/huesitos.fbx',
    whole = existsSync(path) ? readFileSync(path) : good,
    half = whole.subarray(0, whole.length >> 1);
  for (const reader of readers) {
    reader.read(whole);
    const before = reader.memory;
    for (let i = 0; i < 200; i++) {
      reader.read(whole);
      assert.throws(() => reader.read(half));
    }
    assert.equal(reader.memory, before);
  }
  const before = readers[0].memory;
  readers[0].read(fbxOf(many(30000)));
  assert.equal(readers[0].memory, 0, 'memory that has grown goes');
  readers[0].read(good);
  assert.ok(readers[0].memory <= before);
});

test('the module asks for nothing but the time', async () => {
  for (const name of NAMES) {
    const imports = WebAssembly.Module.imports(await WebAssembly.compile(readFileSync(join(folder, `fbx.${name}.wasm`))));
    const own = imports.filter(({ module }) => module !== 'wasi_snapshot_preview1' && module !== 'env');
    assert.deepEqual(own, [{ module: 'clock', name: 'seconds', kind: 'function' }]);
    const system = imports.filter((each) => !own.includes(each)).map((each) => each.name);
    const expected = ['emscripten_notify_memory_growth', 'fd_close', 'fd_seek', 'fd_write', 'proc_exit'];
    assert.deepEqual(system.sort(), expected, 'what module.js answers with nothing');
  }
  await assert.rejects(loadFbx({ wasm: readFileSync(join(folder, 'encoder.scalar.wasm')) }), /another part/);
  assert.match(readFileSync(join(folder, 'LICENSE.ufbx'), 'utf8'), /MIT|Permission is hereby granted/);
});

test('the README makes a bundle of an FBX', async () => {
  const [block] = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    .match(/```js\n[^]*?```/g)
    .filter((lines) => lines.includes('loadFbx()'));
  const lines = block.slice(6, -3).replace(/^import .*\n/gm, '');
  const AsyncFunction = (async () => {}).constructor,
    fetched = async () => ({ arrayBuffer: async () => Uint8Array.from(good).buffer });
  const bundle = await new AsyncFunction('loadFbx', 'loadEncoder', 'fetch', `${lines}return bundle;`)(loadFbx, loadEncoder, fetched);
  writeFileSync(join(work, 'readme.qsb'), bundle);
  assert.match(execFileSync(command, ['info', join(work, 'readme.qsb')], { encoding: 'utf8' }), /walk/);
});
