// Prints the table of speeds of web/README.md: one pose, at times in no order, by WebAssembly and by a native library.
// Usage: QUATSIMD_PACKAGE=FOLDER [QUATSIMD_SPEED=PROGRAM [QUATSIMD_SPEED_AARCH64=PROGRAM]] node speed.mjs FILE.qsb CLIP
// The programs are web_speed of a build, of speed.c; of the second, qemu counts instructions, as valgrind does of the first.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_SPEED: program, QUATSIMD_SPEED_AARCH64: aarch64 } = process.env,
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
  const works = [(time) => clip.sample(pose, time), (time) => evaluator.evaluate([{ clip, time }])],
    best = [Infinity, Infinity];
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const start = performance.now();
    for (let i = 0; i < POSES; i++) works[round % 2](clip.start + clip.duration * ((i * 0.6180339887) % 1));
    best[round % 2] = Math.min(best[round % 2], ((performance.now() - start) * 1000) / POSES);
  }
  return best;
}

const run = (command, args, isa) =>
  execFileSync(command, args, { env: { ...process.env, QUATSIMD_ISA: isa }, encoding: 'utf8', maxBuffer: 2 ** 30 });
const rows = [
  ['WebAssembly with SIMD', await measured(true)],
  ['WebAssembly without', await measured(false)],
];
for (const isa of program ? ['scalar', 'sse2', 'sse41', 'avx2', 'avx512', 'avx512vbmi'] : []) {
  const [used, ...times] = run(program, [file, name], isa).trim().split(' ');
  if (used === isa) rows.push([`native, ${isa}`, times.map(Number)]);
}
console.log(`| µs | a pose sampled | with matrices in model space | one joint |\n|---|---|---|---|`);
for (const [what, times] of rows) console.log(`| ${what} | ${[0, 1, 2].map((i) => times[i]?.toFixed(2) ?? '').join(' | ')} |`);

// Instructions of a work, as the difference of two counts.
const counted = (count) => [0, 1, 2].map((work) => Math.round((count(work, 64) - count(work, 0)) / 64));
if (aarch64) {
  const qemu = 'qemu-aarch64 -singlestep -d exec,nochain -D /dev/stderr "$0" "$@" 2>&1 | grep -c ^Trace',
    callgrind = 'valgrind --tool=callgrind --callgrind-out-file=/dev/null "$0" "$@" 2>&1 | sed -n "s/.*Collected : //p"';
  const neon = counted((...work) => Number(run('sh', ['-c', qemu, aarch64, file, name, ...work.map(String)], 'neon'))),
    sse41 = counted((...work) => Number(run('sh', ['-c', callgrind, program, file, name, ...work.map(String)], 'sse41')));
  for (const [what, counts] of [
    ['NEON, instructions', neon],
    ['SSE4.1, instructions', sse41],
  ])
    console.log(`| ${what} | ${counts.join(' | ')} |`);
}
