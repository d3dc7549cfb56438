// Clips on three.js' bones and morph targets, played from the compressed bytes.
import { AnimationClip, EventDispatcher, FileLoader, Loader, NumberKeyframeTrack, PropertyBinding, QuaternionKeyframeTrack, VectorKeyframeTrack } from 'three';
import { namesOf, targetNames } from './three_source.js';

export { sourceOf } from './three_source.js';

const { sanitizeNodeName } = PropertyBinding;

/** The extension's name in a GLB, whose text is docs/gltf-extension.md. */
export const EXTENSION = 'QUATSIMD_bundle';

/** For GLTFLoader: loader.register((parser) => new QuatsimdGLTFExtension(parser, player)). A file with the extension has
 *  gltf.userData.quatsimd then, for QuatsimdMixer: the opened bundle, and what its joints and tracks move. */
export class QuatsimdGLTFExtension {
  constructor(parser, player) {
    this.name = EXTENSION;
    this.parser = parser;
    this.player = player;
  }

  async afterRoot(gltf) {
    const { parser } = this, it = parser.json.extensions?.[EXTENSION];
    if (!it) return;
    const [bytes, joints, holders] = await Promise.all([parser.getDependency('bufferView', it.bufferView),
      Promise.all((it.joints ?? []).map((node) => parser.getDependency('node', node))),
      Promise.all((it.tracks ?? []).map(({ node }) => parser.getDependency('node', node)))]);
    const tracks = holders.map((holder, t) => {
      const moved = [], { target } = it.tracks[t];
      const visit = (object) => { // all that is of this node, and nothing of the nodes below it
        if (object !== holder && parser.associations.get(object)?.nodes !== undefined) return;
        if (object.morphTargetInfluences) moved.push({ mesh: object, target });
        object.children.forEach(visit);
      };
      visit(holder);
      return moved;
    });
    gltf.userData.quatsimd = { bundle: this.player.openBundle(bytes), joints, tracks };
  }
}

/** Loads a bundle's file. */
export class QuatsimdLoader extends Loader {
  constructor(player, manager) {
    super(manager);
    this.player = player;
  }

  load(url, onLoad, onProgress, onError) {
    const loader = new FileLoader(this.manager);
    loader.setPath(this.path);
    loader.setResponseType('arraybuffer');
    loader.setRequestHeader(this.requestHeader);
    loader.setWithCredentials(this.withCredentials);
    loader.load(url, (bytes) => {
      try {
        onLoad(this.player.openBundle(bytes));
      } catch (error) {
        if (!onError) throw error;
        onError(error);
        this.manager.itemError(url);
      }
    }, onProgress, onError);
  }
}

/** What the joints and tracks of a bundle move below `root`, found by their names: as GLTFLoader and BVHLoader name
 *  objects, and as sourceOf does. joints: an object each, or undefined where it is not there. tracks: of each the morph
 *  targets, { mesh, target }. A mesh has the tracks of its own name, or else those of its parent's name, as primitives of one
 *  mesh do. */
export function bindByName(root, skeleton) {
  const objects = new Map(), names = namesOf(root), tracks = new Map(skeleton.trackNames.map((name) => [sanitizeNodeName(name), []]));
  for (const [object, name] of names) {
    objects.set(sanitizeNodeName(name), object);
    if (!object.morphTargetInfluences) continue;
    targetNames(object).forEach((target, number) => {
      const track = [name, names.get(object.parent)].map((owner) => sanitizeNodeName(`${owner}.${target}`)).find((own) => tracks.has(own));
      if (track !== undefined) tracks.get(track).push({ mesh: object, target: number });
    });
  }
  return { joints: skeleton.names.map((name) => objects.get(sanitizeNodeName(name))), tracks: [...tracks.values()] };
}

const ROTATION = 0, TRANSLATION = 1, SCALE = 2, TRACK = 3;

/** One clip as a mixer plays it. Change `time`, `timeScale`, `weight`, `loop`, `mask` (of skeleton.mask()) and `trackMask` at
 *  any time. Fades multiply the weight and leave it as it is. */
export class QuatsimdAction {
  #factor = 1; #fade; #hasEnded = false; // #fade: { from, to, length, passed }

  constructor(mixer, name) {
    this.mixer = mixer;
    this.name = name;
    this.clip = mixer.bundle.clip(name);
    this.time = this.clip.start; // seconds
    this.timeScale = 1;
    this.weight = 1;
    this.loop = true;
    this.isPlaying = false;
    this.mask = undefined;
    this.trackMask = undefined;
  }

  /** The weight times what fades make of it. */
  get effectiveWeight() { return this.weight * this.#factor; }

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
    this.time = this.clip.start;
    return this;
  }
  /** From 0; from the present share where a fade is under way. */
  fadeIn(seconds) { return this.#fadeTo(this.#fade ? this.#factor : 0, 1, seconds); }
  /** It stops when it has gone. */
  fadeOut(seconds) { return this.#fadeTo(this.#factor, 0, seconds); }
  crossFadeTo(other, seconds) {
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

  /** Called by the mixer. tell(event) */
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
    const { start, duration } = this.clip, end = start + duration;
    this.time += seconds * this.timeScale;
    if (duration === 0) return;
    if (this.loop) {
      const rounds = Math.floor((this.time - start) / duration);
      if (rounds === 0 || !Number.isFinite(rounds)) return;
      this.time -= rounds * duration;
      tell({ type: 'loop', action: this, loopDelta: rounds });
      return;
    }
    const ended = this.timeScale >= 0 ? this.time >= end : this.time <= start;
    this.time = Math.min(Math.max(this.time, start), end);
    if (ended && !this.#hasEnded) tell({ type: 'finished', action: this });
    this.#hasEnded = ended;
  }
}

/** Plays the clips of a bundle on the objects that its joints and tracks stand for. Additive clips are put on the others.
 *  Events, told when the pose is written: 'finished' ({ action }), of an action without `loop` at its end, whose pose stays
 *  until it is stopped; 'loop' ({ action, loopDelta }). */
export class QuatsimdMixer extends EventDispatcher {
  #actions = new Map(); #evaluator; #layers; #shown = []; #shownTracks = new Set();

  /** bound: gltf.userData.quatsimd, or { bundle, ...bindByName(root, bundle.skeleton) }. layers: how many clips play at once at
   *  most, up to 64. */
  constructor({ bundle, joints, tracks }, { layers = 8 } = {}) {
    super();
    this.bundle = bundle;
    this.skeleton = bundle.skeleton;
    this.joints = joints;
    this.tracks = tracks;
    this.time = 0;
    this.timeScale = 1;
    this.#layers = layers;
    this.#evaluator = this.skeleton.evaluator({ layers });
  }

  /** The action of the clip of this name. */
  action(name) {
    if (!this.#actions.has(name)) this.#actions.set(name, new QuatsimdAction(this, name));
    return this.#actions.get(name);
  }

  /** Called by an action that plays: what its clip moves, or holds where it is, is written from now on. All else is left alone. */
  show({ clip }) {
    this.joints.forEach((object, j) => {
      if (!object) return;
      const has = [ROTATION, TRANSLATION, SCALE].map((kind) => clip.curve(kind, j) > 0), before = this.#shown[j] ?? [];
      if (has.some(Boolean)) this.#shown[j] = has.map((own, kind) => own || before[kind]);
    });
    this.tracks.forEach((_, t) => clip.curve(TRACK, t) > 0 && this.#shownTracks.add(t));
  }

  stopAll() {
    for (const action of this.#actions.values()) action.stop();
  }

  /** Goes on by so many seconds, and writes the pose. */
  update(seconds) {
    const passed = seconds * this.timeScale, layers = [], events = [];
    this.time += passed;
    for (const action of this.#actions.values()) {
      if (!action.isPlaying) continue;
      action.advance(passed, (event) => events.push(event));
      if (!action.isPlaying || action.effectiveWeight === 0) continue;
      if (layers.length === this.#layers) throw new RangeError(`more than ${this.#layers} clips play at once: give the mixer more layers`);
      const { clip, time, effectiveWeight: weight, mask, trackMask, loop } = action;
      layers.push({ clip, time, weight, wrap: loop ? 'loop' : 'clamp', mask, trackMask });
    }
    const { rotations, translations, scales, tracks } = this.#evaluator.evaluate(layers);
    this.#shown.forEach(([rotation, translation, scale], j) => {
      const object = this.joints[j];
      if (rotation) object.quaternion.fromArray(rotations, 4 * j);
      if (translation) object.position.fromArray(translations, 3 * j);
      if (scale) object.scale.fromArray(scales, 3 * j);
    });
    for (const t of this.#shownTracks) for (const { mesh, target } of this.tracks[t]) mesh.morphTargetInfluences[target] = tracks[t];
    for (const event of events) this.dispatchEvent(event);
    return this;
  }

  dispose() {
    for (const action of this.#actions.values()) action.clip.dispose();
    this.#actions.clear();
    this.#evaluator.dispose();
  }
}

/** A clip as three.js' own, with a key at each frame, for AnimationMixer. */
export function toAnimationClip({ bundle, joints, tracks }, name) {
  const clip = bundle.clip(name), { skeleton } = bundle, pose = skeleton.pose();
  const times = Float32Array.from({ length: clip.frames }, (_, f) => clip.time(f) - clip.start);
  const moved = [];
  const add = (path, size, Track, at) => moved.push({ path, size, Track, at, values: new Float32Array(size * clip.frames) });
  joints.forEach((object, j) => {
    if (!object) return;
    if (clip.curve(ROTATION, j) > 0) add(`${object.uuid}.quaternion`, 4, QuaternionKeyframeTrack, 4 * j);
    if (clip.curve(TRANSLATION, j) > 0) add(`${object.uuid}.position`, 3, VectorKeyframeTrack, 4 * skeleton.joints + 3 * j);
    if (clip.curve(SCALE, j) > 0) add(`${object.uuid}.scale`, 3, VectorKeyframeTrack, 7 * skeleton.joints + 3 * j);
  });
  tracks.forEach((track, t) => {
    if (clip.curve(TRACK, t) === 0) return;
    for (const { mesh, target } of track) add(`${mesh.uuid}.morphTargetInfluences[${target}]`, 1, NumberKeyframeTrack, 10 * skeleton.joints + t);
  });
  for (let f = 0; f < clip.frames; f++) {
    const { values } = clip.sample(pose, clip.time(f), 'clamp', skeleton.rest);
    for (const { size, at, values: to } of moved) to.set(values.subarray(at, at + size), size * f);
  }
  const result = new AnimationClip(name, clip.duration, moved.map(({ path, Track, values }) => new Track(path, times, values)));
  pose.dispose(), clip.dispose();
  return result;
}
