// Plays the clips of a bundle on the objects of three.js.
import { EventDispatcher, Matrix4, Vector3 } from 'three';
import { QuatsimdAction } from './three_action.js';
import { makeAnglesLazy } from './three_angles.js';
import { ROTATION, SCALE, TRACK, TRANSLATION, placeOf } from './three_curves.js';
import { blend, stillness } from './three_movement.js';
import { sharedOf } from './three_shared.js';

const PROPERTIES = ['quaternion', 'position', 'scale'];

function writeVectors(written, values) {
  for (let i = 0; i < written.length; i++) {
    const { to, at } = written[i];
    to.set(values[at], values[at + 1], values[at + 2]);
  }
}

/** Plays the clips of a bundle on the objects that its joints and tracks stand for. Additive clips are put on the others.
 *  Events, told when the pose is written: 'finished' ({ action, direction }), of an action at the end of its last round, whose pose
 *  stays until it is stopped; 'loop' ({ action, loopDelta }); 'event' ({ action, name, time, weight }), of each mark of a clip that its
 *  action passes. */
export class QuatsimdMixer extends EventDispatcher {
  static name = 'QuatsimdMixer';
  #actions = new Map();
  #masks = new Map();
  #shared;
  #known = new Set(); // clips that have been shown
  #written = [[], [], [], []]; // of each kind of curve
  #events = []; // to be told

  /** bound: gltf.userData.quatsimd, or { bundle, ...bindByName(root, bundle.skeleton) }. An action plays the times from 0 to the
   *  last key; before the first key it holds that key's pose. With fromFirstKey it starts at the first key. rootMotion: options of
   *  skeleton.rootMotion, such as { joint: 'hips' }, for all clips that are not additive, or a function that gives those of a
   *  clip's name. Then `step` is the movement of the update, and `root`, an object above the joints, is moved by it. */
  constructor(bound, { fromFirstKey = false, rootMotion } = {}) {
    super();
    if (!bound?.bundle)
      throw new TypeError(
        `${bound ? 'this is' : 'there is'} no gltf.userData.quatsimd. Was the loader given QuatsimdGLTFExtension, and does the file have the extension?`,
      );
    const { bundle, joints, tracks } = bound;
    this.bundle = bundle;
    this.skeleton = bundle.skeleton;
    this.joints = joints;
    this.tracks = tracks;
    this.fromFirstKey = fromFirstKey;
    this.rootMotion = rootMotion;
    this.step = stillness();
    this.root = undefined;
    this.goals = [];
    this.time = 0;
    this.timeScale = 1;
    this.#shared = sharedOf(bundle);
  }

  /** The action of the clip of this name. */
  action(name) {
    const { rootMotion } = this,
      motion = () => (typeof rootMotion === 'function' ? rootMotion(name) : rootMotion);
    if (!this.#actions.has(name)) this.#actions.set(name, new QuatsimdAction(this, name, motion()));
    return this.#actions.get(name);
  }

  /** Called by an action. */
  clip(name) {
    return this.#own.clip(name);
  }

  get #own() {
    if (!this.#shared) throw new Error('this mixer was disposed');
    return this.#shared;
  }

  /** Called by an action that plays: what its clip moves, or holds where it is, is written from now on. All else is left alone. */
  show({ clip }) {
    if (this.#known.has(clip)) return;
    this.#known.add(clip);
    this.joints.forEach((_, j) => {
      for (const kind of [ROTATION, TRANSLATION, SCALE]) if (clip.curve(kind, j) > 0) this.#write(kind, j);
    });
    this.tracks.forEach((_, t) => clip.curve(TRACK, t) > 0 && this.#write(TRACK, t));
  }

  // Writes a curve's value from now on.
  #write(kind, number) {
    const written = this.#written[kind],
      at = placeOf(kind, number, this.skeleton.joints),
      object = this.joints[number];
    if (written.some((each) => each.at === at)) return;
    if (kind === TRACK) for (const { mesh, target } of this.tracks[number]) written.push({ at, mesh, target });
    else if (object) written.push({ at, to: object[PROPERTIES[kind]] });
    if (kind === ROTATION && object) makeAnglesLazy(object);
  }

  stopAll() {
    for (const action of this.#actions.values()) action.stop();
  }

  /** Goes on by so many seconds, and writes the pose. */
  update(seconds) {
    if (!Number.isFinite(seconds)) throw new TypeError(`update takes the seconds that have passed, not ${seconds}`);
    const passed = seconds * this.timeScale,
      layers = [],
      moving = [],
      tell = (event) => this.#events.push(event);
    this.time += passed;
    for (const action of this.#actions.values()) {
      const rounds = action.advance(passed, tell);
      if (!rounds) continue;
      layers.push(this.#layerOf(action, rounds.to));
      moving.push({ action, rounds });
    }
    const goals = this.goals.length ? this.goals.filter(({ weight }) => weight !== 0) : [];
    if (this.rootMotion) this.#move(layers, moving);
    this.#writePose(this.#own.evaluate(layers, this.#inModelSpace(goals)));
    this.#dispatch();
    return this;
  }

  // If a listener throws, the next update tells the other events.
  #dispatch() {
    const events = this.#events;
    let told = 0;
    if (events.length === 0) return;
    this.#events = [];
    try {
      while (told < events.length) this.dispatchEvent(events[told++]);
    } finally {
      if (told < events.length) this.#events = events.slice(told).concat(this.#events);
    }
  }

  #writePose({ values }) {
    const [rotated, moved, scaled, weighted] = this.#written;
    for (let i = 0; i < rotated.length; i++) {
      const { to, at } = rotated[i];
      to.set(values[at], values[at + 1], values[at + 2], values[at + 3]);
    }
    writeVectors(moved, values);
    writeVectors(scaled, values);
    for (const { mesh, target, at } of weighted) mesh.morphTargetInfluences[target] = values[at];
  }

  // The action has wrapped its time. A mask that is a name is the bundle's, of tracks, too.
  #layerOf({ clip, effectiveWeight: weight, mode, motion, mask, trackMask }, time) {
    if (typeof mask === 'string' && !this.#masks.has(mask)) this.#masks.set(mask, this.bundle.mask(mask));
    const named = this.#masks.get(mask);
    return { clip, time, weight, wrap: 'clamp', mode, motion, mask: named?.mask ?? mask, trackMask: trackMask ?? named?.trackMask };
  }

  // Finds the step, and moves the root by it. moving: the actions of all layers
  #move(layers, moving) {
    const first = moving.find(({ action }) => action.motion)?.action.motion.joint;
    if (first === undefined) return (this.step = stillness());
    const moves = moving.flatMap(({ action, rounds }, i) => {
      const { clip, weight, mask } = layers[i],
        share = Math.max(weight, 0) * Math.max(mask?.values?.[action.motion?.joint ?? first] ?? 1, 0);
      return clip.additive === 'none' && share > 0
        ? [{ isOver: action.mode === 'over', weight: share, movement: action.movement(rounds) }]
        : [];
    });
    const blended = blend(
      moves.filter(({ isOver }) => !isOver),
      stillness(),
    );
    this.step = moves.filter(({ isOver }) => isOver).reduce((below, over) => blend([over], below), blended);
    if (this.root) this.#moveRoot(this.root, this.step);
  }

  // The object in whose space joints without a parent are: model space.
  #model() {
    const { parents } = this.skeleton;
    return this.joints.find((object, j) => object && parents[j] < 0)?.parent;
  }

  #moveRoot(root, { rotation, translation }) {
    const { x, y, z } = root.scale,
      toRoot = new Matrix4(),
      update = (object) => object.matrixAutoUpdate && object.updateMatrix();
    if (x * y * z === 0) return; // it has no size
    for (let object = this.#model(); object !== root; object = object.parent) {
      if (!object) throw new TypeError('mixer.root is an object above the joints');
      update(object), toRoot.premultiply(object.matrix);
    }
    const step = new Matrix4().compose(translation, rotation, new Vector3(1, 1, 1));
    update(root);
    const moved = root.matrix.clone().multiply(toRoot).multiply(step).multiply(toRoot.clone().invert());
    root.position.setFromMatrixPosition(moved);
    root.quaternion.setFromRotationMatrix(moved.scale(new Vector3(1 / x, 1 / y, 1 / z)));
    update(root);
  }

  // Goals with targets and poles in model space, and the rotations that they change are written from now on.
  #inModelSpace(goals) {
    if (goals.length === 0) return goals;
    const model = this.#model(),
      toModel = new Matrix4();
    if (model) model.updateWorldMatrix(true, false), toModel.copy(model.matrixWorld).invert();
    const vector = (given) => ('z' in given ? new Vector3(given.x, given.y, given.z) : new Vector3().fromArray(given)),
      place = (given) => (given.isObject3D ? given.getWorldPosition(new Vector3()) : vector(given)),
      { parents } = this.skeleton;
    return goals.map((goal) => {
      const { joint, middle, first } = this.skeleton.limb(goal);
      for (let j = goal.kind === 'aim' ? joint : middle; j >= 0; j = j === first ? -1 : parents[j])
        if (goal.kind === 'aim' || j === middle || j === first) this.#write(ROTATION, j);
      const pole = goal.pole && vector(goal.pole).transformDirection(toModel);
      return { ...goal, joint, middle, first, pole, target: place(goal.target).applyMatrix4(toModel) };
    });
  }

  dispose() {
    for (const { motion } of this.#actions.values()) motion?.dispose();
    for (const each of this.#masks.values()) each.mask.dispose(), each.trackMask.dispose();
    this.#masks.clear();
    this.#actions.clear();
    this.#shared?.leave();
    this.#shared = undefined;
  }
}
