/** An error that the library reports. `status` is its number in quatsimd/status.h. */
export class QuatsimdError extends Error {
  readonly status: number;
  /** Of an error of an encoder: the number of the joint, track or clip, the key and the kind of curve; -1 or undefined: of none in particular. */
  readonly index?: number;
  readonly key?: number;
  readonly kind?: 'rotation' | 'translation' | 'scale' | 'track';
}

/** Whether this browser has WebAssembly's SIMD. */
export function hasSimd(): boolean;

export interface LoadOptions {
  /** false: the build without SIMD. Without it: as hasSimd() says. */
  simd?: boolean;
  /** The bytes of the build, or what they were compiled to, where they are not beside the module. */
  wasm?: BufferSource | WebAssembly.Module;
}

export type Bytes = ArrayBuffer | ArrayBufferView;
/** An array with memory of its own, which Blob and postMessage take. */
export type OwnBytes = Uint8Array & { readonly buffer: ArrayBuffer };

/** Something in WebAssembly's memory. It goes when dispose() is called, or when nothing refers to it any more. */
export interface Disposable {
  dispose(): void;
}
