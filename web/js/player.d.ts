import type { Bytes, Disposable, LoadOptions } from './module.js';
export { QuatsimdError, hasSimd } from './module.js';
export type { LoadOptions } from './module.js';

/** The meaning of times beyond the ends of a clip: as it was encoded, that of the end, or time goes round. */
export type Wrap = 'clip' | 'clamp' | 'loop';

/** Floats in WebAssembly's memory. `values` is a view: read it again after each call that may make something. */
export interface Floats extends Disposable {
  readonly length: number;
  readonly values: Float32Array;
}

/** Views of WebAssembly's memory, as `values` of Floats. */
export interface Pose extends Floats {
  readonly joints: number;
  /** x, y, z, w of each joint, relative to its parent */
  readonly rotations: Float32Array;
  readonly translations: Float32Array;
  readonly scales: Float32Array;
  readonly tracks: Float32Array;
}

export interface Clip extends Disposable {
  readonly joints: number;
  readonly tracks: number;
  readonly frames: number;
  /** frames per second; 0: frames have times of their own */
  readonly rate: number;
  /** seconds */
  readonly start: number;
  readonly duration: number;
  readonly isLooping: boolean;
  readonly additive: 'none' | 'first' | 'base';
  readonly skeletonHash: bigint;
  /** time: seconds, perhaps of a clock that runs for years. */
  sample(pose: Pose, time: number, wrap?: Wrap, rest?: Pose): Pose;
  /** seconds */
  time(frame: number): number;
  /** kind: 0 rotation, 1 translation, 2 scale, 3 track. 0: the clip does not have it, 1: as the rest pose, 2: one value, 3, 4: it changes */
  curve(kind: 0 | 1 | 2 | 3, number: number): 0 | 1 | 2 | 3 | 4;
}

export interface Layer {
  clip: Clip;
  /** seconds, as in Clip.sample */
  time: number;
  weight?: number;
  wrap?: Wrap;
  mask?: Floats;
  trackMask?: Floats;
}

/** Model, Skinning: Floats if it was asked for them, else undefined. */
export interface Evaluator<Model = Floats | undefined, Skinning = Floats | undefined> extends Disposable {
  readonly pose: Pose;
  /** 16 floats a joint, by columns */
  readonly model: Model;
  readonly skinning: Skinning;
  /** root: 16 floats by columns, for model and skinning */
  evaluate(layers: readonly Layer[], root?: ArrayLike<number>): Pose;
}

export interface Skeleton extends Disposable {
  readonly joints: number;
  readonly tracks: number;
  readonly metres: number;
  readonly hash: bigint;
  readonly names: readonly string[];
  readonly trackNames: readonly string[];
  readonly parents: Int32Array;
  readonly rest: Pose;
  find(name: string): number;
  pose(): Pose;
  mask(): Floats;
  trackMask(): Floats;
  matrices(): Floats;
  toModel(matrices: Floats, pose: Pose, root?: ArrayLike<number>): Floats;
  /** layers: at most, 1 to 64; 8 without it */
  evaluator<M extends boolean = false, S extends boolean = false>(options?: {
    layers?: number;
    model?: M;
    skinning?: S;
  }): Evaluator<M extends true ? Floats : undefined, S extends true ? Floats : undefined>;
}

export interface Bundle extends Disposable {
  /** how many clips */
  readonly length: number;
  readonly names: readonly string[];
  readonly skeleton: Skeleton;
  clip(which: string | number): Clip;
}

export interface Player {
  openBundle(bytes: Bytes): Bundle;
  openSkeleton(bytes: Bytes): Skeleton;
  openClip(bytes: Bytes): Clip;
  pose(joints: number, tracks?: number): Pose;
  readonly memory: number;
}

export function loadPlayer(options?: LoadOptions): Promise<Player>;
