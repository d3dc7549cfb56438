import type { Bytes, Disposable, LoadOptions, OwnBytes } from './module.js';
export { QuatsimdError, hasSimd } from './module.js';

/** The properties of a stream, as in quatsimd/stream.h. Both sides have the same ones, but for those of a sender only. */
export interface StreamOptions {
  /** rotations in a packet, 1 to 2^24 */
  bodyCount: number;
  /** the largest error of any rotation, radians, 1e-5 to 1; a quarter of a degree without it */
  bound?: number | undefined;
  /** a bound for each body in place of `bound`; 0 for a body that never turns */
  bounds?: ArrayLike<number> | undefined;
  /** x, y, z, w of bodies with bound 0, which both sides know; four numbers for each body. Without it they are in key packets */
  rest?: ArrayLike<number> | undefined;
  /** how many bodies, the first ones, also have a position; 0 without it */
  positionCount?: number | undefined;
  /** the largest distance of any position from its source; needed if there are positions */
  positionBound?: number | undefined;
  /** x, y, z: units of positions per square of the unit of `time`; none without it. It predicts bodies in free fall */
  gravity?: ArrayLike<number> | undefined;
  /** tracks, such as weights of morph targets; 0 without it */
  trackCount?: number | undefined;
  /** the largest error of any track; needed if there are tracks */
  trackBound?: number | undefined;
  /** states that each side keeps: 16, 32, 64, 128 or 256; 64 without it */
  stateCount?: number | undefined;
  /** tells streams apart: a whole number, beyond 2^53 a BigInt; 0 without it */
  session?: number | bigint | undefined;
  /** sender only: receivers that may acknowledge, 1 to 65536; 1 without it */
  receiverCount?: number | undefined;
  /** sender only: no packet is ever lost, as over a WebSocket that drops none, and nobody acknowledges; false without it */
  reliable?: boolean | undefined;
  /** sender only: the largest number of bytes of packets other than key packets; none without it */
  limit?: number | undefined;
}

export interface StreamPose {
  /** x, y, z, w of each body */
  rotations: ArrayLike<number>;
  /** x, y, z of the first `positionCount` bodies */
  positions?: ArrayLike<number>;
  /** of all tracks */
  tracks?: ArrayLike<number>;
}

interface Side extends Disposable {
  /** Begins anew, as a stream that was just made, with a new session if there is one. */
  restart(session?: number | bigint): void;
}

export interface StreamSender extends Side {
  /** A packet for all receivers. time: the moment of the pose, in any unit, modulo 2^32. key: makes a key packet, which needs no packet
   *  before it. onReplaced: called if a rotation, position or track was invalid; the last valid one takes its place. */
  encode(pose: StreamPose, time: number, options?: { key?: boolean | undefined; onReplaced?: (() => void) | undefined }): OwnBytes;
  /** Reads what a receiver has sent. receiver: its number, from 0 on; 0 without it. 'badPacket': the bytes are damaged or of another
   *  stream, and nothing changes. */
  acknowledged(acknowledgement: Bytes, receiver?: number): 'ok' | 'badPacket';
  /** A receiver has gone. */
  leave(receiver?: number): void;
}

/** 'ok': `rotations`, `positions`, `tracks` and `time` are those of the packet. All others change nothing of these.
 *  'needKey': the receiver lacks the state that the packet is coded against; acknowledge, and later packets can be decoded.
 *  'oldPacket': decoded before, or too late. 'badPacket': damaged, or of another stream.
 *  'restarted': the sender has begun again with the same session; call restart(), and decode the packet again. */
export type DecodeStatus = 'ok' | 'needKey' | 'oldPacket' | 'badPacket' | 'restarted';

/** Rotations, positions and tracks are views of WebAssembly's memory, which the next packet overwrites. When the memory grows, because something
 *  else is made, old views lose their elements: read them again after each packet. */
export interface StreamReceiver extends Side {
  decode(packet: Bytes): DecodeStatus;
  /** of the packet that was decoded last, from 0 to 2^32 - 1 */
  readonly time: number;
  /** x, y, z, w of each body, of length 1; before the first packet the identity */
  readonly rotations: Float32Array;
  /** x, y, z of the first `positionCount` bodies */
  readonly positions: Float32Array;
  readonly tracks: Float32Array;
  /** What to send back after each packet, whatever decode returned. */
  acknowledge(): OwnBytes;
}

export interface Streams {
  sender(options: StreamOptions): StreamSender;
  receiver(options: StreamOptions): StreamReceiver;
  /** bytes of WebAssembly's memory, which never becomes less */
  readonly memory: number;
}

export function loadStreams(options?: LoadOptions): Promise<Streams>;
