// The worker that encodes: it gets a source once, and says how far it is. See encoding.js.
import { loadEncoder } from './quatsimd/encoder.js';

function wordsOf(error, source, animation) {
  const { joints, tracks } = source.skeleton,
    moved = error.kind && (error.kind === 'track' ? tracks : joints)[error.index]?.name;
  const where = [animation && `animation ${animation}`, moved && `${error.kind} of ${moved}`, error.key >= 0 && `key ${error.key}`].filter(
    Boolean,
  );
  return `${where.length ? `${where.join(', ')}: ` : ''}${error.message}`;
}

// first: the animation that is encoded, and can be shown, before the others. keys: bytes of the keys of each, by its name; a clip with
// more is in the bundle, and not in the one for a .glb.
self.onmessage = async ({ data: { wasm, source, first, bounds, keys } }) => {
  const clips = new Map(),
    worst = new Map(),
    refused = new Map();
  try {
    const encoder = await loadEncoder({ wasm }),
      skeleton = encoder.encodeSkeleton(source.skeleton);
    const order = [...source.animations].sort((a, b) => (b.name === first) - (a.name === first));
    for (const [done, it] of order.entries()) {
      postMessage({ done, of: order.length });
      try {
        clips.set(it.name, encoder.encodeClip(it, { ...bounds, skeleton, bundled: true, onWorst: (is) => worst.set(it.name, is.object) }));
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) throw error; // after a trap nothing that the encoder has is sure
        refused.set(it.name, wordsOf(error, source, it.name)); // the others are encoded all the same
        continue;
      }
      if (done === 0 && order.length > 1) postMessage({ bundle: encoder.encodeBundle(skeleton, clips) });
    }
    if (clips.size === 0) return postMessage({ error: [...refused.values()][0] });
    const sizes = new Map([...clips].map(([name, { byteLength }]) => [name, byteLength])),
      smaller = new Map([...clips].filter(([name]) => sizes.get(name) <= keys.get(name)));
    postMessage({
      bundle: encoder.encodeBundle(skeleton, clips),
      forGlb: smaller.size ? encoder.encodeBundle(skeleton, smaller) : undefined,
      larger: [...clips.keys()].filter((name) => !smaller.has(name)),
      sizes,
      worst,
      refused,
      skeleton: skeleton.byteLength,
    });
  } catch (error) {
    postMessage({ error: wordsOf(error, source) });
  }
};
