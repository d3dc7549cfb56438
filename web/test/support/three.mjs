// What of three.js the package's three.js calls to play a bundle, for tests where three.js is not installed. It has no loaders and no
// math: objects are the test's own, and what the mixer writes to them is compared with the player's pose.
// EventDispatcher and sanitizeNodeName do what three.js' manual says of them; web/test/three.test.mjs has three.js itself.
export class EventDispatcher {
  #listeners = new Map();

  addEventListener(type, listener) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }
  dispatchEvent(event) {
    for (const listener of this.#listeners.get(event.type) ?? []) listener({ ...event, target: this });
  }
}

export const PropertyBinding = { sanitizeNodeName: (name) => name.replace(/\s/g, '_').replace(/[[\].:/]/g, '') };

export class Loader {}
export class FileLoader {}
export class AnimationClip {}
export class NumberKeyframeTrack {}
export class QuaternionKeyframeTrack {}
export class VectorKeyframeTrack {}
export const InterpolateDiscrete = 2300,
  InterpolateLinear = 2301;
