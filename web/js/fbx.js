// Skeletons and animations of FBX files, by the command's reader.
import { QuatsimdError, bytesOf, loadModule } from './module.js';

export { QuatsimdError, hasSimd } from './module.js';

const KINDS = ['rotation', 'translation', 'scale'];
const INTERPOLATIONS = ['LINEAR', 'STEP', 'CUBICSPLINE'];
const SIZES = [4, 3, 3, 1]; // floats of a rotation, a translation, a scale, a track
const KEPT = 2 ** 26; // bytes: memory that grew beyond them goes after a read, because it cannot shrink

const each = (count, make) => Array.from({ length: count }, (_, i) => make(i));

// The scene that a module has read, copied out of its memory.
class Scene {
  constructor(module) {
    this.module = module;
    this.call = module.call;
  }

  // Addresses from 2^31 on are negative in JavaScript.
  text(at) {
    return this.module.text(at >>> 0);
  }
  floats(at, count) {
    const from = (at >>> 0) / 4;
    return this.module.floats.slice(from, from + count);
  }
  doubles(at, count) {
    const from = (at >>> 0) / 8;
    return this.module.doubles.slice(from, from + count);
  }

  messages() {
    return each(this.call.message_count(), (i) => this.text(this.call.message(i)));
  }

  joint(node) {
    const { call } = this,
      bind = call.node_inverse_bind(node);
    const [rotation, translation, scale] = KINDS.map((_, kind) => this.floats(call.node_rest(node, kind), SIZES[kind]));
    const joint = { name: this.text(call.node_name(node)), parent: call.node_parent(node), rotation, translation, scale };
    return bind ? { ...joint, inverseBind: this.floats(bind, 12) } : joint;
  }

  track(number) {
    return { name: this.text(this.call.track_name(number)), rest: this.call.track_rest(number) };
  }

  curve(kind, at) {
    const { call } = this,
      keys = call.curve_keys(at),
      interpolation = INTERPOLATIONS[call.curve_interpolation(at)],
      numbers = keys * SIZES[kind] * (interpolation === 'CUBICSPLINE' ? 3 : 1);
    return { times: this.doubles(call.curve_times(at), keys), values: this.floats(call.curve_values(at), numbers), interpolation };
  }

  animation(number) {
    const { call } = this,
      joints = each(call.node_count(), () => ({}));
    for (let channel = 0; channel < call.channel_count(number); channel++)
      KINDS.forEach((name, kind) => {
        const at = call.channel_curve(number, channel, kind);
        if (at) joints[call.channel_node(number, channel)][name] = this.curve(kind, at);
      });
    const tracks = each(call.track_count(), (track) => {
      const at = call.track_curve(number, track);
      return at ? this.curve(3, at) : undefined;
    });
    return { name: this.text(call.animation_name(number)), joints, tracks };
  }

  all() {
    const { call } = this;
    return {
      skeleton: {
        joints: each(call.node_count(), (node) => this.joint(node)),
        tracks: each(call.track_count(), (track) => this.track(track)),
        metres: call.metres(),
      },
      animations: each(call.animation_count(), (animation) => this.animation(animation)),
      messages: this.messages(),
    };
  }
}

/** The reader, in WebAssembly's memory. It may take seconds: call it in a worker. */
export class Fbx {
  static name = 'Fbx';
  #module;
  #idle; // whether the module can read: none that has failed can
  #clock;
  #limits;

  constructor(module, clock, limits) {
    this.#module = module;
    this.#idle = true;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Bytes of memory that the reader has between reads. */
  get memory() {
    return this.#idle ? this.#module.call.memory.buffer.byteLength : 0;
  }

  /** The skeleton and the animations of a file's bytes, as Encoder takes them; every node is a joint. messages: sentences of what
   *  is left out. */
  read(bytes) {
    const source = bytesOf(bytes);
    if (!this.#idle) this.#module = this.#module.again();
    this.#idle = false;
    const module = this.#module,
      { call } = module,
      at = module.copy(source),
      { memory, seconds } = this.#limits;
    this.#clock.start = performance.now();
    let result;
    let failed;
    try {
      const scene = new Scene(module);
      if (call.read_fbx(at, source.length, memory, seconds)) result = scene.all();
      else failed = `the file ${scene.messages().at(-1)}`;
    } catch (cause) {
      if (!(cause instanceof WebAssembly.RuntimeError)) throw cause;
      if (call.is_without_memory()) throw new QuatsimdError(-11, 'the file takes more memory than there is');
      throw new Error(`the file breaks the reader: ${cause.message}`, { cause });
    }
    call.close_fbx();
    call.free(at);
    this.#idle = call.memory.buffer.byteLength <= KEPT;
    if (!result) throw new Error(failed);
    return result;
  }
}

/** options.simd, options.wasm: as of loadEncoder. options.memory: how many bytes a file may take, 0 for any number.
 *  options.seconds: how long reading may take, 0 for any time. */
export async function loadFbx({ memory = 2 ** 30, seconds = 300, ...options } = {}) {
  for (const [name, limit] of Object.entries({ memory, seconds }))
    if (!(limit >= 0)) throw new RangeError(`${name} is a number from 0 on, not ${limit}`);
  const clock = { start: 0 };
  const module = await loadModule(
    new URL('./fbx.simd.wasm', import.meta.url),
    new URL('./fbx.scalar.wasm', import.meta.url),
    'read_fbx',
    options,
    { clock: { seconds: () => (performance.now() - clock.start) / 1000 } },
  );
  return new Fbx(module, clock, { memory, seconds });
}
