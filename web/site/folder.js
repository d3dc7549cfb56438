// Files that came together: those of a folder that was dropped, and those that a .gltf names.
import { fileName } from './words.js';

export const isFigure = ({ name }) => /\.(glb|gltf|vrma?|bvh|fbx|qsb)$/i.test(name);
/** The one of several files that the others belong to. */
export const mainOf = (files) => files.find(isFigure) ?? files[0];

// An entry's files, each with its path.
async function* filesIn(entry) {
  if (entry.name.startsWith('.')) return; // a hidden one
  if (entry.isFile) {
    const file = await new Promise((done, fail) => entry.file(done, fail));
    yield Object.assign(file, { path: entry.fullPath.slice(1) });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail)); // a hundred at most
    if (!some.length) return;
    for (const each of some) yield* filesIn(each);
  }
}

async function listOf(entries) {
  const files = [];
  for (const entry of entries) for await (const file of filesIn(entry)) files.push(file);
  if (!files.some(isFigure)) throw new Error('It is a folder without a GLB, .gltf, VRM, FBX, BVH or bundle (.qsb).');
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What was dropped, which must be asked while the event is handled: { name, getFiles }, or undefined. */
export function dropped({ items, files }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean),
    folder = entries.find(({ isDirectory }) => isDirectory),
    all = [...files];
  if (folder) return { name: folder.name, getFiles: () => listOf(entries) };
  return all.length ? { name: mainOf(all).name, getFiles: () => all } : undefined;
}

/** May the page look into a file to learn what it is? Into those of a folder only if their names say so. */
export const mayBeFigure = (file) => !file.path || isFigure(file);

/** [path, File] of each, which workers get, too. */
export const withPaths = (files) => files.map((file) => [file.path ?? file.name, file]);

/** Gives a function that finds the file that a uri in `main` means: by its path, else by its name. files: withPaths. */
export function finder(main, files) {
  const paths = new Map(files),
    names = new Map(files.map(([, file]) => [file.name, file]).reverse()),
    [path] = files.find(([, file]) => file === main),
    base = `http://folder/${path.split('/').map(encodeURIComponent).join('/')}`;
  return (uri) => {
    try {
      const file = paths.get(decodeURIComponent(new URL(uri, base).pathname.slice(1)));
      if (file) return file;
    } catch {
      // a name that is no uri
    }
    return names.get(fileName(uri));
  };
}
