import type { LoadOptions, OwnBytes } from './module.js';
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
  /** rotation x, y, z, w; inverseBind 12 floats, three rows of four */
  joints: {
    name: string;
    parent?: number;
    rotation?: ArrayLike<number>;
    translation?: ArrayLike<number>;
    scale?: ArrayLike<number>;
    inverseBind?: ArrayLike<number>;
  }[];
  tracks?: { name: string; rest?: number }[];
  metres?: number;
}

/** A joint's own bounds, of those that the options have: rotation, translation and scale, or object and distance */
export interface JointBounds {
  rotation?: number;
  translation?: number;
  scale?: number;
  object?: number;
  distance?: number;
}

/** The bounds are either rotation, translation and scale, or object and distance. They hold at every time. */
export interface ClipOptions {
  /** radians, of each joint relative to its parent */
  rotation?: number;
  /** in the unit of the translations, of each joint relative to its parent */
  translation?: number;
  /** a factor's error, 0.001 for example */
  scale?: number;
  /** how far a point may be off in model space that is `distance` from a joint; both in the unit of the translations */
  object?: number;
  distance?: number;
  /** of tracks, such as the weights of morph targets; 0.001 without it */
  track?: number;
  /** each joint's own; undefined, or a bound that is not there: as above */
  jointBounds?: readonly (JointBounds | undefined)[];
  /** each track's own; 0: as above */
  trackBounds?: ArrayLike<number>;
  /** the bytes of encodeSkeleton: parents, and the rest pose */
  skeleton?: Uint8Array;
  /** frames per second; 0, or without it: found from the keys */
  rate?: number;
  /** time goes round: the last key is the first again */
  loop?: boolean;
  /** to the pose of the first keys, or to `base` */
  additive?: 'none' | 'first' | 'base';
  base?: Animation;
  /** for encodeBundle */
  bundled?: boolean;
  /** gets the worst errors, in the units of the bounds. objectShare, trackShare: the error that is largest as a part of the bound of
   *  its own joint or track */
  onWorst?: (worst: {
    rotation: number;
    translation: number;
    scale: number;
    track: number;
    object: number;
    objectShare: number;
    trackShare: number;
  }) => void;
}

export interface Encoder {
  encodeSkeleton(source: SkeletonSource): OwnBytes;
  encodeClip(animation: Animation, options: ClipOptions): OwnBytes;
  encodeBundle(skeleton: Uint8Array, clips: Record<string, Uint8Array> | ReadonlyMap<string, Uint8Array>): OwnBytes;
}

export function loadEncoder(options?: LoadOptions): Promise<Encoder>;
