// One clip of a bundle, played: its time, speed, weight, events and movement.
import { LoopOnce, LoopPingPong, LoopRepeat, Quaternion, Vector3 } from 'three';
import { stillness } from './three_movement.js';
import { Rounds, rangeOf } from './three_rounds.js';

const MODES = new Map([[true, LoopRepeat], [false, LoopOnce], ...[LoopRepeat, LoopOnce, LoopPingPong].map((mode) => [mode, mode])]);

function checkNumber(value, words) {
  if (!Number.isFinite(value)) throw new TypeError(`${words}, not ${value}`);
}

function checkAction(other, method) {
  if (!(other instanceof QuatsimdAction)) throw new TypeError(`${method} takes an action, such as mixer.action('Run'), not ${other}`);
}

// A number that goes to another one while seconds of the mixer pass.
class Ramp {
  constructor(from, to, start, seconds) {
    Object.assign(this, { from, to, start, seconds });
  }
  at(time) {
    if (this.isOver(time)) return this.to;
    return this.from + ((this.to - this.from) * Math.max(time - this.start, 0)) / this.seconds;
  }
  isOver(time) {
    return time >= this.start + this.seconds;
  }
}

/** One clip as a mixer plays it, as an AnimationAction of three.js. Change `time`, `timeScale`, `paused`, `enabled`, `weight`, `loop`,
 *  `repetitions`, `clampWhenFinished`, `mode`, `mask` (of skeleton.mask(), or a name of bundle.masks) and `trackMask` at any time. In
 *  each round its time goes from `start` to `end`. Fades multiply the weight and leave it as it is. */
export class QuatsimdAction {
  static name = 'QuatsimdAction';
  #rounds;
  #loop = true;
  #factor = 1;
  #fade;
  #warp;
  #startTime;
  #isShown = false; // it had a part in the last update

  constructor(mixer, name, rootMotion) {
    this.mixer = mixer;
    this.name = name;
    this.clip = mixer.clip(name);
    this.mode = 'auto';
    this.motion = rootMotion && this.clip.additive === 'none' ? mixer.skeleton.rootMotion(this.clip, rootMotion) : undefined;
    Object.assign(this, rangeOf(this.clip, mixer.fromFirstKey)); // start and end, seconds
    this.#rounds = new Rounds(this.clip, this);
    this.time = this.start;
    this.timeScale = 1;
    this.paused = false;
    this.enabled = true;
    this.weight = 1;
    this.repetitions = Infinity;
    this.clampWhenFinished = true;
    this.isPlaying = false;
    this.mask = undefined;
    this.trackMask = undefined;
  }

  /** true or LoopRepeat, false or LoopOnce, or LoopPingPong. */
  get loop() {
    return this.#loop;
  }
  set loop(mode) {
    if (!MODES.has(mode)) throw new TypeError(`loop is true, false, LoopRepeat, LoopOnce or LoopPingPong of three.js, not ${mode}`);
    this.#loop = mode;
  }
  setLoop(mode, repetitions = Infinity) {
    if (!(repetitions >= 0)) throw new TypeError(`repetitions is a number of rounds, not ${repetitions}`);
    this.loop = mode;
    this.repetitions = repetitions;
    return this;
  }

  /** Plays from the present time, and goes on where it plays already. */
  play() {
    if (!this.isPlaying) {
      this.#rounds.hasEnded = false;
      if (!this.#fade || this.#fade.isOver(this.mixer.time)) this.stopFading();
    }
    this.isPlaying = true;
    this.mixer.show(this);
    return this;
  }
  /** Ends at once: where nothing else plays, joints go to the rest pose. */
  stop() {
    this.isPlaying = false;
    return this.reset();
  }
  /** To the start, with no fade and no warp, enabled and not paused. */
  reset() {
    this.#rounds.reset();
    this.#startTime = undefined;
    this.#isShown = false;
    this.paused = false;
    this.enabled = true;
    this.time = this.start;
    return this.stopFading().stopWarping();
  }
  /** Its time begins to go when `time` of the mixer is there. */
  startAt(time) {
    checkNumber(time, 'startAt takes a time of the mixer, in seconds');
    this.#startTime = time;
    return this;
  }
  isScheduled() {
    return this.isPlaying;
  }
  /** Its time goes on. */
  isRunning() {
    return (
      this.isPlaying && this.enabled && !this.paused && this.timeScale !== 0 && this.#startTime === undefined && !this.#rounds.hasEnded
    );
  }

  /** The weight times what fades make of it, and 0 while it is not enabled. */
  get effectiveWeight() {
    return this.enabled ? this.weight * this.#factor : 0;
  }
  getEffectiveWeight() {
    return this.effectiveWeight;
  }
  setEffectiveWeight(weight) {
    this.weight = weight;
    return this.stopFading();
  }
  /** From 0; from the present share where a fade is under way. */
  fadeIn(seconds) {
    return this.#fadeTo(this.#fade ? this.#factor : 0, 1, seconds);
  }
  /** It stops at the end of the fade. */
  fadeOut(seconds) {
    return this.#fadeTo(this.#factor, 0, seconds);
  }
  stopFading() {
    this.#fade = undefined;
    this.#factor = 1;
    return this;
  }
  /** The other one plays. It fades from 0, or from the share that it had in the last update. warp: rounds of both take as long as this one's at the start of the fade, and as long as the other's at its end. */
  crossFadeTo(other, seconds, warp = false) {
    checkAction(other, 'crossFadeTo');
    if (other === this) return this;
    const from = other.#isShown ? other.#factor : 0,
      ratio = (this.end - this.start) / (other.end - other.start);
    this.fadeOut(seconds);
    other.play().#fadeTo(from, 1, seconds);
    if (!warp || !(ratio > 0 && ratio < Infinity)) return other;
    if (this.isPlaying) this.warp(1, ratio, seconds);
    other.warp(1 / ratio, 1, seconds);
    return other;
  }
  crossFadeFrom(other, seconds, warp = false) {
    checkAction(other, 'crossFadeFrom');
    return other.crossFadeTo(this, seconds, warp);
  }

  /** The speed: 0 while it is paused, and that of a warp while there is one. */
  getEffectiveTimeScale() {
    return this.paused ? 0 : this.timeScale * (this.#warp?.at(this.mixer.time) ?? 1);
  }
  setEffectiveTimeScale(timeScale) {
    this.timeScale = timeScale;
    return this.stopWarping();
  }
  /** A round takes so many seconds. */
  setDuration(seconds) {
    if (!Number.isFinite(1 / seconds)) throw new TypeError(`setDuration takes seconds that are not 0, not ${seconds}`);
    return this.setEffectiveTimeScale((this.end - this.start) / seconds);
  }
  /** The time and the speed of another action. */
  syncWith({ time, timeScale }) {
    this.time = time;
    return this.setEffectiveTimeScale(timeScale);
  }
  /** The speed goes from one to another, which is its `timeScale` then; at 0 it is paused. A `timeScale` that you set meanwhile
   *  changes both. */
  warp(from, to, seconds) {
    for (const value of [from, to, seconds]) checkNumber(value, 'warp takes two speeds and seconds');
    this.timeScale ||= 1;
    this.#warp = new Ramp(from / this.timeScale, to / this.timeScale, this.mixer.time, seconds);
    return this;
  }
  /** It slows down, and is paused then. */
  halt(seconds) {
    return this.warp(this.getEffectiveTimeScale(), 0, seconds);
  }
  stopWarping() {
    this.#warp = undefined;
    return this;
  }

  #fadeTo(from, to, seconds) {
    this.#fade = new Ramp(from, to, this.mixer.time, seconds);
    this.#factor = this.#fade.at(this.mixer.time);
    return this;
  }
  #fadeOn(time) {
    const fade = this.#fade;
    if (!fade) return;
    this.#factor = fade.at(time);
    if (!fade.isOver(time)) return;
    this.#fade = undefined;
    if (fade.to === 0) this.isPlaying = false;
  }
  // The seconds that its time goes on. The speed at the end of an update counts for all of it, as in three.js.
  #step(seconds) {
    const speed = this.getEffectiveTimeScale();
    if (this.#warp?.isOver(this.mixer.time) && !this.paused) {
      this.#warp = undefined;
      if (speed === 0) this.paused = true;
      else this.timeScale = speed;
    }
    if (this.#startTime === undefined) return seconds * speed;
    const since = this.mixer.time - this.#startTime;
    if (seconds === 0 || since * seconds < 0) return 0;
    this.#startTime = undefined;
    return since * speed;
  }

  /** Called by the mixer, whose time has gone on. tell(event). Gives its rounds, of which `from`, `to` and `passed` are those of this
   *  step, or undefined if it has no part in the pose. */
  advance(seconds, tell) {
    const rounds = this.#rounds;
    if (rounds.hasEnded && !this.clampWhenFinished) this.isPlaying = false;
    this.#isShown = false;
    if (!this.isPlaying || !this.enabled) return undefined;
    this.#fadeOn(this.mixer.time);
    const step = this.#step(seconds),
      weight = this.effectiveWeight;
    this.time = rounds.go(this.time, step, MODES.get(this.#loop), this.repetitions);
    if (weight > 0 || (weight < 0 && this.clip.additive !== 'none')) rounds.tellEvents(this, weight, tell);
    if (rounds.loopDelta !== 0) tell({ type: 'loop', action: this, loopDelta: rounds.loopDelta });
    if (rounds.finishes) tell({ type: 'finished', action: this, direction: step < 0 ? -1 : 1 });
    this.#isShown = this.isPlaying && weight !== 0;
    return this.#isShown ? rounds : undefined;
  }

  /** Called by the mixer. The movement of the character in the step of these rounds. */
  movement(rounds) {
    const { motion } = this;
    if (!motion) return stillness();
    return rounds.movement((from, to) => {
      const { rotation, translation } = motion.between(from, to, 'clamp');
      return { rotation: new Quaternion().fromArray(rotation), translation: new Vector3().fromArray(translation) };
    });
  }
}
