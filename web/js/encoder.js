// Skeletons, clips and bundles, encoded.
import { QuatsimdError, loadModule } from './module.js';

export { QuatsimdError, hasSimd } from './module.js';

const KINDS = ['rotation', 'translation', 'scale'];
const INTERPOLATIONS = { LINEAR: 0, STEP: 1, CUBICSPLINE: 2 };
const ADDITIVE = { none: 0, first: 1, base: 2 };
const BOUNDS = [...KINDS, 'object', 'distance']; // a joint's
const SIZES = [4, 3, 3, 1]; // floats of a rotation, a translation, a scale, a track

// As floats, if there are as many as C reads.
function floatsOf(values, length, what) {
  if (values?.length !== length) throw new RangeError(`${what} has ${values?.length} numbers, and ${length} are needed`);
  return Float32Array.from(values);
}

// As floats for C; what is not there is 0.
function ownBounds({ joints = [], tracks = [] }, jointBounds, trackBounds) {
  const rows = jointBounds?.map((of) => BOUNDS.map((name) => of?.[name] ?? 0));
  if (rows && rows.length !== joints.length)
    throw new RangeError(`jointBounds are of ${rows.length} joints, and there are ${joints.length}`);
  return {
    joints: rows && Float32Array.from(rows.flat()),
    tracks: trackBounds && floatsOf(trackBounds, tracks.length, 'trackBounds'),
  };
}

// The memory of a call, freed when it is done.
class Arena {
  #module;
  #addresses = [];

  constructor(module) {
    this.#module = module;
  }
  keep(address) {
    if (!address) throw new QuatsimdError(-11, 'there is no memory left');
    this.#addresses.push(address);
    return address;
  }
  bytes(data) {
    return this.keep(this.#module.copy(data));
  }
  text(text) {
    if (`${text}`.includes('\0')) throw new RangeError(`a name has a zero in it: ${JSON.stringify(text)}`);
    return this.bytes(new TextEncoder().encode(`${text}\0`));
  }
  words(array) {
    return this.bytes(Uint32Array.from(array));
  }
  free() {
    for (const at of this.#addresses) this.#module.call.free(at);
  }
}

/** The library, in WebAssembly's memory. It may take seconds: call it in a worker. */
export class Encoder {
  static name = 'Encoder';
  #module;

  constructor(module) {
    this.#module = module;
  }

  // Calls an encoder, and takes what it made.
  #make(use) {
    const module = this.#module,
      { call } = module,
      arena = new Arena(module);
    try {
      const result = arena.keep(module.allocate(8));
      const status = use(arena, result, result + 4);
      if (status < 0) {
        const error = new QuatsimdError(status, module.text(call.told_error()) ?? `error ${status}`);
        throw Object.assign(error, { index: call.told_where(), key: call.told_key(), kind: [...KINDS, 'track'][call.told_kind()] });
      }
      const [data, size] = module.words.subarray(result / 4, result / 4 + 2);
      const bytes = module.bytes.slice(data, data + size);
      call.free(data);
      return bytes;
    } finally {
      arena.free();
    }
  }

  /** joints: { name, parent = -1, rotation, translation, scale, inverseBind }, parents before their children, inverseBind
   *  12 floats by rows. tracks: { name, rest = 0 }. metres: length of the unit of translations, 0 if it is not known. */
  encodeSkeleton({ joints, tracks = [], metres = 0 }) {
    const { call } = this.#module;
    return this.#make((arena, data, size) => {
      const source = arena.keep(call.skeleton_source(joints.length, tracks.length, metres));
      joints.forEach(({ name, parent = -1, rotation = [0, 0, 0, 1], translation = [0, 0, 0], scale = [1, 1, 1], inverseBind }, j) => {
        const rest = [rotation, translation, scale].map((values, kind) => floatsOf(values, SIZES[kind], `${KINDS[kind]} of joint ${name}`));
        call.skeleton_joint(
          source,
          j,
          arena.text(name),
          parent,
          arena.bytes(Float32Array.of(...rest[0], ...rest[1], ...rest[2])),
          inverseBind ? arena.bytes(floatsOf(inverseBind, 12, `inverseBind of joint ${name}`)) : 0,
        );
      });
      if (tracks.length)
        call.skeleton_tracks(
          source,
          arena.words(tracks.map(({ name }) => arena.text(name))),
          arena.bytes(Float32Array.from(tracks, ({ rest = 0 }) => rest)),
        );
      return call.encode_skeleton(data, size, source);
    });
  }

  #source(arena, { joints = [], tracks = [] }) {
    const { call } = this.#module;
    const source = arena.keep(call.clip_source(joints.length, tracks.length));
    const curve = (kind, index, { times, values, interpolation = 'LINEAR' }) => {
      if (INTERPOLATIONS[interpolation] === undefined)
        throw new TypeError(`interpolation is LINEAR, STEP or CUBICSPLINE, not ${interpolation}`);
      const numbers = times.length * SIZES[kind] * (interpolation === 'CUBICSPLINE' ? 3 : 1);
      call.clip_curve(
        source,
        kind,
        index,
        times.length,
        arena.bytes(Float64Array.from(times)),
        arena.bytes(floatsOf(values, numbers, `${[...KINDS, 'track'][kind]} ${index} of ${times.length} keys`)),
        INTERPOLATIONS[interpolation],
      );
    };
    joints.forEach((joint, j) => {
      call.clip_parent(source, j, joint.parent ?? -1);
      KINDS.forEach((name, kind) => joint[name] && curve(kind, j, joint[name]));
    });
    tracks.forEach((track, t) => track && curve(3, t, track));
    return source;
  }

  /** animation: { joints: [{ rotation, translation, scale, parent }], tracks: [] }; a curve is { times, values, interpolation },
   *  as glTF has them: times in seconds, values x, y, z, w or x, y, z of each key. A skeleton knows the parents.
   *  Bounds are of rotations (radians), translations and scales; or one for all, `object`: how far a point may be off that is
   *  `distance` from a joint. jointBounds: of each joint its own { rotation, translation, scale, object, distance }, trackBounds:
   *  of each track; what is not there is as of all. skeleton: the bytes of encodeSkeleton. `onWorst` gets the largest errors. */
  encodeClip(
    animation,
    {
      rotation = 0,
      translation = 0,
      scale = 0,
      object = 0,
      distance = 0,
      track = 0.001,
      jointBounds,
      trackBounds,
      skeleton,
      rate = 0,
      loop = false,
      additive = 'none',
      base,
      bundled = false,
      onWorst,
    } = {},
  ) {
    const module = this.#module,
      { call } = module;
    if (ADDITIVE[additive] === undefined) throw new TypeError(`additive is 'none', 'first' or 'base', not '${additive}'`);
    if (object > 0 !== distance > 0)
      throw new TypeError('a bound has both: object, how far a point may be off, and distance, how far it is from its joint');
    if (object > 0 && !skeleton && animation.joints?.length > 1 && animation.joints.every(({ parent }) => parent === undefined))
      throw new TypeError('the bound object is in model space: it needs the skeleton, or the parent of each joint');
    const own = ownBounds(animation, jointBounds, trackBounds);
    const bytes = this.#make((arena, data, size) => {
      const bounds = arena.bytes(Float32Array.of(rotation, translation, scale, object, distance, track));
      let opened = 0;
      if (skeleton) {
        const at = arena.bytes(skeleton),
          room = call.quatsimd_skeleton_memory_size(),
          memory = arena.keep(module.allocate(room));
        const status = call.quatsimd_skeleton_open(data, memory, room, at, skeleton.byteLength);
        module.check(status);
        opened = memory;
      }
      const source = this.#source(arena, animation);
      call.clip_bounds(source, own.joints ? arena.bytes(own.joints) : 0, own.tracks ? arena.bytes(own.tracks) : 0);
      return call.encode_clip(
        data,
        size,
        source,
        bounds,
        opened,
        rate,
        loop ? 1 : 0,
        ADDITIVE[additive],
        base ? this.#source(arena, base) : 0,
        bundled ? 1 : 0,
      );
    });
    if (onWorst) {
      const [r, t, s, k, o] = module.floats.subarray(call.told_worst() / 4),
        [objectShare, trackShare] = module.floats.subarray(call.told_nearest() / 4);
      onWorst({ rotation: r, translation: t, scale: s, track: k, object: o, objectShare, trackShare });
    }
    return bytes;
  }

  /** clips: { name: bytes of encodeClip }, or a Map of these, encoded with `bundled` and the skeleton. */
  encodeBundle(skeleton, clips) {
    const { call } = this.#module,
      all = clips instanceof Map ? [...clips] : Object.entries(clips);
    if (all.length === 0) throw new RangeError('there are no clips');
    return this.#make((arena, data, size) =>
      call.encode_bundle(
        data,
        size,
        arena.bytes(skeleton),
        skeleton.byteLength,
        all.length,
        arena.words(all.map(([name]) => arena.text(name))),
        arena.words(all.map(([, bytes]) => arena.bytes(bytes))),
        arena.words(all.map(([, bytes]) => bytes.byteLength)),
      ),
    );
  }
}

/** options.simd: false takes the build without SIMD. options.wasm: the bytes of the build, where they are not beside this
 *  file. */
export async function loadEncoder(options) {
  return new Encoder(
    await loadModule(
      new URL('./encoder.simd.wasm', import.meta.url),
      new URL('./encoder.scalar.wasm', import.meta.url),
      'encode_clip',
      options,
    ),
  );
}
