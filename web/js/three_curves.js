// Kinds of curves, as clip.curve has them, and where a pose has their values.

export const ROTATION = 0,
  TRANSLATION = 1,
  SCALE = 2,
  TRACK = 3;

/** The place of a joint's or a track's values in pose.values. */
export const placeOf = (kind, number, joints) => [4 * number, 4 * joints + 3 * number, 7 * joints + 3 * number, 10 * joints + number][kind];
