// Compiled, never run: see package.test.mjs.
import { NodeIO } from '@gltf-transform/core';
import { QuatsimdBundle } from 'quatsimd/gltf-transform';

const io = new NodeIO().registerExtensions([QuatsimdBundle]),
  document = await io.read('hero.glb'),
  name: 'QUATSIMD_bundle' = document.createExtension(QuatsimdBundle).setRequired(true).extensionName;
document.getRoot().getExtension(name)?.dispose();
await io.write('hero.glb', document);
