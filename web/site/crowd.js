// A thousand skeletons that play one clip, each at a time of its own, evaluated from the compressed bytes.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three';

export const PEOPLE = 1000;
const ROW = 40,
  MILLISECONDS = 10,
  PIECE = 50;
const golden = 0.6180339887;

export class Crowd extends LineSegments {
  #evaluator;
  #clip;
  #pairs;
  #spacing;
  #next = 0;
  #behind = PEOPLE;
  #time;
  #costs = [];

  /** bundle: opened. pairs: the joints that lines are between. spacing: from one to the next. */
  constructor(bundle, name, pairs, spacing) {
    const geometry = new BufferGeometry(),
      colours = new Float32Array(6 * PEOPLE * pairs.length);
    for (let i = 0; i < PEOPLE; i++) {
      const { r, g, b } = new Color().setHSL((0.5 + 0.2 * ((i * golden) % 1)) % 1, 0.5, 0.65);
      for (let v = 0; v < 2 * pairs.length; v++) colours.set([r, g, b], 3 * (2 * pairs.length * i + v));
    }
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(6 * PEOPLE * pairs.length), 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', new BufferAttribute(colours, 3));
    super(geometry, new LineBasicMaterial({ vertexColors: true }));
    this.frustumCulled = false;
    this.#pairs = pairs;
    this.#spacing = spacing;
    this.#clip = bundle.clip(name);
    this.#evaluator = bundle.skeleton.evaluator({ layers: 1, model: true });
  }

  /** Poses those for whom there is time, and goes on with the others in the next frame. */
  pose(time) {
    const start = performance.now(),
      end = Math.max(this.#clip.start + this.#clip.duration, 0),
      { array } = this.geometry.attributes.position;
    if (time !== this.#time) [this.#time, this.#behind] = [time, PEOPLE];
    let done = 0;
    while (done < this.#behind && (done % PIECE || done === 0 || performance.now() - start < MILLISECONDS)) {
      const i = this.#next,
        x = ((i % ROW) - ROW / 2) * this.#spacing,
        z = -Math.floor(i / ROW) * this.#spacing;
      this.#next = (i + 1) % PEOPLE;
      // from 0 to the last key, as the figures
      this.#evaluator.evaluate([{ clip: this.#clip, time: end > 0 ? (time + end * ((i * golden) % 1)) % end : 0, wrap: 'clamp' }]);
      const { values } = this.#evaluator.model;
      let at = 6 * this.#pairs.length * i;
      for (const pair of this.#pairs)
        for (const j of pair) {
          array[at++] = values[16 * j + 12] + x;
          array[at++] = values[16 * j + 13];
          array[at++] = values[16 * j + 14] + z;
        }
      done += 1;
    }
    this.#behind -= done;
    if (done) this.#costs.push((1000 * (performance.now() - start)) / done);
    if (this.#costs.length > 60) this.#costs.shift();
    this.geometry.attributes.position.needsUpdate = true;
  }

  /** Does somebody still wait for the pose of this time? */
  get isBehind() {
    return this.#behind > 0;
  }

  /** Microseconds a pose, the median of the last frames. */
  get cost() {
    return [...this.#costs].sort((a, b) => a - b)[this.#costs.length >> 1];
  }

  dispose() {
    this.geometry.dispose();
    this.material.dispose();
    this.#evaluator.dispose();
    this.#clip.dispose();
  }
}
