// Poses per second of a bundle or clip, in both builds. Usage: QUATSIMD_PACKAGE=FOLDER node speed.mjs FILE
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
const { loadPlayer } = await import(pathToFileURL(join(process.env.QUATSIMD_PACKAGE, 'player.js')));
for (const simd of [true, false]) {
  const player = await loadPlayer({ simd }), clip = player.openClip(readFileSync(process.argv[2])), pose = player.pose(clip.joints, clip.tracks);
  let best = Infinity;
  for (let round = 0; round < 30; round++) {
    const start = performance.now();
    for (let i = 0; i < 2000; i++) clip.sample(pose, clip.start + clip.duration * ((i * 0.6180339887) % 1));
    best = Math.min(best, (performance.now() - start) / 2000);
  }
  console.log(`${simd ? 'SIMD' : 'scalar'}: ${(1000 * best).toFixed(2)} us a pose of ${clip.joints} joints`);
}
