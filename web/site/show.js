// A subject on the two scenes: the original as three.js plays it, and the compressed from its bundle.
import { AnimationMixer, Box3, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { QuatsimdMixer } from 'quatsimd/three';
import { Bones } from './bones.js';
import { clipOf } from './clip.js';

const POSES = 12; // of an animation, that the camera has to see

const placeOf = (joint) => new Vector3().setFromMatrixPosition(joint.matrixWorld);

// Of the pose that is: of its meshes, if they count, and of its joints.
function boxOf(root, joints, withMeshes) {
  const box = new Box3();
  root.updateMatrixWorld(true);
  if (withMeshes) {
    root.traverse((object) => object.isSkinnedMesh && (object.boundingBox = null)); // of another pose
    box.setFromObject(root);
  }
  return joints.reduce((all, joint) => all.expandByPoint(placeOf(joint)), box);
}

// Tells for each joint whether an animation has keys of it.
function movedOf({ joints, source, bound, names }) {
  if (source) return source.moved;
  const moved = joints.map(() => false);
  for (const name of names) {
    const clip = bound.bundle.clip(name);
    moved.forEach((is, j) => (moved[j] = is || [0, 1, 2].some((kind) => clip.curve(kind, j) > 0)));
    clip.dispose();
  }
  return moved;
}

// A copy, and what becomes of each object in it.
function copyOf(root) {
  const copy = clone(root),
    [before, after] = [root, copy].map((top) => {
      const objects = [];
      top.traverse((object) => objects.push(object));
      return objects;
    }),
    copies = new Map(before.map((object, i) => [object, after[i]]));
  return [copy, (object) => copies.get(object)];
}

// The objects that move vertices: meshes, and bones of skins.
function moversOf(root) {
  const movers = new Set();
  root.traverse((object) => {
    if (!object.isMesh) return;
    movers.add(object);
    if (!object.isSkinnedMesh) return;
    const { skinIndex, skinWeight } = object.geometry.attributes;
    for (let i = 0; i < skinIndex.count; i++)
      for (let c = 0; c < 4; c++) if (skinWeight.getComponent(i, c) > 0) movers.add(object.skeleton.bones[skinIndex.getComponent(i, c)]);
  });
  return movers;
}

const MANY = 8;

// Tells for each joint whether it counts: it moves vertices, itself or by those below it. Where animations move no such joint, or many more
// joints than these, those count that an animation moves, with those above them, and where none does, all.
function usedOf(subject) {
  const { root, joints } = subject,
    moved = movedOf(subject),
    movers = moversOf(root),
    withAbove = (objects) => {
      const all = new Set(objects);
      for (const object of objects) object?.traverseAncestors((above) => all.add(above));
      return all;
    },
    reached = withAbove(movers),
    isMoved = joints.filter((_, j) => moved[j]),
    isWhole = isMoved.some((joint) => reached.has(joint)) && isMoved.length <= MANY * reached.size,
    used = isWhole ? reached : withAbove([...isMoved, ...movers]);
  return joints.some((joint) => used.has(joint)) ? joints.map((joint) => used.has(joint)) : joints.map(() => true);
}

/** Names of a subject's animations. */
export const namesOf = ({ source, names }) => (source ? source.animations.map(({ name }) => name) : names);

export class Show {
  #mixer;
  #action;
  #ours;
  #own;
  #rest;
  #from;

  constructor(subject, scenes) {
    const { root, joints, tracks, parents, source } = subject;
    this.subject = subject;
    const used = usedOf(subject);
    this.seen = joints.filter((_, j) => used[j]);
    this.box = boxOf(root, this.seen, true);
    this.size = Math.max(this.box.getSize(new Vector3()).length(), 1e-6);
    root.traverse((object) => (object.frustumCulled = false));
    this.left = source && root;
    const [right, twin] = source ? copyOf(root) : [root, (object) => object];
    this.right = right;
    this.joints = joints.map(twin);
    this.tracks = tracks?.map((moved) => moved.map(({ mesh, target }) => ({ mesh: twin(mesh), target })));
    if (source) this.#mixer = new AnimationMixer(root);
    this.bones = [source && new Bones(joints, parents, this.size, used), new Bones(this.joints, parents, this.size, used)];
    [this.left, this.right].forEach((top, i) => top && scenes[i].add(top, this.bones[i]));
    // where objects were before anything played
    this.#rest = this.joints.map(({ position, quaternion, scale }) => [position.clone(), quaternion.clone(), scale.clone()]);
    if (subject.bound) this.#play(subject.bound);
    this.#from = this.#centre();
  }

  get names() {
    return namesOf(this.subject);
  }
  get bundle() {
    return this.bound?.bundle;
  }
  /** Can errors be measured now? */
  get isCompared() {
    return Boolean(this.left && this.#own);
  }
  get isCompressed() {
    return Boolean(this.#own);
  }

  /** Chooses an animation: with its keys, if there is an original. Gives when it ends, in seconds. */
  choose(name, animation) {
    const { joints, tracks } = this.subject;
    this.name = name;
    this.#forget();
    if (animation) this.#action = this.#mixer.clipAction(clipOf(animation, joints, tracks)).play();
    this.#playOwn();
    return animation ? this.#action.getClip().duration : this.#own.end;
  }

  #forget() {
    this.#mixer?.stopAllAction();
    if (this.#action) this.#mixer.uncacheClip(this.#action.getClip());
    this.#action = undefined;
  }

  /** The box that the figure needs while the animation plays, but for its way over the ground, which the camera goes along. */
  frame(duration) {
    const root = this.left || this.right;
    this.box = new Box3();
    for (let i = 0; i < POSES; i++) {
      this.pose((duration * i) / POSES);
      this.box.union(boxOf(root, this.seen, i % (POSES / 2) === 0).translate(this.offset.negate())); // meshes take long
    }
    return this.box;
  }

  /** Shows a bundle of the subject on the right. */
  play(bundle) {
    this.#stop();
    this.#play({ bundle, joints: this.joints, tracks: this.tracks });
    this.#playOwn();
  }

  #play(bound) {
    this.bound = bound;
    this.#ours = new QuatsimdMixer(bound);
  }

  #playOwn() {
    this.#ours?.stopAll();
    this.#own = this.bundle?.names.includes(this.name) ? this.#ours.action(this.name).play() : undefined;
    if (this.#own) this.#own.loop = false;
    else this.#toRest();
  }

  /** Nothing compressed is shown. */
  #stop() {
    this.#ours?.dispose();
    if (this.subject.source) this.bound?.bundle.dispose();
    this.bound = this.#ours = this.#own = undefined;
    this.#toRest();
  }

  #toRest() {
    this.#rest.forEach(([position, quaternion, scale], j) => {
      this.joints[j].position.copy(position);
      this.joints[j].quaternion.copy(quaternion);
      this.joints[j].scale.copy(scale);
    });
  }

  /** All objects as they are at a time, seconds. */
  pose(time) {
    if (this.#action) {
      this.#action.time = time;
      this.#mixer.update(0);
    }
    if (this.#own) {
      this.#own.time = time;
      this.#ours.update(0);
    }
    this.left?.updateMatrixWorld();
    this.right.updateMatrixWorld();
  }

  #centre() {
    const { joints } = this.subject; // of the original, if there is one
    return joints.reduce((all, joint) => all.add(placeOf(joint)), new Vector3()).divideScalar(joints.length || 1);
  }

  /** How far over the ground the figure is from where it is at rest. */
  get offset() {
    return this.#centre().sub(this.#from).setY(0);
  }

  set showsMesh(shown) {
    for (const top of [this.left, this.right]) top?.traverse((object) => object.isMesh && (object.material.visible = shown));
    for (const bones of this.bones) if (bones) bones.isAbove = shown;
  }
  get hasMesh() {
    let has = false;
    this.right.traverse((object) => (has ||= Boolean(object.isMesh)));
    return has;
  }
  set showsBones(shown) {
    for (const bones of this.bones) if (bones) bones.visible = shown;
  }

  dispose() {
    this.#ours?.dispose();
    if (this.subject.source) this.bound?.bundle.dispose();
    this.#forget();
    this.#mixer?.uncacheRoot(this.left);
    for (const bones of this.bones) bones?.dispose(), bones?.removeFromParent();
    for (const top of [this.left, this.right]) top?.removeFromParent();
    // its skins have textures of their own
    this.right.traverse((object) => object.skeleton?.dispose());
  }
}
