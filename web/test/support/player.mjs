// The package in a folder of its own, in which support/three.mjs stands in for three.js.
// QUATSIMD_PACKAGE has the build of the player without SIMD (QUICK=1 ONLY=player web/build.sh), QUATSIMD_TOOL is the command.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { QUATSIMD_PACKAGE: folder, QUATSIMD_TOOL: command } = process.env;
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
after(() => rmSync(work, { recursive: true }));
const own = join(work, 'package'),
  three = join(own, 'node_modules/three');
mkdirSync(three, { recursive: true });
cpSync(folder, own, { recursive: true, filter: (path) => !path.includes('node_modules') });
cpSync(fileURLToPath(new URL('three.mjs', import.meta.url)), join(three, 'three.mjs'));
writeFileSync(join(three, 'package.json'), '{ "name": "three", "main": "three.mjs", "type": "module" }');
const [{ loadPlayer, QuatsimdError }, { QuatsimdMixer, bindByName }] = await Promise.all(
  ['player', 'three'].map((part) => import(pathToFileURL(join(own, `${part}.js`)))),
);
const load = () => loadPlayer({ simd: false });

export { QuatsimdError, QuatsimdMixer, bindByName, command, load, own, work };

/** An object as three.js has it, as far as the mixer writes to it. */
export function object(name) {
  const array = (...numbers) => ({
    values: numbers,
    set(...values) {
      this.values = values;
    },
  });
  return {
    name,
    children: [],
    quaternion: array(9, 9, 9, 9),
    position: array(9, 9, 9),
    scale: array(9, 9, 9),
    traverse(visit) {
      visit(this), this.children.forEach((child) => child.traverse(visit));
    },
  };
}
