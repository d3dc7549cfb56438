// The worker that encodes, and says how far it is. See encoding.js.
import { loadEncoder } from './quatsimd/encoder.js';
import { gzip } from './pack.js';
import { bundleGlb } from './quatsimd/glb.js';

function wordsOf(error, source, animation) {
  const { joints, tracks } = source.skeleton,
    moved = error.kind && (error.kind === 'track' ? tracks : joints)[error.index]?.name;
  const where = [animation && `animation ${animation}`, moved && `${error.kind} of ${moved}`, error.key >= 0 && `key ${error.key}`].filter(
    Boolean,
  );
  return `${where.length ? `${where.join(', ')}: ` : ''}${error.message}`;
}

// As a part of its bound; the weights of morph targets move vertices, too.
const shareOf = ({ objectShare, trackShare }, { trackBounds }) => Math.max(objectShare, trackBounds ? trackShare : 0);

// A .glb has the inverse bind matrices of its skins.
const withoutBinds = (skeleton) => ({ ...skeleton, joints: skeleton.joints.map(({ inverseBind: _, ...joint }) => joint) });

// The .glb with the bundle in it, or why there is none; and the animations that have to stay as keys.
async function makeGlb({ file, animations, ...nodes }, bundle, stays) {
  if (!bundle) return { refusal: 'There is no .glb of it: no clip is smaller than its keys, so all animations would stay as keys.' };
  const stay = [];
  try {
    const glb = bundleGlb(await file.arrayBuffer(), bundle, {
      ...nodes,
      animations: animations.map((name) => (stays(name) ? null : name)),
      onStays: (number) => stay.push(animations[number]),
    });
    return { glb, stay };
  } catch (error) {
    return { refusal: `There is no .glb of it: ${error.message}` };
  }
}

// port: gives the animations of the source with their keys, by their numbers: see reading.js. first: the animation that is encoded, and can be shown,
// before the others. keys: bytes of the keys of each, by its name; a clip with more is in the bundle, and not in the one for a .glb.
self.onmessage = async ({ data: { wasm, port, source, first, bounds, keys, glb } }) => {
  const clips = new Map(),
    worst = new Map(),
    refused = new Map(),
    ask = (number) =>
      new Promise((tell, fail) => {
        port.onmessage = ({ data: { answer, error } }) => (error ? fail(error) : tell(answer));
        port.postMessage({ animation: number });
      });
  try {
    const encoder = await loadEncoder({ wasm }),
      skeleton = encoder.encodeSkeleton(source.skeleton),
      names = source.animations.map(({ name }) => name),
      order = [...names.keys()].sort((a, b) => (names[b] === first) - (names[a] === first)),
      of = order.length;
    for (const [done, a] of order.entries()) {
      postMessage({ done, of });
      const name = names[a];
      try {
        clips.set(
          name,
          encoder.encodeClip(await ask(a), { ...bounds, skeleton, bundled: true, onWorst: (is) => worst.set(name, shareOf(is, bounds)) }),
        );
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) throw error; // after a trap nothing that the encoder has is sure
        refused.set(name, wordsOf(error, source, name)); // the others are encoded all the same
        continue;
      }
      if (done === 0 && of > 1) postMessage({ bundle: encoder.encodeBundle(skeleton, clips) });
    }
    if (clips.size === 0) return postMessage({ error: [...refused.values()][0] });
    postMessage({ done: of, of });
    const sizes = new Map([...clips].map(([name, { byteLength }]) => [name, byteLength])),
      smaller = new Map([...clips].filter(([name]) => sizes.get(name) <= keys.get(name))),
      bundle = encoder.encodeBundle(skeleton, clips),
      forGlb = glb && smaller.size ? encoder.encodeBundle(encoder.encodeSkeleton(withoutBinds(source.skeleton)), smaller) : undefined,
      file = glb && (await makeGlb(glb, forGlb, (name) => !smaller.has(name)));
    postMessage(
      {
        ...{ bundle, sizes, worst, refused, ...file },
        larger: [...clips.keys()].filter((name) => !smaller.has(name)),
        skeleton: skeleton.byteLength,
        zipped: await gzip([bundle]),
        inGlb: file?.glb && { size: forGlb.byteLength, zipped: await gzip([forGlb]) },
      },
      [bundle, file?.glb].flatMap((bytes) => bytes?.buffer ?? []),
    );
  } catch (error) {
    postMessage({ error: wordsOf(error, source) });
  }
};
