// Prints the table of speeds of web/README.md: one pose, at times in no order, by WebAssembly and by a native library.
// Usage: QUATSIMD_PACKAGE=FOLDER [QUATSIMD_SPEED=PROGRAM] node speed.mjs FILE.qsb CLIP    PROGRAM: web_speed of a build, of speed.c
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_SPEED: program } = process.env,
  [file, name] = process.argv.slice(2);
const { loadPlayer } = await import(pathToFileURL(join(folder, 'player.js')));
const ROUNDS = 60,
  POSES = 1000;

async function measured(simd) {
  const player = await loadPlayer({ simd }),
    bundle = player.openBundle(readFileSync(file)),
    clip = bundle.clip(name),
    pose = bundle.skeleton.pose();
  const evaluator = bundle.skeleton.evaluator({ model: true });
  const run = [(time) => clip.sample(pose, time), (time) => evaluator.evaluate([{ clip, time }])],
    best = [Infinity, Infinity];
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const start = performance.now();
    for (let i = 0; i < POSES; i++) run[round % 2](clip.start + clip.duration * ((i * 0.6180339887) % 1));
    best[round % 2] = Math.min(best[round % 2], ((performance.now() - start) * 1000) / POSES);
  }
  return best;
}

const rows = [
  ['WebAssembly with SIMD', await measured(true)],
  ['WebAssembly without', await measured(false)],
];
if (program)
  for (const isa of ['scalar', 'sse2', 'sse41', 'avx2']) {
    const [used, ...times] = execFileSync(program, [file, name], { env: { ...process.env, QUATSIMD_ISA: isa }, encoding: 'utf8' })
      .trim()
      .split(' ');
    if (used === isa) rows.push([`native, ${isa}`, times.map(Number)]);
  }
const sse2 = rows.find(([what]) => what === 'native, sse2')?.[1];
const share = (us, i) => (sse2 ? `, ${Math.round((100 * sse2[i]) / us)} %` : '');
console.log(`| µs a pose${sse2 ? ", and poses in % of native SSE2's" : ''} | sampled | with matrices in model space |\n|---|---|---|`);
for (const [what, times] of rows) console.log(`| ${what} | ${times.map((us, i) => us.toFixed(1) + share(us, i)).join(' | ')} |`);
