// Streams: rotations and positions of bodies, and tracks, in packets over a network that may lose some.
import { Owned, bytesOf, loadModule, viewOf, wholeNumber } from './module.js';

export { QuatsimdError, hasSimd } from './module.js';

// What may become of a packet or an acknowledgement, whoever made it. All else is an error.
const STATUSES = { 0: 'ok', [-4]: 'needKey', [-5]: 'oldPacket', [-6]: 'badPacket', [-21]: 'restarted' },
  ACKNOWLEDGEMENT_SIZE = 12;

// Where members of a side are, in words: see web/src/stream.c. Those of KINDS come first.
const KINDS = ['rotations', 'positions', 'tracks'],
  ACKNOWLEDGEMENT = 4,
  PACKET = 5,
  ROOM = 6,
  WRITTEN = 7,
  TIME = 8;

function within(number, least, most, name) {
  const float = typeof number === 'number' ? Math.fround(number) : NaN;
  if (!(float >= Math.fround(least) && float <= most)) throw new RangeError(`${name} is a number from ${least} to ${most}, not ${number}`);
}
function wholeWithin(number, least, most, name) {
  if (!(Number.isInteger(number) && number >= least && number <= most))
    throw new RangeError(`${name} is a whole number from ${least} to ${most}, not ${number}`);
  return number;
}
function several(numbers, count, name) {
  if (typeof numbers !== 'object' || numbers?.length !== count)
    throw new RangeError(`${name} has ${numbers?.length} numbers, and ${count} are needed`);
  return numbers;
}
function sessionOf(number) {
  if (typeof number === 'bigint' ? BigInt.asUintN(64, number) !== number : !Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`session is a whole number below 2^53 or a BigInt below 2^64, not ${number}`);
  return BigInt(number);
}

// Checks the options, because quatsimd_stream_init does not say which one is wrong.
function checked(options) {
  const {
    bodyCount,
    bound = 0.0043633231, // a quarter of a degree
    bounds,
    rest,
    positionCount = 0,
    positionBound,
    gravity,
    trackCount = 0,
    trackBound,
    stateCount = 64,
    receiverCount = 1,
    reliable = false,
    limit = 0,
    session = 0,
    ...unknown
  } = options ?? {};
  for (const name of Object.keys(unknown)) throw new TypeError(`there is no option ${name}`);
  wholeWithin(bodyCount, 1, 2 ** 24, 'bodyCount'), within(bound, 1e-5, 1, 'bound');
  wholeWithin(positionCount, 0, bodyCount, 'positionCount');
  if (positionCount > 0) within(positionBound, 2 ** -40, 2 ** 40, 'positionBound');
  wholeWithin(trackCount, 0, 2 ** 24, 'trackCount');
  if (trackCount > 0) within(trackBound, 2 ** -40, 2 ** 40, 'trackBound');
  if (![16, 32, 64, 128, 256].includes(stateCount)) throw new RangeError(`stateCount is 16, 32, 64, 128 or 256, not ${stateCount}`);
  wholeWithin(receiverCount, 1, 65536, 'receiverCount'), wholeNumber(limit, 'limit');
  const numbers = new Float32Array(3 + (bounds ? 5 * bodyCount : 0));
  if (gravity) numbers.set(several(gravity, 3, 'gravity'));
  if (bounds) numbers.set(several(bounds, bodyCount, 'bounds'), 3);
  if (bounds && rest) numbers.set(several(rest, 4 * bodyCount, 'rest'), 3 + bodyCount);
  for (let i = 0; i < 3; i++) within(numbers[i], -(2 ** 40), 2 ** 40, `gravity[${i}]`);
  for (let b = 0; bounds && b < bodyCount; b++) {
    if (bounds[b] !== 0) within(bounds[b], 1e-5, 1, `bounds[${b}], if it is not 0,`);
    else if (rest)
      within(Math.hypot(...numbers.subarray(3 + bodyCount + 4 * b).subarray(0, 4)), 2 ** -32, 2 ** 32, `the length of rest ${b}`);
  }
  return {
    counts: [4 * bodyCount, 3 * positionCount, trackCount],
    receiverCount,
    numbers,
    boundsAt: bounds ? 12 : 0,
    restAt: bounds && rest ? 12 + 4 * bodyCount : 0,
    limit,
    session: sessionOf(session),
    others: [bodyCount, bound, positionCount, positionBound, trackCount, trackBound, stateCount, receiverCount, Boolean(reliable)],
  };
}

// Addresses of a side, and of gravity, bounds and rest, which it reads when it restarts.
function open(module, { numbers, boundsAt, restAt, limit, session, others }) {
  const { call } = module,
    at = module.copy(numbers),
    make = (most) => call.make(at, boundsAt && at + boundsAt, restAt && at + restAt, most, session, ...others),
    side = make(limit),
    unlimited = side || make(0);
  if (side) return [side, at];
  call.free(at), call.free(unlimited);
  if (unlimited) throw new RangeError(`limit is too small for a key packet: ${limit}`);
  return module.check(-11);
}

// A sender or a receiver.
class Side extends Owned {
  static name = 'Side';
  #views = [];
  #counts;
  #session;

  constructor(module, options) {
    super(module, open(module, options));
    this.#counts = options.counts;
    this.#session = options.session;
  }

  /** A member of the side in C. */
  word(place) {
    return this.module.words[this.address / 4 + place];
  }

  /** A view of what is of a kind. */
  view(kind) {
    const { floats } = this.module,
      start = this.word(1 + kind) / 4;
    if (this.#views[kind]?.buffer !== floats.buffer) this.#views[kind] = viewOf(this, floats.subarray(start, start + this.#counts[kind]));
    return this.#views[kind];
  }
  get rotations() {
    return this.view(0);
  }
  get positions() {
    return this.view(1);
  }
  get tracks() {
    return this.view(2);
  }

  /** Begins anew, as a stream that was just made. Without a session it keeps its own. */
  restart(session = this.#session) {
    this.#session = sessionOf(session);
    this.module.check(this.module.call.restart(this.address, this.#session));
  }

  /** The name of a status. */
  statusOf(status) {
    return STATUSES[status] ?? this.module.check(status);
  }
}

export class StreamSender extends Side {
  static name = 'StreamSender';
  #receiverCount;

  constructor(module, options) {
    super(module, options);
    this.#receiverCount = options.receiverCount;
  }

  encode(pose, time, { key = false, onReplaced } = {}) {
    const { module } = this;
    if (!Number.isFinite(time)) throw new RangeError(`time is a number, not ${time}`);
    KINDS.forEach((name, kind) => this.view(kind).set(several(pose[name] ?? [], this.view(kind).length, name)));
    if (module.check(module.call.encode(this.address, time, Boolean(key))) > 0) onReplaced?.();
    const at = this.word(PACKET);
    return module.bytes.slice(at, at + this.word(WRITTEN));
  }

  #check(receiver) {
    return wholeWithin(receiver, 0, this.#receiverCount - 1, 'receiver');
  }

  acknowledged(acknowledgement, receiver = 0) {
    const bytes = bytesOf(acknowledgement);
    this.#check(receiver);
    if (bytes.length !== ACKNOWLEDGEMENT_SIZE) return 'badPacket';
    this.module.bytes.set(bytes, this.word(ACKNOWLEDGEMENT));
    return this.statusOf(this.module.call.acknowledged(this.address, receiver));
  }

  leave(receiver = 0) {
    this.module.check(this.module.call.leave(this.address, this.#check(receiver)));
  }
}

export class StreamReceiver extends Side {
  static name = 'StreamReceiver';

  decode(packet) {
    const bytes = bytesOf(packet);
    if (bytes.length > this.word(ROOM)) return 'badPacket'; // as C says of so long a packet
    this.module.bytes.set(bytes, this.word(PACKET));
    return this.statusOf(this.module.call.decode(this.address, bytes.length));
  }

  get time() {
    return this.word(TIME);
  }

  acknowledge() {
    const at = this.word(ACKNOWLEDGEMENT);
    this.module.check(this.module.call.acknowledge(this.address));
    return this.module.bytes.slice(at, at + ACKNOWLEDGEMENT_SIZE);
  }
}

/** The library, in WebAssembly's memory. */
export class Streams {
  static name = 'Streams';
  #module;

  constructor(module) {
    this.#module = module;
  }

  sender(options) {
    return new StreamSender(this.#module, checked(options));
  }
  receiver(options) {
    return new StreamReceiver(this.#module, { ...checked(options), limit: 0 });
  }
  /** Bytes of WebAssembly's memory, which never becomes less. */
  get memory() {
    return this.#module.call.memory.buffer.byteLength;
  }
}

/** options.simd: false takes the build without SIMD. options.wasm: the bytes of the build, where they are not beside this
 *  file. */
export async function loadStreams(options) {
  return new Streams(
    await loadModule(
      new URL('./stream.simd.wasm', import.meta.url),
      new URL('./stream.scalar.wasm', import.meta.url),
      'acknowledged',
      options,
    ),
  );
}
