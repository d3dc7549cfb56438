// What of three.js the package's three.js calls to play a bundle, for tests where three.js is not installed. It has no loaders, and of
// math what blends movements: objects are the test's own, and what the mixer writes to them is compared with the player's pose.
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

export class Vector3 {
  constructor(x = 0, y = 0, z = 0) {
    Object.assign(this, { x, y, z });
  }
  fromArray([x, y, z]) {
    return Object.assign(this, { x, y, z });
  }
  clone() {
    return new Vector3(this.x, this.y, this.z);
  }
  add(v) {
    return this.addScaledVector(v, 1);
  }
  addScaledVector(v, by) {
    return this.fromArray([this.x + by * v.x, this.y + by * v.y, this.z + by * v.z]);
  }
  divideScalar(by) {
    return this.fromArray([this.x / by, this.y / by, this.z / by]);
  }
  applyQuaternion(q) {
    const inverse = new Quaternion(-q.x, -q.y, -q.z, q.w),
      { x, y, z } = q
        .clone()
        .multiply(new Quaternion(this.x, this.y, this.z, 0))
        .multiply(inverse);
    return this.fromArray([x, y, z]);
  }
}

export class Quaternion {
  constructor(x = 0, y = 0, z = 0, w = 1) {
    this.set(x, y, z, w);
  }
  set(x, y, z, w) {
    return Object.assign(this, { x, y, z, w });
  }
  fromArray(values) {
    return this.set(...values);
  }
  clone() {
    return new Quaternion(this.x, this.y, this.z, this.w);
  }
  dot(q) {
    return this.x * q.x + this.y * q.y + this.z * q.z + this.w * q.w;
  }
  normalize() {
    const length = Math.sqrt(this.dot(this));
    return length === 0 ? this.set(0, 0, 0, 1) : this.set(this.x / length, this.y / length, this.z / length, this.w / length);
  }
  multiply(q) {
    const { x, y, z, w } = this;
    return this.set(
      w * q.x + x * q.w + y * q.z - z * q.y,
      w * q.y - x * q.z + y * q.w + z * q.x,
      w * q.z + x * q.y - y * q.x + z * q.w,
      w * q.w - x * q.x - y * q.y - z * q.z,
    );
  }
}

export class Matrix4 {}
export class Loader {}
export class FileLoader {}
export class AnimationClip {}
export class NumberKeyframeTrack {}
export class QuaternionKeyframeTrack {}
export class VectorKeyframeTrack {}
export const AdditiveAnimationBlendMode = 2501,
  LoopOnce = 2200,
  LoopRepeat = 2201,
  LoopPingPong = 2202,
  InterpolateDiscrete = 2300,
  InterpolateLinear = 2301;
