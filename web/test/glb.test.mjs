// bundleGlb makes the files that `quatsimd compress --glb` makes: the same JSON, and the same bytes behind it.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd QUATSIMD_DATA=FOLDER node --test glb.test.mjs
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { glbOf, readGlb } from '../../tests/tools/support/glb.mjs';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_TOOL: command, QUATSIMD_DATA: data } = process.env;
const { bundleGlb } = await import(pathToFileURL(join(folder, 'glb.js')));
const MODELS = '/usr/share/assimp/models/glTF2'; // of Debian's assimp-testmodels
const cases = fileURLToPath(new URL('../../tests/tools/support/glb_cases.py', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
after(() => rmSync(work, { recursive: true }));
execFileSync('/usr/bin/python3', [cases, work], { env: { ...process.env, PYTHONPATH: join(dirname(cases), '..') } });

// A .gltf as .glb: its first buffer is in it, others have addresses of their own.
function asGlb(path) {
  if (path.endsWith('.glb')) return path;
  const tree = JSON.parse(readFileSync(path, 'utf8')),
    [first, ...others] = tree.buffers.map(({ uri }) =>
      uri.startsWith('data:') ? Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64') : readFileSync(join(dirname(path), decodeURI(uri))),
    );
  others.forEach((bytes, b) => (tree.buffers[b + 1].uri = `data:application/octet-stream;base64,${bytes.toString('base64')}`));
  delete tree.buffers[0].uri;
  const file = join(work, `${basename(path, '.gltf')}.glb`);
  writeFileSync(file, glbOf(tree, first));
  return file;
}

function compare(path, says = '') {
  const out = join(work, 'out.glb'),
    before = readFileSync(path);
  execFileSync(command, ['compress', '--glb', out, path], { stdio: ['ignore', 'ignore', 'ignore'] });
  const expected = readGlb(out),
    { bufferView, joints, tracks, animations } = expected.tree.extensions.QUATSIMD_bundle;
  const { byteOffset, byteLength } = expected.tree.bufferViews[bufferView],
    bundle = expected.binary.subarray(byteOffset, byteOffset + byteLength);
  const stay = (expected.tree.animations ?? []).map(({ name }) => name),
    gone = animations.map(({ clip }) => clip);
  const clips = readGlb(path).tree.animations.map(({ name }) => (stay.includes(name) ? null : gone.shift()));
  let unknown = '';
  const made = bundleGlb(before, bundle, { joints, tracks, animations: clips, onUnknown: (name) => (unknown = name) });
  const file = join(work, 'made.glb');
  writeFileSync(file, made);
  const found = readGlb(file);
  assert.deepEqual(found.tree, expected.tree);
  assert.ok(found.binary.equals(expected.binary));
  assert.equal(unknown, says);
  assert.ok(before.equals(readFileSync(path)), 'the input is as it was');
  return { expected, bundle, joints, tracks, clips };
}

for (const path of ['khronos/Fox.glb', 'kaykit/Knight.glb', 'khronos/cesium_man.gltf', 'khronos/rigged_simple.gltf'])
  test(path, { skip: !data }, () => void compare(asGlb(join(data, path))));

const models = existsSync(MODELS) ? readdirSync(MODELS, { recursive: true }).filter((name) => /\.(glb|gltf)$/.test(name)) : [];
const animated = models
  .map((name) => join(MODELS, name))
  .filter((path) => {
    try {
      const tree = path.endsWith('.glb') ? readGlb(path).tree : JSON.parse(readFileSync(path, 'utf8'));
      return tree.animations?.some(({ channels }) => channels.length) && tree.buffers;
    } catch {
      return false; // broken on purpose
    }
  });
test('the models of assimp-testmodels', { skip: !animated.length }, () => {
  console.log(animated.map((path) => basename(path)).join(', '));
  for (const path of animated) compare(asGlb(path));
});

test('the lists are those of the command', () => {
  const c = readFileSync(new URL('../../tools/readers/gltf/gltf_references.c', import.meta.url), 'utf8').replaceAll(/"\s*\n\s*"/g, '');
  const js = readFileSync(join(folder, 'glb.js'), 'utf8'),
    between = (text, start, end) => text.slice(text.indexOf(start), text.indexOf(end, text.indexOf(start)));
  const texts = (text, quote) =>
    text
      .match(new RegExp(`${quote}[\\w*/-]+${quote}`, 'g'))
      .map((found) => found.slice(1, -1))
      .sort();
  const places = texts(between(c, 'places[GLTF_ARRAYS][16] =', '};'), '"');
  assert.deepEqual(places, texts(between(js, 'const PLACES', '};'), "'"));
  assert.ok(places.length > 20);
  assert.deepEqual(texts(between(c, 'known[] =', '};'), '"'), texts(between(js, 'const KNOWN', '];'), "'"));
});

test('numbers wherever there are some', () => {
  const { bundle, joints, tracks, clips, expected } = compare(join(work, 'everything.glb'));
  assert.deepEqual(clips, ['Walk', 'Walk-2', 'animation', null, null, 'Wave "→"']);
  compare(join(work, 'unknown.glb'), 'ACME_strange');
  if (existsSync(join(work, 'fallback.glb')) && !execFileSync(command, ['--version'], { encoding: 'utf8' }).includes('no meshoptimizer'))
    assert.equal(compare(join(work, 'fallback.glb')).expected.tree.buffers.length, 1);
  const file = readFileSync(join(work, 'everything.glb')),
    make = (changes) => () => bundleGlb(file, bundle, { joints, tracks, animations: clips, ...changes });
  assert.throws(make({ animations: [] }), /there are 6 animations, and names for 0/);
  assert.throws(make({ animations: clips.map(() => null) }), /no animation goes/);
  assert.throws(make({ animations: ['a', 'b', 'c', 'd', 'e', 'f'] }), /animation 3 moves \/materials\/0\/.* must stay/);
  assert.throws(make({ animations: ['a', 'b', 'c', null, 'e', 'f'] }), /animation 4 has extras/);
  const stays = [],
    all = make({
      animations: clips.map((clip, a) => clip ?? `x${a}`),
      onStays: (number, why) => stays.push([number, why.replace(/ .*/, '')]),
    })();
  assert.deepEqual(stays, [
    [3, 'moves'],
    [4, 'has'],
  ]);
  assert.deepEqual(all, make({})(), 'as the command does');
  assert.throws(make({ joints: [0, 1] }), /animation 0 moves rotation of node 2, and the bundle does not/);
  assert.throws(make({ tracks: [] }), /animation 2 moves weights of node 3/);
  const again = glbOf(expected.tree, expected.binary);
  assert.throws(() => bundleGlb(again, bundle, { joints, tracks, animations: [null, null] }), /a bundle already/);
  assert.throws(() => bundleGlb(new Uint8Array(30), bundle, { joints, animations: [] }), /no \.glb/);
  assert.throws(() => bundleGlb(file.subarray(0, 2000), bundle, { joints, animations: clips }), /cut off/);
  assert.deepEqual(
    make({})(),
    bundleGlb(Buffer.concat([file, Buffer.from('\n')]), bundle, { joints, tracks, animations: clips }),
    'no more than its length',
  );
  assert.throws(
    () =>
      bundleGlb(Buffer.concat([file.subarray(0, 8), Buffer.from([12, 0, 0, 0]), file.subarray(12)]), bundle, { joints, animations: clips }),
    /cut off/,
  );
  const { tree, binary } = readGlb(join(work, 'everything.glb'));
  const changed = (change) => () => {
    const copy = structuredClone(tree);
    change(copy);
    return bundleGlb(glbOf(copy, binary), bundle, { joints, tracks, animations: clips });
  };
  assert.throws(
    changed((t) => (t.extensions.KHR_interactivity = {})),
    /KHR_interactivity/,
  );
  const loop = (number) => (t) => (t.nodes[2].extensions = { MOZ_hubs_components: { 'loop-animation': { activeClipIndices: [number] } } });
  assert.throws(changed(loop(5)), /animation 5 is referred to by its number, at .*activeClipIndices\/0: it must stay/);
  writeFileSync(join(work, 'loop.glb'), changed(loop(4))());
  assert.deepEqual(readGlb(join(work, 'loop.glb')).tree.nodes[2].extensions.MOZ_hubs_components['loop-animation'].activeClipIndices, [1]);
  assert.throws(
    changed((t) => (t.skins[0].inverseBindMatrices = 99)),
    /\/skins\/0\/inverseBindMatrices is not the number of one of its \d+ accessors/,
  );
  assert.throws(
    changed((t) => (t.bufferViews.at(-1).byteLength = 1e6)),
    /goes beyond/,
  );
  assert.throws(
    changed((t) => (t.buffers[0].byteLength = 1e6)),
    /should have 1000000/,
  );
  assert.throws(
    changed((t) => t.buffers.push({ uri: 'a.bin', byteLength: 4 })),
    /buffer 1 is in another file, a\.bin/,
  );
});

// everything.glb with another JSON.
const other = join(work, 'changed.glb');
const bundled = {
  joints: [0, 1, 2],
  tracks: [
    { node: 3, target: 0 },
    { node: 3, target: 1 },
  ],
  animations: ['a', 'b', 'c', null, null, 'f'],
};
const bundleOther = (options) => bundleGlb(readFileSync(other), new Uint8Array(4), { ...bundled, ...options });
function refuse(pattern) {
  const outcome = spawnSync(command, ['compress', '--glb', join(work, 'out.glb'), other], { encoding: 'utf8' });
  assert.equal(outcome.status, 1);
  assert.match(outcome.stderr, pattern);
  assert.throws(bundleOther, pattern);
}
function change(edit) {
  const { tree, binary } = readGlb(join(work, 'everything.glb')),
    copy = structuredClone(tree);
  writeFileSync(other, glbOf(edit(copy) ?? copy, binary));
}

test('numbers and names stay as they are written', () => {
  const written =
    '{"id":12345678901234567890,"inf":1e400,"neg":-0,"10":1,"2":{"7":-0.0e0,"b":[1.50,1e-400,5.0000000000000000001]},"mark":"#","##":"\\"#3\\":4"}';
  change((tree) => {
    tree.nodes[0].extras = tree.animations[0].extras = 'HERE';
    const { NORMAL } = tree.meshes[0].primitives[0].attributes;
    tree.meshes[0].primitives[0].attributes = { ...tree.meshes[0].primitives[0].attributes, NORMAL: 'HERE' };
    return JSON.stringify(tree)
      .replace('"NORMAL":"HERE"', `"NORMAL":${NORMAL}.0,"3":${NORMAL},"_\\u0031":0`)
      .replaceAll('"HERE"', written.replace('"10"', '"\\u0031\\u0030"'));
  });
  const { bundle, joints, tracks, clips } = compare(other);
  for (const name of ['out.glb', 'made.glb']) assert.equal(readFileSync(join(work, name), 'utf8').split(written).length, 3, name);
  const names = clips.map((clip, a) => clip && `${'#'.repeat(a + 1)}${a}.5`);
  writeFileSync(join(work, 'names.glb'), bundleGlb(readFileSync(other), bundle, { joints, tracks, animations: names }));
  assert.deepEqual(
    readGlb(join(work, 'names.glb')).tree.extensions.QUATSIMD_bundle.animations.map(({ clip }) => clip),
    names.filter(Boolean),
  );
});

test('a first buffer without bytes', () => {
  change(() => undefined);
  const file = readFileSync(other),
    end = 20 + file.readUInt32LE(12),
    odd = Buffer.from('\x04\0\0\0ODD abcd');
  file.writeUInt32LE(file.length + odd.length, 8);
  writeFileSync(other, Buffer.concat([file.subarray(0, end), odd, file.subarray(end)])); // the binary chunk is not the second one
  refuse(/buffer 0 is not in the file/);
  const uri = `data:application/octet-stream;base64,${readGlb(join(work, 'everything.glb')).binary.toString('base64')}`;
  change((tree) => {
    for (const view of tree.bufferViews) view.buffer = 1;
    tree.buffers = [{ byteLength: 4 }, { ...tree.buffers[0], uri }];
  });
  const alone = readFileSync(other),
    size = 20 + alone.readUInt32LE(12);
  alone.writeUInt32LE(size, 8);
  writeFileSync(other, alone.subarray(0, size));
  refuse(/buffer 0 is not in the file/);
});

test('extensions that are null', () => {
  change((tree) => void (tree.nodes[2].extensions = tree.materials[0].extensions = null));
  compare(other);
});

test('extensionsUsed names the extension already', () => {
  change((tree) => void tree.extensionsUsed.unshift('QUATSIMD_bundle'));
  assert.equal(compare(other).expected.tree.extensionsUsed.filter((name) => name === 'QUATSIMD_bundle').length, 1);
});

test('unknown extensions that number animations', () => {
  const name = 'KHR_character_expression',
    having = (extension) => change((tree) => void (tree.nodes[2].extensions = { [name]: extension }));
  for (const [extension, place] of [
    [{ expressions: [{ animation: 1 }] }, 'expressions/0/animation'],
    [{ clips: { idleAnimations: [2, 0] } }, 'clips/idleAnimations'],
    [{ extras: { ANIMATION_index: 0 } }, 'extras/ANIMATION_index'],
    [{ extensions: { KHR_node_x: { animation: 0 } } }, 'extensions/KHR_node_x/animation'],
    [{ tracks: ['/nodes/0', '/animations/0/name'] }, 'tracks/1'],
    [{ 7: { animation: 1 } }, '7/animation'],
  ]) {
    having(extension);
    refuse(
      new RegExp(
        `the unknown extension ${name}, which seems to refer to an animation at /nodes/2/extensions/${name}/${place}: animations would get`,
      ),
    );
  }
  for (const extension of [
    { animation: 'Walk' },
    { animated: 1 },
    { animations: [], animationSpeed: 1.5 },
    { animationFps: 30, animation: -1 },
    { animationWeights: [1, 0.5], animation: null },
    { text: 'see /animations/0' },
  ]) {
    having(extension);
    compare(other, name);
  }
});
