// Tables of bytes.
import { millimetres, whole } from './units.js';

const row = (body, heading, ...cells) => {
  const tr = body.insertRow(),
    th = document.createElement('th');
  th.scope = 'row';
  th.textContent = heading;
  tr.append(th);
  for (const cell of cells) tr.insertCell().textContent = cell;
};
const share = (part, all) => `${((100 * part) / all).toFixed(1)} %`;

/** Of a subject, and of what it was encoded to, if it was. */
export function listParts(body, { kind, bytes: size, before, source }, encoded) {
  body.replaceChildren();
  row(body, `File (${kind})`, whole(size), '');
  if (!source) return;
  row(body, 'Its keys', whole(before.all), '100 %');
  if (!encoded) return row(body, 'Bundle (.qsb)', '…', '');
  const ofKeys = (size) => (encoded.refused.size ? '' : share(size, before.all)); // those that are refused have keys, too
  row(body, `Bundle (.qsb)`, whole(encoded.bundle.byteLength), ofKeys(encoded.bundle.byteLength));
  row(body, 'of it, the skeleton', whole(encoded.skeleton), ofKeys(encoded.skeleton));
  if (encoded.glb) row(body, 'File with the bundle (.glb)', whole(encoded.glb.byteLength), '');
}

/** bound: millimetres. */
export function listClips(body, { source, before }, encoded, bound) {
  body.replaceChildren();
  source?.animations.forEach(({ name, keys, end }, a) => {
    const size = encoded.sizes.get(name),
      is = [name, end.toFixed(2), whole(keys), whole(before.each[a])];
    if (size === undefined) row(body, ...is, 'none', '', '');
    else row(body, ...is, whole(size), keys ? ((8 * size) / keys).toFixed(1) : '', millimetres(bound * encoded.worst.get(name)));
  });
}
