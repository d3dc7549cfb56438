// How far vertices are off: those of a figure from those of its copy, which other keys move.
import { hasVertices, moversOf, verticesOf } from './quatsimd/three_vertices.js';

const MOST_VERTICES = 100000; // that are measured, so that the page goes on answering; of more every second, every third or still fewer

const meshesOf = (root) => {
  const meshes = [];
  root.traverse((object) => hasVertices(object) && meshes.push(object));
  return meshes;
};

// to: 12 numbers, the columns of a mover's matrix to the world.
function place({ object, matrix }, to, at) {
  const a = object.matrixWorld.elements,
    b = matrix.elements;
  for (let c = 0; c < 4; c++)
    for (let i = 0; i < 3; i++)
      to[at + 3 * c + i] = a[i] * b[4 * c] + a[4 + i] * b[4 * c + 1] + a[8 + i] * b[4 * c + 2] + (c === 3 ? a[12 + i] : 0);
}

// A mesh and its copy.
class Pair {
  constructor(mesh, copy) {
    Object.assign(this, verticesOf(mesh), { mesh, copy, own: moversOf(mesh), others: moversOf(copy) });
    this.count = this.positions.length / 3;
    this.changes = new Float64Array(12 * this.own.length); // movers' matrices less those of the copy
    this.matrices = new Float64Array(12 * this.own.length); // those of the copy
  }

  /** [squared distance, the object that moves it most] of the vertex that is off most, of each `step`-th. */
  worst(step) {
    const { changes, matrices, positions, targets, slots, movers, weights } = this;
    this.own.forEach((mover, m) => {
      place(mover, changes, 12 * m);
      place(this.others[m], matrices, 12 * m);
    });
    for (let i = 0; i < changes.length; i++) changes[i] -= matrices[i];
    const morphs = targets
      .map((moved, t) => [
        moved,
        this.mesh.morphTargetInfluences[t],
        this.mesh.morphTargetInfluences[t] - this.copy.morphTargetInfluences[t],
      ])
      .filter(([, weight, change]) => weight || change);
    let most = 0,
      where = 0;
    for (let v = 0; v < this.count; v += step) {
      let [px, py, pz] = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]],
        [qx, qy, qz] = [0, 0, 0]; // from where the copy has it
      for (const [moved, weight, change] of morphs) {
        const [mx, my, mz] = [moved[3 * v], moved[3 * v + 1], moved[3 * v + 2]];
        (px += weight * mx), (py += weight * my), (pz += weight * mz);
        (qx += change * mx), (qy += change * my), (qz += change * mz);
      }
      let [x, y, z] = [0, 0, 0];
      for (let s = slots * v; s < slots * (v + 1); s++) {
        const w = weights[s],
          d = 12 * movers[s];
        if (!w) continue;
        x += w * (changes[d] * px + changes[d + 3] * py + changes[d + 6] * pz + changes[d + 9]);
        y += w * (changes[d + 1] * px + changes[d + 4] * py + changes[d + 7] * pz + changes[d + 10]);
        z += w * (changes[d + 2] * px + changes[d + 5] * py + changes[d + 8] * pz + changes[d + 11]);
        if (!morphs.length) continue;
        x += w * (matrices[d] * qx + matrices[d + 3] * qy + matrices[d + 6] * qz);
        y += w * (matrices[d + 1] * qx + matrices[d + 4] * qy + matrices[d + 7] * qz);
        z += w * (matrices[d + 2] * qx + matrices[d + 5] * qy + matrices[d + 8] * qz);
      }
      const square = x * x + y * y + z * z;
      if (square > most) [most, where] = [square, v];
    }
    let first = slots * where;
    for (let s = first; s < slots * (where + 1); s++) if (weights[s] > weights[first]) first = s;
    return [most, this.own[movers[first]].object];
  }
}

export class Vertices {
  #pairs;

  /** root and copy have the same objects in the same order. */
  constructor(root, copy) {
    const copies = meshesOf(copy);
    this.#pairs = meshesOf(root).map((mesh, m) => new Pair(mesh, copies[m]));
    this.count = this.#pairs.reduce((sum, { count }) => sum + count, 0);
    this.step = Math.max(1, Math.ceil(this.count / MOST_VERTICES)); // one of so many is measured
  }

  /** The largest distance in the pose that is, and the object that moves the vertex there most. */
  worst() {
    const [square, object] = this.#pairs.map((pair) => pair.worst(this.step)).reduce((most, one) => (one[0] > most[0] ? one : most), [0]);
    return [Math.sqrt(square), object];
  }
}
