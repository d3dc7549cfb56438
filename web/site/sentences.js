// What the page says of a subject, and of what it was encoded to: `encoded`, which Encoding is done with.
import { atMost, bytes, millimetres, seconds } from './units.js';
import { listed } from './words.js';

/** How many clips it has, and their bytes. */
export function statusOf({ name, source, names, before }, encoded) {
  if (!source) {
    const { length } = names;
    return `${name}: ${length === 1 ? 'one clip' : `${length} clips`}. There is no original to compare with, and nothing to encode.`;
  }
  const { bundle, larger, refused } = encoded,
    { length } = source.animations,
    size = bytes(bundle.byteLength);
  if (refused.size) return [`${length - refused.size} of ${length} animations are encoded: ${size}.`, ...largerOf(larger)].join(' ');
  const all = length === 1 ? 'The animation is' : `All ${length} animations are`;
  return [`${all} encoded: ${size} instead of ${bytes(before.all)}.`, ...largerOf(larger)].join(' ');
}

const largerOf = (names) => (names.length ? [`Clips that are larger than their keys: ${listed(names)}.`] : []);

/** Where some are refused. */
export const refusalOf = ({ name }, { refused }) => `Not all of ${name} can be encoded: ${listed([...refused.values()], '; ')}.`;

/** What the .glb has, or why there is none. */
export function glbNoteOf({ kind, source, glb }, encoded) {
  if (!source) return 'This file has its bundle already.';
  if (!glb) return `A .glb is made of a .glb. This file is ${{ BVH: 'a BVH', FBX: 'an FBX' }[kind] ?? 'a .gltf'}.`;
  if (encoded?.refusal) return encoded.refusal;
  return ['The .glb has the bundle in place of its animations, by the extension QUATSIMD_bundle.', ...staysOf(glb, encoded)].join(' ');
}

function staysOf(glb, { larger = [], refused = new Map(), stay = [] } = {}) {
  const notes = [];
  if (larger.length) notes.push(`These stay as keys, since their clips are larger: ${listed(larger)}.`);
  if (refused.size || glb.animations.includes(null)) notes.push('Animations that are not encoded stay as keys.');
  if (stay.length) notes.push(`These keep their keys, too, since a clip cannot have all of them: ${listed(stay)}.`);
  return notes;
}

/** Why an animation has no errors. */
export function whyNoErrors({ source }, encoded, animation, form) {
  if (!source) return 'There is no original to compare with.';
  if (encoded?.refused.has(animation)) return 'The animation cannot be encoded.';
  if (!form.isMeasured) return 'It moves morph targets alone: there are no joints whose error could be shown.';
  return 'The animation is not encoded yet.';
}

/** What a Timeline has measured. bound: millimetres. */
export function errorsOf({ times, errors, worst, places }, form, bound) {
  const count = times.length === 1 ? 'one time' : `${times.length} times, also between keys`;
  return (
    `The worst is ${atMost(errors[worst])} at ${seconds(times[worst])}, ${form.place(places[worst])}. ` +
    `${form.measured} at ${count}; the bound is ${millimetres(bound)}.`
  );
}
