// Compares the formats meshopt:K of the command with npm's meshoptimizer, which glTF loaders of browsers use.
// Usage: node meshopt.mjs QUATSIMD_COMMAND NODE_MODULES_DIR
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const COUNT = 65536;
const SHARE = 0.003; // share of words that may differ by a unit: floats on the border of two numbers

if (process.argv.length !== 4) {
  console.error('Usage: node meshopt.mjs QUATSIMD_COMMAND NODE_MODULES_DIR');
  process.exit(2);
}
const [command, modules] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(modules, 'none.js'));
const { MeshoptEncoder, MeshoptDecoder } = require(join(modules, 'meshoptimizer'));
const version = require(join(modules, 'meshoptimizer', 'package.json')).version;
await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);

// splitmix64, to 53 bits.
let state = 18n;
function random() {
  state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
  let z = state;
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return (Number((z ^ (z >> 31n)) >> 11n) + 0.5) * 2 ** -53;
}

// Uniformly distributed over all rotations (Shoemake 1992).
function randomRotations(count) {
  const q = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) {
    const u = random(),
      a = 2 * Math.PI * random(),
      b = 2 * Math.PI * random();
    const r = Math.sqrt(1 - u),
      s = Math.sqrt(u);
    q.set([r * Math.sin(a), r * Math.cos(a), s * Math.sin(b), s * Math.cos(b)], 4 * i);
  }
  return q;
}

function writeNpy(path, descr, shape, array) {
  const start = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const header = `${start.padEnd(Math.ceil((start.length + 11) / 64) * 64 - 11)}\n`;
  const prefix = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  writeFileSync(path, Buffer.concat([prefix, Buffer.from(header), Buffer.from(array.buffer, array.byteOffset, array.byteLength)]));
}

// Returns the bytes of the array in a file. The array must have this type and shape.
function readNpy(path, descr, shape) {
  const file = readFileSync(path);
  const end = 10 + file.readUInt16LE(8),
    header = file.toString('latin1', 10, end);
  const found = [/'descr': '([^']*)'/, /'shape': \(([^)]*)\)/].map((pattern) => (pattern.exec(header) ?? ['', 'nothing'])[1]);
  if (file[6] !== 1 || found[0] !== descr || found[1].replace(/,? *$/, '') !== shape.join(', '))
    throw new Error(`${path}: expected ${descr} of shape ${shape}, the header is ${header}`);
  return Uint8Array.from(file.subarray(end)); // a copy, aligned
}

const shortsOf = (bytes) => new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);

// Encodes words by the vertex codec, and decodes them to shorts as a loader does.
function decode(words) {
  const encoded = MeshoptEncoder.encodeGltfBuffer(words, COUNT, 8, 'ATTRIBUTES');
  const target = new Uint8Array(8 * COUNT);
  MeshoptDecoder.decodeGltfBuffer(target, COUNT, 8, encoded, 'ATTRIBUTES', 'QUATERNION');
  return shortsOf(target);
}

const folder = mkdtempSync(join(tmpdir(), 'quatsimd-meshopt-'));
const path = (name) => join(folder, name);
const quatsimd = (...args) => execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

// Returns the greatest distance of our floats from meshoptimizer's shorts, in units of the shorts.
function decodersDistance(format, packed) {
  const shorts = decode(readNpy(packed, '<u8', [COUNT]));
  quatsimd('unpack', '--format', format, packed, path('back.npy'));
  const back = new Float32Array(readNpy(path('back.npy'), '<f4', [COUNT, 4]).buffer);
  if (back.length !== shorts.length) throw new Error(`${format}: ${back.length} floats, but ${shorts.length} shorts`);
  return back.reduce((worst, v, i) => Math.max(worst, Math.abs(v * 32767 - shorts[i])), 0);
}

let failures = 0;
function check(condition, what) {
  if (condition) return;
  console.log(`FAILED: ${what}`);
  failures++;
}

try {
  const q = randomRotations(COUNT);
  writeNpy(path('in.npy'), '<f4', [COUNT, 4], q);
  console.log(`npm's meshoptimizer ${version}, ${COUNT} random rotations`);
  for (let bits = 4; bits <= 16; bits++) {
    const format = `meshopt:${bits}`;
    quatsimd('pack', '--format', format, path('in.npy'), path('ours.npy'));
    const ours = shortsOf(readNpy(path('ours.npy'), '<u8', [COUNT]));
    const filtered = MeshoptEncoder.encodeFilterQuat(q, COUNT, 8, bits);
    const theirs = shortsOf(filtered);
    check(ours.length === 4 * COUNT && theirs.length === 4 * COUNT, `${format}: ${ours.length} and ${theirs.length} numbers`);
    let different = 0,
      far = 0,
      headers = 0;
    for (let i = 0; i < 4 * COUNT; i += 4) {
      const off = [0, 1, 2, 3].map((c) => Math.abs(ours[i + c] - theirs[i + c]));
      different += off.some((d) => d !== 0);
      far += !off.every((d) => d <= 1);
      headers += off[3] !== 0;
    }
    check(far === 0, `${format}: ${far} words differ by more than a unit from npm's`);
    check(headers === 0, `${format}: ${headers} fourth numbers differ from npm's`);
    check(different <= SHARE * COUNT, `${format}: ${different} words differ from npm's`);

    const distance = decodersDistance(format, path('ours.npy'));
    writeNpy(path('theirs.npy'), '<u8', [COUNT], filtered);
    const distanceTheirs = decodersDistance(format, path('theirs.npy'));
    check(distance <= 1 && distanceTheirs <= 1, `${format}: the decoders are ${distance} and ${distanceTheirs} units apart`);
    console.log(
      `${format}: ${different} words differ from npm's, ${((100 * different) / COUNT).toFixed(4)} %; its shorts of our words are ` +
        `within ${distance.toFixed(4)} units of our floats, of its words ${distanceTheirs.toFixed(4)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failures ? 1 : 0);
