// Animations that three.js has read are encoded and played again: bones in model space, at 100 times, within the bound.
// Usage: QUATSIMD_PACKAGE=FOLDER node --test three_source.test.mjs
// three is in node_modules of the package's folder. QUATSIMD_BVH: a file of that format, or else it is skipped.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { glbOf, readGlb, withoutMeshes } from '../../tests/tools/support/glb.mjs';
import { everything } from './support/everything.mjs';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_BVH: bvh = '/usr/share/assimp/models/BVH/01_01.bvh' } = process.env;
const load = (...path) => import(pathToFileURL(join(folder, ...path)));
const three = await load('node_modules/three/build/three.module.js');
const { GLTFLoader } = await load('node_modules/three/examples/jsm/loaders/GLTFLoader.js');
const { BVHLoader } = await load('node_modules/three/examples/jsm/loaders/BVHLoader.js');
const { QuatsimdMixer, bindByName, sourceOf } = await load('three.js');
const player = await (await load('player.js')).loadPlayer(),
  encoder = await (await load('encoder.js')).loadEncoder();

const parse = async (bytes) => {
  const { scene, animations } = await new GLTFLoader().parseAsync(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    '',
  );
  return { root: scene, animations };
};

function encode({ skeleton, animations }, bounds) {
  const bytes = encoder.encodeSkeleton(skeleton);
  const clips = animations.map((animation) => [
    animation.name,
    encoder.encodeClip(animation, { ...bounds, skeleton: bytes, bundled: true }),
  ]);
  return player.openBundle(encoder.encodeBundle(bytes, Object.fromEntries(clips)));
}

const points = (object, distance) =>
  [
    [0, 0, 0],
    [distance, 0, 0],
    [0, distance, 0],
    [0, 0, distance],
  ].map((offset) => new three.Vector3(...offset).applyMatrix4(object.matrixWorld));

// The largest error of points and of morph targets of the first animations, as parts of their bounds.
function worst(before, animations, afterwards, bundle, source, { object, distance, track = 0.001 }) {
  const bound = { bundle, ...bindByName(afterwards, bundle.skeleton) };
  assert.ok(bound.joints.every(Boolean) && bound.tracks.every((moved) => moved.length), 'all names are found again');
  const mixer = new three.AnimationMixer(before),
    ours = new QuatsimdMixer(bound);
  let most = 0;
  animations.forEach((clip, a) => {
    const action = mixer.clipAction(clip).play(),
      own = ours.action(source.animations[a].name).play();
    own.loop = false;
    for (let i = 0; i <= 100; i++) {
      action.time = own.time = (clip.duration * i) / 100;
      mixer.update(0), ours.update(0);
      before.updateMatrixWorld(true), afterwards.updateMatrixWorld(true);
      source.joints.forEach((joint, j) => {
        const others = points(bound.joints[j], distance);
        points(joint, distance).forEach((p, k) => (most = Math.max(most, (p.distanceTo(others[k]) - 1e-6 * p.length()) / object)));
      });
      source.tracks.forEach((moved, t) =>
        moved.forEach(({ mesh, target }, m) => {
          const { mesh: its, target: own } = bound.tracks[t][m],
            other = its.morphTargetInfluences[own];
          most = Math.max(most, (Math.abs(mesh.morphTargetInfluences[target] - other) - 1e-6) / track);
        }),
      );
    }
    action.stop(), own.stop();
  });
  return most;
}

for (const [path, bounds] of [
  ['Knight.glb', { object: 0.001, distance: 0.1 }],
  ['Fox.glb', { object: 0.1, distance: 10 }],
])
  test(`${path} is encoded as three.js reads it`, async () => {
    const bytes = glbOf(...Object.values(withoutMeshes(readGlb(fileURLToPath(new URL(`../site/models/${path}`, import.meta.url))))));
    const { root, animations } = await parse(bytes),
      source = sourceOf(root, animations.slice(0, 6), { metres: 1 });
    const bundle = encode(source, bounds);
    assert.equal(bundle.skeleton.metres, 1);
    const most = worst(root, animations.slice(0, 6), (await parse(bytes)).root, bundle, source, bounds);
    assert.ok(most <= 1, `${most} of the bound`);
    console.log(`${path}: ${(100 * most).toFixed(1)} % of the bound`);
  });

test('a BVH', (t) => {
  let text;
  try {
    text = readFileSync(bvh, 'utf8');
  } catch {
    return t.skip(`there is no ${bvh}`);
  }
  const lines = text.split('\n'),
    motion = lines.findIndex((line) => line.startsWith('MOTION'));
  const cut = [...lines.slice(0, motion + 1), 'Frames: 240', ...lines.slice(motion + 2, motion + 243)].join('\n');
  const read = () => {
    const { skeleton, clip } = new BVHLoader().parse(cut),
      root = new three.Group();
    return { root: root.add(skeleton.bones[0]), animations: [clip] };
  };
  const { root, animations } = read(),
    source = sourceOf(root, animations),
    bounds = { object: 0.01, distance: 1 };
  assert.ok(!source.skeleton.joints.some(({ name }) => /ENDSITE/.test(name)), 'end sites are no joints');
  const most = worst(root, animations, read().root, encode(source, bounds), source, bounds);
  assert.ok(most <= 1, `${most} of the bound`);
});

test('all that glTF has', async () => {
  const { root, animations } = await parse(everything()),
    source = sourceOf(root, animations);
  const names = source.skeleton.joints.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.equal(source.skeleton.joints.length, 5, 'without meshes that do not move');
  assert.deepEqual(
    source.animations.map(({ name }) => name),
    ['a', 'a-2'],
  );
  assert.deepEqual(
    source.tracks.map((moved) => moved.length),
    [2, 2, 1, 1],
    'primitives of a mesh have one track',
  );
  const interpolations = source.animations[0].joints
    .flatMap((joint) => Object.values(joint))
    .concat(source.animations[0].tracks)
    .map(({ interpolation }) => interpolation);
  assert.deepEqual(
    ['LINEAR', 'STEP', 'CUBICSPLINE'].map((name) => interpolations.filter((i) => i === name).length),
    [5, 1, 4],
  );
  const bounds = { object: 1e-4, distance: 0.1 };
  const most = worst(root, animations, (await parse(everything())).root, encode(source, bounds), source, bounds);
  assert.ok(most <= 1, `${most} of the bound`);
});

test('what three.js alone has', () => {
  const root = new three.Group(),
    mesh = new three.Mesh();
  Object.assign(mesh, { name: 'box', morphTargetInfluences: [0, 0], morphTargetDictionary: { a: 0, b: 1 } });
  root.add(mesh);
  const track = (name, ...rest) => new three.NumberKeyframeTrack(name, [0, 1], [0, 1], ...rest);
  const { animations, left } = sourceOf(root, [
    new three.AnimationClip('x', 1, [track('box.morphTargetInfluences[b]'), track('box.material.opacity'), track('gone.scale')]),
  ]);
  const bone = new three.Bone(),
    skin = new three.SkinnedMesh(),
    inverse = new three.Matrix4().makeTranslation(1, 2, 3);
  root.add(skin, bone), skin.bind(new three.Skeleton([bone], [inverse]), new three.Matrix4());
  assert.deepEqual(sourceOf(root, []).skeleton.joints[0].inverseBind, [1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3]);
  assert.deepEqual(left, ['box.material.opacity', 'gone.scale']);
  assert.ok(animations[0].tracks[1] && !animations[0].tracks[0]);
  assert.throws(
    () => sourceOf(root, [new three.AnimationClip('x', 1, [track('box.morphTargetInfluences[b]', three.InterpolateSmooth)])]),
    /InterpolateSmooth/,
  );
});

test('joints have the names of the file, from which GLTFLoader takes characters', async () => {
  const nodes = [{ name: 'Leg', children: [1, 2] }, { name: 'Foot.L' }, { name: 'Foot.L' }],
    tree = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes, buffers: [{ byteLength: 4 }] },
    { root } = await parse(glbOf(tree, Buffer.alloc(4))),
    tracks = root.children[0].children.map(({ name }) => new three.QuaternionKeyframeTrack(`${name}.quaternion`, [0], [0, 0, 0, 1])),
    { skeleton, joints } = sourceOf(root, [new three.AnimationClip('', 1, tracks)]);
  assert.deepEqual(
    skeleton.joints.slice(-3).map(({ name }) => name),
    ['Leg', 'Foot.L', 'FootL_1'],
  );
  assert.deepEqual(bindByName(root, player.openSkeleton(encoder.encodeSkeleton(skeleton))).joints, joints);
});
