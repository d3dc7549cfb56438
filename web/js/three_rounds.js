// The time of an action in rounds, and what it passes on its way: events and movement.
import { LoopOnce, LoopPingPong, LoopRepeat } from 'three';
import { compose, repeat } from './three_movement.js';

/** The times that a clip plays: from 0 to its last key, as in glTF and three.js, where times of keys are floats. */
export function rangeOf({ start, duration }, fromFirstKey) {
  const end = start + duration;
  return fromFirstKey ? { start, end } : { start: 0, end: Math.max(Math.fround(end), 0) };
}

// A time without its whole rounds. The end is the start of the next round.
function wrap(time, start, end) {
  if ((time >= start && time < end) || !Number.isFinite(time)) return time;
  const rest = (time - start) % (end - start); // exact, with the sign of `time - start`
  return start + (rest < 0 ? rest + (end - start) : rest);
}

/** An action's time, from `start` to `end` in each round. In ping-pong every second round plays the clip backwards. After go() it
 *  has the way of the step: `from` and `to`, times of the clip, and `passed`, the number of rounds that end between them, below 0
 *  where the time goes backwards; `loopDelta`, that number as the event `loop` has it, 0 if there is none; `hasEnded`, if the last
 *  round is over; and `finishes`, if this step ended it. */
export class Rounds {
  #events;
  #isMirrored; // the clip plays backwards where the time goes on
  #isFresh; // there was no step yet
  #step = { mode: LoopRepeat, isForward: true, wasMirrored: false, begins: true };

  constructor({ events }, { start, end }) {
    const [first, last] = [start, end].map(Math.fround); // times of files are floats
    this.start = start;
    this.end = end;
    this.#events = events
      .map(({ name, time }) => ({ name, time, at: Math.fround(time) }))
      .filter(({ at }) => at >= first && at <= last)
      .map(({ name, time, at }) => ({ name, time, at: Math.min(Math.max(time, start), end), isAtEnd: at === last }));
    this.reset();
  }

  reset() {
    this.from = this.to = this.start;
    this.passed = this.loopDelta = 0;
    this.count = -1; // rounds that are over, as three.js counts them: -1 until a step goes forwards, so that passing the start backwards ends none
    this.hasEnded = this.finishes = false;
    this.#isMirrored = false;
    this.#isFresh = true;
  }

  /** Goes on by a step from a time, and gives the time after it. */
  go(time, step, mode, repetitions) {
    const { start, end } = this,
      length = end - start,
      flags = this.#step,
      hadEnded = this.hasEnded;
    flags.mode = mode;
    flags.isForward = step >= 0;
    flags.begins = this.#isFresh;
    if (step !== 0) this.#isFresh = false;
    if (mode !== LoopPingPong) this.#isMirrored = false;
    if (step === 0) return this.#stay(time);
    const after = mode === LoopOnce || length === 0 ? this.#goOnce(time, step, repetitions) : this.#goRound(time, step, repetitions);
    this.finishes = this.hasEnded && !(hadEnded && this.from === this.to && this.passed === 0);
    return after;
  }

  // A time beyond the ends stays, as in three.js, and is the nearest end for the clip.
  #stay(time) {
    const at = Math.min(Math.max(time, this.start), this.end);
    this.passed = this.loopDelta = 0;
    this.finishes = false;
    this.#setEnds(at, at);
    return time;
  }

  #goOnce(time, step, repetitions) {
    const { start, end } = this,
      after = Math.min(Math.max(time + step, start), end),
      hasLast = this.#step.mode === LoopOnce || repetitions < Infinity;
    this.passed = this.loopDelta = 0;
    this.#setEnds(Math.min(Math.max(time, start), end), after);
    this.hasEnded = hasLast && after === (step > 0 ? end : start);
    return after;
  }

  #goRound(time, step, repetitions) {
    const { start, end } = this,
      roundsOf = (all, rest) => Math.round((all - rest) / (end - start)) || 0;
    let before = time === end ? end : wrap(time, start, end), // a time that was set may be beyond the ends: that is no movement
      after = wrap(time + step, start, end);
    const loops = roundsOf(time + step, after),
      skipped = roundsOf(time, before),
      begun = step < 0 ? this.count : Math.max(this.count, 0),
      count = begun + Math.abs(loops),
      isPast = loops !== 0 && count >= repetitions;
    if (skipped % 2 !== 0) this.#turn();
    this.passed = loops - skipped;
    if (isPast) {
      const last = Math.ceil(repetitions) - 1;
      after = step > 0 ? end : start;
      if (skipped !== 0) before = after;
      this.passed = Math.sign(step) * Math.min(Math.max(last - begun, 0), Math.abs(this.passed));
      this.count = Math.max(begun, last);
    } else if (loops !== 0) this.count = count;
    this.hasEnded = isPast || (step < 0 && after === start && count + 1 >= repetitions);
    this.loopDelta = this.hasEnded ? 0 : loops;
    this.#setEnds(before, after);
    return after;
  }

  #turn() {
    if (this.#step.mode === LoopPingPong) this.#isMirrored = !this.#isMirrored;
  }
  #setEnds(before, after) {
    this.#step.wasMirrored = this.#isMirrored;
    this.from = this.#clipTime(before);
    if (this.passed % 2 !== 0) this.#turn();
    this.to = this.#clipTime(after);
  }
  #clipTime(time) {
    const { start, end } = this;
    if (!this.#isMirrored) return time;
    return time === end ? start : end - (time - start);
  }

  // The clip's time goes up in round `j` of the way.
  #goesUp(j) {
    const { mode, isForward, wasMirrored } = this.#step;
    return isForward !== (wasMirrored !== (mode === LoopPingPong && j % 2 === 1));
  }

  /** Tells the events that the way passes, those at its end among them, and the first time those at its beginning. At an end that
   *  is the start of the next round there are the events of both. */
  tellEvents(action, weight, tell) {
    const { start, end, from, to } = this,
      { mode, begins } = this.#step,
      last = Math.abs(this.passed),
      events = this.#events;
    if (events.length === 0 || (from === to && last === 0)) return;
    const tellBetween = (a, b, goesUp, withFirst) => {
      for (let i = 0; i < events.length; i++) {
        const event = events[goesUp ? i : events.length - 1 - i],
          { name, time } = event,
          at = event.isAtEnd && mode !== LoopOnce ? end : event.at;
        if ((goesUp ? at > a && at <= b : at < a && at >= b) || (withFirst && at === a))
          tell({ type: 'event', action, name, time, weight });
      }
    };
    for (let j = 0; j <= last; j++) {
      const goesUp = this.#goesUp(j),
        [bottom, top] = goesUp ? [start, end] : [end, start],
        a = j === 0 ? from : bottom,
        b = j === last ? to : top,
        isFirst = j === 0 && begins;
      if (mode !== LoopRepeat) tellBetween(a, b, goesUp, isFirst);
      else {
        if (isFirst && a === bottom) tellBetween(top, top, goesUp, true);
        tellBetween(a, b, goesUp, isFirst || (j > 0 && goesUp && (j > 1 || from !== end || begins)));
        if (b === start && !goesUp && (a !== start || begins) && !(j === last && this.hasEnded)) tellBetween(end, end, goesUp, true);
      }
    }
  }

  /** The movement of the way. between(from, to) gives that of the clip. */
  movement(between) {
    const { start, end, from, to } = this,
      last = Math.abs(this.passed),
      bottom = (j) => (this.#goesUp(j) ? start : end),
      top = (j) => (this.#goesUp(j) ? end : start);
    if (last === 0) return between(from, to);
    const isPingPong = this.#step.mode === LoopPingPong,
      rounds = repeat(between(bottom(1), top(1)), isPingPong ? (last - 1) % 2 : last - 1); // in ping-pong each undoes the one before
    return compose(compose(between(from, top(0)), rounds), between(bottom(last), to));
  }
}
