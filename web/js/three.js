// Clips on three.js' bones and morph targets, played from the compressed bytes.
export { EXTENSION } from './extension.js';
export { QuatsimdAction } from './three_action.js';
export { bindByName } from './three_bind.js';
export { toAnimationClip } from './three_clip.js';
export { QuatsimdGLTFExtension, QuatsimdLoader, nodesOf } from './three_loader.js';
export { meshBounds } from './three_mesh.js';
export { QuatsimdMixer } from './three_mixer.js';
export { sourceOf } from './three_source.js';
