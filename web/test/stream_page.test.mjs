// In a browser, the README's lines play a figure on the bones of three.js. A server of this test sends it over a WebSocket and leaves out
// one packet in five.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_SITE=FOLDER QUATSIMD_MODULES=FOLDER/node_modules QUATSIMD_TOOL=quatsimd node --test stream_page.test.mjs
// QUATSIMD_SITE: of ./dev web. The modules are puppeteer-core and ws. QUATSIMD_BROWSER: a Chromium, else the one in PATH.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findBrowser, launch, serve } from './support/browser.mjs';
import { lines, readme } from './support/readme.mjs';
import { errorsOf } from './support/streams.mjs';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_SITE: site, QUATSIMD_MODULES: modules, QUATSIMD_TOOL: command } = process.env,
  path = findBrowser(),
  skip = !path && 'SKIP: there is no browser: no figure is streamed to one',
  FRAMES = 90,
  BOUND = 0.0043633231;
const [{ loadPlayer }, { loadStreams }] = await Promise.all(
  ['player', 'stream'].map((part) => import(pathToFileURL(join(folder, `${part}.js`)))),
);
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
let server, browser, sockets;
before(async () => {
  if (skip) return console.log(skip);
  for (const [name, to] of Object.entries({ site, package: folder })) symlinkSync(realpathSync(to), join(work, name));
  server = await serve(work);
  const { WebSocketServer } = createRequire(join(modules, 'x.js'))('ws');
  sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  browser = await launch(modules, path);
});
after(async () => {
  await browser?.close();
  sockets?.close();
  server?.close();
  rmSync(work, { recursive: true });
});

// In the browser: plays `frames` poses, and gives what bones had after each.
async function play({ names, options, port, code, frames, simd }) {
  const load = (part) => import(new URL(`/some/folder/${part}`, document.baseURI)),
    { AmbientLight, PerspectiveCamera, PropertyBinding, Scene, WebGLRenderer } = await load('site/three/three.module.min.js'),
    { GLTFLoader } = await load('site/three/addons/loaders/GLTFLoader.js'),
    streams = await (await load('package/stream.js')).loadStreams({ simd }),
    gltf = await new GLTFLoader().loadAsync(new URL('/some/folder/site/models/Fox.glb', document.baseURI).href),
    bones = names.map((name) => gltf.scene.getObjectByName(PropertyBinding.sanitizeNodeName(name))),
    scene = new Scene().add(gltf.scene, new AmbientLight()),
    camera = new PerspectiveCamera(),
    renderer = new WebGLRenderer(),
    skeletons = [],
    socket = new WebSocket(`ws://127.0.0.1:${port}`),
    shown = [];
  gltf.scene.traverse(({ skeleton }) => skeleton && skeletons.push(skeleton));
  camera.position.set(0, 50, 300);
  const receiver = new Function('streams', 'options', 'socket', 'bones', `${code}return receiver;`)(streams, options, socket, bones),
    { onmessage } = socket;
  let last;
  await new Promise((done, fail) => {
    socket.onerror = () => fail(new Error('the socket has failed'));
    socket.onmessage = (event) => {
      onmessage.call(socket, event);
      if (receiver.time === last) return;
      last = receiver.time;
      renderer.render(scene, camera);
      shown.push({
        time: last,
        rotations: bones.flatMap((bone) => bone.quaternion.toArray()),
        positions: bones.slice(0, options.positionCount).flatMap((bone) => bone.position.toArray()),
        matrices: Array.from(skeletons[0].boneMatrices),
      });
      if (shown.length === frames) done();
    };
  });
  socket.close();
  return { shown, skinned: skeletons.length, skinnedBones: skeletons[0].bones.every((bone) => bones.includes(bone)) };
}

for (const simd of [true, false])
  test(`a figure from a WebSocket is within its bounds on bones of three.js${simd ? '' : ', without SIMD'}`, { skip }, async () => {
    const packed = join(work, 'Fox.qsb');
    execFileSync(command, ['compress', join(site, 'models/Fox.glb'), '-o', packed]);
    const player = await loadPlayer(),
      bundle = player.openBundle(readFileSync(packed)),
      { skeleton } = bundle,
      options = { bodyCount: skeleton.joints, positionCount: skeleton.find('b_Hip_01') + 1, positionBound: 0.01, session: 7 },
      streams = await loadStreams(),
      sources = new Map(),
      sizes = [];
    const noted = {
      sender(given) {
        const sender = streams.sender(given);
        return {
          acknowledged: (bytes) => sender.acknowledged(bytes),
          encode(pose, time) {
            sources.set(Math.floor(time), { rotations: pose.rotations.slice(), positions: pose.positions.slice() });
            const packet = sender.encode(pose, time);
            sizes.push(packet.length);
            return packet;
          },
        };
      },
    };
    let sent = 0,
      lost = 0,
      timer;
    const repeat = (call, ms) => (timer = setInterval(call, ms));
    sockets.once('connection', (connection) => {
      const socket = {
        set onmessage(read) {
          connection.onmessage = read;
        },
        send: (packet) => (sent++ % 5 === 4 ? lost++ : connection.send(packet)),
      };
      connection.on('close', () => clearInterval(timer));
      readme('streams.sender(options)', ['streams', 'options', 'socket', 'clip', 'pose', 'skeleton', 'setInterval'])(
        noted,
        options,
        socket,
        bundle.clip('Run'),
        skeleton.pose(),
        skeleton,
        repeat,
      );
    });
    const page = await browser.newPage(),
      failures = [];
    page.on('pageerror', (error) => failures.push(error.message));
    await page.goto(`${server.address}site/words.js`); // a document without anything
    const { shown, skinned, skinnedBones } = await page.evaluate(play, {
      names: skeleton.names,
      options,
      port: sockets.address().port,
      code: lines('streams.receiver(options)'),
      frames: FRAMES,
      simd,
    });
    await page.close();
    clearInterval(timer);
    assert.deepEqual(failures, []);
    assert.ok(skinned > 0 && skinnedBones, 'all bones of the mesh are joints of the stream');
    assert.ok(lost >= FRAMES / 5, `${lost} packets lost`);
    let most = { turn: 0, way: 0 };
    for (const { time, rotations, positions } of shown) {
      const { turn, way } = errorsOf({ rotations: Float32Array.from(rotations), positions }, sources.get(time));
      most = { turn: Math.max(most.turn, turn), way: Math.max(most.way, way) };
    }
    assert.ok(most.turn <= BOUND && most.way <= options.positionBound, JSON.stringify(most));
    const longest = Math.max(...sizes.slice(-20));
    assert.ok(longest < 0.8 * sizes[0], `acknowledged, packets are shorter: ${longest} bytes, the first ${sizes[0]}`);
    const heights = shown.map(({ positions }) => positions.at(-2));
    assert.ok(Math.max(...heights) - Math.min(...heights) > 10, 'the hips move');
    const moved = shown.slice(1).filter(({ matrices }, i) => matrices.some((x, k) => x !== shown[i].matrices[k]));
    assert.equal(moved.length, FRAMES - 1, 'the skin follows each pose');
    console.log(`${sent} packets, ${lost} lost, ${shown.length} poses: off by ${((100 * most.turn) / BOUND).toFixed(1)} % of the bound`);
  });
