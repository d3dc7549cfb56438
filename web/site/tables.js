// Tables of bytes.
import { millimetres, whole } from './units.js';

const row = (body, heading, ...cells) => {
  const tr = body.insertRow(),
    th = document.createElement('th');
  th.scope = 'row';
  th.textContent = heading;
  tr.append(th);
  for (const cell of cells) tr.insertCell().textContent = cell;
  return tr;
};
// Red where ours is larger than one of those others that are known.
function compare(cell, ours, others) {
  const smaller = Object.keys(others).filter((name) => others[name] < ours);
  cell.classList.toggle('larger', smaller.length > 0);
  if (smaller.length) cell.title = `larger than ${smaller.join(' and ')}`;
}
const share = (part, all) => `${((100 * part) / all).toFixed(1)} %`;

/** Of a subject, and of what it was encoded to, if it was. */
export function listParts(body, { kind, bytes: size, before, source, packed = {} }, encoded) {
  body.replaceChildren();
  const { meshopt } = packed,
    known = (size) => (size === undefined ? '' : whole(size));
  row(body, `File (${kind})`, whole(size), '', '');
  if (!source) return;
  row(body, 'Its keys', whole(before.all), known(packed.gzip), '100 %');
  if (meshopt) row(body, 'Its keys by meshopt', whole(meshopt.size), whole(meshopt.gzip), share(meshopt.size, before.all));
  if (!encoded) {
    row(body, 'Bundle (.qsb)', '…', '', '');
    return;
  }
  const ofKeys = (size) => (encoded.refused.size ? '' : share(size, before.all)); // those that are refused have keys, too
  const bundleRow = (heading, size, zipped, isCompared) => {
    const { cells } = row(body, heading, whole(size), known(zipped), ofKeys(size));
    if (!isCompared || encoded.refused.size) return;
    compare(cells[1], size, { 'the keys': before.all, 'the keys by meshopt': meshopt?.size });
    compare(cells[2], zipped, { 'the keys by gzip': packed.gzip, 'the keys by meshopt and gzip': meshopt?.gzip });
  };
  const { bundle, zipped, inGlb, glb, skeleton } = encoded;
  bundleRow('Bundle (.qsb)', bundle.byteLength, zipped, !inGlb);
  row(body, 'of it, the skeleton', whole(skeleton), '', ofKeys(skeleton));
  if (!inGlb) return;
  bundleRow('Bundle in the .glb', inGlb.size, inGlb.zipped, true);
  row(body, 'File with the bundle (.glb)', whole(glb.byteLength), '', '');
}

/** bound: millimetres. */
export function listClips(body, { source, before }, encoded, bound) {
  body.replaceChildren();
  source?.animations.forEach(({ name, keys, end }, a) => {
    const size = encoded.sizes.get(name),
      is = [name, end.toFixed(2), whole(keys), whole(before.each[a])];
    if (size === undefined) row(body, ...is, 'none', '', '');
    else {
      const bits = keys ? ((8 * size) / keys).toFixed(1) : '',
        { cells } = row(body, ...is, whole(size), bits, millimetres(bound * encoded.worst.get(name)));
      compare(cells[4], size, { 'its keys': before.each[a] });
    }
  });
}
