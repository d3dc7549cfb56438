// The vertices of three.js' meshes, and the objects that move them.
import { Matrix4 } from 'three';

// Numbers of all vertices, `size` of each: also of integers that stand for fractions.
function numbersOf(attribute, size) {
  const numbers = new Float32Array(size * attribute.count);
  for (let v = 0; v < attribute.count; v++) {
    numbers[size * v] = attribute.getX(v);
    if (size > 1) numbers[size * v + 1] = attribute.getY(v);
    if (size > 2) numbers[size * v + 2] = attribute.getZ(v);
    if (size > 3) numbers[size * v + 3] = attribute.getW(v);
  }
  return numbers;
}

/** What moves the vertices of a mesh: { object, matrix }, by which they get from the mesh to the object's space. */
export function moversOf(mesh) {
  const { skeleton, bindMatrix } = mesh,
    instances = Array.from({ length: mesh.isInstancedMesh ? mesh.count : 1 }, (_, i) => i),
    matrixOf = (i) => (mesh.isInstancedMesh ? new Matrix4().fromArray(mesh.instanceMatrix.array, 16 * i) : new Matrix4());
  if (!skeleton) return instances.map((i) => ({ object: mesh, matrix: matrixOf(i) }));
  return skeleton.bones.map((object, b) => ({ object, matrix: skeleton.boneInverses[b].clone().multiply(bindMatrix) }));
}

/** True for an object with vertices. */
export const hasVertices = ({ geometry }) => geometry?.attributes?.position?.count > 0;

/** The vertices of a mesh:
 *    positions: 3 floats each; targets: of each morph target as many, that it adds
 *    Those of an InstancedMesh are repeated, once for each instance, whose mover is its own.
 *    slots: numbers of movers that each has; movers, weights: so many each, by the numbers of moversOf */
export function verticesOf(mesh) {
  const { attributes, morphAttributes, morphTargetsRelative } = mesh.geometry,
    instances = mesh.isInstancedMesh ? mesh.count : 1,
    repeated = (numbers) =>
      instances === 1 ? numbers : Float32Array.from({ length: instances * numbers.length }, (_, i) => numbers[i % numbers.length]),
    own = numbersOf(attributes.position, 3),
    positions = repeated(own),
    count = positions.length / 3;
  const targets = (morphAttributes.position ?? []).map((attribute) => {
    const moved = numbersOf(attribute, 3);
    return repeated(morphTargetsRelative ? moved : moved.map((x, i) => x - own[i]));
  });
  if (!mesh.skeleton)
    return {
      positions,
      targets,
      slots: 1,
      movers: Uint32Array.from({ length: count }, (_, v) => Math.floor((v * instances) / count)),
      weights: new Float32Array(count).fill(1),
    };
  const movers = Uint32Array.from(numbersOf(attributes.skinIndex, 4)),
    weights = numbersOf(attributes.skinWeight, 4),
    lost = movers.findIndex((m, i) => weights[i] > 0 && m >= mesh.skeleton.bones.length);
  if (lost >= 0) throw new RangeError(`a vertex of ${mesh.name} has bone ${movers[lost]}, and there are ${mesh.skeleton.bones.length}`);
  return { positions, targets, slots: 4, movers, weights };
}
