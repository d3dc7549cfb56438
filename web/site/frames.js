// Frames of an animation as people count them: at the rate of its keys where they have one, else at the time of each key.
import { curvesOf } from './curves.js';

const RATES = [24, 25, 30, 50, 60, 90, 100, 120, 240].flatMap((rate) => [rate, rate / 1.001]);
const MOST_BESIDE = 1 / 16, // of a frame: how far a key may be from its frame
  MOST_MORE = 1.25; // so many times as many frames as times of keys

function keyTimes(animation) {
  const curves = curvesOf(animation).filter(({ times }) => times.length),
    smooth = curves.filter(({ interpolation }) => interpolation !== 'STEP'),
    all = new Set(curves.map(({ times }) => times.at(-1)));
  let last = [];
  for (const { times } of smooth.length ? smooth : curves) {
    if (times.length === last.length && times.every((time, k) => time === last[k])) continue;
    times.forEach((time) => all.add(time));
    last = times;
  }
  return all.size ? [...all].sort((a, b) => a - b) : [0];
}

// Gives frames per second, or undefined.
function rateOf(times) {
  const [start] = times,
    span = times.at(-1) - start,
    gap = times.reduce((least, time, k) => (k ? Math.min(least, time - times[k - 1]) : least), Infinity);
  const beside = (rate) =>
    times.reduce((most, time) => Math.max(most, Math.abs((time - start) * rate - Math.round((time - start) * rate))), 0);
  const near = [...RATES, Math.round(1 / gap), Math.round(span / gap) / span].filter((rate) => Math.abs(rate * gap - 1) < MOST_BESIDE);
  const [best] = near.map((rate) => ({ rate, beside: beside(rate) })).sort((a, b) => a.beside - b.beside);
  return best?.beside < MOST_BESIDE && span * best.rate <= MOST_MORE * times.length ? best.rate : undefined;
}

class Frames {
  #times;
  #word;

  constructor(times, word) {
    this.#times = times;
    this.#word = word;
  }

  // Between frames it is between numbers.
  #position(time) {
    const times = this.#times,
      after = times.findIndex((at) => at > time);
    if (after === 0) return 0;
    if (after < 0) return times.length - 1;
    return after - 1 + (time - times[after - 1]) / (times[after] - times[after - 1]);
  }

  /** The time so many frames on. */
  step(time, by) {
    const position = this.#position(time),
      near = Math.abs(position - Math.round(position)) < 1e-3 ? Math.round(position) : position;
    return this.#times[Math.min(Math.max((by > 0 ? Math.floor(near) : Math.ceil(near)) + by, 0), this.#times.length - 1)];
  }

  words(time) {
    return `${this.#word} ${Math.round(this.#position(time)) + 1} of ${this.#times.length}`;
  }
}

function framesOfKeys(times) {
  const rate = rateOf(times);
  if (!rate) return new Frames(times, 'key');
  return new Frames(
    Array.from({ length: Math.round((times.at(-1) - times[0]) * rate) + 1 }, (_, f) => times[0] + f / rate),
    'frame',
  );
}

function framesOfClip(clip) {
  const times = Array.from({ length: clip.frames }, (_, f) => clip.time(f)),
    word = clip.rate ? 'frame' : 'key';
  clip.dispose();
  return new Frames(times, word);
}

/** Gives the frames of an animation with keys, or of the clip of that name in a subject's bundle. */
export const framesOf = ({ bound }, name, animation) =>
  animation ? framesOfKeys(keyTimes(animation)) : framesOfClip(bound.bundle.clip(name));
