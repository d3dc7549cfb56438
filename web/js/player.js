// Clips, skeletons and bundles, opened and played.
import { Owned, QuatsimdError, bytesOf, headOf, loadModule, wholeNumber } from './module.js';

export { QuatsimdError, hasSimd } from './module.js';

const WRAPS = { clip: 0, clamp: 1, loop: 2 };
const ADDITIVE = ['none', 'first', 'base'];

function wrapOf(name) {
  const wrap = WRAPS[name];
  if (wrap === undefined) throw new TypeError(`wrap is 'clip', 'clamp' or 'loop', not '${name}'`);
  return wrap;
}

// Views keep the owner of their memory alive.
const viewOf = (owner, view) => Object.defineProperty(view, 'owner', { value: owner });

/** Floats in WebAssembly's memory. `values` is a view of them. When memory grows, old views lose their elements: read `values`
 *  again after each call that may make something. */
class Floats extends Owned {
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

export class Clip extends Owned {
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
}

function matrixOf(root) {
  if (root.length !== 16) throw new RangeError(`root is a matrix of 16 floats, not ${root.length}`);
  return Float32Array.from(root);
}

export class Skeleton extends Owned {
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

  /** Factors of a layer's weight, one for each joint: all 1 at first. Change `values`. */
  mask() {
    return this.#ones(this.joints);
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
  /** Writes the matrices of a pose. root: of what the skeleton hangs on, 16 floats; without it the identity. */
  toModel(matrices, pose, root = undefined) {
    const { module } = this,
      to = addressFor(this, matrices, 16 * this.joints, 'matrices');
    const from = addressFor(this, pose, 10 * this.joints + this.tracks, 'the pose'),
      at = root ? module.copy(matrixOf(root)) : 0;
    const status = module.call.to_model(this.address, to, from, at);
    if (at) module.call.free(at);
    module.check(status);
    return matrices;
  }

  /** An Evaluator, which plays layers of clips on this skeleton. */
  evaluator(options) {
    return new Evaluator(this, options);
  }
}

const LAYER_WORDS = 8,
  MOST_LAYERS = 64,
  ROOT = 16;

/** Samples and blends clips of one skeleton, in one call. It has the memory for it: one for each character, or one for
 *  many, one after the other. */
export class Evaluator extends Owned {
  #skeleton;
  #layers;
  #scratch;
  #scratchSize;

  constructor(skeleton, { layers = 8, model = false, skinning = false } = {}) {
    if (!(Number.isInteger(layers) && layers >= 1 && layers <= MOST_LAYERS)) throw new RangeError(`layers is from 1 to ${MOST_LAYERS}`);
    const { module } = skeleton;
    const scratchSize = module.call.scratch_size(skeleton.address, layers);
    const table = module.allocate(4 * (LAYER_WORDS * layers + ROOT)),
      scratch = module.allocate(scratchSize);
    super(module, [table, scratch], skeleton);
    this.#skeleton = skeleton.address; // which stays while this does
    this.#layers = layers;
    this.#scratch = scratch;
    this.#scratchSize = scratchSize;
    this.joints = skeleton.joints;
    this.tracks = skeleton.tracks;
    this.pose = skeleton.pose();
    this.model = model ? skeleton.matrices() : undefined;
    this.skinning = skinning ? skeleton.matrices() : undefined;
  }

  /** layers: { clip, time, weight = 1, wrap = 'clip', mask, trackMask }. Those that are not additive are blended, and the
   *  additive ones are put on that. Without any the pose is the rest pose. root: as of toModel, for model and skinning. */
  evaluate(layers, root = undefined) {
    if (layers.length > this.#layers) throw new RangeError(`${layers.length} layers; this evaluator was made for ${this.#layers}`);
    const { module, address } = this,
      rootAt = address + 4 * LAYER_WORDS * this.#layers;
    const { words, floats, doubles } = module;
    layers.forEach(({ clip, time, weight = 1, wrap = 'clip', mask, trackMask }, i) => {
      if (!(clip instanceof Clip) || clip.module !== module) throw new TypeError(`the clip of layer ${i} is not of this player`);
      checkTime(time, `the time of layer ${i}`);
      const at = address / 4 + LAYER_WORDS * i;
      doubles[at / 2] = time;
      words[at + 2] = clip.address;
      words[at + 3] = wrapOf(wrap);
      floats[at + 4] = weight;
      words[at + 5] = mask ? addressFor(this, mask, this.joints, 'mask') : 0;
      words[at + 6] = trackMask ? addressFor(this, trackMask, this.tracks, 'trackMask') : 0;
    });
    if (root) floats.set(matrixOf(root), rootAt / 4);
    module.check(
      module.call.evaluate(
        this.#skeleton,
        address,
        layers.length,
        this.pose.address,
        this.model?.address ?? 0,
        this.skinning?.address ?? 0,
        root ? rootAt : 0,
        this.#scratch,
        this.#scratchSize,
      ),
    );
    return this.pose;
  }

  dispose() {
    for (const part of [this.pose, this.model, this.skinning]) part?.dispose();
    super.dispose();
  }
}

/** A skeleton and its clips. */
export class Bundle extends Owned {
  #names;
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
    if (!(Number.isInteger(number) && number >= 0 && number < this.length)) throw new RangeError(`there is no clip ${which} in the bundle`);
    return new Clip(
      this.module,
      [
        place(this.module, call.quatsimd_bundle_clip_memory_size(this.address, number), (...to) =>
          call.quatsimd_bundle_open_clip(this.address, number, ...to),
        ),
      ],
      this,
    );
  }

  dispose() {
    this.#skeleton?.dispose();
    super.dispose();
  }
}

/** The library, in WebAssembly's memory. */
export class Player {
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
