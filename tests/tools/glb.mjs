// Files of `quatsimd compress --glb` before Khronos' gltf-validator: it finds no error that the originals do not have. And their
// extension before its schema.
// Usage: glb.mjs QUATSIMD NODE_MODULES; the folder of QUATSIMD_DATA has the files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readGlb } from './support/glb.mjs';

const [command, modules] = process.argv.slice(2).map((path) => resolve(path)),
  { QUATSIMD_DATA: data = '' } = process.env;
const require = createRequire(join(modules, 'index.js')),
  here = dirname(fileURLToPath(import.meta.url));
for (const [name, path] of [
  ['gltf-validator', join(modules, 'gltf-validator')],
  ['ajv', join(modules, 'ajv')],
  ['gltfpack', join(modules, 'gltfpack')],
  ['QUATSIMD_DATA', data],
])
  if (!path || !existsSync(path)) {
    console.log(`SKIP: no ${name}`);
    process.exit(77);
  }

// ---- the schema; of glTF's own it needs two
const Ajv = require('ajv/dist/2020'),
  ajv = new Ajv({ strict: false });
ajv.addSchema({ $id: 'glTFid.schema.json', type: 'integer', minimum: 0 });
ajv.addSchema({
  $id: 'glTFProperty.schema.json',
  type: 'object',
  properties: { extensions: { type: 'object', additionalProperties: { type: 'object' } } },
});
const fits = ajv.compile(JSON.parse(readFileSync(join(here, '../../docs/gltf-extension.schema.json'), 'utf8')));
const good = {
  bufferView: 1,
  joints: [0, 2],
  tracks: [{ node: 0, target: 1 }],
  animations: [{ name: 'a', clip: 'b', extras: 1, extensions: {} }],
};
assert.ok(fits(good));
for (const wrong of [
  { bufferView: -1 },
  { bufferView: undefined },
  { joints: [] },
  { joints: [1, 1] },
  { tracks: [] },
  { tracks: [{ node: 0 }] },
  { tracks: [good.tracks[0], good.tracks[0]] },
  { animations: [] },
  { animations: [{ name: 'a' }] },
  { animations: [{ clip: 1 }] },
  { animations: [{ clip: 'a', extensions: 1 }] },
])
  assert.ok(!fits({ ...good, ...wrong }), `the schema takes ${JSON.stringify(wrong)}`);

// ---- the validator
const { validateBytes } = require('gltf-validator');
async function errorsOf(path) {
  const { issues } = await validateBytes(new Uint8Array(readFileSync(path)), {
    uri: basename(path),
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(path), decodeURI(uri)))),
  });
  const counts = {};
  for (const { severity, code } of issues.messages) if (severity === 0) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

const work = mkdtempSync(join(tmpdir(), 'quatsimd-')),
  python = '/usr/bin/python3';
process.on('exit', () => rmSync(work, { recursive: true }));
execFileSync(python, [join(here, 'support/glb_cases.py'), work], { env: { ...process.env, PYTHONPATH: here } });
const fox = join(data, 'khronos/Fox.glb'),
  packed = join(work, 'packed.glb');
execFileSync(process.execPath, [join(modules, 'gltfpack/cli.js'), '-c', '-kn', '-i', fox, '-o', packed]);
const files = [
  ...[
    'khronos/Fox.glb',
    'kaykit/Knight.glb',
    'khronos/cesium_man.gltf',
    'khronos/rigged_simple.gltf',
    'raylib/robot.glb',
    'mesh2motion/bird-animations.glb',
    'mesh2motion/dragon-animations.glb',
    'mesh2motion/fox-animations.glb',
    'mesh2motion/horse-animations.glb',
  ].map((name) => join(data, name)),
  ...['everything', 'unknown', 'valid'].map((name) => join(work, `${name}.glb`)),
  packed,
  ...['glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf', 'simple_skin/simple_skin.gltf'].map((name) =>
    join('/usr/share/assimp/models/glTF2', name),
  ),
];
const of = join(work, 'everything.glb'),
  recipe = join(work, 'everything.json');
writeFileSync(
  recipe,
  JSON.stringify({
    files: [of],
    masks: [{ name: 'all', joints: ['*'] }],
    animations: [
      { match: 'Wave*', name: 'First', additive: 'first' },
      { match: 'Wave*', name: 'Part', range: [0.1, 0.5] },
    ],
  }),
);
for (const [path, from] of [...files.map((path) => [path, path]), [of, recipe]]) {
  if (!existsSync(path)) {
    console.log(`SKIP: no ${path}`);
    continue;
  }
  const out = join(work, 'out.glb');
  execFileSync(command, ['compress', '--glb', out, from], { stdio: 'ignore' });
  const before = await errorsOf(path),
    after = await errorsOf(out);
  for (const [code, count] of Object.entries(after))
    assert.ok(count <= (before[code] ?? 0), `${path}: ${count} errors ${code}, and ${before[code] ?? 0} before`);
  const { extensions } = readGlb(out).tree;
  assert.ok(fits(extensions.QUATSIMD_bundle), `${path}: ${ajv.errorsText(fits.errors)}`);
  console.log(`${basename(from)}: ${Object.values(after).reduce((a, b) => a + b, 0)} errors, all of the original`);
}
