// The page in a browser: Draco, folders, keys, frames, a lost context, and bytes beside those of others and of the
// command. Usage: as page.test.mjs, with QUATSIMD_TOOL=quatsimd.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { glbOf, readGlb } from '../../tests/tools/support/glb.mjs';
import { bvhOf, dracoOf, shortAndLong } from './support/files.mjs';
import {
  bytesOf,
  check,
  choose,
  foxPath,
  frames,
  idle,
  messages,
  modules,
  newPage,
  number,
  page,
  picture,
  play,
  requests,
  row,
  sample,
  saved,
  seek,
  server,
  set,
  site,
  skip,
  stored,
  text,
  use,
} from './support/page.mjs';
import { difference } from './support/png.mjs';

const { QUATSIMD_TOOL: command } = process.env;
const fox = readGlb(foxPath);
const still = async (name, time) => (await play(false), await page.select('#animation', name), await idle(), await seek(time));

// ---- Draco

test('Draco is read, by a decoder that is asked for then', { skip }, async () => {
  await still('Run', 0.3), await check('bones', false);
  const before = await picture('right');
  assert.deepEqual(
    requests.filter((url) => /draco/i.test(url.slice(server.address.length)) && !url.endsWith('/draco.js')),
    [],
  );
  await choose(stored('fox-draco.glb', await dracoOf(fox, modules)));
  assert.match(await page.title(), /^fox-draco\.glb/);
  assert.match(await text('status'), /All 3 animations are encoded/);
  assert.equal(await text('notes'), '');
  await still('Run', 0.3);
  const share = difference(before, await picture('right'));
  assert.ok(share < 0.02, `${share} of the pixels are others than without Draco`);
  assert.ok(
    requests.some((url) => url.endsWith('draco_decoder.wasm')) &&
      requests.every((url) => !/^https?:/.test(url) || url.startsWith(server.address)),
  );
  await choose(await saved('save-glb'));
  await page.$eval('#right', ({ style }) => (style.cssText = 'flex: 0 0 50%; margin-left: 50%'));
  await still('Run', 0.3);
  assert.ok(difference(before, await picture('right')) < 0.02, 'the file with the bundle still has its mesh');
  await page.$eval('#right', ({ style }) => (style.cssText = ''));
  assert.deepEqual(messages, []);
  await sample('Fox'), await check('bones', true);
});

const ALONE = /^These of its meshes are not shown: fox1\. Draco’s decoder failed: (.*)\.$/;
test('where the decoder fails, the skeleton is shown', { skip }, async () => {
  const good = stored('good.glb', await dracoOf(fox, modules)),
    bad = stored('bad.glb', await dracoOf(fox, modules, (data) => data.fill(7, 20)));
  await choose(bad);
  assert.match(await text('notes'), ALONE);
  assert.match(await text('status'), /All 3 animations are encoded/);
  assert.ok(await page.$eval('#mesh', ({ disabled }) => disabled));
  // beside a mesh that is good
  const both = readGlb(good),
    spoilt = structuredClone(both.tree.meshes[0]),
    draco = spoilt.primitives[0].extensions.KHR_draco_mesh_compression;
  draco.bufferView = both.tree.bufferViews.push({ buffer: 0, byteOffset: 0, byteLength: 400 }) - 1;
  both.tree.nodes.find(({ mesh }) => mesh === 0).children = [both.tree.nodes.push({ mesh: both.tree.meshes.push(spoilt) - 1 }) - 1];
  await choose(stored('both.glb', glbOf(both.tree, both.binary)));
  assert.match(await text('notes'), ALONE);
  assert.ok(!(await page.$eval('#mesh', ({ disabled }) => disabled)), 'the other one is shown');
  messages.length = 0;
  const shared = page;
  for (const [fault, part, words] of [
    ['refused', /draco_decoder\.wasm$/, /404/],
    ['spoilt', /draco_wasm_wrapper\.js$/, /nothing in 60 seconds/],
  ]) {
    use(await newPage());
    await page.evaluateOnNewDocument(() => {
      const wait = setTimeout;
      globalThis.setTimeout = (then, time, ...rest) => wait(then, time === 60000 ? 3000 : time, ...rest);
    });
    await page.goto(server.address), await idle();
    server[fault] = part;
    await choose(good);
    server[fault] = undefined;
    assert.match((await text('notes')).match(ALONE)[1], words);
    await page.close();
  }
  use(shared);
  await sample('Fox');
});

// ---- folders

// Drops a file or a folder of the disk.
async function drop(path) {
  const session = await page.createCDPSession(),
    data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  await session.detach();
}
// files: contents or lengths by path. Gives the folder.
function folderOf(name, files) {
  const folder = dirname(stored(`${name}.txt`, ''));
  for (const [path, content] of Object.entries(files)) {
    const at = join(folder, name, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, typeof content === 'number' ? '' : content);
    if (typeof content === 'number') truncateSync(at, content);
  }
  return join(folder, name);
}
const gltfOf = (buffer, image) => {
  const { bufferView, ...kept } = fox.tree.images[0],
    { byteOffset, byteLength } = fox.tree.bufferViews[bufferView];
  return {
    json: JSON.stringify({ ...fox.tree, buffers: [{ ...fox.tree.buffers[0], uri: buffer }], images: [{ ...kept, uri: image }] }),
    image: fox.binary.subarray(byteOffset, byteOffset + byteLength),
  };
};

test('a folder that is dropped', { skip }, async () => {
  await still('Run', 0.3), await check('bones', false);
  const before = await picture('left');
  const { json, image } = gltfOf('data/fox%20data.bin', '../textures/fox%20skin.png');
  const others = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`walks/${i}.bvh`, 600e6]));
  const folder = folderOf('assets', {
    'a/fox data.bin': 'another one',
    'a/fox skin.png': 'another one',
    'a/notes.txt': 600e6,
    '.hidden/a.glb': 'not a figure',
    'figures/fox.gltf': json,
    'figures/data/fox data.bin': fox.binary,
    'textures/fox skin.png': image,
    ...others,
  });
  await drop(folder);
  await page.waitForFunction('document.title.startsWith("fox.gltf")'), await idle();
  assert.equal(await text('trouble'), '');
  assert.match(
    await text('notes'),
    /^The page shows one figure at a time\. These are not shown: 0\.bvh, 1\.bvh, 10\.bvh, 100\.bvh, 101\.bvh, and 245 more\.$/,
  );
  await still('Run', 0.3);
  const share = difference(before, await picture('left'));
  assert.ok(share < 0.001, `${share} of the pixels are others than of Fox.glb`);
  // found by their names alone
  await drop(folderOf('flat', { 'fox.gltf': json, 'fox data.bin': fox.binary, 'fox skin.png': image }));
  await page.waitForFunction('document.getElementById("notes").textContent === ""'), await idle();
  await still('Run', 0.3);
  assert.ok(difference(before, await picture('left')) < 0.001);
  // one file, from the disk
  await drop(stored('one.bvh', bvhOf(10)));
  await page.waitForFunction('document.title.startsWith("one.bvh")'), await idle();
  for (const [name, files, words] of [
    ['nothing', { 'deep/readme.txt': 'words' }, /^nothing cannot be shown\. It is a folder without a GLB/],
    [
      'lacking',
      { 'fox.gltf': json },
      /^fox\.gltf cannot be shown\. It keeps its data in other files: data\/fox%20data\.bin\. Drop its folder/,
    ],
    [
      'large',
      { 'fox.gltf': json, 'fox data.bin': 400e6 - 100 },
      /^fox\.gltf cannot be shown\. With the files beside it, it has 400,0\d\d,\d\d\d bytes/,
    ],
  ]) {
    await drop(folderOf(name, files));
    await page.waitForFunction((source) => new RegExp(source).test(document.getElementById('trouble').textContent), {}, words.source);
  }
  messages.length = 0;
  await sample('Fox'), await check('bones', true);
});

// ---- keys and frames

test('space plays, whatever has the focus, and presses nothing', { skip }, async () => {
  await still('Survey', 0);
  await page.$eval('#clips', (details) => (details.open = false));
  const state = () =>
    page.evaluate(() => [
      document.title,
      location.href,
      document.getElementById('clips').open,
      document.getElementById('status').textContent,
      ...[...document.querySelectorAll('input[type=checkbox]')].map(({ checked }) => checked),
      ...['animation', 'speed', 'bound'].map((id) => document.getElementById(id).value),
    ]);
  const before = await state(),
    places = [
      '#file',
      '[data-sample=Knight]',
      '#views',
      '#play',
      '#time',
      '#animation',
      '#speed',
      '#loop',
      '#mesh',
      '#crowd',
      '#bound',
      '#save-qsb',
      '#clips summary',
      'footer a',
    ];
  for (const place of places) {
    await page.focus(place), await page.keyboard.press(' ');
    assert.equal(await text('play'), 'Pause', `${place}: it plays`);
    await page.keyboard.press(' ');
    assert.equal(await text('play'), 'Play', `${place}: it stops`);
    assert.deepEqual(await state(), before, place);
  }
  await page.focus('#loop'), await page.keyboard.press('Enter');
  assert.notDeepEqual(await state(), before, 'Enter ticks a box');
  await page.keyboard.press('Enter');
  assert.deepEqual(await state(), before);
  await page.focus('#clips summary'), await page.keyboard.press('Enter');
  assert.ok(await page.$eval('#clips', ({ open }) => open), 'Enter presses');
  await page.keyboard.press('Enter');
});

const shift = async (key) => (await page.keyboard.down('Shift'), await page.keyboard.press(key), await page.keyboard.up('Shift'));
const frameIs = async (words, why) => (await frames(), assert.equal(await text('frame'), words, why));

test('keys go by frames, whose numbers are shown', { skip }, async () => {
  await still('Survey', 0), await page.focus('#play');
  await frameIs('frame 1 of 83');
  for (const [key, frame] of [
    ['.', 2],
    ['ArrowRight', 3],
    ['ArrowLeft', 2],
    [',', 1],
    [',', 1],
    ['End', 83],
    ['ArrowRight', 83],
    [',', 82],
    ['Home', 1],
  ])
    await page.keyboard.press(key), await frameIs(`frame ${frame} of 83`, key);
  await shift('ArrowRight'), await shift('ArrowRight'), await shift('ArrowLeft'), await frameIs('frame 11 of 83');
  assert.ok(Math.abs((await number('time')) - 10 / 24) < 2e-3);
  // between frames it goes to the next one
  await seek(10.7 / 24), await frameIs('frame 12 of 83'), await page.keyboard.press('.'), await frameIs('frame 12 of 83');
  await seek(10.7 / 24), await page.keyboard.press(','), await frameIs('frame 11 of 83');
  // a step stops it
  await play(true), await page.keyboard.press('.');
  assert.equal(await text('play'), 'Play');
  // the slider of time goes by frames; other controls and the views keep their arrows
  await seek(0), await page.focus('#time');
  for (const [key, frame] of [
    ['ArrowUp', 2],
    ['ArrowRight', 3],
    ['ArrowDown', 2],
    ['End', 83],
    ['Home', 1],
  ])
    await page.keyboard.press(key), await frameIs(`frame ${frame} of 83`, key);
  for (const place of ['#views', '#bound', '#speed']) {
    const value = () => page.evaluate(() => document.getElementById('bound').value + document.getElementById('speed').value);
    const before = await value();
    await page.focus(place), await page.keyboard.press('ArrowRight'), await frameIs('frame 1 of 83', place);
    if (place !== '#views') assert.notEqual(await value(), before, place);
    await page.keyboard.press('.'), await frameIs('frame 2 of 83', place);
    await page.keyboard.press(','), await page.keyboard.press('ArrowLeft'), await frameIs('frame 1 of 83', place);
    assert.equal(await value(), before);
  }
  await new Promise((done) => setTimeout(done, 300)), await idle(); // the bound was moved
  assert.ok(await (await page.$('.keys')).isVisible());
  assert.deepEqual(await page.evaluate(() => ['play', 'time'].map((id) => document.getElementById(id).getAttribute('aria-keyshortcuts'))), [
    'Space',
    'ArrowLeft ArrowRight Shift+ArrowLeft Shift+ArrowRight , . Home End',
  ]);
  // keys of Run are 1/24 s apart, but for one gap
  await still('Run', 1), await page.focus('#play'), await frameIs('key 21 of 25');
  await page.keyboard.press('End'), await frameIs('key 25 of 25');
  // a bundle says its frames itself
  await choose(await saved('save-qsb')), await still('Survey', 10 / 24), await frameIs('frame 11 of 83');
  await page.keyboard.press('.'), await frameIs('frame 12 of 83');
  await still('Run', 1), await frameIs('key 21 of 25');
  await choose(stored('jump.bvh', bvhOf(40))), await play(false), await seek(1), await frameIs('frame 31 of 40');
  await sample('Fox');
});

// ---- vertices

test('of very many vertices some are measured, and the page says so', { skip }, async () => {
  const tree = structuredClone(fox.tree),
    [mesh] = tree.meshes;
  mesh.primitives = Array(60).fill(mesh.primitives[0]);
  await choose(stored('herd.glb', glbOf(tree, fox.binary)));
  assert.match(await text('off'), /^No vertex that was measured is off by more than [\d.]+ mm in Survey\.$/);
  assert.match(await text('errors-text'), /One in 2 of 103,680 vertices was measured at 400 times, also between keys; the bound is/);
  await sample('Fox');
});

// ---- the reader

test('where the reader fails, the page says so and goes on', { skip }, async () => {
  await still('Run', 0.3);
  const [reader] = page.workers();
  await reader.evaluate(
    'globalThis.slice = Float32Array.prototype.slice; Float32Array.prototype.slice = () => { throw new Error("full"); }',
  );
  await page.select('#animation', 'Walk');
  await page.waitForFunction('/^Walk cannot be shown. Full/.test(document.getElementById("trouble").textContent)');
  await idle();
  assert.equal(await page.$eval('#animation', ({ value }) => value), 'Run', 'which is still shown');
  assert.match(await text('errors-text'), /^The worst is/);
  // the encoder asks, too
  await set('bound', 0.5);
  assert.match(await text('trouble'), /^Fox\.glb cannot be encoded\. Animation Run: full\.$/);
  await reader.evaluate('Float32Array.prototype.slice = globalThis.slice');
  await set('bound', 0), await page.select('#animation', 'Walk'), await idle();
  assert.match((await text('trouble')) + (await text('off')), /^No vertex .* in Walk\.$/);
  // one that has ended answers at once
  const errors = await page.evaluate(async () => {
    const { Reading } = await import(new URL('reading.js', location.href).href),
      ended = new Reading(() => {});
    ended.close();
    const errorOf = (question) =>
      question.then(
        () => 'none',
        ({ message }) => message,
      );
    return [await errorOf(ended.animation(0)), await errorOf((async () => ended.openPort())())];
  });
  assert.deepEqual(errors, ['It is closed.', 'It is closed.']);
});

// ---- buffers

test('a GLB whose buffer is not in it', { skip }, async () => {
  const buffer = (uri) => glbOf({ ...fox.tree, buffers: [{ byteLength: fox.binary.length, uri }] }, Buffer.alloc(0));
  await choose(stored('inline.glb', buffer(`data:;base64,${fox.binary.toString('base64')}`)));
  assert.match((await text('trouble')) + (await page.title()), /^inline\.glb:/);
  assert.match(await text('status'), /^All 3 animations are encoded/);
  await choose(stored('beside.glb', buffer('beside.bin')), stored('beside.bin', fox.binary));
  assert.match((await text('trouble')) + (await page.title()), /^beside\.glb:/);
  await sample('Fox');
});

// ---- the card

test('a context that is lost comes back with its pictures', { skip }, async () => {
  await still('Run', 0.3);
  const before = await picture('right'),
    seen = () => page.$eval('#lost span', (words) => words.checkVisibility());
  assert.equal(await seen(), false);
  await page.evaluate(() => {
    globalThis.loser = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    globalThis.loser.loseContext();
  });
  await frames(5);
  assert.ok(await seen(), 'words say so');
  await page.evaluate(() => globalThis.loser.restoreContext());
  await page.waitForFunction(() => !document.getElementById('lost').firstChild.checkVisibility());
  const share = difference(before, await picture('right'));
  assert.ok(share < 0.001, `${share} of the pixels are others than before`);
  messages.length = 0;
});

// ---- bytes

const cells = async (name) => (await row(name)).slice(1, 3).map((cell) => Number(cell.replaceAll(',', '')));
const isNear = (x, y, share) => assert.ok(Math.abs(x / y - 1) <= share, `${x} and ${y}`);

test('bytes by gzip and by meshopt stand beside ours', { skip }, async () => {
  const [size, zipped] = await cells('Its keys'),
    [meshopt, meshoptZipped] = await cells('Its keys by meshopt'),
    [ours, oursZipped] = await cells('Bundle');
  // Fox's keys lie together in its file
  const used = [...new Set(fox.tree.animations.flatMap(({ samplers }) => samplers.flatMap(({ input, output }) => [input, output])))];
  const keys = used.map((index) => {
    const { bufferView, byteOffset = 0, count, type } = fox.tree.accessors[index],
      start = fox.tree.bufferViews[bufferView].byteOffset + byteOffset;
    return fox.binary.subarray(start, start + 4 * count * { SCALAR: 1, VEC3: 3, VEC4: 4 }[type]);
  });
  assert.equal(size, Buffer.concat(keys).length);
  isNear(zipped, gzipSync(Buffer.concat(keys)).length, 0.03);
  isNear(oursZipped, gzipSync(readFileSync(await saved('save-qsb'))).length, 0.03);
  assert.equal(ours, await bytesOf('Bundle'));
  // gltfpack leaves out keys that do not move, and has an order of its own
  const packed = stored('packed.glb', '');
  execFileSync(process.execPath, [
    join(modules, 'gltfpack/cli.js'),
    '-cc',
    '-af',
    '0',
    '-ac',
    '-kn',
    '-ce',
    'ext',
    '-i',
    foxPath,
    '-o',
    packed,
  ]);
  const { tree } = readGlb(packed),
    views = tree.animations.flatMap(({ samplers }) =>
      samplers.flatMap(({ input, output }) => [input, output].map((i) => tree.accessors[i].bufferView)),
    );
  const theirs = [...new Set(views)].reduce((sum, view) => sum + tree.bufferViews[view].extensions.EXT_meshopt_compression.byteLength, 0);
  isNear(meshopt, theirs, 0.02);
  assert.ok(meshoptZipped < meshopt && meshoptZipped > meshopt / 2);
});

test('red is where ours is larger', { skip }, async () => {
  const red = () =>
    page.$$eval('#bytes tbody td, #clips tbody td', (all) =>
      all
        .filter(({ classList }) => classList.contains('larger'))
        .map((cell) => [cell.parentElement.cells[0].textContent, cell.title, getComputedStyle(cell).color]),
    );
  await sample('Fox'), await set('bound', 0);
  const sizes = [await cells('Its keys by meshopt'), await cells('Bundle')];
  assert.deepEqual(
    (await red()).map(([, title]) => title),
    [0, 1]
      .filter((i) => sizes[1][i] > sizes[0][i])
      .map((i) => ['larger than the keys by meshopt', 'larger than the keys by meshopt and gzip'][i]),
  );
  await set('bound', -2); // no bound limits meshopt
  assert.match((await red())[0].join(), /^Bundle in the \.glb,larger than the keys by meshopt,/);
  const { color } = await page.$eval('.trouble', (trouble) => ({ color: getComputedStyle(trouble).color }));
  assert.equal((await red())[0][2], color);
  await choose(stored('both.glb', shortAndLong())), await set('bound', 0);
  assert.ok((await red()).some(([name, title]) => name === 'Short' && title === 'larger than its keys'));
  assert.ok(!(await red()).some(([name]) => name === 'Long'));
  await choose(stored('jump.bvh', bvhOf(60)));
  assert.equal(await row('Its keys by meshopt'), undefined, 'a BVH has no accessors');
  assert.ok((await cells('Its keys'))[1] < (await cells('Its keys'))[0]);
  const [size] = await cells('Its keys');
  await choose(stored('walk.bvh', bvhOf(60, { joint: 'LOCOMOTION' })));
  assert.equal((await cells('Its keys'))[0], size, 'they begin at the line MOTION');
  await sample('Fox');
});

test(
  'a .glb of the page is as large as that of the command',
  { skip: skip || (command ? false : 'SKIP: QUATSIMD_TOOL names no command') },
  async () => {
    for (const name of ['Fox', 'Knight']) {
      await sample(name);
      await set('form', 'mesh'), await set('bound', Math.log10(0.2));
      const said = execFileSync(command, ['compress', '--json', '--glb', stored('out.glb', ''), join(site, `models/${name}.glb`)], {
          maxBuffer: 2 ** 28,
        }),
        { bundle_bytes: bundle, bytes } = JSON.parse(said).glb,
        ours = [await bytesOf('Bundle in the .glb'), await bytesOf('File with the bundle (.glb)')];
      ours.forEach((size, i) =>
        assert.ok(Math.abs(size - [bundle, bytes][i]) < 0.02 * size, `${name}: ${ours}, and the command ${bundle}, ${bytes}`),
      );
    }
  },
);

test('the licences of what others made are there', { skip }, async () => {
  assert.match(readFileSync(join(site, 'meshoptimizer/LICENSE.md'), 'utf8'), /Arseny Kapoulkine/);
  assert.match(readFileSync(join(site, 'three/addons/libs/draco/gltf/LICENSE'), 'utf8'), /Apache License\s+Version 2\.0/);
});
