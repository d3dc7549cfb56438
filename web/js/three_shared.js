// Memory that all mixers of a bundle share: their clips are the same, and their poses are computed one after the other.

const MOST_LAYERS = 64,
  shared = new WeakMap(); // by bundle

class Shared {
  #bundle;
  #clips = new Map();
  #evaluator;
  #layers = 8;
  #goals = 8;
  #users = 0;

  constructor(bundle) {
    this.#bundle = bundle;
  }

  use() {
    this.#users += 1;
    return this;
  }

  clip(name) {
    if (!this.#clips.has(name)) this.#clips.set(name, this.#bundle.clip(name));
    return this.#clips.get(name);
  }

  /** As an Evaluator does it. */
  evaluate(layers, goals) {
    this.#makeRoom(layers.length, goals.length);
    return this.#evaluator.evaluate(layers, { goals });
  }

  #makeRoom(layers, goals) {
    if (this.#evaluator && layers <= this.#layers && goals <= this.#goals) return;
    if (layers > MOST_LAYERS) throw new RangeError(`${layers} clips play at once; ${MOST_LAYERS} may`);
    const room = (had, wanted) => Math.max(had, 2 ** Math.ceil(Math.log2(Math.max(wanted, 1))));
    this.#layers = room(this.#layers, layers);
    this.#goals = room(this.#goals, goals);
    const evaluator = this.#bundle.skeleton.evaluator({ layers: this.#layers, goals: this.#goals });
    this.#evaluator?.dispose();
    this.#evaluator = evaluator;
  }

  /** The last user gives the memory back. */
  leave() {
    this.#users -= 1;
    if (this.#users > 0) return;
    shared.delete(this.#bundle);
    for (const clip of this.#clips.values()) clip.dispose();
    this.#evaluator?.dispose();
  }
}

export function sharedOf(bundle) {
  if (!shared.has(bundle)) shared.set(bundle, new Shared(bundle));
  return shared.get(bundle).use();
}
