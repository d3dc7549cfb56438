import type { Bytes, OwnBytes } from './module.js';

export interface Bundled {
  /** of each joint of the bundle's skeleton the number of its node */
  joints?: readonly number[];
  /** of each track of the skeleton */
  tracks?: readonly { node: number; target: number }[];
  /** of each animation of the file the name of its clip in the bundle; null: it stays as it is */
  animations: readonly (string | null | undefined)[];
  /** gets the name of an extension that is not known here: it may refer to accessors and animations by their numbers. Accessors
   *  that only animations had stay in the file then; animations that stay may get other numbers. A file is refused if such an
   *  extension visibly refers to animations */
  onUnknown?: (extension: string) => void;
  /** an animation stays, since a clip cannot have all of it; without this function that is an error */
  onStays?: (number: number, why: string) => void;
}

/** The .glb with the bundle in it, in place of its animations, with the same JSON and bytes as `quatsimd compress --glb` makes of the same bundle. */
export function bundleGlb(glb: Bytes, bundle: Bytes, bundled: Bundled): OwnBytes;
