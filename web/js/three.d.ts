import type { AnimationActionLoopStyles, AnimationClip, Loader, LoadingManager, Mesh, Object3D, Quaternion, Vector3 } from 'three';
import type { Animation, JointBounds, SkeletonSource } from './encoder.js';
import type { Bundled } from './glb.js';
import type { Bundle, Clip, Floats, Goal, Mode, Player, RootMotion, RootMotionOptions, Skeleton, Vector } from './player.js';

export const EXTENSION: 'QUATSIMD_bundle';

export interface Bound {
  /** of each joint; undefined: it is not there */
  joints: (Object3D | undefined)[];
  /** of each track the morph targets that it moves */
  tracks: { mesh: Mesh; target: number }[][];
}
export type BoundBundle = Bound & { bundle: Bundle };
/** gltf.userData.quatsimd: also the animations as the file has them. */
export type LoadedBundle = BoundBundle & {
  animations: { name?: string; clip: string; extras?: unknown; extensions?: Record<string, unknown> }[];
};

export class QuatsimdGLTFExtension {
  /** animations: gltf.animations gets the clips, too, as toAnimationClip makes them */
  constructor(parser: object, player: Player, options?: { animations?: boolean; onError?: (error: Error) => void });
  readonly name: string;
  /** GLTFLoader calls it. */
  afterRoot(gltf: { animations: AnimationClip[]; userData: Record<string, unknown> }): Promise<void>;
}

// @types/three of before 0.156 has no parameter of Loader, and another one of EventDispatcher.
export class QuatsimdLoader extends Loader {
  constructor(player: Player, manager?: LoadingManager);
  load(
    url: string,
    onLoad: (bundle: Bundle) => void,
    onProgress?: (event: ProgressEvent) => void,
    onError?: (error: unknown) => void,
  ): void;
  loadAsync(url: string, onProgress?: (event: ProgressEvent) => void): Promise<Bundle>;
}

export type Source = Bound & {
  /** for Encoder.encodeSkeleton */
  skeleton: SkeletonSource;
  /** for Encoder.encodeClip; they have the names that `quatsimd compress` gives clips */
  animations: (Animation & { name: string })[];
  /** names of tracks that move neither a joint nor a morph target */
  left: string[];
};

/** metres: the length of the unit; without it, it is not known. */
export function sourceOf(root: Object3D, animations: readonly AnimationClip[], options?: { metres?: number }): Source;
/** Gives undefined where there are no vertices, and else a function of a length, in the unit of translations: by its bounds no vertex is
 *  off by more. others: the bound of joints without vertices; without it 0.1 mm at 3 cm. */
export function meshBounds(
  root: Object3D,
  source: Source,
):
  | ((
      length: number,
      others?: { object: number; distance: number },
    ) => { object: number; distance: number; jointBounds: (JointBounds | undefined)[]; trackBounds: number[] })
  | undefined;
/** gltf: of GLTFLoader. Gives what bundleGlb takes as its third argument. */
export function nodesOf(
  gltf: { parser: object },
  source: Source,
): Promise<Bundled & { joints: number[]; tracks: { node: number; target: number }[]; animations: string[] }>;
export function bindByName(root: Object3D, skeleton: Skeleton): Bound;
export interface TimeOptions {
  /** false without it: time runs from 0 to the last key, as in glTF and three.js. true: it begins at the first key */
  fromFirstKey?: boolean;
}
export interface MixerOptions extends TimeOptions {
  /** of all clips that are not additive, or of a clip by its name */
  rootMotion?: RootMotionOptions | ((name: string) => RootMotionOptions | undefined) | undefined;
}
/** A goal of a mixer. Target and pole are in world space; an object as a target is where it is. */
export type MixerGoal = Goal<Vector | Object3D>;
/** Keys have the clip's times; with fromFirstKey the first one is at 0. An additive clip has AdditiveAnimationBlendMode. */
export function toAnimationClip(bound: BoundBundle, name: string, options?: TimeOptions): AnimationClip;

/** As three.js' AnimationAction, where the names are the same. */
export class QuatsimdAction {
  readonly name: string;
  readonly clip: Clip;
  readonly isPlaying: boolean;
  /** 0, or the first key's time with fromFirstKey; seconds */
  readonly start: number;
  /** the last key's time, at least `start`; seconds */
  readonly end: number;
  /** from `start` to `end` in each round, also in one that plays the clip backwards; seconds */
  time: number;
  timeScale: number;
  paused: boolean;
  enabled: boolean;
  weight: number;
  /** weight times what fades make of it */
  readonly effectiveWeight: number;
  /** true is LoopRepeat, false is LoopOnce */
  loop: boolean | AnimationActionLoopStyles;
  /** rounds after which it has finished, unless it is LoopOnce; Infinity without it */
  repetitions: number;
  /** true without it: the last pose stays until stop() */
  clampWhenFinished: boolean;
  /** 'over': laid over the actions that the mixer's `action` named before */
  mode: Mode;
  /** of skeleton.mask(), or the name of one of bundle.masks, which is of tracks, too */
  mask?: Floats | string | undefined;
  trackMask?: Floats | undefined;
  /** by the mixer's rootMotion */
  readonly motion: RootMotion | undefined;
  play(): this;
  stop(): this;
  reset(): this;
  isRunning(): boolean;
  isScheduled(): boolean;
  /** time: of the mixer, seconds */
  startAt(time: number): this;
  setLoop(mode: boolean | AnimationActionLoopStyles, repetitions?: number): this;
  getEffectiveWeight(): number;
  setEffectiveWeight(weight: number): this;
  fadeIn(seconds: number): this;
  fadeOut(seconds: number): this;
  stopFading(): this;
  /** warp: rounds take as long as the first one's at its start, and as long as the other one's at its end */
  crossFadeTo(other: QuatsimdAction, seconds: number, warp?: boolean): QuatsimdAction;
  crossFadeFrom(other: QuatsimdAction, seconds: number, warp?: boolean): this;
  getEffectiveTimeScale(): number;
  setEffectiveTimeScale(timeScale: number): this;
  /** seconds of a round */
  setDuration(seconds: number): this;
  syncWith(other: QuatsimdAction): this;
  warp(from: number, to: number, seconds: number): this;
  halt(seconds: number): this;
  stopWarping(): this;
}

interface MixerEvents {
  /** direction: 1, or -1 where its time went backwards */
  finished: { action: QuatsimdAction; direction: 1 | -1 };
  loop: { action: QuatsimdAction; loopDelta: number };
  /** a mark of the clip that its action has passed; time: of the file, seconds */
  event: { action: QuatsimdAction; name: string; time: number; weight: number };
}
type MixerListener<T extends keyof MixerEvents> = (event: MixerEvents[T] & { type: T; target: QuatsimdMixer }) => void;

/** An EventDispatcher. */
export class QuatsimdMixer {
  constructor(bound: BoundBundle, options?: MixerOptions);
  addEventListener<T extends keyof MixerEvents>(type: T, listener: MixerListener<T>): void;
  hasEventListener<T extends keyof MixerEvents>(type: T, listener: MixerListener<T>): boolean;
  removeEventListener<T extends keyof MixerEvents>(type: T, listener: MixerListener<T>): void;
  dispatchEvent<T extends keyof MixerEvents>(event: MixerEvents[T] & { type: T }): void;
  readonly bundle: Bundle;
  readonly skeleton: Skeleton;
  readonly joints: Bound['joints'];
  readonly tracks: Bound['tracks'];
  readonly fromFirstKey: boolean;
  readonly rootMotion: MixerOptions['rootMotion'];
  /** reached in their order, in each update */
  goals: MixerGoal[];
  /** an object above the joints, which root motion moves */
  root: Object3D | undefined;
  /** the movement of the character in the last update, in model space: the space of the parent of the first joint's object */
  readonly step: { rotation: Quaternion; translation: Vector3 };
  time: number;
  timeScale: number;
  action(name: string): QuatsimdAction;
  stopAll(): void;
  update(seconds: number): this;
  dispose(): void;
}
