import type { Bytes, LoadOptions } from './module.js';
export { QuatsimdError, hasSimd } from './module.js';

export interface Curve {
  /** seconds */
  times: ArrayLike<number>;
  /** of each key; of CUBICSPLINE its in-tangent, value and out-tangent */
  values: ArrayLike<number>;
  interpolation?: 'LINEAR' | 'STEP' | 'CUBICSPLINE';
}

export interface Animation {
  joints?: { parent?: number; rotation?: Curve; translation?: Curve; scale?: Curve }[];
  tracks?: (Curve | undefined)[];
}

/** Parents come before their children. */
export interface SkeletonSource {
  joints: { name: string; parent?: number; rotation?: ArrayLike<number>; translation?: ArrayLike<number>; scale?: ArrayLike<number>; inverseBind?: ArrayLike<number> }[];
  tracks?: { name: string; rest?: number }[];
  metres?: number;
}

export interface ClipOptions {
  rotation?: number;
  translation?: number;
  scale?: number;
  object?: number;
  distance?: number;
  track?: number;
  skeleton?: Uint8Array;
  rate?: number;
  loop?: boolean;
  additive?: 'none' | 'first' | 'base';
  base?: Animation;
  bundled?: boolean;
  onWorst?: (worst: { rotation: number; translation: number; scale: number; track: number; object: number }) => void;
}

export interface Encoder {
  encodeSkeleton(source: SkeletonSource): Uint8Array;
  encodeClip(animation: Animation, options: ClipOptions): Uint8Array;
  encodeBundle(skeleton: Uint8Array, clips: Record<string, Uint8Array>): Uint8Array;
}

export function loadEncoder(options?: LoadOptions): Promise<Encoder>;
