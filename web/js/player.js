// Clips, skeletons and bundles, opened and played.
import { Owned, QuatsimdError, bytesOf, headOf, loadModule, viewOf, wholeNumber } from './module.js';

export { QuatsimdError, hasSimd } from './module.js';

const WRAPS = ['clip', 'clamp', 'loop'],
  MODES = ['auto', 'blend', 'add', 'over'],
  GOALS = ['reach', 'aim'],
  ADDITIVE = ['none', 'first', 'base'];

// The number of a name, as C has it.
function numberOf(names, name, what) {
  const number = names.indexOf(name);
  if (number < 0) throw new TypeError(`${what} is one of '${names.join("', '")}', not '${name}'`);
  return number;
}
// A bundle has no such part: the names that there are, of which one may differ by capital letters alone.
function missing(part, name, names) {
  const wanted = String(name).toLowerCase(),
    alike = names.find((other) => other.toLowerCase() === wanted),
    shown = names.slice(0, 20).map((other) => `'${other}'`),
    rest = names.length - shown.length;
  if (rest > 0) shown.push(`${rest} more`);
  const all = shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? 'none');
  return new RangeError(`there is no ${part} ${name} in the bundle.${alike === undefined ? '' : ` Is it '${alike}'?`} It has ${all}`);
}
const wrapOf = (name) => numberOf(WRAPS, name, 'wrap');

/** Floats in WebAssembly's memory. `values` is a view of them. When memory grows, old views lose their elements: read `values`
 *  again after each call that may make something. */
class Floats extends Owned {
  static name = 'Floats';
  #view;
  #start;

  constructor(module, length) {
    super(module, [module.allocate(4 * length)]);
    this.#start = this.address / 4;
    this.length = length;
    this.values.fill(0);
  }

  get values() {
    const { floats } = this.module;
    if (this.#view?.buffer !== floats.buffer) this.#view = viewOf(this, floats.subarray(this.#start, this.#start + this.length));
    return this.#view;
  }
}

// The address of floats that C reads or writes for `owner`: in its memory, and as many as it takes.
function addressFor(owner, floats, length, what) {
  if (!(floats instanceof Floats)) throw new TypeError(`${what} is of skeleton.pose(), .mask(), .trackMask() or .matrices()`);
  if (floats.module !== owner.module) throw new TypeError(`${what} is of another player`);
  if (floats.length !== length)
    throw new RangeError(`${what} has ${floats.length} floats, and ${length} are needed: it is of another skeleton`);
  return floats.address;
}

/** A rotation, a translation and a scale of each joint, relative to its parent, and tracks. */
export class Pose extends Floats {
  static name = 'Pose';
  #views;
  #of;

  constructor(module, joints, tracks) {
    super(module, 10 * wholeNumber(joints, 'the number of joints') + wholeNumber(tracks, 'the number of tracks'));
    this.joints = joints;
    this.scales.fill(1);
    for (let j = 0; j < joints; j++) this.rotations[4 * j + 3] = 1;
  }

  #parts() {
    const all = this.values,
      n = this.joints;
    if (this.#of === all) return this.#views;
    this.#of = all;
    this.#views = [[0, 4 * n], [4 * n, 7 * n], [7 * n, 10 * n], [10 * n]].map((range) => viewOf(this, all.subarray(...range)));
    return this.#views;
  }
  get rotations() {
    return this.#parts()[0];
  }
  get translations() {
    return this.#parts()[1];
  }
  get scales() {
    return this.#parts()[2];
  }
  get tracks() {
    return this.#parts()[3];
  }
}

// Opens something in memory of its own: opener(where its address goes, memory, bytes of that).
function place(module, room, opener) {
  const end = Math.ceil(room / 8) * 8,
    memory = module.allocate(end + 4);
  const status = opener(memory + end, memory, room);
  if (status < 0) module.call.free(memory);
  module.check(status);
  return memory;
}

// Some floats: of an array, or of three.js' Vector3 or Matrix4.
function floatsOf(given, length, what) {
  const floats = given?.elements ?? (given && 'z' in given ? [given.x, given.y, given.z] : given);
  if (floats?.length !== length) throw new RangeError(`${what} has ${length} floats, not ${floats?.length}`);
  return Float32Array.from(floats);
}

// Calls a function with the address of a copy of floats, or with 0 where there are none, and frees the copy.
function withFloats(module, floats, use) {
  const at = floats ? module.copy(floats) : 0;
  try {
    return use(at);
  } finally {
    if (at) module.call.free(at);
  }
}

const STRANGE = [-7, -12, -15];

function open(module, data, kind) {
  const { call } = module,
    bytes = module.copy(data);
  try {
    return [
      place(module, call[`quatsimd_${kind}_memory_size`](), (...to) => call[`quatsimd_${kind}_open`](...to, bytes, data.byteLength)),
      bytes,
    ];
  } catch (error) {
    call.free(bytes);
    // of another kind of file: an HTML page, a GLB
    if (STRANGE.includes(error.status))
      throw new QuatsimdError(error.status, `${error.message}: they begin with "${headOf(bytesOf(data), 15)}"`);
    throw error;
  }
}

function checkTime(time, what) {
  if (typeof time !== 'number' || Number.isNaN(time)) throw new TypeError(`${what} is a number of seconds, not ${time}`);
}

const EVENT = 24; // bytes: name, time, clock

export class Clip extends Owned {
  static name = 'Clip';
  #events;

  constructor(module, addresses, parent) {
    super(module, addresses, parent);
    const { call } = module,
      at = this.address;
    this.joints = call.quatsimd_clip_joint_count(at);
    this.tracks = call.quatsimd_clip_track_count(at);
    this.frames = call.quatsimd_clip_frame_count(at);
    this.rate = call.quatsimd_clip_rate(at); // frames per second; 0: frames have times of their own
    this.start = call.quatsimd_clip_start(at); // seconds
    this.duration = call.quatsimd_clip_duration(at); // seconds
    this.isLooping = call.quatsimd_clip_is_looping(at) === 1;
    this.additive = ADDITIVE[call.quatsimd_clip_additive(at)];
    this.skeletonHash = BigInt.asUintN(64, call.quatsimd_clip_skeleton_hash(at)); // 0n: encoded without one
  }

  /** Writes the pose at a time, in seconds, to a Pose of as many joints and tracks. Curves that are at rest have the values
   *  of `rest`, a Pose; without it the identity. */
  sample(pose, time, wrap = 'clip', rest = undefined) {
    for (const p of [pose, rest])
      if (p && (p.joints !== this.joints || p.tracks?.length !== this.tracks))
        throw new RangeError(`the clip has ${this.joints} joints and ${this.tracks} tracks, the pose ${p.joints} and ${p.tracks?.length}`);
    checkTime(time, 'the time');
    const floats = 10 * this.joints + this.tracks,
      of = (p, what) => addressFor(this, p, floats, what);
    this.module.check(this.module.call.sample(this.address, of(pose, 'the pose'), rest ? of(rest, 'rest') : 0, time, wrapOf(wrap)));
    return pose;
  }

  /** The time of a frame, seconds. */
  time(frame) {
    return this.module.call.quatsimd_clip_frame_time(this.address, frame);
  }

  /** The state of a joint's rotation (kind 0), translation (1) or scale (2), or of a track (3): 0 the clip does not have it,
   *  1 it is as the rest pose, 2 it has one value, 3 and 4 it changes. */
  curve(kind, number) {
    return this.module.call.quatsimd_clip_curve_state(this.address, kind, number);
  }

  /** The events that the bundle has for the clip, { name, time }, in the order of their times. time: seconds, on the clip's clock */
  get events() {
    return (this.#events ??= this.#passed(-Infinity, Infinity, 'clamp').map(({ name, time }) => ({ name, time })));
  }
  /** The events that a clock passes from one time to another, seconds, in the order of passing: { name, time, clock }. Forward
   *  these are those after `from` and up to `to`, backward those before `from` and down to `to`. In a loop each round has them
   *  again. clock: the moment on the caller's clock */
  eventsBetween(from, to, wrap = 'clip') {
    checkTime(from, 'from'), checkTime(to, 'to');
    return this.events.length ? this.#passed(from, to, wrap) : [];
  }
  #passed(from, to, wrap) {
    const { module, address } = this,
      find = (at, count) => module.call.quatsimd_clip_events_between(address, at, count, from, to, wrapOf(wrap)) >>> 0;
    const count = find(0, 0);
    if (count === 0) return [];
    const at = module.allocate(EVENT * count);
    find(at, count);
    const { words, doubles } = module.views,
      events = Array.from({ length: count }, (_, i) => {
        const event = at / 8 + 3 * i;
        return { name: module.text(words[2 * event]), time: doubles[event + 1], clock: doubles[event + 2] };
      });
    module.call.free(at);
    return events;
  }
}

const PARTS = { across: 1, along: 2, turn: 4, all: 8, straight: 16 };

/** How a clip moves a character: the movement of one joint, which a layer of the clip with this as `motion` leaves out of the
 *  pose. Of skeleton.rootMotion(). */
export class RootMotion extends Owned {
  static name = 'RootMotion';
  #clip;

  constructor(skeleton, clip, { joint, up = [0, 1, 0], ...parts }) {
    const { module } = skeleton;
    if (!(clip instanceof Clip) || clip.module !== module) throw new TypeError('the clip is not of this player');
    const number = jointOf(skeleton, joint, 'joint'),
      chosen = { across: !parts.all, turn: !parts.all, ...parts },
      sum = Object.entries(PARTS).reduce((all, [name, part]) => all + (chosen[name] ? part : 0), 0);
    const make = (axis) =>
      place(module, module.call.quatsimd_root_motion_memory_size(), (...to) =>
        module.call.quatsimd_root_motion_init(...to, skeleton.address, clip.address, number, sum, axis),
      );
    let memory;
    try {
      memory = withFloats(module, floatsOf(up, 3, 'up'), make);
    } catch (error) {
      if (error.status !== -3) throw error;
      const reason = clip.additive === 'none' ? 'up is 0, no part is chosen, or the clip moves a joint above it' : 'the clip is additive';
      throw new QuatsimdError(-3, `joint ${joint} has no root motion: ${reason}`);
    }
    super(module, [memory, module.allocate(4 * STEP)], clip);
    this.#clip = clip.address; // which stays while this does
    this.clip = clip;
    this.joint = number;
  }

  /** The movement of the character between two times of the clip, seen from its place at `from`. In a loop the rounds add up. */
  between(from, to, wrap = 'clip') {
    const { module, address } = this,
      at = this.block.addresses[1];
    checkTime(from, 'from'), checkTime(to, 'to');
    module.check(module.call.quatsimd_root_motion_between(address, at, at + 16, this.#clip, from, to, wrapOf(wrap)));
    return stepAt(module, at);
  }
}

const STEP = 7;

// A rotation and a translation.
function stepAt({ floats }, at) {
  return { rotation: floats.slice(at / 4, at / 4 + 4), translation: floats.slice(at / 4 + 4, at / 4 + STEP) };
}

// The number of a joint that is given by name or number.
function jointOf(skeleton, joint, what) {
  const number = typeof joint === 'string' ? skeleton.names.indexOf(joint) : joint;
  if (!(Number.isInteger(number) && number >= 0 && number < skeleton.joints))
    throw new RangeError(`${what}: the skeleton has no joint ${joint}`);
  return number;
}

// The joints of a goal: a hand's are its elbow and its shoulder, and what aims does so alone.
function limbOf(skeleton, { kind, joint, middle, first }) {
  const { parents } = skeleton,
    number = (which, otherwise) => (which === undefined ? otherwise : jointOf(skeleton, which, 'a goal')),
    end = jointOf(skeleton, joint, 'a goal'),
    elbow = number(middle, parents[end]);
  return { joint: end, middle: elbow, first: number(first, kind === 'aim' ? end : (parents[elbow] ?? -1)) };
}

export class Skeleton extends Owned {
  static name = 'Skeleton';
  #names;
  #tracks;
  #parents;
  #rest;

  constructor(module, addresses, parent) {
    super(module, addresses, parent);
    const { call } = module,
      at = this.address;
    this.joints = call.quatsimd_skeleton_joint_count(at);
    this.tracks = call.quatsimd_skeleton_track_count(at);
    this.metres = call.quatsimd_skeleton_metres(at); // of the unit of translations; 0: not known
    this.hash = BigInt.asUintN(64, call.quatsimd_skeleton_hash(at));
  }

  get names() {
    const { module } = this;
    return (this.#names ??= Array.from({ length: this.joints }, (_, j) =>
      module.text(module.call.quatsimd_skeleton_joint_name(this.address, j)),
    ));
  }
  get trackNames() {
    const { module } = this;
    return (this.#tracks ??= Array.from({ length: this.tracks }, (_, t) =>
      module.text(module.call.quatsimd_skeleton_track_name(this.address, t)),
    ));
  }
  /** The number of each joint's parent, which is smaller than its own; -1: none. */
  get parents() {
    return (this.#parents ??= Int32Array.from({ length: this.joints }, (_, j) =>
      Number(this.module.call.quatsimd_skeleton_parent(this.address, j)),
    ));
  }
  /** The number of the joint of this name, the first where there are several; -1: none. */
  find(name) {
    const { module } = this;
    return module.withText(name, (text) => Number(module.call.quatsimd_skeleton_find_joint(this.address, text)));
  }

  /** A new Pose for clips of this skeleton. */
  pose() {
    return new Pose(this.module, this.joints, this.tracks);
  }
  /** The rest pose. It is the skeleton's own: do not change it. */
  get rest() {
    if (this.#rest) return this.#rest;
    const pose = this.pose();
    this.module.check(this.module.call.rest(this.address, pose.address));
    return (this.#rest = pose);
  }
  dispose() {
    this.#rest?.dispose();
    super.dispose();
  }

  /** Factors of a layer's weight, one for each joint: all 1 at first. Change `values`. weights: { spine: 1, head: 0.5 } gives
   *  these joints and all below them these factors, one after the other, and all others 0. */
  mask(weights = undefined) {
    const { module, address } = this,
      joints = Object.entries(weights ?? {}).map(([name, weight]) => [jointOf(this, name, 'a mask'), weight]),
      mask = this.#ones(this.joints);
    if (weights) mask.values.fill(0);
    for (const [joint, weight] of joints) module.check(module.call.quatsimd_skeleton_mask(address, joint, weight, mask.address));
    return mask;
  }
  /** The same, one for each track. */
  trackMask() {
    return this.#ones(this.tracks);
  }
  #ones(length) {
    const mask = new Floats(this.module, length);
    mask.values.fill(1);
    return mask;
  }

  /** Matrices of all joints in model space, 4 x 4 by columns as in three.js and glTF, as Floats: `values` of 16 a joint. */
  matrices() {
    return new Floats(this.module, 16 * this.joints);
  }
  /** Writes the matrices of a pose. root: of what the skeleton hangs on, 16 floats or a Matrix4; without it the identity. */
  toModel(matrices, pose, root = undefined) {
    const { module } = this,
      to = addressFor(this, matrices, 16 * this.joints, 'matrices');
    const from = addressFor(this, pose, 10 * this.joints + this.tracks, 'the pose');
    withFloats(module, root && floatsOf(root, 16, 'root'), (at) => module.check(module.call.to_model(this.address, to, from, at)));
    return matrices;
  }

  /** The RootMotion of a clip: the movement of a joint, by name or number. The parts that are true count: `across` the up axis
   *  and `turn` about it, which are true without it, and `along` it; or else `all`, without an up axis. straight: as well, the
   *  straight path from the clip's start to its end, for clips that sway. up: without it, y */
  rootMotion(clip, options) {
    return new RootMotion(this, clip, options);
  }

  /** The numbers of a goal's joints, { joint, middle, first }, which are the parents where they are not given; -1: none. */
  limb(goal) {
    return limbOf(this, goal);
  }

  /** An Evaluator, which plays layers of clips on this skeleton. */
  evaluator(options) {
    return new Evaluator(this, options);
  }
}

const LAYER = 48, // bytes
  GOAL = 64,
  ROOT = 64,
  REPORT = 20,
  MOST_LAYERS = 64,
  NONE = 0xffffffff;

function checkMost(number, most, what) {
  if (!(Number.isInteger(number) && number >= 1 && number <= most)) throw new RangeError(`${what} is from 1 to ${most}`);
}

function checkRoom({ length }, most, what) {
  if (length > most) throw new RangeError(`${length} ${what}; this evaluator was made for ${most}`);
}

// The events that a layer passes, unless it is ignored.
function eventsOf({ clip, time, weight = 1, wrap, lastTime = time }, layer) {
  const counts = clip.additive === 'none' ? weight > 0 : Math.abs(weight) > 0;
  return counts ? clip.eventsBetween(lastTime, time, wrap).map((event) => ({ layer, weight, ...event })) : [];
}

/** Samples and blends clips of one skeleton, in one call. It has the memory for it: one for each character, or one for
 *  many, one after the other. */
export class Evaluator extends Owned {
  static name = 'Evaluator';
  #skeleton;
  #named;
  #layers;
  #goals;
  #scratch;
  #scratchSize;
  #step;

  constructor(skeleton, { layers = 8, goals = 8, model = false, skinning = false } = {}) {
    checkMost(layers, MOST_LAYERS, 'layers'), checkMost(goals, 1024, 'goals');
    const { module } = skeleton;
    const scratchSize = module.call.scratch_size(skeleton.address, layers);
    const table = module.allocate(LAYER * layers + GOAL * goals + ROOT + 4 * STEP + REPORT),
      scratch = module.allocate(scratchSize);
    super(module, [table, scratch], skeleton);
    this.#skeleton = skeleton.address; // which stays while this does
    this.#named = { joints: skeleton.joints, names: skeleton.names, parents: skeleton.parents };
    this.#layers = layers;
    this.#goals = goals;
    this.#scratch = scratch;
    this.#scratchSize = scratchSize;
    this.joints = skeleton.joints;
    this.tracks = skeleton.tracks;
    this.pose = skeleton.pose();
    this.model = model ? skeleton.matrices() : undefined;
    this.skinning = skinning ? skeleton.matrices() : undefined;
    this.#step = table + LAYER * layers + GOAL * goals + ROOT;
    module.floats.set([0, 0, 0, 1, 0, 0, 0], this.#step / 4);
    this.events = [];
  }

  /** layers: { clip, time, weight = 1, wrap = 'clip', mode = 'auto', mask, trackMask, motion, lastTime = time }. Those of mode
   *  'blend' are blended. Then the others change the pose in their order: 'over' lays the clip over it, 'add' adds an additive
   *  clip. 'auto' is 'add' for an additive clip, else 'blend'. Without any layer the pose is the rest pose.
   *
   *  options: root, or { root, moveRoot, goals }. root: as of toModel, for model, skinning and goals. moveRoot: it is the place
   *  before the step. goals: { kind: 'reach', joint, target, pole, softness, weight = 1 } or { kind: 'aim', joint, axis, target,
   *  limit, weight = 1 }, reached in their order.
   *
   *  Writes `pose`, `model` and `skinning`; `step`, from the layers' last times to their times by their motion; and `events`, those
   *  that the layers passed: { layer, weight, name, time, clock }. */
  evaluate(layers, options = undefined) {
    const { module, addresses } = this.block,
      layersAt = addresses[0],
      isRoot = options?.elements !== undefined || options?.length !== undefined,
      root = isRoot ? options : options?.root,
      goals = options?.goals ?? [],
      goalsAt = layersAt + LAYER * this.#layers,
      rootAt = this.#step - ROOT,
      report = this.#step + 4 * STEP;
    checkRoom(layers, this.#layers, 'layers'), checkRoom(goals, this.#goals, 'goals');
    for (let i = 0; i < layers.length; i++) this.#writeLayer((layersAt + LAYER * i) / 4, layers[i], i);
    for (let i = 0; i < goals.length; i++) this.#writeGoal((goalsAt + GOAL * i) / 4, goals[i]);
    if (root) module.floats.set(floatsOf(root, 16, 'root'), rootAt / 4);
    const status = module.call.evaluate(
      this.#skeleton,
      layersAt,
      layers.length,
      goalsAt,
      goals.length,
      this.pose.address,
      this.model?.address ?? 0,
      this.skinning?.address ?? 0,
      root ? rootAt : 0,
      options?.moveRoot ? 1 : 0,
      this.#step,
      this.#scratch,
      this.#scratchSize,
      report,
    );
    if (status < 0) throw this.#errorOf(status, module.words.subarray(report / 4, (report + REPORT) / 4));
    this.events = layers.some(({ lastTime }) => lastTime !== undefined) ? layers.flatMap(eventsOf) : [];
    return this.pose;
  }

  /** The movement of the character in the last evaluation, as seen from where it was: { rotation, translation }. */
  get step() {
    return stepAt(this.module, this.#step);
  }

  #writeLayer(at, { clip, time, weight = 1, wrap = 'clip', mode = 'auto', mask, trackMask, motion, lastTime = time }, i) {
    const { words, floats, doubles } = this.module.views,
      block = clip instanceof Clip ? clip.block : undefined;
    if (block?.module !== this.module) throw new TypeError(`the clip of layer ${i} is not of this player`);
    checkTime(time, `the time of layer ${i}`), checkTime(lastTime, `lastTime of layer ${i}`);
    if (motion && motion.clip !== clip) throw new TypeError(`the motion of layer ${i} is not of its clip`);
    words[at] = block.addresses[0];
    doubles[at / 2 + 1] = time;
    words[at + 4] = wrapOf(wrap);
    floats[at + 5] = weight;
    words[at + 6] = mask ? addressFor(this, mask, this.joints, 'mask') : 0;
    words[at + 7] = trackMask ? addressFor(this, trackMask, this.tracks, 'trackMask') : 0;
    words[at + 8] = motion?.address ?? 0;
    words[at + 9] = numberOf(MODES, mode, 'mode');
    doubles[at / 2 + 5] = lastTime;
  }

  #writeGoal(at, goal) {
    const { words, floats } = this.module.views,
      { kind, target, weight = 1, pole, softness = 0, axis, limit = 0 } = goal,
      { joint, middle, first } = limbOf(this.#named, goal);
    words[at] = 1 + numberOf(GOALS, kind, 'kind of a goal');
    floats[at + 1] = weight;
    words.set([joint, middle, first], at + 2);
    floats.set(floatsOf(target, 3, 'target'), at + 5);
    floats.set(floatsOf(pole ?? [0, 0, 0], 3, 'pole'), at + 8);
    floats[at + 11] = softness;
    floats.set(floatsOf(axis ?? [0, 0, 0], 3, 'axis'), at + 12);
    floats[at + 15] = limit;
  }

  #errorOf(status, [, , layer, error, goal]) {
    const of = layer !== NONE ? `layer ${layer}: ` : goal !== NONE ? `goal ${goal}: ` : '';
    return new QuatsimdError(status, of + this.module.text(error));
  }

  dispose() {
    for (const part of [this.pose, this.model, this.skinning]) part?.dispose();
    super.dispose();
  }
}

/** A skeleton and its clips. */
export class Bundle extends Owned {
  static name = 'Bundle';
  #names;
  #masks;
  #skeleton;

  constructor(module, addresses) {
    super(module, addresses);
    this.length = module.call.quatsimd_bundle_clip_count(this.address);
  }

  /** Of its clips, in their order. */
  get names() {
    const { module } = this;
    return (this.#names ??= Array.from({ length: this.length }, (_, i) =>
      module.text(module.call.quatsimd_bundle_clip_name(this.address, i)),
    ));
  }

  get skeleton() {
    const { call } = this.module;
    return (this.#skeleton ??= new Skeleton(
      this.module,
      [place(this.module, call.quatsimd_skeleton_memory_size(), (...to) => call.quatsimd_bundle_open_skeleton(this.address, ...to))],
      this,
    ));
  }

  /** Opens a clip, by its name or its number. */
  clip(which) {
    const { call } = this.module;
    const number = typeof which === 'number' ? which : this.names.indexOf(which);
    if (!(Number.isInteger(number) && number >= 0 && number < this.length)) throw missing('clip', which, this.names);
    try {
      const size = call.quatsimd_bundle_clip_memory_size(this.address, number),
        clip = place(this.module, size, (...to) => call.quatsimd_bundle_open_clip(this.address, number, ...to));
      return new Clip(this.module, [clip], this);
    } catch (error) {
      error.message = `the clip ${this.names[number]}: ${error.message}`;
      throw error;
    }
  }

  /** The names of its masks. */
  get masks() {
    const { module } = this;
    return (this.#masks ??= Array.from({ length: module.call.quatsimd_bundle_mask_count(this.address) }, (_, i) =>
      module.text(module.call.quatsimd_bundle_mask_name(this.address, i)),
    ));
  }
  /** A copy of the mask of this name, for layers: { mask, trackMask }. */
  mask(name) {
    const { module, skeleton } = this;
    if (!this.masks.includes(name)) throw missing('mask', name, this.masks);
    const mask = skeleton.mask(),
      trackMask = skeleton.trackMask();
    module.withText(name, (text) => module.call.quatsimd_bundle_mask(this.address, text, mask.address, trackMask.address));
    return { mask, trackMask };
  }

  dispose() {
    this.#skeleton?.dispose();
    super.dispose();
  }
}

/** The library, in WebAssembly's memory. */
export class Player {
  static name = 'Player';
  #module;

  constructor(module) {
    this.#module = module;
  }

  openBundle(bytes) {
    return new Bundle(this.#module, open(this.#module, bytes, 'bundle'));
  }
  openSkeleton(bytes) {
    return new Skeleton(this.#module, open(this.#module, bytes, 'skeleton'));
  }
  openClip(bytes) {
    return new Clip(this.#module, open(this.#module, bytes, 'clip'));
  }
  /** A Pose for clips that are opened without a skeleton. */
  pose(joints, tracks = 0) {
    return new Pose(this.#module, joints, tracks);
  }
  /** Bytes of WebAssembly's memory, which never becomes less. */
  get memory() {
    return this.#module.call.memory.buffer.byteLength;
  }
}

/** options.simd: false takes the build without SIMD. options.wasm: the bytes of the build, where they are not beside this
 *  file. */
export async function loadPlayer(options) {
  return new Player(
    await loadModule(new URL('./player.simd.wasm', import.meta.url), new URL('./player.scalar.wasm', import.meta.url), 'evaluate', options),
  );
}
