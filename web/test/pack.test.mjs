// Bytes of keys as others pack them, which the page shows beside ours.
// Usage: QUATSIMD_SITE=FOLDER node --test pack.test.mjs
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { accessorsOf, packedOf } = await import(pathToFileURL(join(process.env.QUATSIMD_SITE, 'pack.js')));

const turns = Array.from({ length: 200 }, (_, i) => [Math.sin(i / 30), 0, 0, Math.cos(i / 30)]).flat(),
  integers = { array: Int16Array.from(turns, (x) => Math.round(32767 * x)), itemSize: 4, normalized: true },
  floats = { array: Float32Array.from(integers.array, (x) => x / 32767), itemSize: 4, normalized: false };
const packed = async (values, interpolation, path = 'rotation') =>
  packedOf(
    await accessorsOf(
      { animations: [{ channels: [{ sampler: 0, target: { path } }], samplers: [{ input: 0, output: 1, interpolation }] }] },
      { getDependency: async (_, i) => [{ array: Float32Array.from(turns, (_, k) => k).slice(0, 200), itemSize: 1 }, values][i] },
    ),
  );

test('integers are packed as the numbers that they stand for', async () => {
  for (const path of ['rotation', 'weights']) {
    const [of, wanted] = await Promise.all(
      [integers, floats].map((it) => packed({ ...it, itemSize: path === 'weights' ? 1 : 4 }, 'LINEAR', path)),
    );
    assert.deepEqual(of.meshopt, wanted.meshopt);
  }
});

test('splines stay floats, and rotations do not', async () => {
  const [linear, spline] = [await packed(floats, 'LINEAR'), await packed(floats, 'CUBICSPLINE')];
  assert.equal(linear.gzip, spline.gzip);
  assert.ok(spline.meshopt.size > 1.3 * linear.meshopt.size, `${spline.meshopt.size}, ${linear.meshopt.size}`);
});

test('what is no glTF is not packed by meshopt', async () => {
  assert.deepEqual(Object.keys(await packedOf([{ array: new Uint8Array(100) }])), ['gzip']);
});
