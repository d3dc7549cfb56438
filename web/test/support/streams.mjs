// Streams of WebAssembly whose calls are noted, so that the native library can do them again: see web/test/stream.c.
import { spawnSync } from 'node:child_process';

const NUMBERS = { ok: 0, needKey: -4, oldPacket: -5, badPacket: -6, restarted: -21 };
const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  words = (...numbers) => bytesOf(Uint32Array.from(numbers)),
  floats = (numbers) => bytesOf(Float32Array.from(numbers)),
  status = (number) => bytesOf(Int32Array.of(number)),
  session = (number) => bytesOf(BigUint64Array.of(BigInt(number)));

let seed = 1;
/** The next number from 0 to 1, the same ones in every run. */
export const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
export const below = (count) => Math.floor(random() * count);

/** Calls of streams, and what they gave. */
export class Calls {
  #calls = [];
  #results = [];
  #sides = 0;

  note(letter, side, args, ...results) {
    this.#calls.push(Uint8Array.of(letter.charCodeAt(0), side), ...args);
    this.#results.push(...results.map((each) => each.slice()));
  }

  #made(options) {
    const {
        bodyCount,
        positionCount = 0,
        trackCount = 0,
        stateCount = 64,
        receiverCount = 1,
        reliable = false,
        limit = 0,
        bounds,
        rest,
      } = options,
      numbers = [options.bound ?? 0.0043633231, options.positionBound ?? 0, options.trackBound ?? 0, ...(options.gravity ?? [0, 0, 0])];
    this.note(
      'm',
      this.#sides,
      [
        words(
          bodyCount,
          positionCount,
          stateCount,
          receiverCount,
          Number(reliable),
          limit,
          trackCount,
          Number(Boolean(bounds)),
          Number(Boolean(rest)),
        ),
        session(options.session ?? 0),
        floats([...numbers, ...(bounds ?? []), ...(rest ?? [])]),
      ],
      status(0),
    );
    return this.#sides++;
  }

  sender(streams, options) {
    const sender = streams.sender(options),
      side = this.#made(options);
    return {
      encode: (pose, time, { key = false } = {}) => {
        let replaced = 0;
        const packet = sender.encode(pose, time, { key, onReplaced: () => (replaced = 1) });
        const { rotations, positions = [], tracks = [] } = pose;
        this.note('e', side, [words(time, Number(key)), ...[rotations, positions, tracks].map(floats)], status(replaced), packet);
        return packet;
      },
      acknowledged: (bytes, receiver) => {
        const became = sender.acknowledged(bytes, receiver);
        this.note('a', side, [words(receiver, bytes.length), bytes], status(NUMBERS[became]));
        return became;
      },
      leave: (receiver) => {
        sender.leave(receiver);
        this.note('l', side, [words(receiver)], status(0));
      },
    };
  }

  receiver(streams, options) {
    const receiver = streams.receiver(options),
      side = this.#made(options);
    return {
      receiver,
      decode: (packet) => {
        const became = receiver.decode(packet),
          { rotations, positions, tracks } = receiver,
          got = became === 'ok' ? [words(receiver.time), ...[rotations, positions, tracks].map(bytesOf)] : [];
        this.note('d', side, [words(packet.length), packet], status(NUMBERS[became]), ...got);
        return became;
      },
      acknowledge: () => {
        const bytes = receiver.acknowledge();
        this.note('k', side, [], status(0), bytes);
        return bytes;
      },
      restart: (number) => {
        receiver.restart(number);
        this.note('r', side, [session(number)], status(0));
      },
    };
  }

  /** What WebAssembly gave, and what a program of the native library gives. */
  compare(program) {
    const { stdout, stderr, status: exit } = spawnSync(program, { input: Buffer.concat(this.#calls), maxBuffer: 2 ** 28 });
    if (exit !== 0) throw new Error(`${program}: ${exit}: ${stderr}`);
    return [Buffer.concat(this.#results), stdout];
  }
}

/** Bodies that turn, fall, rest, and one that jumps by kilometres: their pose at a moment, with tracks
 *  that swell, rest at 0 and at 1, and jump. */
export function bodiesAt(time, bodyCount, positionCount, trackCount = 0) {
  const rotations = new Float32Array(4 * bodyCount),
    positions = new Float32Array(3 * positionCount);
  for (let b = 0; b < bodyCount; b++) {
    const now = b % 10 === 9 ? 0 : b % 3 === 0 ? Math.min(time, 2000 + 100 * b) : time, // a third comes to rest, a tenth never moves
      angle = 0.4 * Math.sin(now * 0.0017 * (1 + b / bodyCount)) + 0.0004 * now,
      axis = [Math.sin(b + now * 0.0003), Math.cos(2 * b), 0.3],
      length = Math.hypot(...axis);
    axis.forEach((x, c) => (rotations[4 * b + c] = (x / length) * Math.sin(angle)));
    rotations[4 * b + 3] = Math.cos(angle);
    if (b >= positionCount) continue;
    const fall = (now % 900) / 1000,
      jump = b === 1 && time > 2500 ? 1e7 : 0;
    positions.set(
      [b + jump + 0.3 * Math.sin(now * 0.002), 4 - 4.9 * fall * fall, b % 3 === 0 ? 0 : 0.1 * b * Math.cos(now * 0.001)],
      3 * b,
    );
  }
  const tracks = Float32Array.from({ length: trackCount }, (_, t) =>
    t % 4 === 3 ? Number(time % 640 < 320) : Math.min(1, Math.max(0, 1.5 * Math.sin(time * 0.002 * (1 + t / trackCount) + t))),
  );
  return { rotations, positions, tracks };
}

/** The worst errors of what a receiver has: radians, units of positions, and of tracks. */
export function errorsOf(receiver, pose) {
  let turn = 0,
    way = 0;
  for (let b = 0; 4 * b < pose.rotations.length; b++) {
    const [x, y, z, w] = receiver.rotations.subarray(4 * b),
      [X, Y, Z, W] = pose.rotations.subarray(4 * b),
      off = [w * X - x * W - y * Z + z * Y, w * Y - y * W - z * X + x * Z, w * Z - z * W - x * Y + y * X],
      lengths = Math.hypot(x, y, z, w) * Math.hypot(X, Y, Z, W);
    turn = Math.max(turn, 2 * Math.asin(Math.min(1, Math.hypot(...off) / lengths)));
  }
  for (let i = 0; i < pose.positions.length; i += 3)
    way = Math.max(way, Math.hypot(...[0, 1, 2].map((c) => receiver.positions[i + c] - pose.positions[i + c])));
  const weight = Math.max(0, ...(pose.tracks ?? []).map((x, t) => Math.abs(x - receiver.tracks[t])));
  return { turn, way, weight };
}
