// Files of glTF, as the tests of three.js need them.
import { readFileSync } from 'node:fs';

const padded = (buffer, byte) => Buffer.concat([buffer, Buffer.alloc(-buffer.length & 3, byte)]);

// tree: or its text.
export function glbOf(tree, binary) {
  const text = padded(Buffer.from(typeof tree === 'string' ? tree : JSON.stringify(tree)), 32),
    rest = padded(binary, 0);
  const head = Buffer.alloc(20),
    middle = Buffer.alloc(8);
  head.write('glTF'), head.writeUInt32LE(2, 4), head.writeUInt32LE(28 + text.length + rest.length, 8);
  head.writeUInt32LE(text.length, 12), head.write('JSON', 16);
  middle.writeUInt32LE(rest.length, 0), middle.write('BIN\0', 4);
  return Buffer.concat([head, text, middle, rest]);
}

export function readGlb(path) {
  const content = readFileSync(path),
    length = content.readUInt32LE(12);
  return { tree: JSON.parse(content.toString('utf8', 20, 20 + length)), binary: content.subarray(28 + length) };
}

// three.js needs a browser for images, and nothing here is drawn.
export function withoutMeshes({ tree, binary }) {
  const nodes = tree.nodes.map(({ mesh, skin, camera, extensions, ...node }) => node);
  const animations = tree.animations.map((animation) => ({
    ...animation,
    channels: animation.channels.filter((c) => ['rotation', 'translation', 'scale'].includes(c.target.path)),
  }));
  const { asset, scene, scenes, accessors, bufferViews, buffers } = tree;
  return { tree: { asset, scene, scenes, nodes, animations, accessors, bufferViews, buffers }, binary };
}
