// The two forms of a bound: of vertices, and of points beside joints. Both have
//   bounds(mm): for the encoder
//   worst(): [millimetres, name of what is there] of the pose that is; place(name): words for it
//   shares(mm): of each joint its error as a part of its bound
//   what, no, measured: words for people
import { meshBounds } from 'quatsimd/three';
import { errorsOf, worstOf } from './errors.js';
import { whole } from './units.js';
import { Vertices } from './vertices.js';

const DISTANCE = 0.1, // metres from a joint to its points
  BESIDE = 0.03; // to those of joints without vertices, which may be off by half as much

class Points {
  what = 'A point 10 cm from a joint is off by at most';
  no = 'No point 10 cm from a joint is off by more than';
  measured = 'It was measured';
  #subject;
  #show;
  #distances;

  constructor(subject, show) {
    this.#subject = subject;
    this.#show = show;
    this.#distances = subject.joints.map(() => DISTANCE / subject.metres);
  }
  get isMeasured() {
    return this.#distances.length > 0;
  }
  #errors() {
    const { joints, metres } = this.#subject;
    return errorsOf(joints, this.#show.joints, this.#distances).map((error) => 1000 * metres * error);
  }

  bounds(mm) {
    const { metres } = this.#subject;
    return { object: mm / 1000 / metres, distance: DISTANCE / metres };
  }
  worst() {
    const errors = this.#errors(),
      worst = worstOf(errors);
    return [errors[worst], this.#subject.source.skeleton.joints[worst].name];
  }
  place(name) {
    return `10 cm from ${name}`;
  }
  shares(mm) {
    return this.#errors().map((error) => error / mm);
  }
}

class Mesh {
  what = 'No vertex is off by more than';
  isMeasured = true;
  #subject;
  #show;
  #boundsOf;
  #vertices;
  #asked; // bound in millimetres, and what it is for each joint
  #own;

  constructor(subject, show, boundsOf) {
    this.#subject = subject;
    this.#show = show;
    this.#boundsOf = boundsOf;
    this.#vertices = new Vertices(show.left, show.right);
    const { count, step } = this.#vertices;
    this.no = step > 1 ? 'No vertex that was measured is off by more than' : this.what;
    this.measured = `${step > 1 ? `One in ${step}` : 'Each'} of ${whole(count)} vertices was measured`;
  }

  bounds(mm) {
    if (mm === this.#asked) return this.#own;
    const { metres } = this.#subject,
      length = mm / 1000 / metres;
    this.#asked = mm;
    return (this.#own = this.#boundsOf(length, { object: length / 2, distance: BESIDE / metres }));
  }
  worst() {
    const [distance, object] = this.#vertices.worst();
    return [1000 * this.#subject.metres * distance, object?.name];
  }
  place(name) {
    return name ? `at a vertex that ${name} moves` : 'at a vertex';
  }
  shares(mm) {
    const { jointBounds, ...others } = this.bounds(mm),
      own = jointBounds.map((bound) => bound ?? others),
      errors = errorsOf(
        this.#subject.joints,
        this.#show.joints,
        own.map(({ distance }) => distance),
      );
    return errors.map((error, j) => error / own[j].object);
  }
}

/** { points, mesh } of a subject that has an original, as a show has it; without a mesh there is no `mesh`. */
export function formsOf(subject, show) {
  const forms = { points: new Points(subject, show) };
  const { root, source, joints, tracks } = subject;
  if (!source) return forms;
  try {
    const boundsOf = meshBounds(root, { ...source, joints, tracks });
    if (boundsOf) forms.mesh = new Mesh(subject, show, boundsOf);
  } catch (error) {
    subject.notes.push(`Its vertices cannot be bounded: ${error.message}.`);
  }
  return forms;
}
