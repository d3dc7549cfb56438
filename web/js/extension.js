// The extension of glTF that has a bundle, whose text is docs/gltf-extension.md.

export const EXTENSION = 'QUATSIMD_bundle';

/** The error's words if a file has a later version of the extension, which cannot be read. */
export const versionError = (version) => ([undefined, 1, 2].includes(version) ? undefined : `version ${version} is a later one`);
