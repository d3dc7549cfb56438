// How far points of a pose are off.

const corner = Math.sqrt(1 / 3);
const DIRECTIONS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
  .flatMap((axis) => [axis, axis.map((x) => -x)])
  .concat([0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [0, 1, 2].map((c) => (bits & (1 << c) ? corner : -corner))));

/** Of each joint the largest distance of 14 points around it, at its own distance, from where they are in the other pose. Both poses are
 *  objects in the same order, whose matrixWorld is up to date. */
export function errorsOf(before, after, distances) {
  const d = new Float64Array(16),
    errors = new Float64Array(before.length);
  before.forEach((joint, j) => {
    const a = joint.matrixWorld.elements,
      b = after[j].matrixWorld.elements,
      distance = distances[j];
    for (let i = 0; i < 16; i++) d[i] = a[i] - b[i];
    let most = 0;
    for (const [u, v, w] of DIRECTIONS) {
      const x = d[12] + distance * (u * d[0] + v * d[4] + w * d[8]);
      const y = d[13] + distance * (u * d[1] + v * d[5] + w * d[9]);
      const z = d[14] + distance * (u * d[2] + v * d[6] + w * d[10]);
      most = Math.max(most, x * x + y * y + z * z);
    }
    errors[j] = Math.sqrt(most);
  });
  return errors;
}

/** The number of the largest. */
export const worstOf = (errors) => errors.reduce((worst, error, j) => (error > errors[worst] ? j : worst), 0);

/** Errors over time, computed piece by piece between what is drawn: worst error and its place at so many times, also between keys. */
export class Timeline {
  constructor(duration, samples = 400) {
    this.times = Float64Array.from({ length: duration > 0 ? samples : 1 }, (_, i) => (duration * i) / (samples - 1));
    this.errors = new Float64Array(this.times.length);
    this.places = [];
    this.done = 0;
  }
  get isDone() {
    return this.done === this.times.length;
  }
  get worst() {
    return worstOf(this.errors);
  }

  /** measure(time): the worst error then, and its place. Stops after so many milliseconds. */
  work(measure, milliseconds) {
    for (const end = performance.now() + milliseconds; !this.isDone && performance.now() < end; this.done++)
      [this.errors[this.done], this.places[this.done]] = measure(this.times[this.done]);
  }
}
