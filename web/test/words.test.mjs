// What errors say, the names of classes in minified builds, and what the package exports: what `./dev test` runs, as play.test.mjs.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd node --test words.test.mjs
import assert from 'node:assert/strict';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { QuatsimdMixer, command, load, object, own, work } from './support/player.mjs';
import { walker } from './support/walker.mjs';

const { bundle: bytes } = walker(command, work);

const mixerOf = (bundle, Mixer) => new Mixer({ bundle, joints: bundle.skeleton.names.map(object), tracks: [] });

test('a clip or mask that is missing: the error has the names that there are', async () => {
  const bundle = (await load()).openBundle(bytes),
    mixer = mixerOf(bundle, QuatsimdMixer),
    all = "'before', 'breath', 'round', 'run', 'walk' and 'wave'";
  for (const call of [() => bundle.clip('Wlak'), () => mixer.action('Wlak')])
    assert.throws(call, { name: 'RangeError', message: `there is no clip Wlak in the bundle. It has ${all}` });
  assert.throws(() => mixer.action('WALK'), { message: `there is no clip WALK in the bundle. Is it 'walk'? It has ${all}` });
  assert.throws(() => bundle.clip(6), { message: `there is no clip 6 in the bundle. It has ${all}` });
  assert.throws(() => bundle.clip(undefined), /no clip undefined/);
  assert.throws(() => bundle.mask('Arm'), { message: "there is no mask Arm in the bundle. Is it 'arm'? It has 'arm' and 'top'" });
  (mixer.action('walk').play().mask = 'legs'), assert.throws(() => mixer.update(0), /no mask legs in the bundle. It has 'arm' and 'top'/);
  // a bundle that says that it has other names
  const named = (names) => Object.defineProperty(mixer.bundle, 'names', { value: names, configurable: true });
  named([]), assert.throws(() => bundle.clip('a'), /It has none$/);
  named(['one']), assert.throws(() => bundle.clip('a'), /It has 'one'$/);
  named(Array.from({ length: 20 }, (_, i) => `n${i}`)), assert.throws(() => bundle.clip('a'), /'n18' and 'n19'$/);
  named(Array.from({ length: 25 }, (_, i) => `n${i}`)), assert.throws(() => bundle.clip('N24'), /Is it 'n24'\? .*, 'n19' and 5 more$/);
});

test('classes have their names where a minifier has given them others', async () => {
  const folder = join(work, 'minified'),
    files = readdirSync(own).filter((name) => name.endsWith('.js'));
  cpSync(own, folder, { recursive: true });
  const texts = files.map((name) => readFileSync(join(own, name), 'utf8')),
    classes = texts.flatMap((text) => [...text.matchAll(/^(?:export )?class (\w+)/gm)].map(([, name]) => name));
  const short = (name) => `a${classes.indexOf(name)}`,
    minified = (text) => text.replace(new RegExp(`(?<![\\w.'])(${classes.join('|')})\\b`, 'g'), short);
  files.forEach((name, i) => writeFileSync(join(folder, name), minified(texts[i])));
  const [player, three] = await Promise.all(['player.js', 'three.js'].map((name) => import(pathToFileURL(join(folder, name))))),
    loaded = await player.loadPlayer({ simd: false });
  assert.equal(player.QuatsimdError, undefined, 'it has another name');
  const bundle = loaded.openBundle(bytes),
    { skeleton } = bundle,
    mixer = mixerOf(bundle, three[short('QuatsimdMixer')]),
    clip = bundle.clip('walk');
  for (const [made, name] of [
    [loaded, 'Player'],
    [bundle, 'Bundle'],
    [skeleton, 'Skeleton'],
    [clip, 'Clip'],
    [skeleton.pose(), 'Pose'],
    [skeleton.mask(), 'Floats'],
    [skeleton.evaluator(), 'Evaluator'],
    [skeleton.rootMotion(clip, { joint: 'hips' }), 'RootMotion'],
    [mixer, 'QuatsimdMixer'],
    [mixer.action('walk'), 'QuatsimdAction'],
    [new three[short('QuatsimdLoader')](loaded), 'QuatsimdLoader'],
  ])
    assert.equal(made.constructor.name, name);
  for (const name of ['QuatsimdError', 'QuatsimdGLTFExtension']) assert.equal((player[short(name)] ?? three[short(name)]).name, name);
  for (const [file, name] of [
    ['codec.js', 'Codec'],
    ['encoder.js', 'Encoder'],
    ['fbx.js', 'Fbx'],
  ])
    assert.equal((await import(pathToFileURL(join(folder, file))))[short(name)].name, name);
  assert.throws(
    () => loaded.openBundle(new Uint8Array(3)),
    (error) => error.name === 'QuatsimdError' && `${error}`.startsWith('QuatsimdError: '),
  );
  clip.dispose(), assert.throws(() => clip.address, /this Clip was disposed/);
});

test('package.json is exported', () => {
  const { resolve } = createRequire(join(own, 'player.js')); // the package refers to itself
  assert.equal(JSON.parse(readFileSync(resolve('quatsimd/package.json'), 'utf8')).name, 'quatsimd');
});
