// Golden hashes of formats, operations, clips, skeletons, bundles and poses, in a browser.
// Usage: QUATSIMD_GOLDENS=FOLDER QUATSIMD_MODULES=FOLDER/node_modules node --test goldens.test.mjs
// QUATSIMD_GOLDENS: with the programs *_web.js of a build for WebAssembly, see tests/CMakeLists.txt.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { findBrowser, launch, serve } from './support/browser.mjs';

const { QUATSIMD_GOLDENS: folder, QUATSIMD_MODULES: modules } = process.env;
const path = findBrowser(),
  skip = path ? false : 'SKIP: there is no browser: goldens are not tested in one';
const programs = readdirSync(folder).filter((name) => name.endsWith('_web.js'));
let server, browser;

before(async () => {
  if (skip) return console.log(skip);
  server = await serve(folder);
  browser = await launch(modules, path);
});
after(async () => {
  await browser?.close();
  server?.close();
});

test('there are programs', () => assert.equal(programs.length, 6));

for (const program of programs)
  test(program, { skip }, async () => {
    const page = await browser.newPage();
    await page.goto(server.address + program); // a page of the same origin
    const { status, lines } = await page.evaluate(
      (source) =>
        new Promise((done) => {
          const lines = [],
            say = (line) => lines.push(line);
          globalThis.Module = {
            arguments: ['--small'],
            print: say,
            printErr: say,
            onExit: (status) => done({ status, lines }),
            onAbort: (reason) => done({ status: `aborted: ${reason}`, lines }),
          };
          document.head.append(Object.assign(document.createElement('script'), { src: source }));
        }),
      program,
    );
    await page.close();
    assert.equal(status, 0, lines.join('\n'));
    assert.match(lines.join('\n'), /PASSED/);
  });
