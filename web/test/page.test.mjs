// The page in a browser: every control, good and bad files, pixels, memory.
// Usage: QUATSIMD_SITE=FOLDER QUATSIMD_MODULES=FOLDER/node_modules node --test page.test.mjs
// FOLDER: of ./dev web. The modules are puppeteer-core, three and meshoptimizer. QUATSIMD_BROWSER: a Chromium, else the one in PATH.
// QUATSIMD_PICTURES=FOLDER: pictures for the documentation go there.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { glbOf, readGlb } from '../../tests/tools/support/glb.mjs';
import { everything } from './support/everything.mjs';
import { fbxOf } from './support/fbx.mjs';
import {
  POSITIONS,
  badFiles,
  bvhOf,
  faceOf,
  largeBundle,
  largeBvh,
  manyAnimations,
  meshoptOf,
  positionsBvh,
  shortAndLong,
  smallBundle,
  tallBvh,
  withFirstRotations,
} from './support/files.mjs';
import {
  bytesOf,
  check,
  choose,
  data,
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
  sample,
  saved,
  seek,
  server,
  set,
  settled,
  shown,
  site,
  skip,
  stored,
  text,
  use,
} from './support/page.mjs';
import { colours, difference, lightRows, lightShare, readPng } from './support/png.mjs';

async function bundleOf(player) {
  const bundle = player.openBundle(readFileSync(await saved('save-qsb')));
  return { skeleton: bundle.skeleton, clip: bundle.clip(0) };
}

const clips = () => page.$$eval('#animation option', (all) => all.map(({ value }) => value));

// ---- tests

test('it opens with Fox, asks its own folder alone, and says nothing on the console', { skip }, async () => {
  assert.match(await page.title(), /^Fox\.glb/);
  assert.match(await text('status'), /All 3 animations are encoded: [\d,]+ bytes instead of 42,336 bytes/);
  assert.match(await text('left-bytes'), /42,336/);
  assert.deepEqual(server.missing, []);
  assert.deepEqual(
    requests.filter((url) => !isOwn(url)),
    [],
  );
  assert.deepEqual(messages, []);
  assert.deepEqual(await page.cookies(), []);
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
  await shown('page.png');
});

const isOwn = (url) => url.startsWith(server.address) || /^(blob|data):/.test(url);
test('no request can go elsewhere', { skip }, async () => {
  const tried = await page.evaluate(async () => {
    const refused = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective));
    await fetch('http://127.0.0.2:9/').catch(() => {});
    new Image().src = 'http://127.0.0.2:9/x.png';
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.isInjected = true' }));
    await new Promise((done) => setTimeout(done, 200));
    return [refused.sort(), 'isInjected' in globalThis];
  });
  assert.deepEqual(tried, [['connect-src', 'img-src', 'script-src-elem'], false]);
  messages.length = requests.length = 0;
});

test('time: play, slider, speed, loop, and the chart', { skip }, async () => {
  await play(false);
  await seek(0.25), await frames();
  const near = async (t) => Math.abs((await number('time')) - t) < 1e-3; // the slider's step
  assert.ok(await near(0.25));
  await frames(5);
  assert.ok(await near(0.25), 'it stands');
  await play(true), await frames(10);
  assert.ok(!(await near(0.25)), 'it goes');
  await set('time', 0.5);
  assert.equal(await text('play'), 'Play', 'the slider of time stops it');
  assert.ok(await near(0.5));
  // without a loop it stops at the end, and starts again from there
  await check('loop', false), await set('speed', 2), await play(true);
  await page.waitForFunction('document.getElementById("play").textContent === "Play"');
  const [last, end] = [await number('time'), await page.$eval('#time', ({ max }) => Number(max))];
  assert.ok(Math.abs(last - end) < 2e-3);
  await check('loop', true), await set('speed', 0.1), await seek(0), await play(true);
  const slow = await page.evaluate(
    () =>
      new Promise((done) => {
        const start = performance.now();
        setTimeout(() => done(document.getElementById('time').value / ((performance.now() - start) / 1000)), 1500);
      }),
  );
  assert.ok(slow > 0 && slow < 0.15, `${slow} of real time`);
  await set('speed', 1), await play(false);
  await page.evaluate('document.getElementById("chart").scrollIntoView()');
  const { x, y, width } = await page.$eval('#chart', (chart) => chart.getBoundingClientRect().toJSON());
  await page.mouse.click(x + 48 + (width - 58) / 2, y + 60), await frames();
  assert.ok(Math.abs((await number('time')) - end / 2) < 0.03, 'the chart is pointed at');
  await page.evaluate('scrollTo(0, 0)');
});

test('the choice of animation', { skip }, async () => {
  const length = () => page.$eval('#time', ({ max }) => Number(max));
  const before = await length();
  await page.select('#animation', 'Survey'), await idle();
  assert.ok((await length()) > before);
  assert.match(
    await text('errors-text'),
    /worst is .* at .* s, at a vertex that b_\w+ moves\. Each of 1,728 vertices was measured at 400 times, also between keys;/,
  );
  await page.select('#animation', 'Run'), await idle();
  assert.equal(await length(), before);
  // one that is not encoded yet
  await page.click('[data-sample=Knight]');
  await page.waitForFunction('document.title.startsWith("Knight") && document.getElementById("progress").value > 0', { polling: 5 });
  await page.select('#animation', 'Walking_C');
  await page.waitForFunction('/not encoded yet/.test(document.getElementById("errors-text").textContent)', { polling: 5 });
  await idle();
  assert.match(await text('errors-text'), /The worst is/);
  // of two files the last one counts
  await page.evaluate('for (const name of ["Knight", "Fox"]) document.querySelector(`[data-sample=${name}]`).click()');
  await page.waitForFunction('document.title.startsWith("Fox")'), await idle();
});

test('mesh, bones, crowd', { skip }, async () => {
  await play(false), await seek(0.3);
  await check('mesh', true), await check('bones', true);
  const both = await picture('right');
  await check('bones', false);
  const mesh = await picture('right');
  await check('bones', true), await check('mesh', false);
  const bones = await picture('right');
  for (const [one, other] of [
    [both, mesh],
    [both, bones],
    [mesh, bones],
  ])
    assert.ok(difference(one, other) > 0.002);
  await check('mesh', true);
  await check('crowd', true), await frames(10), await idle();
  assert.match(
    await text('crowd-cost'),
    /1,000 poses from the compressed clip, [\d,.]+ µs each, with the lines that are drawn\. All play one clip of [\d,]+ bytes; its keys take [\d,]+ bytes\./,
  );
  await shown('crowd.png');
  const crowd = await picture('all');
  await seek(0.5), await frames(), await idle();
  assert.ok(difference(crowd, await picture('all')) > 0.02, 'a crowd is there, and moves');
  // it does not keep the page from answering
  const longest = await page.evaluate(
    () =>
      new Promise((done) => {
        let last = performance.now(),
          most = 0,
          left = 20;
        const tick = () => {
          most = Math.max(most, performance.now() - last);
          last = performance.now();
          left-- > 0 ? setTimeout(tick) : done(most);
        };
        tick();
      }),
  );
  assert.ok(longest < 1500, `${longest} ms without an answer`);
  await check('crowd', false);
});

test('the bound: bytes, errors and pixels', { skip }, async () => {
  await play(false), await check('bones', false), await check('mesh', true);
  const results = {};
  for (const [name, exponent] of [
    ['fine', -2],
    ['middle', 0],
    ['coarse', 2],
  ]) {
    await set('bound', exponent);
    const [, worst, unit] = /The worst is ([\d.,]+) (mm)/.exec(await text('errors-text'));
    await seek(0.3);
    results[name] = {
      bytes: await bytesOf('Bundle'),
      worst: Number(worst.replaceAll(',', '')),
      unit,
      difference: difference(await picture('left'), await picture('right')),
    };
    assert.ok(results[name].worst <= 10 ** exponent, `${worst} mm`);
    assert.equal(await text('bound-text'), ['0.01 mm', '1 mm', '100 mm'][exponent / 2 + 1]);
    if (name === 'coarse') await check('bones', true), await shown('coarse.png'), await check('bones', false);
  }
  console.log(JSON.stringify(results));
  const { fine, middle, coarse } = results;
  assert.ok(fine.bytes > middle.bytes && middle.bytes > coarse.bytes);
  assert.ok(fine.worst < middle.worst && middle.worst < coarse.worst);
  assert.ok(fine.difference < 0.0005 && coarse.difference > 0.005, `${fine.difference} and ${coarse.difference} of pixels`);
  assert.ok(colours(await picture('left')) > 20, 'a fox is there');
  // a slider that goes on ends what is being encoded
  await page.evaluate(() => {
    for (let i = 0; i <= 20; i++) {
      document.getElementById('bound').value = i / 20 - 1;
      document.getElementById('bound').dispatchEvent(new Event('input'));
    }
  });
  await new Promise((done) => setTimeout(done, 400));
  await idle();
  assert.equal(await bytesOf('Bundle'), middle.bytes);
  assert.equal(page.workers().length, 1, 'the one that has the keys');
  await check('bones', true);
});

// The first number, millimetres.
const off = async (what = 'vertex') => {
  const [, number] =
    new RegExp(`^No ${what} is off by more than ([\\d.,]+) mm in \\w+\\.$`).exec(await text('off')) ?? assert.fail(await text('off'));
  return Number(number.replaceAll(',', ''));
};
test('the first number is how far vertices are off', { skip }, async () => {
  await play(false),
    await choose(stored('spoiled.glb', withFirstRotations(readGlb(foxPath), { 0: [0, 0.02, 0, Math.sqrt(1 - 0.02 ** 2)] })));
  const spoiled = readFileSync(await saved('save-qsb'));
  await set('bound', -0.7), await choose(foxPath);
  const [is, size] = [await off(), await bytesOf('Bundle')];
  assert.ok(is > 0.08 && is <= 0.2, `${is} mm`);
  assert.equal(await text('bound-text'), '0.2 mm');
  assert.ok(await page.evaluate(() => document.getElementById('off').compareDocumentPosition(document.getElementById('views')) & 4));
  await page.evaluate((bytes) => quatsimdPage.play(Uint8Array.from(bytes)), [...spoiled]), await idle();
  const bad = await off();
  assert.ok(bad > 2, `${bad} mm`);
  await frames();
  assert.match(await text('worst-now'), /^Worst now: [\d.]+ mm, at a vertex that \w+ moves$/);
  // points, chosen by the keyboard
  await page.focus('#form'), await page.keyboard.press('ArrowDown'), await settled();
  assert.match(
    await page.$eval('label[for=bound]', ({ textContent }) => textContent),
    /^A point 10 cm from a joint is off by at most 0.2 mm/,
  );
  const points = await off('point 10 cm from a joint');
  assert.ok(points > 0.08 && points <= 0.2 && (await bytesOf('Bundle')) !== size, `${points} mm`);
  assert.match(await text('errors-text'), /10 cm from b_\w+\. It was measured/);
  await page.focus('#form'), await page.keyboard.press('ArrowUp'), await settled();
  assert.deepEqual([await off(), await bytesOf('Bundle')], [is, size]);
  // a file without a mesh has points, and the choice comes back
  await choose(stored('jump.bvh', bvhOf(10)));
  assert.ok((await off('point 10 cm from a joint')) <= 0.2);
  assert.ok(!(await (await page.$('#forms')).isVisible()));
  await sample('Knight');
  const knight = await off();
  assert.ok(knight > 0.08 && knight <= 0.2 && (await (await page.$('#forms')).isVisible()), `${knight} mm`);
  await sample('Fox'), await set('bound', 0);
});

test('errors are those of vertices', { skip }, async () => {
  await page.$eval('#clips', (details) => (details.open = true));
  const rows = await page.$$eval('#clips tbody tr', (all) => all.map((tr) => [...tr.cells].map((cell) => cell.textContent)));
  assert.deepEqual(
    rows.map(([name]) => name),
    ['Survey', 'Walk', 'Run'],
  );
  for (const [, , , keys, clip, bits, worst] of rows) {
    assert.ok(Number(clip.replaceAll(',', '')) < Number(keys.replaceAll(',', '')) && Number(bits) > 1 && Number(bits) < 32);
    assert.ok(parseFloat(worst) <= 1 && parseFloat(worst) > 0.5, worst);
  }
  // the encoder's worst is of all points as far from their joints as the farthest vertex
  const [, ours] = /The worst is ([\d.]+) mm/.exec(await text('errors-text')),
    theirs = parseFloat(rows[2][6]);
  assert.ok(Number(ours) <= 1 && Number(ours) > 0.5 * theirs && Number(ours) < 1.1 * theirs, `${ours} and ${theirs}`);
  await page.$eval('#clips', (details) => (details.open = false));
  // a turn by 0.01 about z moves points beside the joint alone; each of them by as much as it is far from the axis
  const { errorsOf } = await import(pathToFileURL(join(site, 'errors.js'))),
    cos = Math.cos(0.01),
    sin = Math.sin(0.01);
  const joint = (...elements) => ({ matrixWorld: { elements } }),
    still = joint(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1),
    turned = joint(cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1);
  assert.ok(Math.abs(errorsOf([still], [turned], [0.1])[0] - 0.1 * 2 * Math.sin(0.005)) < 1e-12);
});

let foxBundle, foxWithBundle;
test('downloads, which are opened again', { skip }, async () => {
  const { loadPlayer } = await import(pathToFileURL(join(site, 'quatsimd/player.js')));
  foxBundle = await saved('save-qsb');
  const player = await loadPlayer(),
    bundle = player.openBundle(readFileSync(foxBundle));
  assert.deepEqual([...bundle.names].sort(), ['Run', 'Survey', 'Walk']);
  assert.equal(readFileSync(foxBundle).length, await bytesOf('Bundle'));
  foxWithBundle = await saved('save-glb');
  const { tree } = readGlb(foxWithBundle);
  assert.ok(tree.extensions.QUATSIMD_bundle && !tree.animations);
  assert.equal(readFileSync(foxWithBundle).length, await bytesOf('File with'));
  await play(false), await check('bones', false), await page.select('#animation', 'Run'), await idle(), await seek(0.3);
  const before = await picture('right');
  await choose(foxBundle);
  assert.match(await page.title(), /^Fox\.qsb/);
  assert.match((await text('notes')) + (await text('status')), /no mesh.*3 clips.*no original/);
  for (const id of ['notes', 'status']) assert.ok(await (await page.$(`#${id}`)).isVisible(), `${id} are seen`);
  assert.ok(colours(await picture('right')) > 8, 'a skeleton is there');
  assert.ok((await page.$eval('#bound', ({ disabled }) => disabled)) && !(await (await page.$('#left')).isVisible()));
  await check('crowd', true), await frames(10);
  assert.match(await text('crowd-cost'), /µs each.*drawn\.$/);
  await choose(foxWithBundle);
  assert.ok(
    (await (await page.$('#right')).isVisible()) && !(await page.$eval('#crowd', ({ checked }) => checked)),
    'the next file is shown',
  );
  assert.match(await page.title(), /^Fox-quatsimd\.glb/);
  await page.select('#animation', 'Run'), await seek(0.3);
  await page.$eval('#right', ({ style }) => (style.cssText = 'flex: 0 0 50%; margin-left: 50%')); // as wide as it was
  let share = 1;
  for (const end = Date.now() + 10_000; share >= 0.001 && Date.now() < end; ) share = difference(before, await picture('right')); // it may not be drawn yet
  await page.$eval('#right', ({ style }) => (style.cssText = ''));
  assert.ok(share < 0.001, `${share} of the pixels are others than before`);
  await sample('Fox'), await check('bones', true);
});

test('good files', { skip }, async () => {
  await choose(stored('jump.bvh', bvhOf(60)));
  assert.match(await text('unit'), /units tall, of no known length\. So its height counts as 1 m/);
  assert.match(await text('status'), /The animation is encoded/);
  assert.match(await text('glb-note'), /This file is a BVH/);
  for (const time of [0, 1, 1.9]) {
    await seek(time);
    const share = lightShare(await picture('left'));
    assert.ok(share > 0.001, `the figure is in the view, which walks and stands high: ${share}`);
  }
  assert.ok(await page.$eval('#mesh', ({ disabled }) => disabled));
  await choose(stored('mixamo.bvh', bvhOf(30, { joint: 'mixamorig:Spine' })));
  assert.match(await text('errors-text'), /bound/);
  await choose(stored('fox.vrm', readFileSync(foxPath)));
  assert.match(await page.title(), /^fox\.vrm/);
  const fox = readGlb(foxPath);
  await choose(stored('packed.glb', await meshoptOf(fox, modules)));
  assert.match(await text('status'), /All 3 animations are encoded/);
  assert.equal(await page.$eval('#save-glb', ({ disabled }) => disabled), false);
  // a .gltf with its files
  const [first, ...others] = fox.tree.buffers,
    gltf = { ...fox.tree, buffers: [{ ...first, uri: 'fox%20data.bin' }, ...others] };
  await choose(stored('fox.gltf', JSON.stringify(gltf)), stored('fox data.bin', fox.binary));
  assert.match(await page.title(), /^fox\.gltf/);
  assert.match(await text('glb-note'), /This file is a \.gltf/);
  // whose picture is on a server
  const distant = {
    ...gltf,
    images: [{ uri: 'https://127.0.0.2/far.png' }],
    buffers: [{ ...first, uri: `data:;base64,${fox.binary.toString('base64')}` }],
  };
  await choose(stored('distant.gltf', JSON.stringify(distant)));
  assert.match(await text('notes'), /picture far\.png did not come with it/);
  // morph targets alone
  await choose(stored('face.glb', faceOf()));
  assert.match(await text('status'), /The animation is encoded/);
  assert.match(await text('off'), /^No vertex is off by more than [\d.]+ mm in /);
  await page.select('#form', 'points');
  assert.match(await text('errors-text'), /Encoding/);
  await settled();
  assert.match(await text('errors-text'), /morph targets alone/);
  assert.equal(await text('off'), '');
  await page.select('#form', 'mesh'), await settled();
  await seek(0.5);
  assert.ok(difference(await picture('left'), await picture('right')) < 0.001 && colours(await picture('right')) > 2);
  await check('crowd', true), await frames(5), await check('crowd', false);
  // two files, of which one is shown
  await choose(foxPath, stored('everything.glb', everything()));
  assert.match((await page.title()) + (await text('notes')), /^Fox\.glb.*not shown: everything\.glb/);
  await choose(stored('everything.glb', everything()));
  assert.match(await text('status'), /All 2 animations are encoded/);
  const [, worst] = /The worst is ([\d.]+) mm/.exec(await text('errors-text'));
  assert.ok(Number(worst) <= 1, `${worst} mm: both play splines alike`);
  // dropped
  await page.evaluate((content) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'dropped.bvh'));
    document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }));
    globalThis.isInvited = !document.getElementById('drop').hidden;
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, bvhOf(10));
  await page.waitForFunction('document.title.startsWith("dropped.bvh")'), await idle();
  assert.ok(await page.evaluate('isInvited && document.getElementById("drop").hidden'));
  await sample('Knight');
  assert.match(await text('status'), /All 76 animations are encoded/);
  assert.equal(await page.$eval('#animation', ({ value }) => value), 'Running_A');
  await play(false), await seek(0.2), await frames();
  await shown('knight.png');
  assert.equal(await text('trouble'), '');
  assert.deepEqual(messages, []);
  await sample('Fox');
});

test('a BVH has its positions, and the others their OFFSET', { skip }, async () => {
  const { loadPlayer } = await import(pathToFileURL(join(site, 'quatsimd/player.js'))),
    player = await loadPlayer();
  await choose(stored('positions.bvh', positionsBvh()));
  const { skeleton, ...bundle } = await bundleOf(player),
    clip = bundle.clip,
    pose = skeleton.pose();
  assert.deepEqual(skeleton.names, ['Hips', 'Spine', 'Neck', 'Arm', 'Hand']);
  assert.deepEqual([...skeleton.rest.translations], POSITIONS.rest);
  for (const frame of [0, 1, 2]) {
    const { translations } = clip.sample(pose, frame / 10, 'clamp', skeleton.rest);
    POSITIONS.at(frame).forEach((at, i) => assert.ok(Math.abs(translations[i] - at) < 0.1, `${translations} in frame ${frame}`)); // of 94
  }
});

test('an FBX has its skeleton, its unit and its animation', { skip }, async () => {
  const isFbx = (path) => /quatsimd\/fbx\./.test(path);
  assert.ok(!server.asked.some(isFbx), 'the reader is not asked for before');
  const { loadPlayer } = await import(pathToFileURL(join(site, 'quatsimd/player.js'))),
    player = await loadPlayer();
  await choose(stored('walk.fbx', fbxOf([{ name: 'hips' }, { name: 'leg', parent: 0 }, { name: 'leg', parent: 1 }])));
  assert.match(await page.title(), /^walk\.fbx/);
  assert.deepEqual(server.asked.filter(isFbx).length, 2);
  assert.match(await text('status'), /^The animation is encoded: [\d,]+ bytes instead of 48 bytes/); // 3 times and 3 places
  assert.equal(await text('unit'), '', 'it says its unit');
  assert.match(await text('glb-note'), /This file is an FBX/);
  assert.match(await text('errors-text'), /The worst is .* mm at/);
  const { skeleton, clip } = await bundleOf(player);
  assert.deepEqual([skeleton.names, skeleton.metres.toFixed(3)], [['hips', 'leg', 'leg'], '0.010']);
  const { translations } = clip.sample(skeleton.pose(), 0.5, 'clamp', skeleton.rest);
  assert.ok(Math.abs(translations[6] - 5) < 0.1, `${translations}`); // 1 mm is 0.1 of its unit
  await choose(stored('walks.fbx', fbxOf([{ name: 'hips' }], { names: ['Walk', 'Run', 'Walk'] })));
  assert.deepEqual(await clips(), ['Walk', 'Run', 'Walk-2'], 'as the command names them');
  if (!data) return console.log('SKIP: QUATSIMD_DATA is not set: no figure of an FBX is looked at');
  await choose(join(data, 'fbx/KnightCharacter.fbx'));
  assert.match(await text('status'), /^All 12 animations are encoded/);
  assert.ok(lightShare(await picture('left')) > 0.001 && colours(await picture('right')) > 8);
});

test('a tall figure is in the view from head to feet', { skip }, async () => {
  await choose(stored('tall.bvh', tallBvh()));
  await play(false);
  for (const [width, height] of [
    [1000, 700],
    [1000, 1100],
    [360, 740],
  ]) {
    await page.setViewport({ width, height });
    await page.focus('#views'), await page.keyboard.press('0'); // to where the camera is in views of this size
    await page.$eval('#left', ({ children }) => [...children].forEach(({ style }) => (style.visibility = 'hidden')));
    await frames();
    const box = await page.$eval('#left', (left) => left.getBoundingClientRect().toJSON()),
      y = box.y + (await page.evaluate('scrollY')) + 4;
    const [first, last] = lightRows(
      readPng(await page.screenshot({ clip: { x: box.x + 4, y, width: box.width - 8, height: box.height - 8 } })),
    );
    assert.ok(first > 4 && last < box.height - 12 && last - first > box.height / 2, `rows ${first} to ${last} of ${box.height}`);
  }
  await page.$eval('#left', ({ children }) => [...children].forEach(({ style }) => (style.visibility = '')));
  await page.setViewport({ width: 1000, height: 700 });
});

test(
  'joints that an animation moves are shown, though the mesh has no need of them',
  { skip: skip || (!data && 'SKIP: QUATSIMD_DATA is not set') },
  async () => {
    const files = readdirSync(join(data, 'sumerian')).filter((name) => name.endsWith('.glb'));
    assert.ok(files.length >= 6);
    for (const name of files) {
      const path = join(data, 'sumerian', name),
        moved = new Set(readGlb(path).tree.animations.flatMap(({ channels }) => channels.map(({ target }) => target.node)));
      await choose(path), await frames();
      const bones = await page.evaluate('quatsimdPage.bones');
      assert.ok(moved.size > 90 && bones >= moved.size, `${bones} bones for ${moved.size} joints that ${name} moves`);
      await choose(await saved('save-glb')), await frames();
      assert.equal(await page.evaluate('quatsimdPage.bones'), bones, `${name} with its bundle`);
    }
    await sample('Fox');
  },
);

test('bad animations leave the others alone', { skip }, async () => {
  const { loadPlayer } = await import(pathToFileURL(join(site, 'quatsimd/player.js'))),
    player = await loadPlayer();
  const knight = readGlb(join(site, 'models/Knight.glb')),
    names = knight.tree.animations.map(({ name }) => name),
    zero = [0, 0, 0, 0],
    nan = [NaN, 0, 0, 1];
  // the first one, which is encoded first, and another; as the encoder refuses it, and as the page does
  for (const [bad, refused, left] of [
    [{ 3: zero }, [3], []],
    [{ 0: zero, 75: zero }, [0, 75], []],
    [{ 3: nan }, [], [3]],
    [{ 0: nan, 3: zero }, [3], [0]],
  ]) {
    await choose(stored('bad.glb', withFirstRotations(knight, bad)));
    const all = 76 - left.length,
      count = all - refused.length,
      good = names.filter((_, a) => ![...refused, ...left].includes(a));
    assert.match(
      await text('status'),
      refused.length ? new RegExp(`^${count} of ${all} animations are encoded: [\\d,]+ bytes\\.$`) : new RegExp(`^All ${all} animations`),
    );
    for (const a of refused) assert.match(await text('trouble'), new RegExp(`animation ${names[a]}, rotation of \\w+, key 0: `));
    assert.deepEqual(
      (await text('notes'))
        .split('The animation ')
        .slice(1)
        .map((note) => note.split(' is left out')[0]),
      left.map((a) => names[a]),
    );
    const bundle = player.openBundle(readFileSync(await saved('save-qsb')));
    assert.deepEqual([...bundle.names].sort(), [...good].sort());
    assert.match(await text('glb-note'), /not encoded stay as keys/);
    const { tree } = readGlb(await saved('save-glb'));
    assert.deepEqual(
      tree.animations.map(({ name }) => name),
      names.filter((name) => !good.includes(name)),
    );
    assert.deepEqual(
      tree.extensions.QUATSIMD_bundle.animations.map(({ clip }) => clip),
      good,
    );
    if (!refused.length) continue;
    await page.select('#animation', names[refused[0]]), await idle();
    assert.equal(await text('errors-text'), 'The animation cannot be encoded.');
    await page.select('#animation', good[1]), await idle();
    assert.match(await text('errors-text'), /The worst is/);
  }
  // all of them
  await choose(stored('all.glb', withFirstRotations(readGlb(foxPath), { 0: zero, 1: zero, 2: zero })));
  assert.match(await text('trouble'), /^all\.glb cannot be encoded\. Animation \w+, rotation/);
  await (await page.$('#file')).uploadFile(stored('none.glb', withFirstRotations(readGlb(foxPath), { 0: nan, 1: nan, 2: nan })));
  await page.waitForFunction('/^none.glb cannot be shown.*not a number/.test(document.getElementById("trouble").textContent)');
  await sample('Fox');
});

test('what cannot be read of animations is named, and the others are shown', { skip }, async () => {
  const { tree, binary } = readGlb(foxPath),
    damaged = structuredClone(tree),
    pointing = structuredClone(tree);
  damaged.animations[1].samplers[0].output = 99999;
  await choose(stored('damaged.glb', glbOf(damaged, binary)));
  assert.match(await text('notes'), /^The animation Walk is left out\. It is damaged/);
  assert.match(await text('status'), /^All 2 animations are encoded/);
  assert.match(await text('glb-note'), /There is no \.glb of it: .*animations\/1\/samplers\/0\/output/);
  delete damaged.animations[1].name;
  delete damaged.animations[2].name;
  await choose(stored('nameless.glb', glbOf(damaged, binary)));
  assert.deepEqual([await clips(), (await text('notes')).slice(0, 36)], [['Survey', 'animation'], 'The animation animation is left out.']);
  const target = { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: '/materials/0/alphaCutoff' } } };
  pointing.animations[0].channels.push({ sampler: 0, target });
  await choose(stored('pointing.glb', glbOf(pointing, binary)));
  assert.match(
    await text('notes'),
    /^Its animations also change what a clip cannot have, which is left out: \/materials\/0\/alphaCutoff\.$/,
  );
  assert.match(await text('status'), /^All 3 animations are encoded/);
  assert.match(await text('glb-note'), /cannot have all of them: Survey\./);
  await sample('Fox');
});

test('the page gets of a file what it shows, and no keys', async () => {
  const { withoutKeys } = await import(pathToFileURL(join(site, 'gltf.js'))),
    knight = readGlb(join(site, 'models/Knight.glb')),
    { tree, binary } = readGlb(stored('two.glb', manyAnimations(knight, 2))),
    shown = await withoutKeys({ tree, binary: Uint8Array.from(binary).buffer });
  const wanted = new Set([
    ...tree.meshes.flatMap(({ primitives }) => primitives.flatMap(({ attributes, indices }) => [...Object.values(attributes), indices])),
    ...tree.skins.map(({ inverseBindMatrices }) => inverseBindMatrices),
  ]);
  assert.ok(!shown.tree.animations && shown.binary.byteLength < binary.length / 2);
  assert.ok(shown.tree.accessors.filter(Boolean).length < tree.accessors.length / 4);
  for (const index of wanted) {
    const before = tree.bufferViews[tree.accessors[index].bufferView],
      after = shown.tree.bufferViews[shown.tree.accessors[index].bufferView];
    const { byteOffset: at = 0, byteLength: size } = before;
    assert.ok(binary.subarray(at, at + size).equals(Buffer.from(shown.binary, after.byteOffset, size)), `accessor ${index}`);
  }
});

test('an animation whose clip is larger than its keys stays as keys', { skip }, async () => {
  await choose(stored('both.glb', shortAndLong()));
  assert.match(await text('status'), /^All 2 animations are encoded: .* larger than their keys: Short\.$/);
  assert.match(await text('glb-note'), /These stay as keys, since their clips are larger: Short\.$/);
  const { tree } = readGlb(await saved('save-glb')),
    { animations, bufferView } = tree.extensions.QUATSIMD_bundle;
  assert.deepEqual([tree.animations.map(({ name }) => name), animations.map(({ clip }) => clip)], [['Short'], ['Long']]);
  assert.ok(tree.bufferViews[bufferView].byteLength < (await bytesOf('Bundle')), 'its clip is not in the bundle');
  await choose(stored('long.glb', shortAndLong(['Long'])));
  assert.doesNotMatch((await text('status')) + (await text('glb-note')), /keys/);
  await choose(stored('short.glb', shortAndLong(['Short'])));
  assert.match(await text('glb-note'), /^There is no \.glb of it: no clip is smaller than its keys/);
  assert.ok(await page.$eval('#save-glb', ({ disabled }) => disabled));
  await sample('Fox');
});

test('bad files get words, and the page goes on', { skip }, async () => {
  const bytes = readFileSync(foxPath),
    huge = stored('huge.glb', '');
  truncateSync(huge, 500e6);
  const files = [
    ...badFiles(readGlb(foxPath), bytes, readFileSync(foxBundle)).map(([name, content, words]) => [stored(name, content), name, words]),
    [huge, 'huge.glb', /500,000,000 bytes/],
  ];
  for (const [file, name, words] of files) {
    await (await page.$('#file')).uploadFile(file);
    await page
      .waitForFunction((start) => document.getElementById('trouble').textContent.startsWith(start), {}, `${name} cannot be shown. `)
      .catch(() => assert.fail(`${name} gets no words`));
    assert.match(await text('trouble'), words);
    assert.doesNotMatch(await text('trouble'), /undefined|THREE\.|\[object/, name);
    assert.match(await page.title(), /^Fox\.glb/);
    await seek(0.1), await frames();
    assert.ok(Math.abs((await number('time')) - 0.1) < 1e-3, 'the file before is shown');
  }
  await shown('trouble.png');
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/plain', 'words');
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await choose(foxPath);
  assert.equal(await text('trouble'), '', 'words go when a good file comes');
  messages.length = 0;
});

test('a bundle is shown without a damaged clip, and says which clips are additive', { skip }, async () => {
  const [{ loadEncoder }, { loadPlayer }] = await Promise.all(
      ['encoder', 'player'].map((part) => import(pathToFileURL(join(site, `quatsimd/${part}.js`)))),
    ),
    player = await loadPlayer(),
    bytes = Buffer.from(smallBundle(await loadEncoder()));
  await choose(stored('three.qsb', bytes));
  assert.deepEqual(await clips(), player.openBundle(bytes).names);
  assert.match(await text('notes'), /These clips are additive, and are shown on the rest pose: Nod\./);
  const opens = (bundle, name) => {
    try {
      return bundle.clip(name).dispose(), true;
    } catch {
      return false;
    }
  };
  const damaged = Array.from({ length: bytes.length }, (_, at) => {
    const copy = Buffer.from(bytes);
    copy[at] ^= 0x55;
    return copy;
  }).find((copy) => {
    try {
      const bundle = player.openBundle(copy);
      return ['Walk', 'Nod', 'Turn'].map((name) => opens(bundle, name)).join() === 'false,true,true';
    } catch {
      return false;
    }
  });
  await choose(stored('two.qsb', damaged));
  assert.deepEqual((await clips()).sort(), ['Nod', 'Turn']);
  assert.match(await text('notes'), /It is shown without one clip: the clip Walk: the clip is damaged\./);
  assert.match(await text('status'), /two\.qsb: 2 clips/);
});

test('the bundle in a .glb has no inverse bind matrices, which the file has', { skip }, async () => {
  await sample('Fox');
  const bundle = await bytesOf('Bundle (.qsb)'),
    inGlb = await bytesOf('Bundle in the .glb'),
    joints = 24;
  assert.ok(bundle - inGlb >= 40 * joints && bundle - inGlb <= 48 * joints + 16, `${bundle}, ${inGlb}`);
  assert.ok(inGlb < (await bytesOf('Its keys by meshopt')));
  await page.$eval('#clips', (details) => (details.open = true));
  const keys = await page.$$eval('#clips tbody tr', (rows) => rows.map(({ cells }) => Number(cells[3].textContent.replaceAll(',', ''))));
  assert.ok(
    keys.every((size) => size > 1000) && new Set(keys).size === 3 && keys.reduce((a, b) => a + b) <= 1.2 * (await bytesOf('Its keys')),
  );
});

test('memory after 50 files', { skip }, async () => {
  await set('bound', 1), await play(false);
  const { loadEncoder } = await import(pathToFileURL(join(site, 'quatsimd/encoder.js')));
  const large = stored('large.qsb', largeBundle(await loadEncoder()));
  assert.ok(readFileSync(large).length > 5e5);
  const cycle = [foxPath, stored('jump.bvh', bvhOf(60)), large, foxWithBundle, stored('half.glb', readFileSync(foxPath).subarray(0, 1000))];
  const session = await page.createCDPSession();
  const measure = async () => {
    await choose(foxPath), await frames();
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
    return { heap: usedSize, arrays: backingStorageSize, ...(await page.evaluate('quatsimdPage.memory')), workers: page.workers().length };
  };
  for (const file of cycle) await choose(file);
  const before = await measure();
  for (let i = 0; i < 50; i++) await choose(cycle[i % 5]);
  const afterwards = await measure();
  console.log(JSON.stringify({ before, afterwards }));
  assert.ok(afterwards.heap < 1.1 * before.heap + 1e6, 'JavaScript');
  assert.ok(afterwards.arrays < before.arrays + 1e6, 'arrays');
  for (const name of ['wasm', 'geometries', 'textures', 'workers']) assert.equal(afterwards[name], before[name], name);
  await set('bound', 0);
});

test('the crowd waits for the animation that is chosen, and goes when another file comes', { skip }, async () => {
  await set('bound', -2);
  await page.click('[data-sample=Knight]');
  await page.waitForFunction('document.title.startsWith("Knight") && document.getElementById("right-bytes").textContent === ""');
  const [hasClips, cost] = await page.evaluate(() => {
    // at once: the encoder may be faster than several calls
    const [clips, crowd, animation] = ['clips', 'crowd', 'animation'].map((id) => document.getElementById(id));
    crowd.click();
    animation.selectedIndex = animation.options.length - 1;
    animation.dispatchEvent(new Event('change'));
    return [clips.checkVisibility(), document.getElementById('crowd-cost').textContent];
  });
  assert.ok(!hasClips, 'no clips of the file before');
  assert.match(cost, /comes when/);
  await idle(), await frames(5);
  assert.match(await text('crowd-cost'), /µs each/);
  await sample('Fox');
  assert.ok((await (await page.$('#left')).isVisible()) && !(await page.$eval('#crowd', ({ checked }) => checked)));
  await set('bound', 0);
});

test('the keyboard alone', { skip }, async () => {
  await page.focus('#file'), await page.keyboard.down('Shift'), await page.keyboard.press('Tab'), await page.keyboard.up('Shift');
  const expected = [
    'file',
    'Fox',
    'Knight',
    'views',
    'play',
    'time',
    'animation',
    'speed',
    'loop',
    'mesh',
    'bones',
    'crowd',
    'bound',
    'form',
    'save-qsb',
    'save-glb',
    'SUMMARY',
  ];
  const order = [];
  while (order.length < expected.length) {
    await page.keyboard.press('Tab');
    const [id, isSeen] = await page.evaluate(() => {
      const focused = document.activeElement,
        target = focused.id === 'file' ? document.querySelector('label[for=file]') : focused;
      return [focused.id || focused.dataset.sample || focused.tagName, getComputedStyle(target).outlineStyle !== 'none'];
    });
    order.push(id);
    assert.ok(isSeen, `the focus of ${id} is seen`);
  }
  assert.deepEqual(order, expected);
  await play(false), await page.focus('#views');
  const before = await picture('right');
  await page.keyboard.press('ArrowLeft'), await page.keyboard.press('ArrowLeft');
  assert.ok(difference(before, await picture('right')) > 0.01, 'arrows turn');
  await page.keyboard.press('0');
  assert.ok(difference(before, await picture('right')) < 0.001, '0 turns back');
  await page.keyboard.press('+');
  assert.ok(difference(before, await picture('right')) > 0.01, '+ zooms');
  await page.keyboard.press('0'), await page.keyboard.press(' ');
  assert.equal(await text('play'), 'Pause', 'space plays');
  await page.focus('#play'), await page.keyboard.press(' ');
  assert.equal(await text('play'), 'Play', 'space on the button is one press');
  await page.focus('#time');
  const time = await number('time');
  await page.keyboard.press('ArrowRight'), await frames();
  assert.ok((await number('time')) > time);
  await page.focus('#bound'), await page.keyboard.press('ArrowRight');
  assert.equal(await text('bound-text'), '1.1 mm');
  assert.equal(await page.$eval('#bound', (slider) => slider.getAttribute('aria-valuetext')), '1.1 mm');
  await set('bound', 0);
});

test('names for screen readers, and contrast', { skip }, async () => {
  const nameless = [],
    walk = (node) => {
      if (
        [
          'button',
          'checkbox',
          'slider',
          'combobox',
          'link',
          'image',
          'img',
          'progressbar',
          'table',
          'group',
          'region',
          'DisclosureTriangle',
        ].includes(node.role) &&
        !node.name &&
        node.role !== 'table'
      )
        nameless.push(node);
      node.children?.forEach(walk);
    };
  walk(await page.accessibility.snapshot({ interestingOnly: true }));
  assert.deepEqual(nameless, []);
  assert.deepEqual(await page.evaluate(() => ['status', 'trouble'].map((id) => document.getElementById(id).getAttribute('role'))), [
    'status',
    'alert',
  ]);
  assert.deepEqual(await page.$$eval('h1, h2', (all) => all.map(({ tagName }) => tagName).filter((name) => name === 'H1').length), 1);
  const faint = () =>
    page.evaluate(() => {
      const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
      const light = ([r, g, b]) =>
        [r, g, b]
          .map((x) => x / 255)
          .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
          .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
      const groundOf = (element) => {
        for (let at = element; at; at = at.parentElement) {
          const ground = numbers(getComputedStyle(at).backgroundColor);
          if (ground[3] !== 0) return ground;
        }
        return [255, 255, 255];
      };
      return [...document.querySelectorAll('body *')]
        .filter(
          (e) =>
            e.checkVisibility() &&
            !e.disabled &&
            e.tagName !== 'OPTION' &&
            [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()),
        )
        .flatMap((e) => {
          const { color, fill } = getComputedStyle(e),
            [a, b] = [light(numbers(e.tagName === 'text' ? fill : color)), light(groundOf(e))].sort((x, y) => y - x);
          return (a + 0.05) / (b + 0.05) < 4.5 ? [`${e.textContent.slice(0, 40)}: ${((a + 0.05) / (b + 0.05)).toFixed(2)}`] : [];
        });
    });
  for (const value of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]), await frames();
    assert.deepEqual(await faint(), [], value);
  }
  await shown('dark.png');
  await page.emulateMediaFeatures([]);
});

test('phones, and people who want less motion', { skip }, async () => {
  for (const width of [360, 768]) {
    await page.setViewport({ width, height: 740, isMobile: true, hasTouch: true });
    await frames();
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width} px: nothing is beside the screen`);
    const small = await page.$$eval('button, select, .button, input[type=range]', (all) =>
      all.map((e) => [e.id || e.textContent, e.getBoundingClientRect().height]).filter(([, height]) => height < 24),
    );
    assert.deepEqual(small, []);
    let seen = 0;
    for (let i = 0; i < 10 && seen <= 8; i++) seen = colours(await picture('right')); // it may not be drawn yet
    assert.ok(seen > 8);
    if (width === 360) await shown('phone.png');
  }
  assert.deepEqual(
    requests.filter((url) => !isOwn(url)),
    [],
    'all that was opened asked nobody else',
  );
  assert.deepEqual(
    messages.filter((line) => !/is cut off/.test(line)),
    [],
  );
  await page.setViewport({ width: 1000, height: 700 });
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await page.reload(), await idle(), await frames(5);
  assert.equal(await text('play'), 'Play');
  assert.equal(await number('time'), 0, 'it starts when it is told to');
  await page.emulateMediaFeatures([]);
});

test('without WebGL there are words and numbers', { skip }, async () => {
  const another = await newPage(),
    shared = page;
  use(another);
  await page.evaluateOnNewDocument(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await page.goto(server.address), await idle();
  assert.ok(await (await page.$('#no-webgl')).isVisible());
  assert.match(await text('status'), /All 3 animations are encoded/);
  assert.match(await text('errors-text'), /The worst is/);
  use(shared);
  await another.close();
});

// A task is all that the page does without answering. What counts is its time on a processor: without other programs that is the duration
// of PerformanceObserver's "longtask". WebGL is off, because the processor draws it in this browser, and graphics cards do elsewhere.
// The time in which the page itself is loaded does not count, all else does.
test('no task takes long, with large files', { skip }, async () => {
  const shared = page;
  await shared.goto('about:blank');
  use(await newPage());
  await page.evaluateOnNewDocument(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
    globalThis.words = new Set();
    const status = () => words.add(document.getElementById('status').textContent.replaceAll(/[\d,]+/g, '#'));
    addEventListener('DOMContentLoaded', () =>
      new MutationObserver(status).observe(document.getElementById('status'), { childList: true, characterData: true, subtree: true }),
    );
  });
  await page.goto(server.address), await idle();
  const brief = async (what, use) => {
    await page.tracing.start({ categories: ['toplevel'] });
    await page.evaluate('words.clear()');
    await use();
    const { traceEvents } = JSON.parse(Buffer.from(await page.tracing.stop()).toString()),
      threadOf = ({ pid, tid }) => `${pid} ${tid}`,
      main = new Set(traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(threadOf)),
      tasks = traceEvents.filter((event) => event.tdur >= 0 && main.has(threadOf(event))),
      most = (member) => Math.round(tasks.reduce((max, task) => Math.max(max, task[member]), 0) / 1000);
    console.log(`${what}: ${tasks.length} tasks of at most ${most('tdur')} ms, ${most('dur')} ms with those of other programs`);
    assert.ok(tasks.length > 20 && most('tdur') <= 100, `${what}: a task of ${most('tdur')} ms`);
    return page.evaluate(() => [...globalThis.words].join('|'));
  };
  for (const [name, content, other] of [
    ['many.glb', manyAnimations(readGlb(join(site, 'models/Knight.glb')), 6), 'Walking_C 6'],
    ['large.bvh', largeBvh()],
  ]) {
    assert.ok(content.length > 19e6 && content.length < 25e6, `${name} has ${content.length} bytes`);
    const path = stored(name, content),
      opened = await brief(`${name} is opened and encoded`, () => choose(path));
    assert.match(await text('status'), other ? /All 456 animations are encoded/ : /The animation is encoded/);
    if (other) {
      assert.match(opened, /Reading # of # animations of many\.glb ….*Encoding clip # of # ….*Making the files …/);
      await brief('an animation is chosen', async () => (await page.select('#animation', other), await idle()));
    }
    assert.match(await text('errors-text'), /The worst is/);
    assert.match(await brief('the bound is moved', () => set('bound', 1)), /Encoding clip # of # …/);
    for (const button of other ? ['save-qsb', 'save-glb'] : ['save-qsb']) await brief(button, () => saved(button));
  }
  await page.close();
  use(shared);
});

test('a server that lacks a part', { skip }, async () => {
  server.refused = /encoder\.\w+\.wasm|Knight/;
  await page.goto(server.address);
  await page.waitForFunction('/cannot be encoded.*404/.test(document.getElementById("trouble").textContent)');
  await page.click('[data-sample=Knight]');
  await page.waitForFunction('/Knight.glb cannot be shown.*404/.test(document.getElementById("trouble").textContent)');
  server.refused = undefined;
});

test('the licences are there', { skip }, async () => {
  await page.goto(server.address), await idle();
  const links = await page.$$eval('footer a', (all) => all.map(({ href }) => href));
  for (const link of links.filter((href) => href.startsWith(server.address)))
    assert.ok(existsSync(join(site, link.slice(server.address.length))), link);
  assert.match(await page.$eval('footer', ({ textContent }) => textContent), /tomkranis[^]*CC BY 4\.0[^]*Kay Lousberg[^]*CC0/);
});
