// How far vertices are off, as the page measures it: as three.js places them.
// Usage: QUATSIMD_SITE=FOLDER QUATSIMD_MODULES=FOLDER/node_modules node --test vertices.test.mjs
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { skinsGlb } from './support/skins.mjs';

const { QUATSIMD_SITE: site, QUATSIMD_MODULES: modules } = process.env;
const load = (...path) => import(pathToFileURL(join(...path)));
const { BufferAttribute, Group, Matrix4, Mesh, Vector3 } = await load(modules, 'three/build/three.module.js');
const { GLTFLoader } = await load(modules, 'three/examples/jsm/loaders/GLTFLoader.js');
const { clone } = await load(modules, 'three/examples/jsm/utils/SkeletonUtils.js');
const { Vertices } = await load(site, 'vertices.js');

async function two() {
  const { buffer, byteOffset, length } = skinsGlb(),
    { scene } = await new GLTFLoader().parseAsync(buffer.slice(byteOffset, byteOffset + length), '');
  return [scene, clone(scene)];
}

function worst(root, copy) {
  let most = 0;
  root.traverse((mesh) => {
    const other = mesh.isMesh && copy.getObjectByName(mesh.name),
      own = (of, i) => (of.isInstancedMesh ? new Matrix4().fromArray(of.instanceMatrix.array, 16 * i) : new Matrix4()),
      at = (of, v, i) => of.getVertexPosition(v, new Vector3()).applyMatrix4(own(of, i)).applyMatrix4(of.matrixWorld);
    for (let i = 0; mesh.isMesh && i < (mesh.count ?? 1); i++)
      for (let v = 0; v < mesh.geometry.attributes.position.count; v++) most = Math.max(most, at(mesh, v, i).distanceTo(at(other, v, i)));
  });
  return most;
}

const CHANGES = {
  nothing: [() => {}, undefined],
  'a turn of a joint': [(copy) => copy.getObjectByName('arm').rotateX(0.01), 'arm'],
  'the scale of one': [(copy) => copy.getObjectByName('hip').scale.set(1, 1.1, 1), 'hip'],
  'a weight': [(copy) => (copy.getObjectByName('face').morphTargetInfluences[1] += 0.3), /hip|arm/],
  'a mesh without a skin': [(copy) => copy.getObjectByName('hand').position.set(0, 9, 0), 'sword'],
};
for (const [name, [change, where]] of Object.entries(CHANGES))
  test(name, async () => {
    const [root, copy] = await two(),
      vertices = new Vertices(root, copy);
    change(copy);
    for (const all of [root, copy]) all.updateMatrixWorld(true);
    const [distance, object] = vertices.worst(),
      wanted = worst(root, copy);
    assert.deepEqual([vertices.count, vertices.step], [200, 1]);
    assert.ok(Math.abs(distance - wanted) <= 1e-6 * wanted, `${distance} and not ${wanted}`);
    if (where === undefined) assert.equal(distance, 0);
    else assert.match(object.name, new RegExp(where)), assert.ok(distance > 1e-3);
  });

test('of many vertices some are measured, from all parts', () => {
  const mesh = Object.assign(new Mesh(), { name: 'hill' });
  mesh.geometry.setAttribute(
    'position',
    new BufferAttribute(
      Float32Array.from({ length: 750000 }, (_, i) => i % 1000),
      3,
    ),
  );
  const [root, copy] = [new Group().add(mesh), new Group().add(mesh.clone())],
    vertices = new Vertices(root, copy);
  copy.children[0].scale.x = 1.001;
  for (const all of [root, copy]) all.updateMatrixWorld(true);
  assert.deepEqual([vertices.count, vertices.step], [250000, 3]);
  const [distance, object] = vertices.worst();
  assert.ok(distance > 0.99 && distance < 1 && object === mesh, `${distance}`);
});
