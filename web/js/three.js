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
      const meshes = [];
      holder.traverse((object) => {
        const own = parser.associations.get(object)?.nodes;
        if (object.morphTargetInfluences && (own === undefined || own === it.tracks[t].node)) meshes.push(object);
      });
      return { meshes, target: it.tracks[t].target };
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
 *  objects, and as sourceOf does. Those that are not there are undefined. */
export function bindByName(root, skeleton) {
  const objects = new Map(), targets = new Map(), names = namesOf(root);
  for (const [object, name] of names) {
    objects.set(sanitizeNodeName(name), object);
    if (!object.morphTargetInfluences) continue;
    const owners = object.parent?.morphTargetInfluences ? [name] : [name, names.get(object.parent)];
    targetNames(object).forEach((target, number) => {
      for (const owner of owners.map((own) => sanitizeNodeName(`${own}.${target}`)))
        targets.set(owner, { meshes: [...(targets.get(owner)?.meshes ?? []), object], target: number });
    });
  }
  return { joints: skeleton.names.map((name) => objects.get(sanitizeNodeName(name))), tracks: skeleton.trackNames.map((name) => targets.get(sanitizeNodeName(name))) };
}

const ROTATION = 0, TRANSLATION = 1, SCALE = 2, TRACK = 3;

/** One clip as a mixer plays it. Change `time`, `timeScale`, `weight`, `loop` and `mask` (of skeleton.mask()) at any time. */
export class QuatsimdAction {
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
    this.fade = undefined; // { from, to, length, passed }
  }

  play() {
    this.isPlaying = true;
    this.mixer.show(this);
    return this;
  }
  /** Ends at once: where nothing else plays, joints go to the rest pose. */
  stop() {
    this.isPlaying = false;
    this.fade = undefined;
    this.time = this.clip.start;
    return this;
  }
  reset() {
    this.time = this.clip.start;
    return this;
  }
  fadeIn(seconds) { return this.#fade(0, 1, seconds); }
  fadeOut(seconds) { return this.#fade(this.weight, 0, seconds); }
  crossFadeTo(other, seconds) {
    this.fadeOut(seconds);
    other.play().fadeIn(seconds);
    return other;
  }

  #fade(from, to, length) {
    this.fade = { from, to, length, passed: 0 };
    this.weight = length > 0 ? from : to;
    return this;
  }

  advance(seconds) {
    const { fade, clip } = this;
    if (fade) {
      fade.passed += seconds;
      const share = fade.length > 0 ? Math.min(fade.passed / fade.length, 1) : 1;
      this.weight = fade.from + (fade.to - fade.from) * share;
      if (share === 1) {
        this.fade = undefined;
        if (fade.to === 0) this.isPlaying = false;
      }
    }
    this.time += seconds * this.timeScale;
    if (this.loop || clip.duration === 0) return;
    const end = clip.start + clip.duration, ended = this.timeScale >= 0 ? this.time >= end : this.time <= clip.start;
    if (!ended) return;
    this.time = Math.min(Math.max(this.time, clip.start), end);
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.mixer.dispatchEvent({ type: 'finished', action: this });
  }
}

/** Plays the clips of a bundle on the objects that its joints and tracks stand for. Additive clips are put on the others. */
export class QuatsimdMixer extends EventDispatcher {
  #actions = new Map(); #evaluator; #layers; #shown = [];

  /** bound: gltf.userData.quatsimd, or { bundle, ...bindByName(root, bundle.skeleton) }. layers: how many clips play at once at
   *  most. */
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

  /** What a clip moves, or holds where it is, is written from now on. */
  show({ clip }) {
    this.joints.forEach((object, j) => {
      if (!object) return;
      const has = [ROTATION, TRANSLATION, SCALE].map((kind) => clip.curve(kind, j) > 0), before = this.#shown[j] ?? [];
      if (has.some(Boolean)) this.#shown[j] = has.map((own, kind) => own || before[kind]);
    });
  }

  stopAll() {
    for (const action of this.#actions.values()) action.stop();
  }

  /** Goes on by so many seconds, and writes the pose. */
  update(seconds) {
    const passed = seconds * this.timeScale;
    this.time += passed;
    const layers = [];
    for (const action of this.#actions.values()) {
      if (!action.isPlaying) continue;
      action.advance(passed);
      if (!action.isPlaying || action.weight === 0) continue;
      if (layers.length === this.#layers) throw new RangeError(`more than ${this.#layers} clips play at once: give the mixer more layers`);
      layers.push({ clip: action.clip, time: action.time, weight: action.weight, wrap: action.loop ? 'loop' : 'clamp', mask: action.mask });
    }
    const { rotations, translations, scales, tracks } = this.#evaluator.evaluate(layers);
    this.#shown.forEach(([rotation, translation, scale], j) => {
      const object = this.joints[j];
      if (rotation) object.quaternion.fromArray(rotations, 4 * j);
      if (translation) object.position.fromArray(translations, 3 * j);
      if (scale) object.scale.fromArray(scales, 3 * j);
    });
    this.tracks.forEach((track, t) => track?.meshes.forEach((mesh) => (mesh.morphTargetInfluences[track.target] = tracks[t])));
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
    for (const mesh of track?.meshes ?? [])
      add(`${mesh.uuid}.morphTargetInfluences[${track.target}]`, 1, NumberKeyframeTrack, 10 * skeleton.joints + t);
  });
  for (let f = 0; f < clip.frames; f++) {
    const { values } = clip.sample(pose, clip.time(f), 'clamp', skeleton.rest);
    for (const { size, at, values: to } of moved) to.set(values.subarray(at, at + size), size * f);
  }
  const result = new AnimationClip(name, clip.duration, moved.map(({ path, Track, values }) => new Track(path, times, values)));
  pose.dispose(), clip.dispose();
  return result;
}
