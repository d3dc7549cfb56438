// A bundle in a file that gltf-transform has read, changed and written moves all as before; and what gltf-transform and gltfpack
// do with a bundle without it.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd node --test transform.test.mjs
// three, gltf-transform and the others are in node_modules of the package's folder.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { glbOf, readGlb } from '../../tests/tools/support/glb.mjs';
import { everything } from './support/everything.mjs';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_TOOL: command } = process.env,
  modules = realpathSync(join(folder, 'node_modules'));
const load = (...path) => import(pathToFileURL(join(folder, ...path))),
  transform = (part) => load('node_modules/@gltf-transform', part, 'dist/index.js');
const [{ Logger, NodeIO }, { ALL_EXTENSIONS }, functions] = await Promise.all(['core', 'extensions', 'functions'].map(transform));
const { Box3, Vector3 } = await load('node_modules/three/build/three.module.js');
const { GLTFLoader } = await load('node_modules/three/examples/jsm/loaders/GLTFLoader.js');
const [{ loadPlayer }, { QuatsimdGLTFExtension, QuatsimdMixer }, { QuatsimdBundle }] = await Promise.all(
  ['player.js', 'three.js', 'gltf-transform.js'].map((part) => load(part)),
);
const require = createRequire(join(modules, 'index.js')),
  { validateBytes } = require('gltf-validator'),
  { MeshoptDecoder, MeshoptEncoder } = require('meshoptimizer'),
  draco3d = require('draco3dgltf'),
  sharp = require('sharp');
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
after(() => rmSync(work, { recursive: true }));
const player = await loadPlayer();

const dependencies = {
  'meshopt.decoder': MeshoptDecoder,
  'meshopt.encoder': MeshoptEncoder,
  'draco3d.decoder': await draco3d.createDecoderModule(),
  'draco3d.encoder': await draco3d.createEncoderModule(),
};
const quiet = new Logger(Logger.Verbosity.ERROR),
  ioOf = (extensions, logger = quiet) => new NodeIO().setLogger(logger).registerExtensions(extensions).registerDependencies(dependencies),
  io = ioOf([...ALL_EXTENSIONS, QuatsimdBundle]);

// ---- files

const treeOf = (glb) => {
    writeFileSync(join(work, 'tree.glb'), glb);
    return readGlb(join(work, 'tree.glb'));
  },
  bundleTextOf = (glb) => treeOf(glb).tree.extensions?.QUATSIMD_bundle;
function changed(glb, change) {
  const { tree, binary } = treeOf(glb);
  change(tree);
  return glbOf(tree, binary);
}

// By the command.
function packed(glb) {
  writeFileSync(join(work, 'in.glb'), glb);
  execFileSync(command, ['compress', '--object', '1mm@10cm', '--glb', join(work, 'out.glb'), join(work, 'in.glb')]);
  return readFileSync(join(work, 'out.glb'));
}
const model = (name) => readFileSync(fileURLToPath(new URL(`../site/models/${name}.glb`, import.meta.url)));
// The last has meshes on nodes that move, which have no skins.
const SOURCES = {
  Knight: model('Knight'),
  Fox: model('Fox'),
  morphs: everything(),
  meshes: changed(everything(), ({ nodes, meshes }) => {
    (nodes[3].mesh = nodes[6].mesh = 1), (nodes[6].children = [nodes.push({ mesh: 1, translation: [1, 2, 3] }) - 1]);
    for (const mesh of meshes) mesh.primitives = mesh.primitives.slice(0, 1);
  }),
};
const FILES = Object.fromEntries(Object.entries(SOURCES).map(([name, glb]) => [name, packed(glb)]));

async function errorsOf(glb) {
  const { issues } = await validateBytes(new Uint8Array(glb), { maxIssues: 0 });
  return issues.messages.filter(({ severity }) => severity === 0).map(({ code, pointer }) => `${code} ${pointer}`);
}

// ---- poses

// three.js needs a browser for images, and nothing here is drawn.
const bare = (glb) =>
  changed(glb, (tree) => {
    for (const name of ['images', 'textures', 'samplers', 'materials']) delete tree[name];
    for (const { primitives } of tree.meshes ?? []) for (const primitive of primitives) delete primitive.material;
  });
async function parse(glb) {
  const errors = [],
    loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder),
    { buffer, byteOffset, length } = bare(glb);
  loader.register((parser) => new QuatsimdGLTFExtension(parser, player, { onError: (error) => errors.push(error) }));
  const gltf = await loader.parseAsync(buffer.slice(byteOffset, byteOffset + length), '');
  assert.deepEqual(errors, []);
  return gltf;
}

// All clips at 50 times: matrices of joints in model space and weights of morph targets; and boxes around all meshes.
async function played(glb) {
  const { scene, userData } = await parse(glb),
    { quatsimd: bound } = userData,
    mixer = new QuatsimdMixer(bound),
    matrices = [],
    weights = [],
    boxes = [];
  bound.bundle.names.forEach((name, number) => {
    const action = mixer.action(name).play();
    for (let i = 0; i < 50; i++) {
      (action.time = (action.end * i) / 49), mixer.update(0), scene.updateMatrixWorld(true);
      for (const joint of bound.joints) matrices.push(...joint.matrixWorld.elements);
      for (const moved of bound.tracks) for (const { mesh, target } of moved) weights.push(mesh.morphTargetInfluences[target]);
      if (number < 4 && i % 24 === 10) boxes.push(new Box3().setFromObject(scene, true));
    }
    action.stop();
  });
  return {
    names: bound.bundle.names,
    matrices,
    weights,
    boxes,
    animations: bound.animations,
    joints: bound.joints.map(({ name }) => name),
  };
}
const BEFORE = Object.fromEntries(await Promise.all(Object.entries(FILES).map(async ([name, glb]) => [name, await played(glb)])));

const farthest = (a, b) => {
  assert.equal(a.length, b.length);
  return a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);
};

// glb: of what FILES[name] became.
const assertValid = async (name, glb) => assert.deepEqual(await errorsOf(glb), await errorsOf(FILES[name]));
async function assertSame(name, glb, { precision = 1e-3 } = {}) {
  const was = BEFORE[name],
    is = await played(glb),
    size = was.boxes[0].getSize(new Vector3()).length();
  assert.deepEqual([is.names, is.animations], [was.names, was.animations]);
  assert.ok(was.matrices.length >= 50 * 16 && farthest(is.matrices, was.matrices) <= 1e-6 * size, 'joints');
  assert.ok(farthest(is.weights, was.weights) <= 1e-6, 'weights');
  was.boxes.forEach((box, i) => {
    for (const end of ['min', 'max'])
      assert.ok(
        box[end].distanceTo(is.boxes[i][end]) <= precision * size,
        `box ${i}: ${is.boxes[i][end].toArray()}, not ${box[end].toArray()}`,
      );
  });
}

// ---- transforms

const { center, cloneDocument, dedup, draco, flatten, instance, join: joinMeshes, mergeDocuments, meshopt, palette, partition } = functions,
  { prune, quantize, reorder, resample, sparse, textureCompress, unpartition, weld } = functions;
// As the command gltf-transform optimize has them, but for simplify(), which changes meshes.
const OPTIMIZE = () => [
  dedup(),
  instance({ min: 2 }),
  palette({ min: 5 }),
  flatten(),
  joinMeshes(),
  weld(),
  resample(),
  prune({ keepAttributes: false, keepLeaves: false }),
  sparse(),
  textureCompress({ encoder: sharp, targetFormat: 'webp' }),
];

const CHAINS = {
  nothing: [],
  optimize: OPTIMIZE(),
  'optimize and quantize': [...OPTIMIZE(), quantize({ quantizePosition: 16 })],
  'optimize and meshopt': [...OPTIMIZE(), meshopt({ encoder: MeshoptEncoder, level: 'medium', quantizePosition: 16 })],
  'optimize and Draco': [...OPTIMIZE(), draco({ quantizePosition: 16 })],
  reorder: [reorder({ encoder: MeshoptEncoder }), unpartition()],
};

for (const name of Object.keys(FILES))
  for (const [title, chain] of Object.entries(CHAINS))
    test(`${name}: ${title}`, async () => {
      const document = await io.readBinary(FILES[name]);
      await document.transform(...chain);
      let glb = Buffer.from(await io.writeBinary(document));
      await assertValid(name, glb);
      if (title.endsWith('Draco')) {
        const read = await io.readBinary(glb); // three.js needs a worker for Draco
        read
          .getRoot()
          .listExtensionsUsed()
          .find(({ extensionName }) => extensionName === 'KHR_draco_mesh_compression')
          .dispose();
        glb = Buffer.from(await io.writeBinary(read));
      }
      await assertSame(name, glb);
    });

test('numbers of nodes are those of the file that is written', async () => {
  for (const name of ['Knight', 'meshes']) {
    const document = await io.readBinary(FILES[name]),
      root = document.getRoot(),
      nodes = root.listNodes();
    for (const node of [...nodes].reverse()) root.removeRef('nodes', node).addRef('nodes', node);
    const glb = Buffer.from(await io.writeBinary(document)),
      [was, is] = [FILES[name], glb].map(bundleTextOf),
      last = nodes.length - 1;
    assert.deepEqual(
      is.joints,
      was.joints.map((node) => last - node),
    );
    assert.deepEqual(
      is.tracks,
      was.tracks?.map(({ node, target }) => ({ node: last - node, target })),
    );
    await assertSame(name, glb);
  }
});

test('what moves is left alone', async () => {
  const document = await io.readBinary(FILES.meshes),
    { joints, tracks } = bundleTextOf(FILES.meshes),
    nodes = document.getRoot().listNodes();
  await document.transform(center({ pivot: 'below' }), instance({ min: 2 }), flatten(), prune(), quantize());
  const glb = Buffer.from(await io.writeBinary(document)),
    after = bundleTextOf(glb),
    now = document.getRoot().listNodes();
  assert.deepEqual(
    after.joints.map((node) => now[node]),
    joints.map((node) => nodes[node]),
  );
  // quantize() moves a mesh to a new node if its node moves or has children, and the track goes with the mesh
  const moves = tracks.map(({ node }, t) => {
    const [old, own] = [nodes[node], now[after.tracks[t].node]];
    assert.ok(own.getMesh() && (own === old || (own.getParentNode() === old && !old.getMesh())));
    return [node, own !== old];
  });
  assert.deepEqual(Object.fromEntries(moves), { 3: true, 4: false, 5: false, 6: true, 7: false });
});

test('nodes that move stay, though no scene has them', async () => {
  for (const name of ['Fox', 'morphs']) {
    const document = await io.readBinary(FILES[name]),
      { joints, tracks = [] } = bundleTextOf(FILES[name]),
      nodes = document.getRoot().listNodes();
    for (const scene of document.getRoot().listScenes()) for (const child of scene.listChildren()) scene.removeChild(child);
    for (const node of nodes) for (const child of node.listChildren()) if (!joints.includes(nodes.indexOf(child))) node.removeChild(child);
    await document.transform(prune());
    const moved = new Set([...joints, ...tracks.map(({ node }) => node)]);
    assert.deepEqual(
      document.getRoot().listNodes(),
      nodes.filter((_, node) => moved.has(node)),
    );
    assert.deepEqual(await errorsOf(await io.writeBinary(document)), ['EMPTY_ENTITY /scenes/0/nodes']);
  }
});

test('documents are copied, merged, parted and written as several files', async () => {
  for (const name of ['Fox', 'morphs']) {
    const copy = cloneDocument(await io.readBinary(FILES[name])),
      merged = await io.readBinary(SOURCES.Fox); // its own animations are no bundle
    await assertSame(name, await io.writeBinary(copy));
    mergeDocuments(merged, copy);
    merged
      .getRoot()
      .listAnimations()
      .forEach((animation) => animation.dispose()); // the Fox's, and in it what keeps nodes from flatten()
    merged.getRoot().listScenes()[0].dispose();
    await merged.transform(unpartition(), prune());
    await assertSame(name, await io.writeBinary(merged));
    await copy.transform(partition({ animations: true, meshes: true }));
    const whole = await io.readJSON(await io.writeJSON(copy));
    assert.ok(whole.getRoot().listBuffers().length > 1);
    await whole.transform(unpartition());
    await assertSame(name, await io.writeBinary(whole));
  }
});

test('all else in the JSON stays', async () => {
  const more = { extras: { by: ['me', { a: null }] }, extensions: { EXT_more: { a: [] } }, later: 5, version: undefined },
    own = { name: 'Survey', clip: 'Survey', extras: { loop: true }, extensions: { EXT_a: {} } };
  const glb = changed(FILES.Fox, (tree) => {
    const it = tree.extensions.QUATSIMD_bundle;
    Object.assign(it, more), (it.animations = [own, ...it.animations.slice(1)]), (tree.extensionsRequired = ['QUATSIMD_bundle']);
  });
  const document = await io.readBinary(glb),
    written = await io.writeBinary(document),
    { tree } = treeOf(written);
  const [was, is] = [glb, written].map((file) => ({ ...bundleTextOf(file), bufferView: 0 }));
  assert.deepEqual(is, was);
  assert.deepEqual(tree.extensionsRequired, ['QUATSIMD_bundle']);
  assert.equal(tree.animations, undefined);
  assert.deepEqual(Buffer.from(await io.writeBinary(document)), Buffer.from(written), 'a document can be written again');
  assert.equal(document.getRoot().listAnimations().length, 1);
  document.getRoot().getExtension('QUATSIMD_bundle').dispose();
  assert.deepEqual(document.getRoot().listAnimations(), []);
  assert.equal(bundleTextOf(await io.writeBinary(document)), undefined);
});

test('animations that are not in the bundle stay beside it', async () => {
  const document = await io.readBinary(FILES.morphs);
  await document.transform(...OPTIMIZE());
  const glb = Buffer.from(await io.writeBinary(document)),
    [was, is] = [FILES.morphs, glb].map((file) => treeOf(file).tree.animations);
  assert.deepEqual([was.length, is.length, is[0].channels.length], [1, 1, was[0].channels.length]);
  await assertSame('morphs', glb);
});

test('what a bundle cannot follow is refused', async () => {
  const refused = async (name, change, words) => {
    const document = await io.readBinary(FILES[name]),
      root = document.getRoot();
    await change((title) => root.listNodes().find((node) => node.getName() === title), document, root);
    await assert.rejects(io.writeJSON(document), words);
  };
  await refused('Knight', (node) => node('hips').dispose(), /joints\/2 \(hips\) is no longer in the document, and the bundle moves it/);
  await refused('Knight', (node) => node('head').setScale([2, 2, 2]), /joints\/\d+ \(head\) got another translation, rotation or scale/);
  await refused(
    'Knight',
    (node) => node('root').addChild(node('hips')).addChild(node('head')),
    /the joint above joints\/\d+ \(head\) was joints\/\d+ \(chest\) and is joints\/1 \(root\)/,
  );
  await refused(
    'Knight',
    (_, document, root) => {
      for (const animation of root.listAnimations()) animation.dispose(); // all that flatten() looks at
      return document.transform(flatten());
    },
    /joints\/\d+ \(.*\) got another|the joint above/,
  );
  const face = (node) => node('face').getMesh();
  await refused(
    'morphs',
    (node) =>
      face(node)
        .listPrimitives()
        .forEach((primitive) => primitive.removeTarget(primitive.listTargets()[0])),
    /tracks\/0 \(face\) had 2 morph targets and has 1; the bundle moves number 0/,
  );
  await refused(
    'morphs',
    (node, document) => face(node).addPrimitive(document.createPrimitive()),
    /tracks\/0 \(face\) had 2 morph targets and has 0;/,
  );
  await refused('morphs', (node) => node('face').setMesh(null), /tracks\/0 \(face\) had 2 morph targets and has none/);
  await refused('morphs', (node) => node('face').setWeights([0.7]), /tracks\/0 \(face\) got another weight; the bundle has the rest pose/);
  await refused('morphs', (node) => node('face').dispose(), /tracks\/0 \(face\) is no longer in the document/);
  await refused(
    'Fox',
    async (_, document) => mergeDocuments(document, await io.readBinary(FILES.Knight)),
    /the document has 2 bundles, and a file can have one/,
  );
  await assert.rejects(
    ioOf(ALL_EXTENSIONS).writeBinary(await io.readBinary(FILES.Fox)),
    /QUATSIMD_bundle: register QuatsimdBundle with the I\/O that writes, too/,
  );
});

test('bad input gets words', async () => {
  for (const [change, words] of [
    [(it) => (it.version = 3), /version 3 is a later one/],
    [(it) => (it.bufferView = 99), /there is no buffer view 99/],
    [(it) => delete it.bufferView, /there is no buffer view undefined/],
    [(it) => (it.joints = 5), /joints and tracks must be arrays/],
    [(it) => (it.tracks = {}), /joints and tracks must be arrays/],
    [(it) => (it.joints[1] = 7777), /joints\/1 is node 7777, and the file has 7/],
    [(it) => (it.tracks[1].node = -1), /tracks\/1 is node -1, and the file has 7/],
    [(it) => (it.tracks[1].target = 2), /tracks\/1 \(face\) has no morph target 2/],
    [(it) => (it.tracks[1].target = -1), /tracks\/1 \(face\) has no morph target -1/],
    [(it) => (it.tracks[1] = null), /joints and tracks must be arrays of their parts/],
    [(it) => (it.joints[1] = it.joints[0]), /two joints are one node/],
    [(it) => (it.tracks[1].node = 0), /tracks\/1 \(node 0\) has no morph target/],
  ])
    await assert.rejects(io.readBinary(changed(FILES.morphs, (tree) => change(tree.extensions.QUATSIMD_bundle))), words);
  const without = changed(FILES.Fox, (tree) => delete tree.extensions);
  assert.equal(bundleTextOf(await io.writeBinary(await io.readBinary(without))), undefined);
});

// ---- without the class

test('gltf-transform without the class drops the bundle, and says so', async () => {
  const warnings = [],
    logger = { debug() {}, info() {}, error() {}, warn: (text) => warnings.push(text) },
    plain = ioOf(ALL_EXTENSIONS, logger);
  const { tree } = treeOf(await plain.writeBinary(await plain.readBinary(FILES.Fox)));
  assert.deepEqual([tree.extensions, tree.extensionsUsed, tree.animations], [undefined, undefined, undefined]);
  assert.deepEqual(warnings, ['Missing optional extension, "QUATSIMD_bundle".']);
  const required = changed(FILES.Fox, (tree) => (tree.extensionsRequired = ['QUATSIMD_bundle']));
  await assert.rejects(plain.readBinary(required), /Missing required extension, "QUATSIMD_bundle"/);
});

// gltfpack's output, and what it prints.
function gltfpacked(glb, ...options) {
  writeFileSync(join(work, 'in.glb'), glb);
  const paths = ['-i', join(work, 'in.glb'), '-o', join(work, 'out.glb')],
    said = execFileSync(process.execPath, [join(modules, 'gltfpack/cli.js'), ...options, ...paths], { encoding: 'utf8', stdio: 'pipe' });
  return { glb: readFileSync(join(work, 'out.glb')), said };
}

test('gltfpack drops the bundle and says nothing', () => {
  const { glb, said } = gltfpacked(FILES.Fox, '-c');
  assert.deepEqual([treeOf(glb).tree.extensions, treeOf(glb).tree.animations, said], [undefined, undefined, '']);
});

for (const [name, ...options] of [
  ['Knight', '-cc'],
  ['Fox', '-noq'],
  ['Fox'],
  ['Fox', '-c'],
  ['Fox', '-cc'],
  ['Fox', '-c', '-noq'],
  ['Fox', '-c', '-kn'],
])
  test(`${name}: gltfpack ${options.join(' ')}, then the command, then gltf-transform`, async () => {
    const first = gltfpacked(SOURCES[name], ...options).glb,
      then = packed(first),
      document = await io.readBinary(then);
    assert.equal(treeOf(then).tree.animations, undefined);
    assert.deepEqual(await errorsOf(then), await errorsOf(first));
    await document.transform(dedup(), prune());
    const was = BEFORE[name],
      [is, last] = [await played(then), await played(await io.writeBinary(document))],
      size = was.boxes[0].getSize(new Vector3()).length();
    assert.deepEqual(is.names, was.names);
    assert.ok(farthest(last.matrices, is.matrices) <= 1e-5 * size);
    // gltfpack takes 30 keys a second, and 14 bits
    was.boxes.forEach((box, i) =>
      assert.ok(box.max.distanceTo(is.boxes[i].max) <= 0.01 * size, `${box.max.distanceTo(is.boxes[i].max) / size}`),
    );
  });
