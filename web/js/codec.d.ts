import type { Bytes, LoadOptions, OwnBytes } from './module.js';
export { QuatsimdError, hasSimd } from './module.js';

export interface Codec {
  /** names, and bits of a rotation */
  readonly formats: [name: string, bits: number][];
  size(format: string, count: number): number;
  pack(format: string, rotations: Float32Array, onReplaced?: () => void): OwnBytes;
  unpack(format: string, packed: Bytes, count?: number, first?: number): Float32Array;
}

export function loadCodec(options?: LoadOptions): Promise<Codec>;
