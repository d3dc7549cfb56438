// Rotations, packed in any format of the library.
import { loadModule } from './module.js';

export { QuatsimdError, hasSimd } from './module.js';

/** The library, in WebAssembly's memory. Arrays of rotations are Float32Array, x, y, z, w each. */
export class Codec {
  #module; #formats;

  constructor(module) {
    this.#module = module;
    const { call } = module;
    this.#formats = new Map();
    for (let i = 0, format; (format = call.format_at(i)) >= 0; i++)
      this.#formats.set(module.text(call.format_name(format)), { number: format, bits: call.format_bits(format) });
  }

  /** Names of all formats, with bits of a rotation: [['cube32', 32], ...]. */
  get formats() {
    return [...this.#formats].map(([name, { bits }]) => [name, bits]);
  }

  #format(name) {
    const format = this.#formats.get(name);
    if (!format) throw new RangeError(`there is no format '${name}'`);
    return format.number;
  }

  /** Bytes of so many packed rotations. */
  size(format, count) {
    return this.#module.call.quatsimd_packed_size(this.#format(format), count);
  }

  /** Packs rotations of any length from 2^-32 to 2^32. Invalid ones become the identity; `onReplaced`, a function, is
   *  called then. */
  pack(format, rotations, onReplaced = undefined) {
    const number = this.#format(format), module = this.#module, { call } = module;
    if (!(rotations instanceof Float32Array) || rotations.length % 4) throw new TypeError('rotations are a Float32Array, four floats each');
    const count = rotations.length / 4, size = call.quatsimd_packed_size(number, count);
    const from = module.copy(rotations), to = module.allocate(size);
    try {
      if (module.check(call.pack(number, to, size, from, count)) > 0) onReplaced?.();
      return module.bytes.slice(to, to + size);
    } finally {
      call.free(to), call.free(from);
    }
  }

  /** Unpacks `count` rotations from number `first` on; without a count as many as there are whole ones. */
  unpack(format, packed, count = undefined, first = 0) {
    const number = this.#format(format), module = this.#module, { call } = module;
    const wanted = count ?? Math.floor((8 * packed.byteLength) / this.#formats.get(format).bits) - first;
    const from = module.copy(packed), to = module.allocate(16 * wanted);
    try {
      module.check(call.unpack(number, to, from, packed.byteLength, first, wanted));
      return module.floats.slice(to / 4, to / 4 + 4 * wanted);
    } finally {
      call.free(to), call.free(from);
    }
  }
}

/** options.simd: false takes the build without SIMD. options.wasm: the bytes of the build, where they are not beside this
 *  file. */
export async function loadCodec(options) {
  return new Codec(await loadModule(new URL('./codec.simd.wasm', import.meta.url), new URL('./codec.scalar.wasm', import.meta.url), options));
}
