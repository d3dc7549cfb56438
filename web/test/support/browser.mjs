// A browser and a server for the tests of the page.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

/** Serves a folder as /some/folder/. Gives its address, all paths that were asked for, and those that are not there: those that `refused`
 *  matches, among others. Those that `spoilt` matches have other words in them. */
export async function serve(folder) {
  const asked = [],
    missing = [],
    served = {};
  const server = createServer(async (request, answer) => {
    const [, path] = /^\/some\/folder\/([^?]*)/.exec(decodeURIComponent(request.url)) ?? [];
    asked.push(path);
    try {
      if (path === undefined || path.includes('..') || served.refused?.test(path)) throw new Error('outside');
      const body = served.spoilt?.test(path) ? 'no JavaScript' : await readFile(join(folder, path || 'index.html'));
      answer.setHeader('content-type', TYPES[extname(path || 'index.html')] ?? 'application/octet-stream');
      answer.end(body);
    } catch {
      missing.push(request.url);
      answer.statusCode = 404;
      answer.end();
    }
  });
  await new Promise((listens) => server.listen(0, '127.0.0.1', listens));
  return Object.assign(served, {
    address: `http://127.0.0.1:${server.address().port}/some/folder/`,
    asked,
    missing,
    close: () => (server.closeAllConnections?.(), server.close()),
  });
}

/** The path of a browser, or undefined. */
export function findBrowser() {
  for (const name of [process.env.QUATSIMD_BROWSER, 'chromium', 'chromium-browser', 'google-chrome'].filter(Boolean))
    try {
      return execFileSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' }).trim();
    } catch {
      // another one
    }
  return undefined;
}

/** modules: a folder of node_modules with puppeteer-core. WebGL is drawn by the processor. */
export function launch(modules, path) {
  const puppeteer = createRequire(join(modules, 'x.js'))('puppeteer-core');
  return puppeteer.launch({
    executablePath: path,
    headless: true,
    timeout: 300000,
    protocolTimeout: 600000, // for busy machines
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-dev-shm-usage'],
  });
}
