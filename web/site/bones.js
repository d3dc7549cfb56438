// A skeleton as bones: from each joint one to each of its children, and a short one at the end of a limb.
import { Color, DynamicDrawUsage, InstancedMesh, Matrix4, MeshLambertMaterial, OctahedronGeometry, Quaternion, Vector3 } from 'three';

const UP = new Vector3(0, 1, 0);

// A thin octahedron from 0 to 1 along y, thickest near its beginning.
function boneGeometry() {
  const geometry = new OctahedronGeometry(1),
    { position } = geometry.attributes;
  for (let i = 0; i < position.count; i++) {
    const y = position.getY(i);
    position.setXYZ(i, position.getX(i) * 0.5, y > 0.5 ? 1 : y < -0.5 ? 0 : 0.18, position.getZ(i) * 0.5);
  }
  geometry.computeVertexNormals();
  return geometry;
}

export class Bones extends InstancedMesh {
  #pairs;
  #joints;

  /** size: of the whole figure. used: which joints have something to move. */
  constructor(joints, parents, size, used) {
    const hasChild = new Set(parents.filter((_, j) => used[j]));
    const pairs = joints.flatMap((_, j) =>
      used[j] ? [...(parents[j] >= 0 ? [[parents[j], j]] : []), ...(hasChild.has(j) ? [] : [[j, -1]])] : [],
    );
    super(boneGeometry(), new MeshLambertMaterial({ transparent: true }), pairs.length);
    this.#pairs = pairs;
    this.#joints = joints;
    this.parents = parents;
    this.size = size;
    this.frustumCulled = false;
    this.renderOrder = 1;
    this.instanceMatrix.setUsage(DynamicDrawUsage);
    this.colour(() => [205, 213, 224]);
  }

  /** Numbers of the joints that bones are between. */
  get pairs() {
    return this.#pairs.filter(([, to]) => to >= 0);
  }

  /** of(j): red, green and blue of joint j, 0 to 255. */
  colour(of) {
    const colour = new Color();
    this.#pairs.forEach(([j], i) => {
      const [r, g, b] = of(j);
      this.setColorAt(i, colour.setRGB(r / 255, g / 255, b / 255, 'srgb'));
    });
    if (this.instanceColor) this.instanceColor.needsUpdate = true; // without bones there is none
  }

  /** Bones are seen through a mesh. */
  set isAbove(above) {
    this.material.depthTest = !above;
  }

  /** To where the joints are. */
  update() {
    const from = new Vector3(),
      to = new Vector3(),
      along = new Vector3(),
      turn = new Quaternion(),
      scale = new Vector3(),
      matrix = new Matrix4();
    const place = (j, into) => into.setFromMatrixPosition(this.#joints[j].matrixWorld);
    this.#pairs.forEach(([a, b], i) => {
      place(a, from);
      if (b < 0) {
        // goes on as the bone to it does
        if (this.parents[a] >= 0) along.subVectors(from, place(this.parents[a], to)).multiplyScalar(0.35);
        else along.set(0, 0.1 * this.size, 0);
        along.clampLength(0.005 * this.size, 0.05 * this.size);
      } else along.subVectors(place(b, to), from);
      const length = along.length(),
        width = Math.min(0.35 * length, 0.03 * this.size);
      turn.setFromUnitVectors(UP, along.normalize());
      this.setMatrixAt(i, matrix.compose(from, turn, scale.set(width, length, width)));
    });
    this.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.geometry.dispose();
    this.material.dispose();
    super.dispose();
  }
}
