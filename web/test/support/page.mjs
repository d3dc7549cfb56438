// The page in a browser, for its tests: what people do on it, and what they see.
// QUATSIMD_SITE and QUATSIMD_MODULES are folders, as page.test.mjs says.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { findBrowser, launch, serve } from './browser.mjs';
import { readPng } from './png.mjs';

export const { QUATSIMD_SITE: site, QUATSIMD_MODULES: modules, QUATSIMD_PICTURES: pictures, QUATSIMD_DATA: data } = process.env;
const path = findBrowser();
export const skip = path ? false : 'SKIP: there is no browser: the page is not tested';
const work = mkdtempSync(join(tmpdir(), 'quatsimd-'));
export const foxPath = join(site, 'models/Fox.glb');
export let server, browser, page;
export const requests = [],
  messages = [];

before(async () => {
  if (skip) return console.log(skip);
  server = await serve(site);
  browser = await launch(modules, path);
  page = await newPage();
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => messages.push(`error: ${error.message}`));
  await page.setViewport({ width: 1000, height: 700 });
  await page.goto(server.address);
  await idle();
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(work, { recursive: true });
});

// ---- what people do

/** The page that all below is done on. */
export const use = (other) => (page = other);

export async function newPage() {
  const fresh = await browser.newPage();
  fresh.setDefaultTimeout(300000); // for busy machines
  return fresh;
}
export const idle = () =>
  page.waitForFunction(
    'globalThis.quatsimdPage && document.title.includes(":") && !quatsimdPage.isBusy && document.getElementById("animation").value !== ""',
    { polling: 100 },
  );
export const text = (id) => page.$eval(`#${id}`, (element) => element.textContent);
export const number = async (id) => Number(await page.$eval(`#${id}`, (element) => element.value));
export const seek = (time) => page.evaluate((t) => quatsimdPage.seek(t), time);
export const frames = (count = 3) =>
  page.evaluate(
    (n) =>
      new Promise((done) => {
        const next = () => (n-- > 0 ? requestAnimationFrame(next) : done());
        next();
      }),
    count,
  );
export const set = async (id, value) => {
  await page.$eval(
    `#${id}`,
    (element, to) => {
      element.value = to;
      element.dispatchEvent(new Event('input', { bubbles: true }));
      element.dispatchEvent(new Event('change', { bubbles: true }));
    },
    value,
  );
  await settled();
};
export const settled = async () => {
  await new Promise((done) => setTimeout(done, 300)); // a slider is waited for
  await idle();
};
export const check = async (id, on) => {
  if ((await page.$eval(`#${id}`, (element) => element.checked)) !== on) await page.click(`#${id}`);
  await frames();
};
export const play = async (on) => {
  if (((await text('play')) === 'Pause') !== on) await page.click('#play');
};
export const stored = (name, bytes) => {
  writeFileSync(join(work, name), bytes);
  return join(work, name);
};
export const choose = async (...paths) => {
  await (await page.$('#file')).uploadFile(...paths);
  await new Promise((done) => setTimeout(done, 50));
  await idle();
};
export const sample = async (name) => {
  await page.click(`[data-sample=${name}]`);
  await page.waitForFunction((title) => document.title.startsWith(title), {}, `${name}.glb`);
  await idle();
};
export const row = (name) =>
  page.$$eval(
    '#bytes tbody tr',
    (rows, wanted) => rows.map((tr) => [...tr.cells].map((cell) => cell.textContent)).find(([head]) => head.startsWith(wanted)),
    name,
  );
export const bytesOf = async (name) => Number((await row(name))[1].replaceAll(',', ''));

/** A picture of a view, without what is written on it. */
export async function picture(id) {
  await frames();
  const { x, y, width, height } = await page.$eval(`#${id}`, (box) => box.getBoundingClientRect().toJSON());
  const top = y + (await page.evaluate('scrollY'));
  return readPng(await page.screenshot({ clip: { x: x + 4, y: top + 70, width: width - 8, height: height - 80 } }));
}
export const shown = async (name) => pictures && writeFileSync(join(pictures, name), await page.screenshot({ optimizeForSpeed: false }));

export async function saved(button) {
  const session = await browser.target().createCDPSession();
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: work, eventsEnabled: true });
  const done = new Promise((resolve) => session.on('Browser.downloadProgress', ({ state }) => state === 'completed' && resolve()));
  const name = new Promise((resolve) => session.on('Browser.downloadWillBegin', ({ suggestedFilename }) => resolve(suggestedFilename)));
  await page.click(`#${button}`);
  await done;
  await session.detach();
  return join(work, await name);
}
