import type { Animation, Curve, SkeletonSource } from './encoder.js';
import type { Bytes, LoadOptions } from './module.js';
export { QuatsimdError, hasSimd } from './module.js';

/** An animation, as encodeClip takes it. */
export interface FbxAnimation extends Animation {
  /** may be empty; several may have the same */
  name: string;
  /** of each joint of the skeleton, which has the parents; a curve that does not move is not there */
  joints: { rotation?: Curve; translation?: Curve; scale?: Curve }[];
  /** of each track of the skeleton */
  tracks: (Curve | undefined)[];
}

export interface FbxScene {
  /** as encodeSkeleton takes it: every node of the file is a joint; tracks are the weights of morph targets */
  skeleton: Required<SkeletonSource>;
  animations: FbxAnimation[];
  /** sentences of what a clip cannot have and is left out */
  messages: string[];
}

export interface FbxOptions extends LoadOptions {
  /** how many bytes a file may take, its own and its keys among them; 2^30 without it, 0: any number. WebAssembly has at most 2^31 */
  memory?: number;
  /** how long reading may take; 300 without it, 0: any time */
  seconds?: number;
}

export interface Fbx {
  /** Throws an Error that says why, if the file cannot be read. */
  read(bytes: Bytes): FbxScene;
  /** bytes of WebAssembly's memory that the reader has between reads */
  readonly memory: number;
}

export function loadFbx(options?: FbxOptions): Promise<Fbx>;
