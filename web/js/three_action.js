// One clip of a bundle, played: its time, weight, events and movement.
import { Quaternion, Vector3 } from 'three';
import { compose, repeat, stillness } from './three_movement.js';

// The times that a clip plays: from 0 to its last key, as in glTF and three.js, where times of keys are floats.
export function rangeOf({ start, duration }, fromFirstKey) {
  const end = start + duration;
  return fromFirstKey ? { start, end } : { start: 0, end: Math.max(Math.fround(end), 0) };
}

// Moves a time by `step` in a range. Gives the time before, the time after, and how many rounds the step completes: they are below 0
// where it goes backwards. A loop at its end is at its start, but a step of 0 leaves it at the end, as in three.js.
function stepTime(from, step, { start, end, loop }) {
  const time = from + step,
    length = end - start;
  if (!loop || length === 0) return { from, to: Math.min(Math.max(time, start), end), loops: 0 };
  if ((time >= start && (time < end || (time === end && step === 0))) || !Number.isFinite(time)) return { from, to: time, loops: 0 };
  const passed = time - start,
    rest = passed % length, // exact, with the sign of `passed`
    within = rest < 0 ? rest + length : rest;
  return { from, to: start + within, loops: Math.round((passed - within) / length) };
}

// The events of `all` that a time passes on its way, of which each round has all. Those at the end of a round are at the start of
// the next one, before those that are there. Times of files are floats. begins: also those at `from`
function passedEvents(all, { from, to, loops }, { start, end, loop }, begins) {
  if (all.length === 0) return all;
  const [first, last] = [Math.fround(start), Math.fround(end)],
    timed = all
      .filter(({ time }) => Math.fround(time) >= first && Math.fround(time) <= last)
      .map(({ name, time }) => ({ name, time, at: loop && Math.fround(time) === last ? start : Math.min(Math.max(time, start), end) }))
      .sort((a, b) => a.at - b.at || b.time - a.time),
    passed = [];
  if (timed.length === 0 || (from === to && loops === 0)) return passed;
  const isForward = loops > 0 || (loops === 0 && from < to),
    begin = loop && from === end ? { round: 1, at: start } : { round: 0, at: from };
  const isPassed = (round, at) => {
    const before = round - begin.round || at - begin.at,
      after = round - loops || at - to;
    return before === 0 ? begins : isForward ? before > 0 && after <= 0 : before < 0 && after >= 0;
  };
  if (!isForward) timed.reverse();
  for (let i = 0; i <= Math.abs(loops); i++) {
    const round = isForward ? i : -i;
    for (const event of timed) if (isPassed(round, event.at)) passed.push(event);
  }
  return passed;
}

/** One clip as a mixer plays it. Change `time`, `timeScale`, `weight`, `loop`, `mode`, `mask` (of skeleton.mask(), or a name of
 *  bundle.masks) and `trackMask` at any time. Its time runs from `start` to `end`. Fades multiply the weight and leave it as it is. */
export class QuatsimdAction {
  #factor = 1;
  #fade; // { from, to, length, passed }
  #hasEnded = false;
  #begins = true;

  constructor(mixer, name, rootMotion) {
    this.mixer = mixer;
    this.name = name;
    this.clip = mixer.clip(name);
    this.mode = 'auto';
    this.motion = rootMotion && this.clip.additive === 'none' ? mixer.skeleton.rootMotion(this.clip, rootMotion) : undefined;
    Object.assign(this, rangeOf(this.clip, mixer.fromFirstKey)); // start and end, seconds
    this.time = this.start;
    this.timeScale = 1;
    this.weight = 1;
    this.loop = true;
    this.isPlaying = false;
    this.mask = undefined;
    this.trackMask = undefined;
  }

  /** The weight times what fades make of it. */
  get effectiveWeight() {
    return this.weight * this.#factor;
  }

  /** Plays from the present time, and goes on where it plays already. */
  play() {
    if (!this.isPlaying) this.#end();
    this.isPlaying = true;
    this.mixer.show(this);
    return this;
  }
  /** Ends at once: where nothing else plays, joints go to the rest pose. */
  stop() {
    this.isPlaying = false;
    return this.reset();
  }
  /** To the start, with no fade. */
  reset() {
    this.#end();
    this.#begins = true;
    this.time = this.start;
    return this;
  }
  /** From 0; from the present share where a fade is under way. */
  fadeIn(seconds) {
    return this.#fadeTo(this.#fade ? this.#factor : 0, 1, seconds);
  }
  /** It stops when it has gone. */
  fadeOut(seconds) {
    return this.#fadeTo(this.#factor, 0, seconds);
  }
  crossFadeTo(other, seconds) {
    if (!(other instanceof QuatsimdAction)) throw new TypeError(`crossFadeTo takes an action, such as mixer.action('Run'), not ${other}`);
    if (other === this) return this;
    const from = other.isPlaying ? other.#factor : 0;
    this.fadeOut(seconds);
    other.play().#fadeTo(from, 1, seconds);
    return other;
  }

  #end() {
    this.#fade = undefined;
    this.#factor = 1;
    this.#hasEnded = false;
  }

  #fadeTo(from, to, length) {
    this.#fade = { from, to, length, passed: 0 };
    this.#factor = length > 0 ? from : to;
    return this;
  }

  /** Called by the mixer. tell(event). Gives { from, to, loops } of the time, and the events that it passes. */
  advance(seconds, tell) {
    const fade = this.#fade;
    if (fade) {
      fade.passed += seconds;
      const share = fade.length > 0 ? Math.min(Math.max(fade.passed / fade.length, 0), 1) : 1;
      this.#factor = fade.from + (fade.to - fade.from) * share;
      if (share === 1) {
        this.#fade = undefined;
        if (fade.to === 0) this.isPlaying = false;
      }
    }
    const step = seconds * this.timeScale,
      { from, to, loops } = stepTime(this.time, step, this),
      begin = stepTime(this.time, 0, this), // a time that was set may be beyond the ends: that is no movement
      way = { from: begin.to, to, loops: loops - begin.loops };
    const { effectiveWeight: weight } = this;
    if (weight > 0 || (weight < 0 && this.clip.additive !== 'none'))
      for (const { name, time } of passedEvents(this.clip.events, way, this, this.#begins))
        tell({ type: 'event', action: this, name, time, weight });
    if (step !== 0) this.#begins = false;
    this.time = to;
    if (loops !== 0) tell({ type: 'loop', action: this, loopDelta: loops });
    if (this.loop || step === 0) return way;
    const hasEnded = to === (step > 0 ? this.end : this.start);
    if (hasEnded && !(this.#hasEnded && from === to)) tell({ type: 'finished', action: this });
    this.#hasEnded = hasEnded;
    return way;
  }

  /** Called by the mixer. The movement of the character while the time goes that way. */
  movement({ from, to, loops }) {
    const between = (...times) => {
      const { rotation, translation } = this.motion.between(...times, 'clamp');
      return { rotation: new Quaternion().fromArray(rotation), translation: new Vector3().fromArray(translation) };
    };
    if (!this.motion) return stillness();
    if (loops === 0) return between(from, to);
    const [first, last] = loops > 0 ? [this.start, this.end] : [this.end, this.start],
      rounds = repeat(between(first, last), Math.abs(loops) - 1);
    return compose(compose(between(from, last), rounds), between(first, to));
  }
}
