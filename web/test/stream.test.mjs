// Streams of the npm package in Node.js: the bits of the native library, whatever a network does and whatever bytes arrive.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_STREAM=web_stream node --expose-gc --test stream.test.mjs
// QUATSIMD_STREAM: the program of stream.c.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Calls, below, bodiesAt, errorsOf, random } from './support/streams.mjs';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_STREAM: program } = process.env;
const { QuatsimdError, loadStreams } = await import(pathToFileURL(join(folder, 'stream.js')));
const BUILDS = [{ simd: true }, { simd: false }],
  [streams, scalar] = await Promise.all(BUILDS.map(loadStreams));

test('streams are small', () => {
  for (const build of ['simd', 'scalar']) {
    const files = [`stream.${build}.wasm`, 'stream.js', 'module.js'],
      size = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0);
    assert.ok(size <= 24000, `${files.join(' and ')}: ${size} bytes`);
  }
});

// ---- the bits of C

// Bytes that a network or an attacker made of others.
function spoilt(bytes) {
  const other = below(8) === 0 ? Uint8Array.from({ length: below(3 * bytes.length) }, () => below(256)) : bytes.slice();
  if (below(3) === 0) return other.subarray(0, below(other.length + 1));
  if (below(5) === 0) return Uint8Array.of(...other, ...other.subarray(0, 1 + below(other.length)));
  for (let i = 0; i <= below(3); i++) other[below(other.length)] ^= 1 << below(8);
  return other;
}

// A sender and receivers, and a network that loses, delays, reorders, repeats and damages. Gives how often each status came, and the worst
// errors of rotations, positions and tracks.
function play(streams, calls, options, { frames, lost, spoils = 0 }) {
  const sender = calls.sender(streams, options),
    receivers = Array.from({ length: options.receiverCount ?? 1 }, () => calls.receiver(streams, { ...options, limit: 0 })),
    poses = new Map(),
    forth = [],
    back = [],
    counts = { all: 0, turn: 0, way: 0, weight: 0 };
  const sent = (road, now, parcel) => {
      if (random() >= lost) road.push({ ...parcel, due: now + (options.reliable ? 0 : 3 + below(4)) });
      if (below(50) === 0 && !options.reliable) road.push({ ...parcel, due: now + 3 + below(30) });
    },
    arrived = (road, now) => road.filter(({ due }) => due === now);
  for (let f = 0; f < frames; f++) {
    const time = 16 * f + (f >= 150 ? -1000 : 0), // a clock that goes back
      pose = bodiesAt(16 * f, options.bodyCount, options.positionCount ?? 0, options.trackCount);
    if (f === 99) (pose.rotations[2] = NaN), pose.positions.fill(Infinity, 0, 1), pose.tracks.fill(NaN, 2, 3);
    poses.set(time >>> 0, pose);
    const packet = sender.encode(pose, time, { key: f === 120 });
    if (options.limit) assert.ok(packet.length <= options.limit);
    receivers.forEach((_, to) => sent(forth, f, { packet, to }));
    for (const { packet, to } of arrived(forth, f)) {
      counts.all++;
      const { receiver, decode, acknowledge } = receivers[to];
      while (random() < spoils) counts[`spoilt: ${decode(spoilt(packet))}`] = true;
      const status = decode(packet);
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === 'ok' && f < 95) {
        for (const [kind, error] of Object.entries(errorsOf(receiver, poses.get(receiver.time))))
          counts[kind] = Math.max(counts[kind], error);
      }
      sent(back, f, { bytes: acknowledge(), to });
    }
    for (const { bytes, to } of arrived(back, f)) {
      if (random() < spoils) sender.acknowledged(spoilt(bytes), to);
      sender.acknowledged(bytes, to);
    }
    if (f === 60 && receivers.length > 1) sender.leave(1);
    if (f === 180 && !options.reliable) receivers[0].restart(options.session ?? 0);
  }
  return counts;
}

const BOUNDS = Array.from({ length: 40 }, (_, b) => (b % 10 === 9 ? 0 : 0.002 + 0.0001 * b));
for (const [title, options, network] of [
  ['rotations alone, a packet in five lost', { bodyCount: 31, session: 7 }, { frames: 300, lost: 0.2 }],
  [
    'positions, gravity and three receivers',
    {
      bodyCount: 20,
      positionCount: 12,
      positionBound: 0.001,
      gravity: [0, -9.8e-6, 0],
      receiverCount: 3,
      stateCount: 32,
      session: 2n ** 63n,
    },
    { frames: 250, lost: 0.05 },
  ],
  ['a limit', { bodyCount: 150, positionCount: 150, positionBound: 0.001, limit: 300 }, { frames: 220, lost: 0.05 }],
  [
    'bounds of bodies, hostile bytes',
    { bodyCount: 40, bounds: BOUNDS, positionCount: 3, positionBound: 0.01 },
    { frames: 300, lost: 0.1, spoils: 0.6 },
  ],
  ['bounds and rotations at rest', { bodyCount: 40, bounds: BOUNDS, rest: bodiesAt(0, 40, 0).rotations }, { frames: 100, lost: 0.1 }],
  [
    'tracks',
    { bodyCount: 3, positionCount: 1, positionBound: 0.001, trackCount: 52, trackBound: 0.01 },
    { frames: 300, lost: 0.2, spoils: 0.2 },
  ],
  ['no loss, and nobody acknowledges', { bodyCount: 5, reliable: true, stateCount: 16 }, { frames: 200, lost: 0 }],
])
  for (const each of [streams, scalar])
    test(`bits of the native library: ${title}${each === scalar ? ', without SIMD' : ''}`, () => {
      const calls = new Calls(),
        counts = play(each, calls, options, network),
        [ours, native] = calls.compare(program);
      assert.ok(ours.equals(native), `${ours.length} bytes of WebAssembly, ${native.length} of the library, and some differ`);
      assert.ok(counts.ok > (options.limit ? 0.5 : 0.7) * counts.all, JSON.stringify(counts));
      const { bound = 0.0043633231, bounds, positionBound = 0, trackBound = 0, limit } = options;
      if (!limit)
        assert.ok(
          counts.turn <= (bounds ? Math.max(...bounds) : bound) && counts.way <= positionBound && counts.weight <= trackBound,
          JSON.stringify(counts),
        );
      if (options.bounds && network.spoils)
        for (const status of ['oldPacket', 'badPacket', 'needKey']) assert.ok(counts[`spoilt: ${status}`], status);
    });

// ---- one after the other

const BODIES = 6,
  OPTIONS = { bodyCount: BODIES, positionCount: 2, positionBound: 0.001, session: 1 },
  at = (frame) => bodiesAt(16 * frame, BODIES, 2);

// So many packets, each decoded and acknowledged at once. Gives the last status.
function exchange(sender, receiver, count, first = 0) {
  let status;
  for (let f = first; f < first + count; f++) {
    status = receiver.decode(sender.encode(at(f), 16 * f));
    sender.acknowledged(receiver.acknowledge());
  }
  return status;
}

test('a sender that begins again is found out, and with another session is refused', () => {
  const sender = streams.sender(OPTIONS),
    receiver = streams.receiver(OPTIONS);
  assert.equal(exchange(sender, receiver, 100), 'ok');
  sender.restart();
  for (let f = 0; f < 19; f++) assert.equal(exchange(sender, receiver, 1, f), 'oldPacket');
  const packet = sender.encode(at(20), 20);
  assert.equal(receiver.decode(packet), 'restarted');
  assert.equal(receiver.time, 16 * 99);
  receiver.restart();
  assert.equal(receiver.decode(packet), 'ok');
  assert.equal(receiver.time, 20);
  sender.restart(2n ** 64n - 1n);
  assert.equal(exchange(sender, receiver, 5), 'badPacket');
  receiver.restart(2n ** 64n - 1n);
  assert.equal(exchange(sender, receiver, 5), 'ok');
  sender.restart(2);
  assert.equal(sender.acknowledged(receiver.acknowledge()), 'badPacket');
});

test('a limit concerns the sender alone: a receiver with one takes longer packets', () => {
  const options = { bodyCount: 200 },
    packet = streams.sender(options).encode(bodiesAt(0, 200, 0), 0);
  assert.ok(packet.length > 700);
  assert.equal(streams.receiver({ ...options, limit: 200 }).decode(packet), 'ok');
});

test('what is no packet is never thrown, and changes nothing', () => {
  const sender = streams.sender(OPTIONS),
    receiver = streams.receiver(OPTIONS);
  assert.equal(receiver.decode(new Uint8Array(0)), 'badPacket');
  exchange(sender, receiver, 10);
  const before = [...receiver.rotations, ...receiver.positions, receiver.time];
  for (let i = 0; i < 20000; i++) {
    const bytes = Uint8Array.from({ length: below(400) }, () => below(256));
    assert.ok(['needKey', 'oldPacket', 'badPacket'].includes(receiver.decode(bytes)));
    assert.equal(sender.acknowledged(bytes), 'badPacket');
  }
  for (const size of [0, 3, 4, 11, 12, 13, 2 ** 24]) {
    assert.notEqual(receiver.decode(new ArrayBuffer(size)), 'ok');
    assert.equal(sender.acknowledged(new DataView(new ArrayBuffer(size))), 'badPacket');
  }
  assert.deepEqual([...receiver.rotations, ...receiver.positions, receiver.time], before);
  assert.equal(exchange(sender, receiver, 1, 10), 'ok');
});

test('options and arguments that are wrong are named', () => {
  for (const [options, words] of [
    [undefined, /^bodyCount/],
    [{ bodyCount: 1.5 }, /^bodyCount is a whole number from 1 to 16777216, not 1.5/],
    [{ bodyCount: 2 ** 24 + 1 }, /^bodyCount/],
    [{ bodyCount: 1, bound: 0 }, /^bound is a number from 0.00001 to 1, not 0/],
    [{ bodyCount: 1, bound: '1' }, /^bound is/],
    [{ bodyCount: 2, bounds: [1] }, /^bounds has 1 numbers, and 2 are needed/],
    [{ bodyCount: 2, bounds: [0, 2] }, /^bounds\[1\]/],
    [{ bodyCount: 2, bounds: [NaN, 0] }, /^bounds\[0\]/],
    [{ bodyCount: 2, bounds: [0, 0], rest: [0, 0, 0, 1] }, /^rest has 4 numbers, and 8 are needed/],
    [{ bodyCount: 2, bounds: [0, 0], rest: [0, 0, 0, 1, 0, 0, 0, 0] }, /^the length of rest 1/],
    [{ bodyCount: 2, positionCount: 3 }, /^positionCount/],
    [{ bodyCount: 2, positionCount: 2 }, /^positionBound/],
    [{ bodyCount: 2, positionCount: 1, positionBound: Infinity }, /^positionBound/],
    [{ bodyCount: 1, gravity: 9.81 }, /^gravity/],
    [{ bodyCount: 1, trackCount: 2 }, /^trackBound/],
    [{ bodyCount: 1, trackCount: 0.5 }, /^trackCount/],
    [{ bodyCount: 1, gravity: [0, NaN, 0] }, /^gravity\[1\]/],
    [{ bodyCount: 1, stateCount: 48 }, /^stateCount/],
    [{ bodyCount: 1, receiverCount: 0 }, /^receiverCount/],
    [{ bodyCount: 1, limit: -1 }, /^limit/],
    [{ bodyCount: 1, session: -1 }, /^session/],
    [{ bodyCount: 1, session: 2 ** 53 }, /^session/],
    [{ bodyCount: 1, session: 2n ** 64n }, /^session/],
    [{ bodyCount: 1, positonBound: 1 }, /no option positonBound/],
  ])
    for (const make of [streams.sender, streams.receiver])
      assert.throws(
        () => make.call(streams, options),
        (error) => (error instanceof RangeError || error instanceof TypeError) && words.test(error.message),
        `${words}`,
      );
  assert.throws(() => streams.sender({ ...OPTIONS, limit: 14 }), { name: 'RangeError', message: /^limit is too small/ });
  const sender = streams.sender({ ...OPTIONS, receiverCount: 2 }),
    receiver = streams.receiver(OPTIONS),
    { rotations, positions } = at(0),
    bytes = new Uint8Array(12);
  for (const [call, words] of [
    [() => sender.encode({ rotations: rotations.subarray(1), positions }, 0), /^rotations has 23 numbers, and 24 are needed/],
    [() => sender.encode({ rotations: 'abcdefghijklmnopqrstuvwx', positions }, 0), /^rotations/],
    [() => sender.encode({ rotations }, 0), /^positions has 0 numbers, and 6 are needed/],
    [() => sender.encode({ rotations, positions }), /^time is a number, not undefined/],
    [() => sender.encode({ rotations, positions }, NaN), /^time/],
    [() => sender.acknowledged(bytes, 2), /^receiver is a whole number from 0 to 1, not 2/],
    [() => sender.leave(-1), /^receiver/],
    [() => sender.acknowledged('bytes'), /^bytes/],
    [() => receiver.decode('bytes'), /^bytes/],
    [() => receiver.restart('1'), /^session/],
  ])
    assert.throws(call, { message: words }, `${call}`);
  receiver.dispose(), receiver.dispose();
  assert.throws(() => receiver.decode(bytes), /this StreamReceiver was disposed/);
  assert.throws(
    () => streams.sender({ bodyCount: 2 ** 24, stateCount: 256 }),
    (error) => error instanceof QuatsimdError && error.status === -11,
  );
});

test('packets are arrays of their own, invalid rotations are told, and time is modulo 2^32', () => {
  const sender = streams.sender(OPTIONS),
    receiver = streams.receiver(OPTIONS),
    pose = at(0);
  assert.deepEqual([...receiver.rotations.subarray(0, 4), receiver.time], [0, 0, 0, 1, 0]);
  const first = sender.encode(pose, -1.5),
    copy = first.slice();
  assert.equal(first.buffer.byteLength, first.length);
  let replaced = 0;
  pose.rotations[1] = NaN;
  sender.encode(pose, 0, { onReplaced: () => replaced++ });
  assert.equal(replaced, 1);
  assert.deepEqual(first, copy);
  assert.equal(receiver.decode(first), 'ok');
  assert.equal(receiver.time, 2 ** 32 - 1);
  sender.acknowledged(receiver.acknowledge());
  const [short, key] = [false, true].map((isKey) => sender.encode(at(1), 2 ** 32 + 5, { key: isKey }));
  assert.ok(short.length < key.length);
  for (const packet of [short, key]) assert.deepEqual([receiver.decode(packet), receiver.time], ['ok', 5]);
});

test('memory that was freed is used for larger streams', async () => {
  const own = await loadStreams();
  const largest = 4000;
  for (let bodyCount = 100; bodyCount <= largest; bodyCount += 100) {
    const both = [own.receiver({ bodyCount }), own.receiver({ bodyCount: bodyCount - 1 })];
    for (const each of both) each.dispose();
  }
  const used = own.memory,
    other = await loadStreams();
  other.receiver({ bodyCount: largest }), other.receiver({ bodyCount: largest - 1 });
  assert.ok(used <= 2 * other.memory, `${used} bytes, and ${other.memory} for the largest alone`);
});

test('memory neither grows nor goes too early', { skip: !globalThis.gc && 'node without --expose-gc' }, async () => {
  const own = await loadStreams(),
    sender = own.sender(OPTIONS),
    receiver = own.receiver(OPTIONS),
    view = (() => {
      const other = own.receiver(OPTIONS);
      exchange(own.sender(OPTIONS), other, 3);
      return other.rotations;
    })();
  exchange(sender, receiver, 100);
  for (let i = 0; i < 100; i++) own.sender(OPTIONS).dispose();
  const before = own.memory,
    was = [...view];
  exchange(sender, receiver, 3000, 100);
  for (let i = 0; i < 2000; i++) own.receiver({ ...OPTIONS, bounds: Array(BODIES).fill(0.01) }).dispose();
  assert.equal(own.memory, before);
  for (let i = 0; i < 10; i++) {
    await new Promise((done) => setTimeout(done, 5));
    globalThis.gc();
    own.receiver(OPTIONS).rotations.fill(9);
  }
  assert.deepEqual([...view], was);
  const shown = [...receiver.rotations];
  own.receiver({ bodyCount: 100000 });
  assert.ok(own.memory > before);
  assert.deepEqual([...receiver.rotations], shown);
});
