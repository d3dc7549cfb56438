// glTF as three.js loads it, on the page and in its worker. Import maps do not apply in workers, so addresses are whole here.
import { LoadingManager } from './three/three.module.min.js';
import { MeshoptDecoder } from './three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from './three/addons/loaders/GLTFLoader.js';
import { Draco } from './draco.js';
import { fileName } from './words.js';

const NOTHING = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** tree: the JSON. binary: an ArrayBuffer, the bytes of a GLB beside it, which are buffer 0 if that has no uri. find(uri): the file of those that came with it.
 *  onMissing gets the name of a picture that is not there. plugins: functions of GLTFLoader's parser. */
export async function loadGltf({ tree, binary }, find, onMissing, ...plugins) {
  const urls = new Map(),
    draco = new Draco(),
    manager = new LoadingManager();
  // never asks a server: what did not come with the file is an empty picture
  manager.setURLModifier((url) => {
    if (/^(blob|data):/.test(url)) return url;
    const file = find(url);
    if (!file) return onMissing(fileName(url)), NOTHING;
    if (!urls.has(file)) urls.set(file, URL.createObjectURL(file));
    return urls.get(file);
  });
  const loader = new GLTFLoader(manager).setMeshoptDecoder(MeshoptDecoder).setDRACOLoader(draco);
  for (const plugin of plugins) loader.register(plugin);
  if (binary && tree.buffers?.[0]?.uri === undefined)
    loader.register(({ cache }) => ({ name: 'binary', beforeRoot: () => cache.add('buffer:0', Promise.resolve(binary)) }));
  try {
    return await loader.parseAsync(tree, '');
  } finally {
    for (const url of urls.values()) URL.revokeObjectURL(url);
    draco.dispose();
  }
}
