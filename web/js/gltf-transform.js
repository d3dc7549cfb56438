// Bundles in files that gltf-transform reads and writes. docs/gltf-extension.md has the extension.
import { AnimationChannel, Extension, ExtensionProperty, MathUtils, PropertyType, RefMap, RefSet } from '@gltf-transform/core';
import { EXTENSION, versionError } from './extension.js';

const refuse = (words) => {
  throw new Error(`${EXTENSION}: ${words}`);
};

const restOf = (node) => [node.getTranslation(), node.getRotation(), node.getScale()];
const titlesOf = (parts) => new Map(parts.filter(({ rest }) => rest).map(({ node, title }) => [node, title])); // of joints, by their nodes
const weightsOf = (node) => (node.getWeights().length ? node.getWeights() : (node.getMesh()?.getWeights() ?? []));
const targetCountsOf = (node) => (node.getMesh()?.listPrimitives() ?? []).map((primitive) => primitive.listTargets().length);

function jointAbove(node, titles) {
  let above = node.getParentNode();
  while (above && !titles.has(above)) above = above.getParentNode();
  return titles.get(above) ?? 'none';
}

// A channel tells transforms that the node moves: they leave it as it is, or give the channel the new node of the mesh.
class Movement extends AnimationChannel {
  getExtras() {
    return refuse('register QuatsimdBundle with the I/O that writes, too'); // for only an I/O without it gets here
  }
}

// parts: the joints and tracks, as the file had them. movements: theirs, by their places in the JSON. animation: has the movements,
// since some transforms look at animations alone. nodes: for prune(), to which a channel is no reason to keep a node.
class Bundle extends ExtensionProperty {
  static EXTENSION_NAME = EXTENSION;

  init() {
    this.extensionName = this.propertyType = EXTENSION;
    this.parentTypes = [PropertyType.ROOT];
  }

  getDefaults() {
    const empty = { bytes: new Uint8Array(), text: {}, parts: [], movements: new RefMap(), animation: null, nodes: new RefSet() };
    return Object.assign(super.getDefaults(), empty);
  }

  dispose() {
    for (const each of [this.getRef('animation'), ...this.listRefMapValues('movements')]) each?.dispose();
    super.dispose();
  }

  nodeOf({ place, title }) {
    return this.getRefMap('movements', place)?.getTargetNode() ?? refuse(`${title} is no longer in the document, and the bundle moves it`);
  }

  // The bundle would play wrongly after a change that is refused here.
  check() {
    const parts = this.get('parts').map((part) => ({ ...part, node: this.nodeOf(part) })),
      titles = titlesOf(parts);
    for (const { node, title, rest, above, target, count, weight } of parts) {
      const counts = targetCountsOf(node),
        aboveNow = jointAbove(node, titles);
      if (rest && !restOf(node).every((now, i) => MathUtils.eq(now, rest[i])))
        refuse(`${title} got another translation, rotation or scale; the bundle has the rest pose of before`);
      if (rest && aboveNow !== above) refuse(`the joint above ${title} was ${above} and is ${aboveNow}; the bundle moves ${title} with it`);
      if (!rest && !(counts.length && counts.every((now) => now === count)))
        refuse(
          `${title} had ${count} morph targets and has ${counts.find((now) => now !== count) ?? 'none'}; the bundle moves number ${target}`,
        );
      if (!rest && !MathUtils.eq([weightsOf(node)[target] ?? 0], [weight]))
        refuse(`${title} got another weight; the bundle has the rest pose of before`);
    }
  }

  textOf({ nodeIndexMap, otherBufferViewsIndexMap }) {
    const numbers = this.get('parts').map((part) => ({ ...part, node: nodeIndexMap.get(this.nodeOf(part)) })),
      joints = numbers.filter(({ rest }) => rest).map(({ node }) => node),
      tracks = numbers.filter(({ rest }) => !rest).map(({ node, target }) => ({ node, target }));
    return {
      ...this.get('text'),
      bufferView: otherBufferViewsIndexMap.get(this.get('bytes')),
      ...(joints.length && { joints }),
      ...(tracks.length && { tracks }),
    };
  }
}

/** For io.registerExtensions([QuatsimdBundle]) of gltf-transform. A file keeps its bundle then, and what the bundle moves. */
export class QuatsimdBundle extends Extension {
  static EXTENSION_NAME = EXTENSION;
  extensionName = EXTENSION;
  prewriteTypes = [PropertyType.BUFFER];

  read({ jsonDoc: { json }, nodes, bufferViews }) {
    if (!json.extensions?.[EXTENSION]) return this;
    const { bufferView, joints = [], tracks = [], ...text } = json.extensions[EXTENSION];
    if (versionError(text.version)) refuse(versionError(text.version));
    if (![joints, tracks].every(Array.isArray) || !tracks.every((track) => track))
      refuse('joints and tracks must be arrays of their parts');
    if (new Set(joints).size !== joints.length) refuse('two joints are one node');
    const bytes = bufferViews[bufferView] ?? refuse(`there is no buffer view ${bufferView}`);
    const partOf = (place, number, more) => {
      const node = nodes[number] ?? refuse(`${place} is node ${number}, and the file has ${nodes.length}`);
      return { place, node, title: `${place} (${node.getName() || `node ${number}`})`, ...more(node) };
    };
    const parts = [
      ...joints.map((number, j) => partOf(`joints/${j}`, number, (node) => ({ path: 'rotation', rest: restOf(node) }))),
      ...tracks.map(({ node: number, target }, t) =>
        partOf(`tracks/${t}`, number, (node) => ({
          path: 'weights',
          target,
          count: targetCountsOf(node)[0] ?? 0,
          weight: weightsOf(node)[target] ?? 0,
        })),
      ),
    ];
    const titles = titlesOf(parts),
      graph = this.document.getGraph(),
      animation = this.document.createAnimation(EXTENSION),
      bundle = new Bundle(graph).setRef('animation', animation);
    for (const { place, node, title, path, target, count } of parts) {
      if (path === 'weights' && !(Number.isInteger(target) && target >= 0 && target < count))
        refuse(`${title} has no morph target ${target}`);
      const movement = new Movement(graph).setTargetNode(node).setTargetPath(path);
      animation.addChannel(movement);
      bundle.addRef('nodes', node).setRefMap('movements', place, movement);
    }
    bundle.set('bytes', new Uint8Array(bytes)).set('text', text);
    bundle.set(
      'parts',
      parts.map(({ path, node, ...part }) => ({ ...part, above: jointAbove(node, titles) })),
    );
    this.document.getRoot().setExtension(EXTENSION, bundle);
    return this;
  }

  prewrite({ otherBufferViews }) {
    const bundles = this.listProperties(),
      root = this.document.getRoot();
    if (bundles.length > 1) refuse(`the document has ${bundles.length} bundles, and a file can have one`);
    for (const bundle of bundles) {
      bundle.check();
      const buffer = root.listBuffers()[0] ?? this.document.createBuffer();
      otherBufferViews.set(buffer, [...(otherBufferViews.get(buffer) ?? []), bundle.get('bytes')]);
      root.removeRef('animations', bundle.getRef('animation')); // until write()
    }
    return this;
  }

  write(context) {
    const { json } = context.jsonDoc;
    for (const bundle of this.listProperties()) {
      const animation = bundle.getRef('animation');
      if (animation) this.document.getRoot().addRef('animations', animation);
      json.extensions = { ...json.extensions, [EXTENSION]: bundle.textOf(context) };
    }
    return this;
  }
}
