// Bounds by the mesh: those of the command, and no vertex is off by more.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd QUATSIMD_DATA=FOLDER node --test mesh.test.mjs
// three is in node_modules of the package's folder.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { glbOf, readGlb } from '../../tests/tools/support/glb.mjs';
import { everything } from './support/everything.mjs';
import { skinsGlb } from './support/skins.mjs';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_TOOL: command, QUATSIMD_DATA: data } = process.env;
const load = (...path) => import(pathToFileURL(join(folder, ...path)));
const { AnimationMixer, BufferAttribute, Bone, Group, Skeleton, SkinnedMesh, Vector3 } = await load(
  'node_modules/three/build/three.module.js',
);
const { GLTFLoader } = await load('node_modules/three/examples/jsm/loaders/GLTFLoader.js');
const { QuatsimdMixer, bindByName, meshBounds, sourceOf } = await load('three.js');
const player = await (await load('player.js')).loadPlayer(),
  encoder = await (await load('encoder.js')).loadEncoder();
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
after(() => rmSync(work, { recursive: true }));

// A figure without pictures, which three.js reads in browsers alone.
function bare({ tree, binary }) {
  for (const { primitives } of tree.meshes) for (const primitive of primitives) delete primitive.material;
  return glbOf(tree, binary);
}
function read(path) {
  if (path.endsWith('.glb')) return bare(readGlb(path));
  const tree = JSON.parse(readFileSync(path, 'utf8')),
    [{ uri, ...buffer }] = tree.buffers,
    binary = uri.startsWith('data:') ? Buffer.from(uri.split(',')[1], 'base64') : readFileSync(join(dirname(path), uri));
  return bare({ tree: { ...tree, buffers: [buffer] }, binary });
}
const parse = async (bytes) => {
  const { scene, animations } = await new GLTFLoader().parseAsync(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    '',
  );
  return { root: scene, animations, source: sourceOf(scene, animations) };
};

// The command's record of a file at a bound of the mesh in the file's unit.
function recordOf(bytes, bound) {
  const [file, bundle] = ['file.glb', 'file.qsb'].map((name) => join(work, name));
  writeFileSync(file, bytes);
  rmSync(bundle, { force: true });
  execFileSync(command, ['compress', '--object', `${bound}@mesh`, '-o', bundle, file], { stdio: 'ignore' });
  return JSON.parse(execFileSync(command, ['info', '--json', bundle], { encoding: 'utf8' }))[0].making.files[0];
}

const MODELS = fileURLToPath(new URL('../site/models', import.meta.url)),
  files = {
    'Fox.glb': () => read(join(MODELS, 'Fox.glb')),
    'Knight.glb': () => read(join(MODELS, 'Knight.glb')),
    'all that moves vertices': skinsGlb,
    'all that glTF has': everything,
  };
for (const path of [
  'blender-io/01_cs_morph/01_cs_morph.gltf',
  'khronos/cesium_man.gltf',
  'khronos/rigged_simple.gltf',
  'mesh2motion/fox-animations.glb',
  'quaternius/Alpaca.glb',
  'quaternius/Character.glb',
  'quaternius/Rat.glb',
  'quaternius/Whale.glb',
  'raylib/robot.glb',
  'sumerian/alien_lipsync.glb',
])
  if (data) files[path] = () => read(join(data, path));

for (const [name, bytes] of Object.entries(files))
  test(`${name} has the command's bounds`, async () => {
    const { root, source } = await parse(bytes()),
      record = recordOf(bytes(), 0.01),
      { object, jointBounds, trackBounds } = meshBounds(root, source)(0.01, {
        object: record.object_bound,
        distance: record.object_distance,
      });
    const same = (is, wanted, what) => assert.ok(Math.abs(is - wanted) <= 1e-6 * wanted, `${what}: ${is} and not ${wanted}`);
    assert.equal(object, record.object_bound);
    const rows = record.joint_bounds ?? [];
    assert.equal(jointBounds.filter(Boolean).length, rows.length);
    for (const { joint, name, object_bound, object_distance } of rows) {
      same(jointBounds[joint].object, object_bound, name);
      same(jointBounds[joint].distance, object_distance, name);
    }
    const tracks = record.track_bounds ?? trackBounds.map(() => 0);
    assert.equal(trackBounds.length, tracks.length);
    tracks.forEach((bound, t) => same(trackBounds[t], bound, `track ${t}`));
    if (name === 'all that moves vertices') assert.ok(rows.length === 2 && tracks.length === 2 && tracks.every((bound) => bound > 0));
  });

// The largest error of a vertex of an animation, as three.js places it.
function worst(one, other, a, bundle) {
  const mixer = new AnimationMixer(one.root),
    action = mixer.clipAction(one.animations[a]).play(),
    ours = new QuatsimdMixer({ bundle, ...bindByName(other.root, bundle.skeleton) }),
    own = ours.action(one.source.animations[a].name).play(),
    meshes = [one, other].map(({ root }) => {
      const all = [];
      root.traverse((object) => object.isMesh && all.push(object));
      return all;
    });
  own.loop = false;
  const at = (mesh, v) => mesh.getVertexPosition(v, new Vector3()).applyMatrix4(mesh.matrixWorld);
  let most = 0;
  for (let i = 0; i <= 30; i++) {
    action.time = own.time = (one.animations[a].duration * i) / 30;
    mixer.update(0), ours.update(0);
    one.root.updateMatrixWorld(true), other.root.updateMatrixWorld(true);
    meshes[0].forEach((mesh, m) => {
      for (let v = 0; v < mesh.geometry.attributes.position.count; v++) most = Math.max(most, at(mesh, v).distanceTo(at(meshes[1][m], v)));
    });
  }
  action.stop(), own.stop();
  return most;
}

for (const [name, bound] of [
  ['Fox.glb', 0.1],
  ['Knight.glb', 0.0002],
  ['all that moves vertices', 0.001],
])
  test(`no vertex of ${name} is off by more than its bound`, async () => {
    const [one, other] = [await parse(files[name]()), await parse(files[name]())],
      skeleton = encoder.encodeSkeleton(one.source.skeleton),
      bounds = meshBounds(one.root, one.source)(bound),
      clips = {},
      shares = [];
    const animations = one.source.animations.slice(0, 3);
    for (const animation of animations)
      clips[animation.name] = encoder.encodeClip(animation, { ...bounds, skeleton, bundled: true, onWorst: (is) => shares.push(is) });
    const bundle = player.openBundle(encoder.encodeBundle(skeleton, clips)),
      off = animations.map((_, a) => worst(one, other, a, bundle) / bound);
    console.log(`${name}: ${off.map((part) => part.toFixed(2)).join(', ')} of the bound`);
    off.forEach((part, a) => {
      const { objectShare, trackShare } = shares[a];
      assert.ok(part > 0.1 && part <= 1 && objectShare <= 1 && trackShare <= 1);
      assert.ok(part <= 1.13 * Math.max(objectShare, trackShare), 'the encoder says so');
    });
    assert.ok(Math.max(...off) > 0.3, 'the bound is used');
  });

test('joints and tracks of other bounds', () => {
  const times = [0, 1, 2, 3].map((k) => k / 10),
    turn = { times, values: times.flatMap((t) => [0, Math.sin(t * t), 0, Math.cos(t * t)]) },
    animation = { joints: [{ rotation: turn }, { parent: 0, rotation: turn }], tracks: [{ times, values: times.map((t) => t * t) }] };
  const size = (options, of = animation) => encoder.encodeClip(of, { object: 0.01, distance: 1, track: 0.01, ...options }).byteLength,
    fine = { object: 1e-5, distance: 1 };
  assert.equal(size({ jointBounds: [undefined, { object: 0.01 }], trackBounds: [0] }), size());
  const [first, second] = [size({ jointBounds: [fine, undefined] }), size({ jointBounds: [undefined, fine] })];
  assert.ok(first > size() && second > size() && size({ jointBounds: [fine, fine] }) > Math.max(first, second));
  assert.ok(size({ jointBounds: [{ distance: 100 }, undefined] }) > size(), 'a distance alone');
  assert.ok(size({ trackBounds: [1e-6] }) > size());
  let worst;
  const each = { rotation: 0.1, translation: 1, scale: 1, onWorst: (is) => (worst = is) };
  encoder.encodeClip(animation, { ...each, jointBounds: [{ rotation: 1e-4 }, { rotation: 1e-4 }] });
  assert.ok(worst.rotation <= 1e-4 && worst.track <= 0.001 && worst.trackShare <= 1);
  assert.throws(() => size({ jointBounds: [fine] }), /jointBounds are of 1 joints, and there are 2/);
  assert.throws(() => size({ trackBounds: [1, 2] }), /trackBounds has 2 numbers, and 1 are needed/);
  assert.throws(() => size({ jointBounds: [undefined, { object: -1 }] }), { status: -3 });
});

test('a mesh that does not fit its skin, and none', () => {
  const skin = new SkinnedMesh(),
    attribute = (size, values) => new BufferAttribute(Float32Array.from(values), size);
  skin.name = 'coat';
  skin.geometry.setAttribute('position', attribute(3, [0, 0, 0]));
  skin.geometry.setAttribute('skinIndex', attribute(4, [0, 7, 0, 0]));
  skin.geometry.setAttribute('skinWeight', attribute(4, [0.5, 0.5, 0, 0]));
  const bone = Object.assign(new Bone(), { name: 'hip' });
  skin.bind(new Skeleton([bone]));
  const root = new Group().add(bone, skin);
  assert.throws(() => meshBounds(root, sourceOf(root, [])), /a vertex of coat has bone 7, and there are 1/);
  skin.removeFromParent();
  assert.equal(meshBounds(root, sourceOf(root, [])), undefined);
});
