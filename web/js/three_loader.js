// Bundles in files that three.js loads.
import { FileLoader, Loader } from 'three';
import { EXTENSION, versionError } from './extension.js';
import { toAnimationClip } from './three_clip.js';

// The objects of all nodes, in their order. (A parser's associations have those of one scene alone.)
const nodesOfFile = (parser) => Promise.all((parser.json.nodes ?? []).map((_, node) => parser.getDependency('node', node)));

/** What joints and tracks stand for, which have numbers of nodes as the extension does: objects, and of each track its morph targets. */
export async function partsOf(parser, { joints = [], tracks = [] }) {
  const nodes = await nodesOfFile(parser),
    numbers = new Set(nodes);
  for (const node of [...joints, ...tracks.map((track) => track.node)]) if (!nodes[node]) throw new RangeError(`there is no node ${node}`);
  const meshesOf = (node) => {
    const meshes = [];
    const visit = (object) => {
      // all that is of this node, and nothing of the nodes below it
      if (object !== nodes[node] && numbers.has(object)) return;
      if (object.morphTargetInfluences) meshes.push(object);
      object.children.forEach(visit);
    };
    visit(nodes[node]);
    return meshes;
  };
  return {
    joints: joints.map((node) => nodes[node]),
    tracks: tracks.map(({ node, target }) => meshesOf(node).map((mesh) => ({ mesh, target }))),
  };
}

// The extension's rules that its schema cannot have.
function checkParts(skeleton, { joints = [], tracks = [] }, moved) {
  const check = (isRight, words) => {
    if (!isRight) throw new TypeError(words);
  };
  check(joints.length === skeleton.joints, `${joints.length} nodes are named for ${skeleton.joints} joints`);
  check(tracks.length === skeleton.tracks, `${tracks.length} morph targets are named for ${skeleton.tracks} tracks`);
  check(new Set(joints).size === joints.length, 'two joints are one node');
  check(new Set(tracks.map(({ node, target }) => `${node}.${target}`)).size === tracks.length, 'two tracks are one morph target');
  moved.forEach((of, t) =>
    check(
      of.length && of.every(({ mesh, target }) => target < mesh.morphTargetInfluences.length),
      `node ${tracks[t].node} has no morph target ${tracks[t].target}`,
    ),
  );
}

function playerOf(player) {
  if (typeof player?.openBundle !== 'function') throw new TypeError('player is what loadPlayer() gives, awaited');
  return player;
}

/** For GLTFLoader: loader.register((parser) => new QuatsimdGLTFExtension(parser, player)). A file with the extension has
 *  gltf.userData.quatsimd then, for QuatsimdMixer: the opened bundle, what its joints and tracks move, and its animations as the
 *  file has them ({ name, clip, extras, extensions }). With `animations` gltf.animations gets them, too, by toAnimationClip, behind
 *  those that have keys in the file. onError gets the error of an extension, or of one of these clips, that is refused; the file is
 *  loaded without it. */
export class QuatsimdGLTFExtension {
  static name = 'QuatsimdGLTFExtension';
  constructor(parser, player, { animations = false, onError = (error) => console.warn(`${EXTENSION}: ${error.message}`) } = {}) {
    this.name = EXTENSION;
    this.parser = parser;
    this.player = playerOf(player);
    this.animations = animations;
    this.onError = onError;
  }

  async afterRoot(gltf) {
    const it = this.parser.json.extensions?.[EXTENSION];
    if (!it) return;
    try {
      gltf.userData.quatsimd = await this.#open(it);
    } catch (error) {
      return this.onError(error); // the file is shown without its animations
    }
    if (this.animations) for (const each of gltf.userData.quatsimd.animations) this.#addTo(gltf, each);
  }

  #addTo({ animations, userData: { quatsimd } }, { name, clip }) {
    try {
      const opened = quatsimd.bundle.clip(clip),
        isAdditive = opened.additive !== 'none'; // which three.js adds in another way
      opened.dispose();
      if (!isAdditive) animations.push(Object.assign(toAnimationClip(quatsimd, clip), { name: name || clip }));
    } catch (error) {
      this.onError(error);
    }
  }

  async #open(it) {
    if (versionError(it.version)) throw new RangeError(versionError(it.version));
    if (!Array.isArray(it.animations)) throw new TypeError('it names no animations');
    const { joints, tracks } = await partsOf(this.parser, it),
      bytes = await this.parser.getDependency('bufferView', it.bufferView);
    const bundle = this.player.openBundle(bytes);
    try {
      checkParts(bundle.skeleton, it, tracks);
    } catch (error) {
      bundle.dispose();
      throw error;
    }
    const isFirst = ({ clip }, i) => bundle.names.includes(clip) && it.animations.findIndex((other) => other.clip === clip) === i;
    return { bundle, joints, tracks, animations: it.animations.filter(isFirst) };
  }
}

/** Loads a bundle's file. */
export class QuatsimdLoader extends Loader {
  static name = 'QuatsimdLoader';
  constructor(player, manager) {
    super(manager);
    this.player = playerOf(player);
  }

  load(url, onLoad, onProgress, onError) {
    const loader = new FileLoader(this.manager);
    loader.setPath(this.path);
    loader.setResponseType('arraybuffer');
    loader.setRequestHeader(this.requestHeader);
    loader.setWithCredentials(this.withCredentials);
    loader.load(
      url,
      (bytes) => {
        try {
          onLoad(this.player.openBundle(bytes));
        } catch (error) {
          if (!onError) throw error;
          onError(error);
          this.manager.itemError(url);
        }
      },
      onProgress,
      onError,
    );
  }
}

/** All that bundleGlb needs to know of a file that GLTFLoader has read: its nodes, and names of clips. source: of sourceOf(gltf.scene,
 *  gltf.animations). */
export async function nodesOf({ parser }, source) {
  const numbers = new Map((await nodesOfFile(parser)).map((object, node) => [object, node])),
    numberOf = (object) => numbers.get(object);
  return {
    joints: source.joints.map(numberOf),
    tracks: source.tracks.map(([{ mesh, target }]) => ({ node: numberOf(mesh) ?? numberOf(mesh.parent), target })),
    animations: source.animations.map(({ name }) => name),
  };
}
