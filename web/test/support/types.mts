// Compiled, never run: a program that uses all that the package declares. See package.test.mjs.
import type { BufferGeometry, Mesh } from 'three';
import { Group, LoopPingPong, Matrix4, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { QuatsimdError, hasSimd, loadPlayer } from 'quatsimd';
import type { Bundle, Clip, Floats, Goal, Layer, LayerEvent, Mode, Pose, RootMotion, Step, Wrap } from 'quatsimd';
import { loadCodec } from 'quatsimd/codec';
import { loadEncoder } from 'quatsimd/encoder';
import type { Animation, JointBounds } from 'quatsimd/encoder';
import { loadFbx } from 'quatsimd/fbx';
import type { FbxScene } from 'quatsimd/fbx';
import { bundleGlb } from 'quatsimd/glb';
import { loadStreams } from 'quatsimd/stream';
import type { DecodeStatus, StreamOptions, StreamReceiver, StreamSender } from 'quatsimd/stream';
import {
  EXTENSION,
  QuatsimdGLTFExtension,
  QuatsimdLoader,
  QuatsimdMixer,
  bindByName,
  meshBounds,
  nodesOf,
  sourceOf,
  toAnimationClip,
} from 'quatsimd/three';

const player = await loadPlayer({ simd: hasSimd() });
const bundle: Bundle = player.openBundle(new Uint8Array(8)),
  clip: Clip = bundle.clip('Walk'),
  wrap: Wrap = 'loop';
const pose: Pose = clip.sample(bundle.skeleton.pose(), 0.5, wrap, bundle.skeleton.rest),
  values: Float32Array = pose.rotations;
const evaluator = bundle.skeleton.evaluator({ layers: 2, model: true }),
  matrices: Floats = evaluator.model,
  none: undefined = evaluator.skinning;
const layer: Layer = { clip, time: 0, weight: 0.5, mask: bundle.skeleton.mask(), trackMask: bundle.skeleton.trackMask() };
evaluator.evaluate([layer], new Float32Array(16));
bundle.skeleton.toModel(bundle.skeleton.matrices(), pose, new Matrix4());
const mode: Mode = 'over',
  motion: RootMotion = bundle.skeleton.rootMotion(clip, { joint: 'hips', straight: true, up: new Vector3(0, 1, 0) }),
  over: Layer = { clip, time: 1, lastTime: 0.5, mode, motion, ...bundle.mask(bundle.masks[0] ?? '') };
const goals: Goal[] = [
  { kind: 'reach', joint: 'hand', target: new Vector3(), pole: [0, 0, 1], softness: 0.1 },
  { kind: 'aim', joint: 3, first: 'neck', axis: [0, 0, 1], target: [1, 2, 3], limit: 1, weight: 0.5 },
];
evaluator.evaluate([layer, over], { root: new Matrix4(), moveRoot: true, goals });
evaluator.evaluate([], new Matrix4());
const passed: readonly LayerEvent[] = evaluator.events,
  step: Step = motion.between(0, evaluator.step.rotation.length, 'loop');
bundle.skeleton.evaluator({ goals: 4 }).evaluate([{ clip, time: step.translation.length, mask: bundle.skeleton.mask({ spine: 1 }) }]);
clip.eventsBetween(0, clip.events.length, 'loop').map(({ clock, name }) => [clock, name, passed[0]?.weight]);
const hash: bigint = bundle.skeleton.hash,
  parent: number = bundle.skeleton.parents[bundle.skeleton.find('hips')] ?? -1;

const codec = await loadCodec(),
  packed: Uint8Array = codec.pack('lattice32', values, () => {});
codec.unpack('lattice32', packed, 1, codec.size('lattice32', 1));

const streams = await loadStreams({ simd: false }),
  streamed: StreamOptions = {
    bodyCount: 2,
    positionCount: 1,
    positionBound: 0.001,
    trackCount: 1,
    trackBound: 0.01,
    bounds: [0, 0.1],
    gravity: new Float32Array(3),
    session: 1n,
  },
  sender: StreamSender = streams.sender({ ...streamed, receiverCount: 2, limit: 1200, reliable: true, stateCount: 128, bound: undefined }),
  receiver: StreamReceiver = streams.receiver(streamed);
const became: DecodeStatus = receiver.decode(
  sender.encode({ rotations: values, positions: [0, 1, 2], tracks: values }, receiver.time, { key: true }),
);
if (became === 'restarted') receiver.restart(2n ** 60n);
if (sender.acknowledged(receiver.acknowledge(), 1) === 'ok') sender.leave(1);
receiver.rotations.set(receiver.tracks), sender.dispose();

const encoder = await loadEncoder({ wasm: packed });
const walk: Animation = { joints: [{ rotation: { times: [0], values: [0, 0, 0, 1] } }], tracks: [undefined] };
const skeleton = encoder.encodeSkeleton({ joints: [{ name: 'hips', translation: [0, 1, 0] }], tracks: [{ name: 'smile' }], metres: 1 });
const bytes = encoder.encodeBundle(skeleton, {
  Walk: encoder.encodeClip(walk, { object: 0.001, distance: 0.1, skeleton, additive: 'first', onWorst: ({ object }) => object.toFixed() }),
});
const fbx = await loadFbx({ simd: false, memory: 2 ** 28, seconds: 10 }),
  scene: FbxScene = fbx.read(packed);
for (const each of scene.animations)
  encoder.encodeClip(each, { object: 0.1 * scene.skeleton.metres, distance: fbx.memory, skeleton: encoder.encodeSkeleton(scene.skeleton) });
bundleGlb(packed, bytes, { joints: [0], tracks: [{ node: 0, target: 1 }], animations: ['Walk', null], onUnknown: (name) => name.length });

const loader = new GLTFLoader().register((parser) => new QuatsimdGLTFExtension(parser, player, { animations: true })),
  gltf = await loader.loadAsync('a.glb');
new QuatsimdLoader(player).setPath('models/').load('a.qsb', (it) => it.names.length);
const opened: Bundle = await new QuatsimdLoader(player).loadAsync('a.qsb'),
  bound = { bundle: opened, ...bindByName(gltf.scene, opened.skeleton) };
const mixer = new QuatsimdMixer(bound),
  action = mixer.action('Walk').play();
mixer.addEventListener('finished', ({ action: ended, direction }) => ended.name.length + direction);
mixer.addEventListener('loop', ({ loopDelta }) => loopDelta.toFixed());
mixer.addEventListener('event', ({ action: of, name, time, weight }) => [of.name, name, time + weight]);
mixer.dispatchEvent({ type: 'loop', action, loopDelta: 1 });
(action.mode = 'over'), (action.mask = 'arm');
const walker = new QuatsimdMixer(bound, { rootMotion: (name) => (name === 'Wave' ? undefined : { joint: 'hips' }) });
walker.root = gltf.scene;
walker.goals = [
  { kind: 'reach', joint: 'hand', target: gltf.scene },
  { kind: 'aim', joint: 'head', axis: new Vector3(0, 0, 1), target: new Vector3() },
];
walker.step.translation.applyQuaternion(walker.step.rotation);
new QuatsimdMixer(bound, { fromFirstKey: mixer.fromFirstKey }).update(0);
action.time = action.end - action.start;
action.fadeIn(1).crossFadeTo(mixer.action('Run'), 0.3).stop().reset();
(action.loop = LoopPingPong), (action.paused = action.isRunning() && action.isScheduled()), (action.clampWhenFinished = false);
action.setLoop(LoopPingPong, 3).setLoop(false).startAt(mixer.time).setEffectiveWeight(action.getEffectiveWeight()).stopFading();
action
  .crossFadeFrom(action.crossFadeTo(action, 1, true), 1, false)
  .syncWith(action)
  .setDuration(action.repetitions)
  .stopWarping();
action.warp(0, 1, 2).halt(action.getEffectiveTimeScale()).setEffectiveTimeScale(1);
mixer.update(action.effectiveWeight).dispose();
const mesh: Mesh<BufferGeometry> | undefined = bound.tracks[0]?.[0]?.mesh as Mesh | undefined;
new Blob([bundleGlb(packed, bytes, await nodesOf(gltf, sourceOf(gltf.scene, gltf.animations))), skeleton]);
const limits = meshBounds(gltf.scene, sourceOf(gltf.scene, gltf.animations))?.(0.0002, { object: 0.0001, distance: 0.03 }),
  ofHip: JointBounds | undefined = limits?.jointBounds[0];
encoder.encodeClip(walk, { ...limits, onWorst: ({ objectShare, trackShare }) => [objectShare, trackShare, ofHip?.distance] });
encoder.encodeClip(walk, { rotation: 0.001, jointBounds: [{ rotation: 0.01 }], trackBounds: [0] });
sourceOf(new Group(), [toAnimationClip(bound, 'Walk'), toAnimationClip(bound, 'Run', { fromFirstKey: true })], { metres: 1 }).left.join(
  EXTENSION,
);

try {
  player.openClip(new ArrayBuffer(0)).dispose();
} catch (error) {
  if (error instanceof QuatsimdError) console.log(error.status, error.kind, matrices, hash, parent, mesh, none);
}
