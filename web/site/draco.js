// Meshes that are compressed with Draco. The decoder is loaded when a file has some.
import { Group } from './three/three.module.min.js';
import { listed } from './words.js';

const DECODER = new URL('./three/addons/libs/draco/gltf/', import.meta.url).href;
const LONGEST = 60; // seconds without a mesh: a worker that did not start says nothing

/** For GLTFLoader's setDRACOLoader. */
export class Draco {
  #loader;
  #waiting = new Set(); // functions that get an error
  #timer;

  preload() {} // GLTFLoader asks for it even if no mesh needs the decoder

  async decodeDracoFile(data, done, ids, types, space, fail) {
    this.#waiting.add(fail);
    this.#wait();
    try {
      const { DRACOLoader } = await import('./three/addons/loaders/DRACOLoader.js');
      this.#loader ??= new DRACOLoader().setDecoderPath(DECODER);
      await this.#loader.decodeDracoFile(data, done, ids, types, space, fail);
    } catch (error) {
      fail(error);
    }
    this.#waiting.delete(fail);
    this.#wait();
  }

  #wait() {
    clearTimeout(this.#timer);
    const late = () => this.#waiting.forEach((fail) => fail(new Error(`it gave nothing in ${LONGEST} seconds`)));
    if (this.#waiting.size) this.#timer = setTimeout(late, 1000 * LONGEST);
  }

  dispose() {
    clearTimeout(this.#timer);
    this.#loader?.dispose();
  }
}

/** For GLTFLoader's register: a mesh that the decoder fails with is left out, and a note says why. */
export const withoutBadDraco = (notes) => (parser) => {
  const failed = new Map(); // names of meshes, by the reason
  return {
    name: 'without bad Draco',
    loadMesh(index) {
      const { name, primitives } = parser.json.meshes[index];
      if (!primitives.some(({ extensions }) => extensions?.KHR_draco_mesh_compression)) return undefined;
      return parser.loadMesh(index).catch((error) => {
        const reason = String(error.message ?? error.error).replace(/^THREE\.\w+: |\.$/g, '');
        failed.set(reason, [...(failed.get(reason) ?? []), name || index]);
        return new Group();
      });
    },
    afterRoot() {
      for (const [reason, names] of failed)
        notes.push(`These of its meshes are not shown: ${listed(names)}. Draco’s decoder failed: ${reason}.`);
    },
  };
};
