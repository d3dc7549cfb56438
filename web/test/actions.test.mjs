// Actions of the mixer, as three.js' AnimationAction, beside a model that goes from end to end of rounds: what `./dev test` runs.
// Usage: QUATSIMD_PACKAGE=FOLDER QUATSIMD_TOOL=quatsimd node --test actions.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopOnce, LoopPingPong, LoopRepeat } from './support/three.mjs';
import { QuatsimdMixer, command, load, object, work } from './support/player.mjs';
import { EVENTS, walker } from './support/walker.mjs';

const { bundle: bytes } = walker(command, work),
  bundle = (await load()).openBundle(bytes),
  { skeleton } = bundle;

let seed = 1;
const random = (below) => Math.floor((below * (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0)) / 2 ** 32),
  among = (list) => list[random(list.length)];

function mixed(options) {
  const joints = skeleton.names.map(object),
    mixer = new QuatsimdMixer({ bundle, joints, tracks: skeleton.trackNames.map(() => []) }, options),
    told = [];
  for (const type of ['event', 'loop', 'finished'])
    mixer.addEventListener(type, ({ name, loopDelta, direction }) => told.push(name ?? (type === 'loop' ? loopDelta : `end ${direction}`)));
  return { mixer, told, takeTold: () => told.splice(0), joints };
}

// The clip `round`, whose times are exact, as are those of all steps here: it is 0.5 s long. The model goes from end to end of rounds.
const LENGTH = 0.5;
class Model {
  round = 0;
  time = 0;
  count = -1; // of rounds that are over, see AnimationAction
  isFresh = true;
  hasEnded = false;

  constructor(mode, repetitions) {
    Object.assign(this, { mode, repetitions });
  }
  get clipTime() {
    return this.mode === LoopPingPong && this.round % 2 !== 0 ? LENGTH - this.time : this.time;
  }
  // Where a round joins the next one, both ends are passed.
  marksHere(joins) {
    const times = joins && this.mode === LoopRepeat && [0, LENGTH].includes(this.time) ? [0, LENGTH] : [this.clipTime];
    return EVENTS.round.filter(({ time }) => times.includes(time));
  }

  move(step) {
    const count = () => (step > 0 ? Math.max(this.count, 0) : this.count),
      isLast = () => this.mode === LoopOnce || count() + 1 >= this.repetitions,
      direction = Math.sign(step),
      end = step > 0 ? LENGTH : 0,
      hadEnded = this.hasEnded;
    if (step === 0) return { marks: [], loops: 0, finished: false };
    const marks = this.isFresh && !(isLast() && this.time === end) ? this.marksHere(true) : [];
    this.isFresh = this.hasEnded = false;
    for (let left = step, loops = 0; ; ) {
      const part = direction * Math.min(Math.abs(left), Math.abs(end - this.time)),
        before = this.clipTime;
      (this.time += part), (left -= part);
      const [low, high] = [before, this.clipTime].sort((a, b) => a - b);
      marks.push(...EVENTS.round.filter(({ time }) => time > low && time < high));
      if (part !== 0) marks.push(...this.marksHere(!isLast()));
      const goesOn = this.time === end && (left !== 0 || step > 0);
      if (this.time === end && isLast()) {
        this.hasEnded = true;
        if (this.mode !== LoopOnce) this.count = Math.max(count(), Math.ceil(this.repetitions) - 1);
      }
      if (goesOn && !this.hasEnded) (this.count = count() + 1), (this.round += direction), (loops += direction), (this.time = LENGTH - end);
      if (this.hasEnded || !goesOn)
        return { marks, loops: this.hasEnded ? 0 : loops, finished: this.hasEnded && !(hadEnded && part === 0 && loops === 0) };
    }
  }
}

const compose = (a, b) => ({
  rotation: a.rotation.clone().multiply(b.rotation),
  translation: b.translation.clone().applyQuaternion(a.rotation).add(a.translation),
});
function sameStep(is, wanted, words) {
  const sign = is.rotation.dot(wanted.rotation) < 0 ? -1 : 1;
  for (const c of ['x', 'y', 'z', 'w']) assert.ok(Math.abs(is.rotation[c] - sign * wanted.rotation[c]) < 1e-5, `${words}: rotation`);
  for (const c of ['x', 'y', 'z']) assert.ok(Math.abs(is.translation[c] - wanted.translation[c]) < 2e-5, `${words}: translation`);
}

test('time, marks, rounds and movement in random scripts, in one step and in small ones', () => {
  const hips = skeleton.find('hips'),
    clip = bundle.clip('round'),
    pose = skeleton.pose(),
    motion = skeleton.rootMotion(clip, { joint: 'hips' }),
    count = { marks: 0, loops: 0, finished: 0, waited: 0 };
  for (let script = 0; script < 70; script++) {
    const rootMotion = script % 2 ? { joint: 'hips' } : undefined,
      both = [mixed({ rootMotion }), mixed({ rootMotion })],
      [one, small] = both,
      actions = both.map(({ mixer }) => mixer.action('round').play()),
      words = [],
      change = (name, does) => (words.push(name), actions.forEach(does));
    let model, start;
    const begin = () => {
      const mode = among([LoopOnce, LoopRepeat, LoopRepeat, LoopPingPong, LoopPingPong]),
        repetitions = among([1, 2, 3, 4.5, Infinity]);
      (model = new Model(mode, repetitions)), (start = undefined);
      change(`reset, ${mode}, ${repetitions}`, (action) => action.reset().setLoop(mode, repetitions));
    };
    begin();
    for (let i = 0; i < 30; i++) {
      const is = random(12),
        [action] = actions;
      if (is === 0) begin();
      if (is === 1) (model.time = random(33) / 64), change(`time ${model.time}`, (a) => (a.time = model.time));
      if (is === 2 || is === 3) {
        const speed = among([1, 1, -1, -1, 0.5, 2, -2, 0]);
        change(`speed ${speed}`, (a) => (a.timeScale = speed));
      }
      if (is === 4) change(`paused ${!action.paused}`, (a) => (a.paused = !a.paused));
      if (is === 6) {
        const mode = among([LoopOnce, LoopRepeat, LoopPingPong]);
        if (mode !== model.mode) model.round = 0;
        Object.assign(model, { mode, repetitions: among([2, 3, Infinity]) });
        change(`${model.mode}, ${model.repetitions}`, (a) => a.setLoop(model.mode, model.repetitions));
      }
      if (is === 5) (start = one.mixer.time + (random(65) - 32) / 64), change(`from ${start}`, (a) => a.startAt(start));
      const k = among([1, 1, 1, -1]) * among([0, 1, random(8), random(32), random(32), 32, random(160)]),
        passed = k / 64,
        from = model.clipTime;
      words.push(`step ${passed}`);
      // what is left of the step when the clock has come to the time at which the action starts
      let rest = passed;
      if (start !== undefined) {
        const since = one.mixer.time + passed - start;
        if (k === 0 || since * k < 0) rest = 0;
        else (rest = since), (start = undefined);
        count.waited++;
      }
      const speed = action.paused ? 0 : action.timeScale,
        wanted = model.move(rest * speed);
      one.mixer.update(passed);
      let step = {
        rotation: one.mixer.step.rotation.clone().set(0, 0, 0, 1),
        translation: one.mixer.step.translation.clone().fromArray([0, 0, 0]),
      };
      let left = k;
      do {
        const piece = Math.sign(left) * Math.min(Math.abs(left), among([1, 5, 12]));
        small.mixer.update(piece / 64), (step = compose(step, small.mixer.step)), (left -= piece);
      } while (left !== 0);
      const story = words.join('; '),
        is1 = one.takeTold(),
        is2 = small.takeTold(),
        names = (told) => told.filter((name) => /^[a-z]+$/.test(name)).sort();
      assert.deepEqual(names(is1), wanted.marks.map(({ name }) => name).sort(), story);
      assert.deepEqual(names(is2), names(is1), `${story}, in small steps`);
      assert.deepEqual(
        is1.filter((name) => !names(is1).includes(name)),
        [...(wanted.loops ? [wanted.loops] : []), ...(wanted.finished ? [`end ${Math.sign(rest * speed)}`] : [])],
        story,
      );
      assert.equal(is2.includes(`end ${Math.sign(rest * speed)}`), wanted.finished, `${story}, in small steps`);
      if (!model.hasEnded)
        assert.equal(
          is2.filter(Number.isInteger).reduce((sum, n) => sum + n, 0),
          wanted.loops,
          story,
        );
      for (const a of actions) {
        assert.equal(a.time, model.time, story);
        assert.equal(a.isRunning(), !a.paused && a.timeScale !== 0 && start === undefined && !model.hasEnded, story);
      }
      if (rootMotion) {
        sameStep(one.mixer.step, step, `${story}, in small steps`);
        if (model.mode === LoopRepeat) continue;
        const { rotation, translation } = motion.between(from, model.clipTime);
        sameStep(
          one.mixer.step,
          { rotation: step.rotation.clone().fromArray(rotation), translation: step.translation.clone().fromArray(translation) },
          story,
        );
      } else {
        const shown = [...clip.sample(pose, model.clipTime, 'clamp', skeleton.rest).rotations.slice(4 * hips, 4 * hips + 4)];
        for (const { joints } of both) assert.deepEqual(joints[hips].quaternion.values, shown, `${story}: the pose`);
      }
      (count.marks += wanted.marks.length), (count.loops += wanted.loops !== 0), (count.finished += wanted.finished);
    }
    for (const { mixer } of both) mixer.dispose();
  }
  assert.ok(count.marks > 1500 && count.loops > 100 && count.finished > 150 && count.waited > 150, JSON.stringify(count));
});

test('how an action loops', () => {
  const { mixer, takeTold } = mixed(),
    action = mixer.action('round').play();
  assert.deepEqual([action.loop, action.repetitions, action.clampWhenFinished], [true, Infinity, true]);
  for (const mode of [false, true, LoopOnce, LoopRepeat, LoopPingPong]) (action.loop = mode), assert.equal(action.loop, mode);
  for (const mode of ['once', 2203, undefined]) assert.throws(() => (action.loop = mode), /loop is true, false, LoopRepeat, .*, not/);
  assert.throws(() => action.setLoop(LoopRepeat, NaN), /repetitions is a number of rounds, not NaN/);
  assert.equal(action.setLoop(LoopPingPong), action), assert.equal(action.repetitions, Infinity);
  // it goes there and back; its time goes up in each round
  mixer.update(0.625), assert.equal(action.time, 0.125);
  assert.deepEqual(takeTold(), ['start', 'a', 'b', 'c', 'end', 1]);
  mixer.update(0.25), assert.deepEqual(takeTold(), ['c', 'b', 'a']);
  mixer.update(-0.25), assert.deepEqual(takeTold(), ['b', 'c'], 'back to where it was');
  // a time beyond the ends is no way, in whatever round it is
  (action.time = 0.625), mixer.update(0.125), assert.deepEqual([action.time, ...takeTold()], [0.25, 'b', 'c', 1]);
  action.reset().setLoop(LoopRepeat, 3), (action.time = 2.75), mixer.update(0.125), assert.deepEqual(takeTold(), ['end 1']);
  // and no round, unless the time goes on
  action.reset().setLoop(LoopRepeat, 3), (action.time = 1.25), mixer.update(0), assert.deepEqual([action.time, ...takeTold()], [1.25]);
  (action.time = 0.25),
    mixer.update(1),
    assert.deepEqual(takeTold().at(-1), 2),
    mixer.update(0.5),
    assert.deepEqual(takeTold().at(-1), 'end 1');
  // what loops is over, and goes with the next update
  action.reset().setLoop(LoopRepeat, 2).clampWhenFinished = false;
  mixer.update(1.75),
    assert.deepEqual([takeTold().at(-1), action.time, action.isScheduled(), action.isRunning()], ['end 1', 0.5, true, false]);
  mixer.update(1), assert.deepEqual([takeTold(), action.isScheduled()], [[], false]);
  action.reset().play(), mixer.update(0.25), assert.ok(action.isRunning());
  (action.time = 0.25), action.stop(), assert.deepEqual([action.time, action.isScheduled()], [0, false]);
});

test('when and how fast an action goes', () => {
  const { mixer } = mixed(),
    [action, other] = ['round', 'walk'].map((name) => mixer.action(name).play()),
    near = (is, wanted) => assert.ok(Math.abs(is - wanted) < 1e-12, `${is}, not ${wanted}`);
  mixer.update(0.25), action.reset().startAt(1), mixer.update(0.5);
  assert.deepEqual([action.time, action.isRunning(), action.isScheduled()], [0, false, true]);
  mixer.update(0.5), assert.deepEqual([action.time, action.isRunning()], [0.25, true], 'it has started in the update');
  assert.equal(action.setDuration(0.25).getEffectiveTimeScale(), 2);
  (action.paused = true), assert.equal(action.getEffectiveTimeScale(), 0), mixer.update(1), assert.equal(action.time, 0.25);
  assert.deepEqual([action.isRunning(), action.reset().paused, action.timeScale], [false, false, 2]);
  // the speed at the end of an update counts
  action.setEffectiveTimeScale(1).warp(1, 3, 1).setLoop(LoopOnce);
  mixer.update(0.125), near(action.time, 0.125 * 1.25), near(action.getEffectiveTimeScale(), 1.25);
  mixer.update(1), near(action.timeScale, 3), (action.time = 0), mixer.update(0.125), near(action.time, 0.375);
  action.reset().halt(0.5), mixer.update(0.125), near(action.time, 0.125 * 2.25), assert.ok(action.isRunning());
  mixer.update(0.375), near(action.time, 0.125 * 2.25), assert.deepEqual([action.paused, action.timeScale], [true, 3]);
  // while it is paused a warp goes on, and ends when it is not
  action.reset().warp(1, 2, 0.25).paused = true;
  mixer.update(1), assert.equal(action.timeScale, 3), (action.paused = false), mixer.update(0.125), near(action.time, 0.25);
  assert.equal(action.timeScale, 2), action.warp(0, 1, 1).stopWarping(), assert.equal(action.getEffectiveTimeScale(), 2);
  // a speed that is set in a warp counts, and one of 0 can begin one
  action.reset().setEffectiveTimeScale(1).warp(1, 2, 1).timeScale = -2;
  (action.time = 0.25), mixer.update(0.0625), near(action.time, 0.25 - 0.0625 * 2 * 1.0625);
  action.setEffectiveTimeScale(0).warp(0, 2, 0.5), mixer.update(0.25), near(action.getEffectiveTimeScale(), 1);
  action.setEffectiveTimeScale(2);
  other.reset().setEffectiveTimeScale(0.5), mixer.update(0.25), action.syncWith(other);
  assert.deepEqual([action.time, action.timeScale], [other.time, 0.5]);
  for (const call of [() => action.startAt(undefined), () => action.warp(1, NaN, 1), () => action.halt(), () => action.setDuration('soon')])
    assert.throws(call, TypeError);
  assert.throws(() => action.setDuration(0), /seconds that are not 0, not 0$/);
});

test('fades, before it plays and while it does', () => {
  const { mixer } = mixed(),
    [action, other] = ['round', 'walk'].map((name) => mixer.action(name)),
    near = (is, wanted) => assert.ok(Math.abs(is - wanted) < 1e-12, `${is}, not ${wanted}`);
  action.reset().fadeIn(1).play(), mixer.update(0.25), near(action.getEffectiveWeight(), 0.25), near(action.effectiveWeight, 0.25);
  action.setEffectiveWeight(0.5), near(action.effectiveWeight, 0.5), mixer.update(0.5), near(action.effectiveWeight, 0.5);
  action.fadeOut(1), mixer.update(0.5), near(action.effectiveWeight, 0.25), action.stopFading(), near(action.effectiveWeight, 0.5);
  action.setEffectiveWeight(1);
  // so does one that begins before it plays, unless it is over then
  other.fadeOut(1).play(), mixer.update(0.25), near(other.effectiveWeight, 0.75), other.stop();
  other.fadeOut(0.5), mixer.update(1), other.play(), mixer.update(0.25), near(other.effectiveWeight, 1), other.stop();
  assert.equal(other.crossFadeFrom(action, 0.5), other), mixer.update(0.125);
  near(action.effectiveWeight, 0.75), near(other.effectiveWeight, 0.25), assert.equal(action.getEffectiveTimeScale(), 1);
  mixer.update(0.5), assert.deepEqual([action.isScheduled(), other.effectiveWeight], [false, 1]);
  // with a warp both have rounds of the same length
  action.reset(), assert.equal(other.crossFadeTo(action, 0.5, true), action), mixer.update(0.125);
  const length = ({ end, start }) => end - start,
    rounds = [action, other].map((each) => length(each) / each.getEffectiveTimeScale()),
    ratio = length(other) / length(action);
  near(other.getEffectiveTimeScale(), 1 + 0.25 * (ratio - 1)), near(action.getEffectiveTimeScale(), 1 / ratio + 0.25 * (1 - 1 / ratio));
  assert.ok(
    rounds.every((seconds) => seconds > length(action) && seconds < length(other) * 1.01),
    `${rounds}`,
  );
  mixer.update(0.5), near(action.timeScale, 1), assert.ok(!other.isScheduled());
  assert.throws(() => action.crossFadeFrom('walk', 1), /crossFadeFrom takes an action/);
  assert.equal(action.crossFadeFrom(action, 1), action);
});
