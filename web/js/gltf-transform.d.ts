import { Extension, type ReaderContext, type WriterContext } from '@gltf-transform/core';

/** For io.registerExtensions([QuatsimdBundle]) of gltf-transform. A file keeps its bundle then, and what the bundle moves.
 *  To drop the bundle, call dispose() of document.getRoot().getExtension('QUATSIMD_bundle'). */
export class QuatsimdBundle extends Extension {
  static EXTENSION_NAME: 'QUATSIMD_bundle';
  readonly extensionName: 'QUATSIMD_bundle';
  read(context: ReaderContext): this;
  write(context: WriterContext): this;
}
