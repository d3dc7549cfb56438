// Clips on three.js' bones and morph targets, played from the compressed bytes.
import {
  AnimationClip,
  EventDispatcher,
  FileLoader,
  Loader,
  Matrix4,
  NumberKeyframeTrack,
  PropertyBinding,
  Quaternion,
  QuaternionKeyframeTrack,
  Vector3,
  VectorKeyframeTrack,
} from 'three';
import { namesOf, targetNames } from './three_source.js';

export { sourceOf } from './three_source.js';

const { sanitizeNodeName } = PropertyBinding;

/** The extension's name in a GLB, whose text is docs/gltf-extension.md. */
export const EXTENSION = 'QUATSIMD_bundle';

// The objects of all nodes, in their order. (A parser's associations have those of one scene alone.)
const nodesOfFile = (parser) => Promise.all((parser.json.nodes ?? []).map((_, node) => parser.getDependency('node', node)));

// The extension's rules that its schema cannot have.
function checkParts(skeleton, { joints = [], tracks = [] }, moved) {
  const check = (isRight, words) => {
    if (!isRight) throw new TypeError(words);
  };
  check(joints.length === skeleton.joints, `${joints.length} nodes are named for ${skeleton.joints} joints`);
  check(tracks.length === skeleton.tracks, `${tracks.length} morph targets are named for ${skeleton.tracks} tracks`);
  check(new Set(joints).size === joints.length, 'two joints are one node');
  check(new Set(tracks.map(({ node, target }) => `${node}.${target}`)).size === tracks.length, 'two tracks are one morph target');
  moved.forEach((of, t) =>
    check(
      of.length && of.every(({ mesh, target }) => target < mesh.morphTargetInfluences.length),
      `node ${tracks[t].node} has no morph target ${tracks[t].target}`,
    ),
  );
}

function playerOf(player) {
  if (typeof player?.openBundle !== 'function') throw new TypeError('player is what loadPlayer() gives, awaited');
  return player;
}

/** For GLTFLoader: loader.register((parser) => new QuatsimdGLTFExtension(parser, player)). A file with the extension has
 *  gltf.userData.quatsimd then, for QuatsimdMixer: the opened bundle, what its joints and tracks move, and its animations as the
 *  file has them ({ name, clip, extras, extensions }). onError gets the error of an extension that is refused; the file is loaded
 *  without it. */
export class QuatsimdGLTFExtension {
  constructor(parser, player, { onError = (error) => console.warn(`${EXTENSION}: ${error.message}`) } = {}) {
    this.name = EXTENSION;
    this.parser = parser;
    this.player = playerOf(player);
    this.onError = onError;
  }

  async afterRoot(gltf) {
    const it = this.parser.json.extensions?.[EXTENSION];
    if (!it) return;
    try {
      gltf.userData.quatsimd = await this.#open(it);
    } catch (error) {
      this.onError(error); // the file is shown without its animations
    }
  }

  async #open(it) {
    if (![undefined, 1, 2].includes(it.version)) throw new RangeError(`version ${it.version} is a later one`);
    const { parser } = this,
      nodes = await nodesOfFile(parser),
      numbers = new Set(nodes);
    for (const node of [...(it.joints ?? []), ...(it.tracks ?? []).map((track) => track.node)])
      if (!nodes[node]) throw new RangeError(`there is no node ${node}`);
    const bytes = await parser.getDependency('bufferView', it.bufferView),
      joints = (it.joints ?? []).map((node) => nodes[node]);
    const tracks = (it.tracks ?? []).map(({ node, target }) => {
      const moved = [];
      const visit = (object) => {
        // all that is of this node, and nothing of the nodes below it
        if (object !== nodes[node] && numbers.has(object)) return;
        if (object.morphTargetInfluences) moved.push({ mesh: object, target });
        object.children.forEach(visit);
      };
      visit(nodes[node]);
      return moved;
    });
    const bundle = this.player.openBundle(bytes);
    try {
      checkParts(bundle.skeleton, it, tracks);
    } catch (error) {
      bundle.dispose();
      throw error;
    }
    const isFirst = ({ clip }, i) => bundle.names.includes(clip) && it.animations.findIndex((other) => other.clip === clip) === i;
    return { bundle, joints, tracks, animations: it.animations.filter(isFirst) };
  }
}

/** Loads a bundle's file. */
export class QuatsimdLoader extends Loader {
  constructor(player, manager) {
    super(manager);
    this.player = playerOf(player);
  }

  load(url, onLoad, onProgress, onError) {
    const loader = new FileLoader(this.manager);
    loader.setPath(this.path);
    loader.setResponseType('arraybuffer');
    loader.setRequestHeader(this.requestHeader);
    loader.setWithCredentials(this.withCredentials);
    loader.load(
      url,
      (bytes) => {
        try {
          onLoad(this.player.openBundle(bytes));
        } catch (error) {
          if (!onError) throw error;
          onError(error);
          this.manager.itemError(url);
        }
      },
      onProgress,
      onError,
    );
  }
}

/** All that bundleGlb needs to know of a file that GLTFLoader has read: its nodes, and names of clips. source: of sourceOf(gltf.scene,
 *  gltf.animations). */
export async function nodesOf({ parser }, source) {
  const numbers = new Map((await nodesOfFile(parser)).map((object, node) => [object, node])),
    numberOf = (object) => numbers.get(object);
  return {
    joints: source.joints.map(numberOf),
    tracks: source.tracks.map(([{ mesh, target }]) => ({ node: numberOf(mesh) ?? numberOf(mesh.parent), target })),
    animations: source.animations.map(({ name }) => name),
  };
}

/** The objects that the joints and tracks of a bundle move below `root`, found by their names: as GLTFLoader and BVHLoader name
 *  objects, and as sourceOf does. joints: an object each, or undefined where it is not there. tracks: of each the morph
 *  targets, { mesh, target }. A mesh has the tracks of its own name, or else those of its parent's name, as primitives of one
 *  mesh do, or else those of another name if no other mesh has such targets: `quatsimd compress` names tracks by meshes, and
 *  three.js by nodes. */
export function bindByName(root, skeleton) {
  const objects = new Map(),
    names = namesOf(root),
    tracks = skeleton.trackNames.map(() => []),
    numbers = new Map(),
    others = [];
  skeleton.trackNames.map(sanitizeNodeName).forEach((name, t) => numbers.set(name, [...(numbers.get(name) ?? []), t]));
  for (const [object, name] of names) {
    objects.set(sanitizeNodeName(name), object);
    const used = new Map(); // of tracks that are alike the first for the first target
    if (object.morphTargetInfluences)
      targetNames(object).forEach((target, number) => {
        const track = [name, names.get(object.parent)]
          .map((owner) => sanitizeNodeName(`${owner}.${target}`))
          .find((own) => numbers.has(own));
        if (track === undefined) return others.push({ mesh: object, target: number, name: sanitizeNodeName(`.${target}`) });
        const all = numbers.get(track),
          i = used.get(track) ?? 0;
        used.set(track, i + 1);
        tracks[all[Math.min(i, all.length - 1)]].push({ mesh: object, target: number });
      });
  }
  skeleton.trackNames.map(sanitizeNodeName).forEach((name, t) => {
    const such = tracks[t].length ? [] : others.filter((other) => name.endsWith(other.name));
    if (new Set(such.map(({ mesh }) => mesh.parent)).size === 1 && new Set(such.map(({ target }) => target)).size === 1)
      tracks[t] = such.map(({ mesh, target }) => ({ mesh, target }));
  });
  const joints = skeleton.names.map((name) => objects.get(sanitizeNodeName(name))),
    found = joints.filter(Boolean).length,
    bound = tracks.filter((of) => of.length).length;
  if (2 * found < joints.length || 2 * bound < tracks.length)
    console.warn(
      `quatsimd: only ${found} of ${joints.length} joints and ${bound} of ${tracks.length} tracks are below this object: is it of another skeleton?`,
    );
  return { joints, tracks };
}

const ROTATION = 0,
  TRANSLATION = 1,
  SCALE = 2,
  TRACK = 3,
  KEYED = 4, // a state of curves
  MOST_LAYERS = 64;

// The times that a clip plays: from 0 to its last key, as in glTF and three.js, where times of keys are floats.
function rangeOf({ start, duration }, fromFirstKey) {
  const end = start + duration;
  return fromFirstKey ? { start, end } : { start: 0, end: Math.max(Math.fround(end), 0) };
}

// Moves a time by `step` in a range. Gives the time before, the time after, and how many rounds the step completes: they are below 0
// where it goes backwards. A loop at its end is at its start, but a step of 0 leaves it at the end, as in three.js.
function stepTime(from, step, { start, end, loop }) {
  const time = from + step,
    length = end - start;
  if (!loop || length === 0) return { from, to: Math.min(Math.max(time, start), end), loops: 0 };
  if ((time >= start && (time < end || (time === end && step === 0))) || !Number.isFinite(time)) return { from, to: time, loops: 0 };
  const passed = time - start,
    rest = passed % length, // exact, with the sign of `passed`
    within = rest < 0 ? rest + length : rest;
  return { from, to: start + within, loops: Math.round((passed - within) / length) };
}

// The events of `all` that a time passes on its way, of which each round has all. Those at the end of a round are at the start of
// the next one, before those that are there. Times of files are floats. begins: also those at `from`
function passedEvents(all, { from, to, loops }, { start, end, loop }, begins) {
  const [first, last] = [Math.fround(start), Math.fround(end)],
    timed = all
      .filter(({ time }) => Math.fround(time) >= first && Math.fround(time) <= last)
      .map(({ name, time }) => ({ name, time, at: loop && Math.fround(time) === last ? start : Math.min(Math.max(time, start), end) }))
      .sort((a, b) => a.at - b.at || b.time - a.time),
    passed = [];
  if (timed.length === 0 || (from === to && loops === 0)) return passed;
  const isForward = loops > 0 || (loops === 0 && from < to),
    begin = loop && from === end ? { round: 1, at: start } : { round: 0, at: from };
  const isPassed = (round, at) => {
    const before = round - begin.round || at - begin.at,
      after = round - loops || at - to;
    return before === 0 ? begins : isForward ? before > 0 && after <= 0 : before < 0 && after >= 0;
  };
  if (!isForward) timed.reverse();
  for (let i = 0; i <= Math.abs(loops); i++) {
    const round = isForward ? i : -i;
    for (const event of timed) if (isPassed(round, event.at)) passed.push(event);
  }
  return passed;
}

// ---- movements: a rotation and a translation, as of root motion

const stillness = () => ({ rotation: new Quaternion(), translation: new Vector3() });

// The movement `a`, then `b` as seen from there.
function compose(a, b) {
  const rotation = a.rotation.clone().multiply(b.rotation).normalize();
  return { rotation, translation: b.translation.clone().applyQuaternion(a.rotation).add(a.translation) };
}

function repeat(movement, times) {
  let result = stillness();
  for (let left = times, power = movement; left > 0; left = Math.floor(left / 2), power = compose(power, power))
    if (left % 2 === 1) result = compose(result, power);
  return result;
}

// The weighted mean of movements, as of a joint in a blend of layers. What their weights leave of 1 is `rest`.
function blend(weighted, rest) {
  const rotation = new Quaternion(0, 0, 0, 0),
    translation = new Vector3();
  let sum = 0;
  const add = (weight, by) => {
    const { x, y, z, w } = by.rotation,
      turn = rotation.dot(by.rotation) < 0 ? -weight : weight;
    rotation.set(rotation.x + turn * x, rotation.y + turn * y, rotation.z + turn * z, rotation.w + turn * w);
    translation.addScaledVector(by.translation, weight);
    sum += weight;
  };
  for (const { weight, movement } of weighted) add(weight, movement);
  if (sum < 1 - 2 ** -20) add(1 - sum, rest);
  return { rotation: rotation.normalize(), translation: translation.divideScalar(Math.max(sum, 1)) };
}

/** One clip as a mixer plays it. Change `time`, `timeScale`, `weight`, `loop`, `mode`, `mask` (of skeleton.mask(), or a name of
 *  bundle.masks) and `trackMask` at any time. Its time runs from `start` to `end`. Fades multiply the weight and leave it as it is. */
export class QuatsimdAction {
  #factor = 1;
  #fade; // { from, to, length, passed }
  #hasEnded = false;
  #begins = true;

  constructor(mixer, name, rootMotion) {
    this.mixer = mixer;
    this.name = name;
    this.clip = mixer.bundle.clip(name);
    this.mode = 'auto';
    this.motion = rootMotion && this.clip.additive === 'none' ? mixer.skeleton.rootMotion(this.clip, rootMotion) : undefined;
    Object.assign(this, rangeOf(this.clip, mixer.fromFirstKey)); // start and end, seconds
    this.time = this.start;
    this.timeScale = 1;
    this.weight = 1;
    this.loop = true;
    this.isPlaying = false;
    this.mask = undefined;
    this.trackMask = undefined;
  }

  /** The weight times what fades make of it. */
  get effectiveWeight() {
    return this.weight * this.#factor;
  }

  /** Plays from the present time, and goes on where it plays already. */
  play() {
    if (!this.isPlaying) this.#end();
    this.isPlaying = true;
    this.mixer.show(this);
    return this;
  }
  /** Ends at once: where nothing else plays, joints go to the rest pose. */
  stop() {
    this.isPlaying = false;
    return this.reset();
  }
  /** To the start, with no fade. */
  reset() {
    this.#end();
    this.#begins = true;
    this.time = this.start;
    return this;
  }
  /** From 0; from the present share where a fade is under way. */
  fadeIn(seconds) {
    return this.#fadeTo(this.#fade ? this.#factor : 0, 1, seconds);
  }
  /** It stops when it has gone. */
  fadeOut(seconds) {
    return this.#fadeTo(this.#factor, 0, seconds);
  }
  crossFadeTo(other, seconds) {
    if (!(other instanceof QuatsimdAction)) throw new TypeError(`crossFadeTo takes an action, such as mixer.action('Run'), not ${other}`);
    if (other === this) return this;
    const from = other.isPlaying ? other.#factor : 0;
    this.fadeOut(seconds);
    other.play().#fadeTo(from, 1, seconds);
    return other;
  }

  #end() {
    this.#fade = undefined;
    this.#factor = 1;
    this.#hasEnded = false;
  }

  #fadeTo(from, to, length) {
    this.#fade = { from, to, length, passed: 0 };
    this.#factor = length > 0 ? from : to;
    return this;
  }

  /** Called by the mixer. tell(event). Gives { from, to, loops } of the time, and the events that it passes. */
  advance(seconds, tell) {
    const fade = this.#fade;
    if (fade) {
      fade.passed += seconds;
      const share = fade.length > 0 ? Math.min(Math.max(fade.passed / fade.length, 0), 1) : 1;
      this.#factor = fade.from + (fade.to - fade.from) * share;
      if (share === 1) {
        this.#fade = undefined;
        if (fade.to === 0) this.isPlaying = false;
      }
    }
    const step = seconds * this.timeScale,
      { from, to, loops } = stepTime(this.time, step, this),
      begin = stepTime(this.time, 0, this), // a time that was set may be beyond the ends: that is no movement
      way = { from: begin.to, to, loops: loops - begin.loops };
    const { effectiveWeight: weight } = this;
    if (weight > 0 || (weight < 0 && this.clip.additive !== 'none'))
      for (const { name, time } of passedEvents(this.clip.events, way, this, this.#begins))
        tell({ type: 'event', action: this, name, time, weight });
    if (step !== 0) this.#begins = false;
    this.time = to;
    if (loops !== 0) tell({ type: 'loop', action: this, loopDelta: loops });
    if (this.loop || step === 0) return way;
    const hasEnded = to === (step > 0 ? this.end : this.start);
    if (hasEnded && !(this.#hasEnded && from === to)) tell({ type: 'finished', action: this });
    this.#hasEnded = hasEnded;
    return way;
  }

  /** Called by the mixer. The movement of the character while the time goes that way. */
  movement({ from, to, loops }) {
    const between = (...times) => {
      const { rotation, translation } = this.motion.between(...times, 'clamp');
      return { rotation: new Quaternion().fromArray(rotation), translation: new Vector3().fromArray(translation) };
    };
    if (!this.motion) return stillness();
    if (loops === 0) return between(from, to);
    const [first, last] = loops > 0 ? [this.start, this.end] : [this.end, this.start],
      rounds = repeat(between(first, last), Math.abs(loops) - 1);
    return compose(compose(between(from, last), rounds), between(first, to));
  }
}

/** Plays the clips of a bundle on the objects that its joints and tracks stand for. Additive clips are put on the others.
 *  Events, told when the pose is written: 'finished' ({ action }), of an action without `loop` at its end, whose pose stays
 *  until it is stopped; 'loop' ({ action, loopDelta }); 'event' ({ action, name, time, weight }), of each mark of a clip that its
 *  action passes. */
export class QuatsimdMixer extends EventDispatcher {
  #actions = new Map();
  #masks = new Map();
  #evaluator;
  #layers = 8;
  #goals = 8;
  #shown = [];
  #shownTracks = new Set();

  /** bound: gltf.userData.quatsimd, or { bundle, ...bindByName(root, bundle.skeleton) }. An action plays the times from 0 to the
   *  last key; before the first key it holds that key's pose. With fromFirstKey it starts at the first key. rootMotion: options of
   *  skeleton.rootMotion, such as { joint: 'hips' }, for all clips that are not additive, or a function that gives those of a
   *  clip's name. Then `step` is the movement of the update, and `root`, an object above the joints, is moved by it. */
  constructor(bound, { fromFirstKey = false, rootMotion } = {}) {
    super();
    if (!bound)
      throw new TypeError('there is no bundle. Was the loader given QuatsimdGLTFExtension, and does the file have the extension?');
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
    this.#evaluator = this.skeleton.evaluator({ layers: this.#layers });
  }

  /** The action of the clip of this name. */
  action(name) {
    const { rootMotion } = this,
      motion = () => (typeof rootMotion === 'function' ? rootMotion(name) : rootMotion);
    if (!this.#actions.has(name)) this.#actions.set(name, new QuatsimdAction(this, name, motion()));
    return this.#actions.get(name);
  }

  /** Called by an action that plays: what its clip moves, or holds where it is, is written from now on. All else is left alone. */
  show({ clip }) {
    this.joints.forEach((object, j) => {
      if (!object) return;
      const has = [ROTATION, TRANSLATION, SCALE].map((kind) => clip.curve(kind, j) > 0),
        before = this.#shown[j] ?? [];
      if (has.some(Boolean)) this.#shown[j] = has.map((own, kind) => own || before[kind]);
    });
    this.tracks.forEach((_, t) => clip.curve(TRACK, t) > 0 && this.#shownTracks.add(t));
  }

  stopAll() {
    for (const action of this.#actions.values()) action.stop();
  }

  /** Goes on by so many seconds, and writes the pose. */
  update(seconds) {
    if (!Number.isFinite(seconds)) throw new TypeError(`update takes the seconds that have passed, not ${seconds}`);
    const passed = seconds * this.timeScale,
      layers = [],
      ways = [],
      events = [];
    this.time += passed;
    for (const action of this.#actions.values()) {
      if (!action.isPlaying) continue;
      const way = action.advance(passed, (event) => events.push(event));
      if (!action.isPlaying || action.effectiveWeight === 0) continue;
      const { clip, time, effectiveWeight: weight, mode, motion } = action;
      layers.push({ clip, time, weight, wrap: 'clamp', mode, motion, ...this.#masksOf(action) }); // the action has wrapped its time
      ways.push({ action, way });
    }
    const goals = this.goals.filter(({ weight }) => weight !== 0);
    this.#makeRoom(layers.length, goals.length);
    this.#move(layers, ways);
    const { rotations, translations, scales, tracks } = this.#evaluator.evaluate(layers, { goals: this.#inModelSpace(goals) });
    this.#shown.forEach(([rotation, translation, scale], j) => {
      const object = this.joints[j];
      if (rotation) object.quaternion.fromArray(rotations, 4 * j);
      if (translation) object.position.fromArray(translations, 3 * j);
      if (scale) object.scale.fromArray(scales, 3 * j);
    });
    for (const t of this.#shownTracks) for (const { mesh, target } of this.tracks[t]) mesh.morphTargetInfluences[target] = tracks[t];
    for (const event of events) this.dispatchEvent(event);
    return this;
  }

  // A mask of the bundle, where `mask` is its name.
  #masksOf({ mask, trackMask }) {
    if (typeof mask !== 'string') return { mask, trackMask };
    if (!this.#masks.has(mask)) this.#masks.set(mask, this.bundle.mask(mask));
    return trackMask ? { ...this.#masks.get(mask), trackMask } : this.#masks.get(mask);
  }

  // Finds the step, and moves the root by it. ways: of the actions of all layers
  #move(layers, ways) {
    const first = ways.find(({ action }) => action.motion)?.action.motion.joint;
    if (first === undefined) return (this.step = stillness());
    const moves = ways.flatMap(({ action, way }, i) => {
      const { clip, weight, mask } = layers[i],
        share = Math.max(weight, 0) * Math.max(mask?.values?.[action.motion?.joint ?? first] ?? 1, 0);
      return clip.additive === 'none' && share > 0
        ? [{ isOver: action.mode === 'over', weight: share, movement: action.movement(way) }]
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
        if (this.joints[j] && (goal.kind === 'aim' || j === middle || j === first))
          this.#shown[j] = [true, ...(this.#shown[j] ?? [false, false, false]).slice(1)];
      const pole = goal.pole && vector(goal.pole).transformDirection(toModel);
      return { ...goal, joint, middle, first, pole, target: place(goal.target).applyMatrix4(toModel) };
    });
  }

  #makeRoom(layers, goals) {
    if (layers <= this.#layers && goals <= this.#goals) return;
    if (layers > MOST_LAYERS) throw new RangeError(`${layers} clips play at once; ${MOST_LAYERS} may`);
    const room = (had, wanted) => Math.max(had, 2 ** Math.ceil(Math.log2(Math.max(wanted, 1))));
    this.#layers = room(this.#layers, layers);
    this.#goals = room(this.#goals, goals);
    this.#evaluator.dispose();
    this.#evaluator = this.skeleton.evaluator({ layers: this.#layers, goals: this.#goals });
  }

  dispose() {
    for (const { clip, motion } of this.#actions.values()) motion?.dispose(), clip.dispose();
    for (const each of this.#masks.values()) each.mask.dispose(), each.trackMask.dispose();
    this.#masks.clear();
    this.#actions.clear();
    this.#evaluator.dispose();
  }
}

/** A clip as three.js' own, with a key at each frame, for AnimationMixer. Curves that have keys of their own in the clip, splines
 *  among them, get keys in each 1/60 s, too. The keys have the clip's times, and the duration is the last one's; with fromFirstKey
 *  the first key is at 0. bound: as QuatsimdMixer has it. Objects are meant by their names, as in
 *  clips of GLTFLoader, so that the clip plays on clones, too; those without a name of their own by uuid. */
export function toAnimationClip({ bundle, joints, tracks }, name, { fromFirstKey = false } = {}) {
  const count = new Map(),
    objects = new Set([...joints.filter(Boolean), ...tracks.flatMap((moved) => moved.map(({ mesh }) => mesh))]);
  for (const object of objects) count.set(object.name, (count.get(object.name) ?? 0) + 1);
  const meant = (object) =>
    object.name && object.name === sanitizeNodeName(object.name) && count.get(object.name) === 1 ? object.name : object.uuid;
  const clip = bundle.clip(name),
    { skeleton } = bundle,
    pose = skeleton.pose();
  const frames = Array.from({ length: clip.frames }, (_, f) => clip.time(f)),
    steps = Math.ceil(60 * clip.duration),
    even = Array.from({ length: steps }, (_, i) => clip.start + (clip.duration * i) / steps),
    dense = [...new Set([...frames, ...even])].sort((a, b) => a - b);
  const curves = [];
  const add = (state, path, size, Track, at) => {
    const times = state === KEYED ? dense : frames;
    if (state > 0) curves.push({ path, size, Track, at, times, values: new Float32Array(size * times.length) });
  };
  joints.forEach((object, j) => {
    if (!object) return;
    add(clip.curve(ROTATION, j), `${meant(object)}.quaternion`, 4, QuaternionKeyframeTrack, 4 * j);
    add(clip.curve(TRANSLATION, j), `${meant(object)}.position`, 3, VectorKeyframeTrack, 4 * skeleton.joints + 3 * j);
    add(clip.curve(SCALE, j), `${meant(object)}.scale`, 3, VectorKeyframeTrack, 7 * skeleton.joints + 3 * j);
  });
  tracks.forEach((track, t) => {
    for (const { mesh, target } of track)
      add(clip.curve(TRACK, t), `${meant(mesh)}.morphTargetInfluences[${target}]`, 1, NumberKeyframeTrack, 10 * skeleton.joints + t);
  });
  for (const list of [frames, dense]) {
    const these = curves.filter(({ times }) => times === list);
    for (let k = 0; k < list.length && these.length; k++) {
      const { values } = clip.sample(pose, list[k], 'clamp', skeleton.rest);
      for (const { size, at, values: to } of these) to.set(values.subarray(at, at + size), size * k);
    }
  }
  const { start, end } = rangeOf(clip, fromFirstKey);
  const result = new AnimationClip(
    name,
    end - start,
    curves.map(
      ({ path, Track, times, values }) =>
        new Track(
          path,
          Float32Array.from(times, (time) => time - start),
          values,
        ),
    ),
  );
  pose.dispose(), clip.dispose();
  return result;
}
