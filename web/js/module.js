// WebAssembly of a part of the library: how it is loaded, its memory, and what is in that.

/** An error that the library reports. `status` is its number in quatsimd/status.h. */
export class QuatsimdError extends Error {
  static name = 'QuatsimdError'; // minified builds keep it, as that of each class here
  constructor(status, message) {
    super(message);
    this.name = 'QuatsimdError';
    this.status = status;
  }
}

const MESSAGES = {
  [-3]: 'an argument is wrong',
  [-7]: 'these bytes are no clip',
  [-8]: 'the clip is damaged',
  [-9]: 'made by a later version of the library',
  [-10]: 'a key cannot be encoded',
  [-11]: 'there is no memory left',
  [-12]: 'these bytes are no skeleton',
  [-13]: 'the skeleton is damaged',
  [-14]: 'a joint cannot be encoded',
  [-15]: 'these bytes are no bundle',
  [-16]: 'the bundle is damaged',
  [-17]: 'a clip that the bundle cannot have',
  [-18]: 'a clip of another skeleton',
  [-19]: 'there is no such clip',
  [-1]: 'there is no such format',
  [-2]: 'the bytes are too few',
};

// A function that makes a vector.
const PROBE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** Whether this browser has WebAssembly's SIMD. */
export const hasSimd = () => WebAssembly.validate(PROBE);

const FILES = 'node:fs/promises'; // a variable: bundlers for browsers look for no module then

async function read(url) {
  if (url.protocol === 'file:') {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ FILES);
    return readFile(url);
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

// The library asks the system for nothing: emscripten's C library would for the environment, which then has nothing.
const NOTHING = new Proxy({}, { get: () => () => 52 /* wasi's ENOSYS */ });

const MAGIC = '\0asm';

/** simd, scalar: addresses of the two builds. has: a function of theirs. options.simd: false takes the build without SIMD.
 *  options.wasm: the bytes, or a compiled WebAssembly.Module, from elsewhere. imports: functions that the part has of JavaScript. */
export async function loadModule(simd, scalar, has, options = {}, imports = {}) {
  const url = (options.simd ?? hasSimd()) ? simd : scalar;
  const source = options.wasm ?? (await read(url));
  if (!(source instanceof WebAssembly.Module) && headOf(bytesOf(source), 4) !== MAGIC)
    throw new TypeError(
      `${options.wasm ? 'options.wasm' : url} is not WebAssembly: it begins with "${headOf(bytesOf(source), 15)}". A bundler may have moved this module away from its .wasm files`,
    );
  const all = { env: NOTHING, wasi_snapshot_preview1: NOTHING, ...imports };
  const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  if (!WebAssembly.Module.exports(compiled).some(({ name }) => name === has))
    throw new TypeError(`${options.wasm ? 'options.wasm' : url} is another part of the library`);
  return new Module(await WebAssembly.instantiate(compiled, all), () => new WebAssembly.Instance(compiled, all));
}

/** The bytes of an array of numbers, a DataView or an ArrayBuffer. */
export function bytesOf(data) {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer || Object.prototype.toString.call(data) === '[object ArrayBuffer]') return new Uint8Array(data);
  throw new TypeError(`bytes are an ArrayBuffer, or an array of it such as Uint8Array, not ${Object.prototype.toString.call(data)}`);
}

/** The first characters of some bytes. */
export const headOf = (bytes, length) => String.fromCharCode(...bytes.subarray(0, length));

/** A whole number from 0 on that WebAssembly can have. */
export function wholeNumber(number, name) {
  if (!(Number.isInteger(number) && number >= 0 && number < 2 ** 32))
    throw new RangeError(`${name} is a whole number below 2^32, not ${number}`);
  return number;
}

const decoder = new TextDecoder(),
  encoder = new TextEncoder();

export class Module {
  #views = {};
  #again;

  /** again: makes such an instance. */
  constructor(instance, again) {
    this.call = instance.exports;
    this.#again = again;
    this.call._initialize?.();
  }

  /** The same code, with memory of its own. */
  again() {
    return new Module(this.#again(), this.#again);
  }

  /** Arrays of all memory: { bytes, words, floats, doubles }. Memory that grows is another buffer: arrays of the one before have no
   *  elements. */
  get views() {
    const { buffer } = this.call.memory;
    if (buffer !== this.#views.buffer)
      this.#views = {
        buffer,
        bytes: new Uint8Array(buffer),
        words: new Uint32Array(buffer),
        floats: new Float32Array(buffer),
        doubles: new Float64Array(buffer),
      };
    return this.#views;
  }
  get bytes() {
    return this.views.bytes;
  }
  get words() {
    return this.views.words;
  }
  get floats() {
    return this.views.floats;
  }
  get doubles() {
    return this.views.doubles;
  }

  allocate(size) {
    const at = size < 2 ** 32 && this.call.malloc(Math.max(size, 1));
    if (!at) throw new QuatsimdError(-11, MESSAGES[-11]);
    return at;
  }

  /** A copy of bytes, see bytesOf. */
  copy(data) {
    const bytes = bytesOf(data);
    const at = this.allocate(bytes.length);
    this.bytes.set(bytes, at);
    return at;
  }

  text(at) {
    const { bytes } = this;
    return at ? decoder.decode(bytes.subarray(at, bytes.indexOf(0, at))) : undefined;
  }

  /** Calls a function with the address of a text, and frees that. */
  withText(text, use) {
    const at = this.copy(encoder.encode(`${text}\0`));
    try {
      return use(at);
    } finally {
      this.call.free(at);
    }
  }

  check(status) {
    if (status < 0) throw new QuatsimdError(status, MESSAGES[status] ?? `error ${status}`);
    return status;
  }
}

function release(block) {
  block.users -= 1;
  if (block.users > 0) return;
  for (const at of block.addresses) block.module.call.free(at);
  if (block.parent) release(block.parent);
}
const forgotten = new FinalizationRegistry(release);

/** A view that keeps the owner of its memory alive. */
export const viewOf = (owner, view) => Object.defineProperty(view, 'owner', { value: owner });

/** Something in WebAssembly's memory. It goes when dispose() is called, or when nothing refers to it any more. Its
 *  parent stays as long as it does. */
export class Owned {
  #block;

  /** addresses: what to free, of which the first is the thing itself. */
  constructor(module, addresses, parent) {
    const block = { module, addresses, users: 1, parent: parent?.block };
    if (block.parent) block.parent.users += 1;
    this.#block = block;
    forgotten.register(this, block, this);
  }

  get block() {
    if (!this.#block) throw new Error(`this ${this.constructor.name} was disposed`);
    return this.#block;
  }
  get module() {
    return this.block.module;
  }
  get address() {
    return this.block.addresses[0];
  }

  dispose() {
    if (!this.#block) return;
    forgotten.unregister(this);
    release(this.#block);
    this.#block = undefined;
  }
}
