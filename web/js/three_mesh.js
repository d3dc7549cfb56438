// Bounds of joints and tracks by which no vertex of the meshes is off by more than a length, as `quatsimd compress --object 0.2mm@mesh`
// has them.
import { hasVertices, moversOf, verticesOf } from './three_vertices.js';

// The largest number of a curve, between keys, too: a spline goes beyond them by a third of its tangents, at most.
function largest({ times, values, interpolation }, size) {
  const isSpline = interpolation === 'CUBICSPLINE';
  let most = 0;
  for (let k = 0; k < times.length; k++)
    for (let i = 0; i < size; i++) {
      if (!isSpline) most = Math.max(most, Math.abs(values[size * k + i]));
      else {
        const [before, value, behind] = [0, 1, 2].map((part) => Math.abs(values[size * (3 * k + part) + i])),
          beyond = Math.max(k > 0 ? before * (times[k] - times[k - 1]) : 0, k + 1 < times.length ? behind * (times[k + 1] - times[k]) : 0);
        most = Math.max(most, value + beyond / 3);
      }
    }
  return most;
}

/** What meshBounds has to know of animations: of each joint the largest factor of its scale, and of each track the largest weight and
 *  whether an animation has keys of it. */
export const extentsOf = ({ skeleton, animations }) => ({
  scales: skeleton.joints.map(({ scale }, j) =>
    Math.max(...scale.map(Math.abs), ...animations.map(({ joints }) => (joints[j].scale ? largest(joints[j].scale, 3) : 0))),
  ),
  tracks: skeleton.tracks.map(({ rest }, t) => {
    const curves = animations.map(({ tracks }) => tracks[t]).filter(Boolean);
    return {
      weight: Math.max(Math.abs(rest), ...curves.map((curve) => largest(curve, 1))),
      varies: curves.some(({ times }) => times.length > 0),
    };
  }),
});

// The most by which each joint lengthens anything, with those above it.
function scalesOf({ joints }, scales) {
  const all = [];
  joints.forEach(({ parent }, j) => (all[j] = scales[j] * (all[parent] ?? 1)));
  return all;
}

// Each morph target of a mesh that moves vertices: its track, how it moves them, and the track's extent.
function targetsOf(mesh, tracks, extents, moved) {
  return tracks.flatMap((its, track) =>
    its
      .filter(({ mesh: of, target }) => of === mesh && moved[target])
      .map(({ target }) => ({ track, moved: moved[target], ...extents[track] })),
  );
}

// The joint that moves an object, if one does: its number, and the elements of the matrix to its space.
function placeOf({ object, matrix }, root, numbers) {
  for (; object && object !== root && !numbers.has(object); object = object.parent) {
    if (object.matrixAutoUpdate) object.updateMatrix();
    matrix.premultiply(object.matrix);
  }
  return { joint: numbers.get(object), elements: matrix.elements };
}

// The length of what a matrix makes of the three numbers at `at`. w: 1 for points, 0 for directions.
function lengthOf(e, numbers, at, w) {
  const x = numbers[at],
    y = numbers[at + 1],
    z = numbers[at + 2];
  const a = e[0] * x + e[4] * y + e[8] * z + w * e[12],
    b = e[1] * x + e[5] * y + e[9] * z + w * e[13],
    c = e[2] * x + e[6] * y + e[10] * z + w * e[14];
  return Math.sqrt(a * a + b * b + c * c);
}

// distances: of each joint to the farthest vertex that it moves, 0 for none. morphs: the scale of joints whose vertices tracks move,
// too, else 0. factors: if the error of each track is at most a length divided by its factor, they move no vertex by more.
function reachOf(root, source) {
  const numbers = new Map(source.joints.map((joint, j) => [joint, j])),
    extents = source.extents ?? extentsOf(source),
    scales = scalesOf(source.skeleton, extents.scales),
    [distances, morphs, factors] = [source.joints, source.joints, source.tracks].map(({ length }) => new Float64Array(length)),
    take = (most, i, number) => number > most[i] && number < Infinity && (most[i] = number);
  root.traverse((mesh) => {
    if (!hasVertices(mesh)) return;
    const { positions, targets: moved, slots, movers, weights } = verticesOf(mesh),
      places = moversOf(mesh).map((mover) => placeOf(mover, root, numbers)),
      targets = targetsOf(mesh, source.tracks, extents.tracks, moved);
    for (let i = 0; i < movers.length; i++) {
      if (!(weights[i] > 0)) continue;
      const { joint, elements } = places[movers[i]],
        at = 3 * Math.floor(i / slots),
        scale = scales[joint] ?? 1;
      let distance = lengthOf(elements, positions, at, 1),
        roots = 0;
      for (const target of targets) {
        target.length = lengthOf(elements, target.moved, at, 0);
        distance += target.weight * target.length;
        if (target.varies) roots += Math.sqrt(target.length);
      }
      // each gets a part of the error by the root of how far it moves the vertex
      for (const { track, varies, length } of targets) if (varies) take(factors, track, scale * roots * Math.sqrt(length));
      if (joint === undefined) continue;
      take(distances, joint, distance);
      if (roots > 0) morphs[joint] = scale;
    }
  });
  return { distances, morphs, factors };
}

// The part of the length that tracks get, by numbers of curves: of tracks, and of rotations that move vertices together with them.
function partOfTracks({ morphs, factors }, { skeleton: { joints } }) {
  const curves = factors.filter((factor) => factor > 0).length,
    above = new Set();
  morphs.forEach((scale, j) => {
    if (scale > 0) for (let at = j; at >= 0 && !above.has(at); at = joints[at].parent ?? -1) above.add(at);
  });
  return curves && curves / (curves + 3 * above.size);
}

/** source: sourceOf(root, animations), or where the keys are elsewhere { skeleton, joints, tracks, extents }, as extentsOf finds them.
 *  Gives undefined if there are no vertices, and else a function that gives bounds for Encoder.encodeClip, by which no vertex is off by more than `length` at any time. others: the bound of joints
 *  without vertices, 0.1 mm at 3 cm without it. Lengths are in the unit of the translations. */
export function meshBounds(root, source) {
  const reach = reachOf(root, source),
    { distances, morphs, factors } = reach,
    metre = 1 / (source.skeleton.metres || 1);
  if (![distances, factors].some((all) => all.some((x) => x > 0))) return undefined;
  const part = partOfTracks(reach, source);
  return (length, others = { object: 0.0001 * metre, distance: 0.03 * metre }) => ({
    ...others,
    jointBounds: Array.from(distances, (distance, j) => {
      if (!(distance > 0)) return undefined;
      const ofTracks = morphs[j] > 0 ? part * length : 0;
      return { object: length - ofTracks, distance: (distance + (ofTracks && ofTracks / morphs[j])) * (1 + 1e-6) }; // floats are rounded
    }),
    trackBounds: Array.from(factors, (factor) => (factor > 0 ? Math.min((part * length) / factor, 2 ** 60) : 0)),
  });
}
