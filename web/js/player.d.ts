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

/** Three floats: an array of them, or a Vector3 of three.js. */
export type Vector = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };
/** 16 floats by columns: an array of them, or a Matrix4 of three.js. */
export type Matrix = ArrayLike<number> | { readonly elements: ArrayLike<number> };

/** A mark in a clip's time. */
export interface ClipEvent {
  readonly name: string;
  /** seconds, on the clip's clock */
  readonly time: number;
}
export interface PassedEvent extends ClipEvent {
  /** the moment at which it was passed, on the caller's clock; seconds */
  readonly clock: number;
}

/** A movement of the character, seen from where it was. */
export interface Step {
  /** x, y, z, w */
  readonly rotation: Float32Array;
  readonly translation: Float32Array;
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
  /** of the bundle, in the order of their times */
  readonly events: readonly ClipEvent[];
  /** Those that a clock passes. Forward: after `from` and up to `to`; backward: before `from` and down to `to`. In a loop each round
   *  has them again. */
  eventsBetween(from: number, to: number, wrap?: Wrap): PassedEvent[];
}

export interface RootMotionOptions {
  /** its name or number: the first joint from the top that moves, such as the hips */
  joint: string | number;
  /** movement across the up axis, over the floor; true without it */
  across?: boolean;
  /** rotation about the up axis; true without it */
  turn?: boolean;
  /** movement along the up axis */
  along?: boolean;
  /** all movement and rotation, in place of the three above */
  all?: boolean;
  /** as well: the straight path from the clip's start to its end, evenly in time, for clips that sway */
  straight?: boolean;
  /** in model space, of any length; y without it */
  up?: Vector;
}
/** How a clip moves a character. */
export interface RootMotion extends Disposable {
  readonly clip: Clip;
  /** the joint's number */
  readonly joint: number;
  /** The movement between two times of the clip. In a loop the rounds add up. */
  between(from: number, to: number, wrap?: Wrap): Step;
}

/** 'blend': layers share the pose by their weights. Then, in the order of the layers, 'over' lays a clip over the pose so far, and
 *  'add' adds an additive clip. 'auto' is 'add' for an additive clip, else 'blend'. */
export type Mode = 'auto' | 'blend' | 'add' | 'over';

interface GoalJoint {
  /** its name or number */
  joint: string | number;
  /** the joint above `middle`, or above `joint`, without it. Of 'aim': from which on the joints down to `joint` share the
   *  rotation; `joint` without it */
  first?: string | number | undefined;
  /** from 0 to 1; 1 without it */
  weight?: number;
}
/** Rotates `first` and `middle`, such as shoulder and elbow, so that `joint` comes to the target. */
export interface ReachGoal<Place = Vector> extends GoalJoint {
  kind: 'reach';
  /** the joint above `joint` without it */
  middle?: string | number | undefined;
  target: Place;
  /** the direction to which `middle` points; without it the limb stays in its plane */
  pole?: Vector | undefined;
  /** the share of the limb's length, from its end, over which it slows; 0 without it */
  softness?: number;
}
/** Rotates joints so that an axis of `joint` points to the target. */
export interface AimGoal<Place = Vector> extends GoalJoint {
  kind: 'aim';
  /** in the space of `joint`, of any length */
  axis: Vector;
  target: Place;
  /** the largest angle by which the axis turns, radians; none without it */
  limit?: number;
}
export type Goal<Place = Vector> = ReachGoal<Place> | AimGoal<Place>;

export interface Layer {
  clip: Clip;
  /** seconds, as in Clip.sample */
  time: number;
  weight?: number;
  wrap?: Wrap;
  mode?: Mode;
  mask?: Floats | undefined;
  trackMask?: Floats | undefined;
  /** of this clip: it is left out of the pose, and is in the evaluator's step */
  motion?: RootMotion | undefined;
  /** `time` of the evaluation before, for events and the step; without it, there are none */
  lastTime?: number;
}

export interface LayerEvent extends PassedEvent {
  /** the number and the weight of the layer that passed it */
  readonly layer: number;
  readonly weight: number;
}

export interface EvaluateOptions {
  /** for model, skinning and goals */
  root?: Matrix | undefined;
  /** true: root is the place before the step, and matrices are at the place after it */
  moveRoot?: boolean;
  /** reached in their order. Targets and poles are in the space of the matrices */
  goals?: readonly Goal[];
}

/** Model, Skinning: Floats if it was asked for them, else undefined. */
export interface Evaluator<Model = Floats | undefined, Skinning = Floats | undefined> extends Disposable {
  readonly pose: Pose;
  /** 16 floats a joint, by columns */
  readonly model: Model;
  readonly skinning: Skinning;
  /** the movement from the layers' last times to their times, by their motion */
  readonly step: Step;
  /** those that the layers passed, layer by layer */
  readonly events: readonly LayerEvent[];
  evaluate(layers: readonly Layer[], options?: Matrix | EvaluateOptions): Pose;
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
  /** weights: these joints and all below them have these factors, and others 0; without it all are 1 */
  mask(weights?: Record<string, number>): Floats;
  trackMask(): Floats;
  matrices(): Floats;
  toModel(matrices: Floats, pose: Pose, root?: Matrix): Floats;
  rootMotion(clip: Clip, options: RootMotionOptions): RootMotion;
  /** The numbers of a goal's joints; -1: there is none. */
  limb(goal: Pick<ReachGoal, 'joint' | 'middle' | 'first'> & { kind: Goal['kind'] }): { joint: number; middle: number; first: number };
  /** layers: at most, 1 to 64; 8 without it. goals: at most, 1 to 1024; 8 without it */
  evaluator<M extends boolean = false, S extends boolean = false>(options?: {
    layers?: number;
    goals?: number;
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
  /** names of masks */
  readonly masks: readonly string[];
  /** A copy, for layers. */
  mask(name: string): { mask: Floats; trackMask: Floats };
}

export interface Player {
  openBundle(bytes: Bytes): Bundle;
  openSkeleton(bytes: Bytes): Skeleton;
  openClip(bytes: Bytes): Clip;
  pose(joints: number, tracks?: number): Pose;
  readonly memory: number;
}

export function loadPlayer(options?: LoadOptions): Promise<Player>;
