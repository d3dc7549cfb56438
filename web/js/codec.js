// Rotations, packed in any format of the library.
import { loadModule, wholeNumber } from './module.js';

export { QuatsimdError, hasSimd } from './module.js';

/** The library, in WebAssembly's memory. Arrays of rotations are Float32Array, x, y, z, w each. */
export class Codec {
  static name = 'Codec';
  #module;
  #formats;

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
    const size = this.#module.call.quatsimd_packed_size(this.#format(format), wholeNumber(count, 'count')) >>> 0;
    if (count > 0 && size === 0) throw new RangeError(`${count} rotations have more bytes than WebAssembly's memory`);
    return size;
  }

  /** Packs rotations of any length from 2^-32 to 2^32. Invalid ones become the identity; `onReplaced`, a function, is
   *  called then. */
  pack(format, rotations, onReplaced = undefined) {
    const number = this.#format(format),
      module = this.#module,
      { call } = module;
    if (!(rotations instanceof Float32Array) || rotations.length % 4) throw new TypeError('rotations are a Float32Array, four floats each');
    const count = rotations.length / 4,
      size = this.size(format, count),
      from = module.copy(rotations);
    let to = 0;
    try {
      to = module.allocate(size);
      if (module.check(call.pack(number, to, size, from, count)) > 0) onReplaced?.();
      return module.bytes.slice(to, to + size);
    } finally {
      call.free(to), call.free(from);
    }
  }

  /** Unpacks `count` rotations from number `first` on; without a count as many as there are whole ones. */
  unpack(format, packed, count = undefined, first = 0) {
    const number = this.#format(format),
      module = this.#module,
      { call } = module;
    const whole = Math.floor((8 * packed.byteLength) / this.#formats.get(format).bits),
      wanted = count ?? Math.max(whole - first, 0);
    wholeNumber(wanted, 'count'), wholeNumber(first, 'first');
    const from = module.copy(packed);
    let to = 0;
    try {
      to = module.allocate(16 * wanted);
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
  return new Codec(
    await loadModule(new URL('./codec.simd.wasm', import.meta.url), new URL('./codec.scalar.wasm', import.meta.url), 'format_at', options),
  );
}
