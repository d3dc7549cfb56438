// Binary FBX files, good and bad.
import { deflateSync } from 'node:zlib';

const TICKS = 46186158000; // of a second
const u32 = (...numbers) => Buffer.from(Uint32Array.from(numbers).buffer);

// Values of a node.
const text = (content) => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from('S'), u32(bytes.length), bytes]);
};
const int = (x) => Buffer.concat([Buffer.from('I'), Buffer.from(Int32Array.of(x).buffer)]);
const long = (x) => Buffer.concat([Buffer.from('L'), Buffer.from(BigInt64Array.of(BigInt(x)).buffer)]);
const double = (x) => Buffer.concat([Buffer.from('D'), Buffer.from(Float64Array.of(x).buffer)]);
const LETTERS = new Map([
  [Float64Array, 'd'],
  [Float32Array, 'f'],
  [BigInt64Array, 'l'],
  [Int32Array, 'i'],
]);
// claimed: how many elements it says it has
const array = (values, claimed = values.length) => {
  const packed = deflateSync(Buffer.from(values.buffer));
  return Buffer.concat([Buffer.from(LETTERS.get(values.constructor)), u32(claimed, 1, packed.length), packed]);
};
// An object's name, and what it is.
const named = (name, kind) => text(Buffer.concat([Buffer.from(name), Buffer.from(`\0\x01${kind}`)]));

const node = (name, values, children = []) => ({ name, values, children });
const property = (name, kind, ...values) => node('P', [text(name), text(kind), text(''), text('A'), ...values]);
const properties = (...all) => node('Properties70', [], all);

function bytesOf({ name, values, children }, start) {
  const parts = [Buffer.concat(values)],
    head = 13 + name.length;
  let size = parts[0].length;
  const add = (part) => {
    parts.push(part);
    size += part.length;
  };
  for (const child of children) add(bytesOf(child, start + head + size));
  if (children.length || !values.length) add(Buffer.alloc(13));
  return Buffer.concat([u32(start + head + size, values.length, parts[0].length), Buffer.from([name.length]), Buffer.from(name), ...parts]);
}

function fileOf(nodes) {
  const parts = [Buffer.from('Kaydara FBX Binary  \0\x1a\0'), u32(7400)];
  let size = 27;
  for (const each of nodes) {
    const bytes = bytesOf(each, size);
    parts.push(bytes);
    size += bytes.length;
  }
  return Buffer.concat([...parts, Buffer.alloc(13 + 160)]);
}

/** models: { name, parent }, the latter the number of another. Curves of translations move the last one: times and values of x.
 *  names: of its animations, which are alike. claimed: how many numbers the vertices of a mesh say they have, which are three. */
export function fbxOf(models, { times = [0, 0.5, 1], values = times.map((t) => 10 * t), names = ['walk'], claimed = 0 } = {}) {
  const STACK = 100,
    LAYER = 200,
    CURVES = 12,
    CURVE = 13,
    MESH = 14,
    FIRST = 1000,
    last = FIRST + models.length - 1;
  const connect = (child, parent, to) => node('C', [text(to ? 'OP' : 'OO'), long(child), long(parent), ...(to ? [text(to)] : [])]);
  const ticks = BigInt64Array.from(times, (t) => BigInt(Math.round(t * TICKS)));
  const objects = models.map(({ name }, i) =>
    node('Model', [long(FIRST + i), named(name, 'Model'), text(i ? 'LimbNode' : 'Mesh')], [node('Version', [int(232)]), properties()]),
  );
  if (claimed) {
    const vertices = node('Vertices', [array(new Float64Array(3), claimed)]);
    objects.push(node('Geometry', [long(MESH), named('m', 'Geometry'), text('Mesh')], [vertices]));
  }
  const stop = properties(property('LocalStop', 'KTime', long(ticks.at(-1))));
  objects.push(
    ...names.map((name, i) => node('AnimationStack', [long(STACK + i), named(name, 'AnimStack'), text('')], [stop])),
    ...names.map((_, i) => node('AnimationLayer', [long(LAYER + i), named('layer', 'AnimLayer'), text('')])),
    node(
      'AnimationCurveNode',
      [long(CURVES), named('T', 'AnimCurveNode'), text('')],
      [properties(...['X', 'Y', 'Z'].map((axis) => property(`d|${axis}`, 'Number', double(0))))],
    ),
    node(
      'AnimationCurve',
      [long(CURVE), named('', 'AnimCurve'), text('')],
      [
        node('Default', [double(0)]),
        node('KeyVer', [int(4009)]),
        node('KeyTime', [array(ticks)]),
        node('KeyValueFloat', [array(Float32Array.from(values))]),
        node('KeyAttrFlags', [array(Int32Array.of(260))]), // straight lines
        node('KeyAttrDataFloat', [array(new Float32Array(4))]),
        node('KeyAttrRefCount', [array(Int32Array.of(times.length))]),
      ],
    ),
  );
  const connections = [
    ...models.map(({ parent }, i) => connect(FIRST + i, parent === undefined ? 0 : FIRST + parent)),
    ...(claimed ? [connect(MESH, FIRST)] : []),
    ...names.flatMap((_, i) => [connect(LAYER + i, STACK + i), connect(CURVES, LAYER + i)]),
    connect(CURVES, last, 'Lcl Translation'),
    connect(CURVE, CURVES, 'd|X'),
  ];
  return fileOf([
    node('FBXHeaderExtension', [], [node('FBXHeaderVersion', [int(1003)]), node('FBXVersion', [int(7400)])]),
    node('GlobalSettings', [], [node('Version', [int(1000)]), properties(property('UnitScaleFactor', 'double', double(1)))]),
    node('Objects', [], objects),
    node('Connections', [], connections),
  ]);
}
