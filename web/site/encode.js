// The worker that encodes: it gets a source once, and says how far it is. See encoding.js.
import { loadEncoder } from './quatsimd/encoder.js';

function wordsOf(error, source, animation) {
  const { joints, tracks } = source.skeleton, moved = error.kind && (error.kind === 'track' ? tracks : joints)[error.index]?.name;
  const where = [animation && `animation ${animation}`, moved && `${error.kind} of ${moved}`, error.key >= 0 && `key ${error.key}`].filter(Boolean);
  return `${where.length ? `${where.join(', ')}: ` : ''}${error.message}`;
}

// first: the animation that is encoded, and can be shown, before the others.
onmessage = async ({ data: { wasm, source, first, bounds } }) => {
  let animation;
  try {
    const encoder = await loadEncoder({ wasm }), skeleton = encoder.encodeSkeleton(source.skeleton), clips = new Map(), worst = new Map();
    const order = [...source.animations].sort((a, b) => (b.name === first) - (a.name === first));
    for (const [done, it] of order.entries()) {
      animation = it.name;
      postMessage({ done, of: order.length });
      clips.set(animation, encoder.encodeClip(it, { ...bounds, skeleton, bundled: true, onWorst: (is) => worst.set(animation, is.object) }));
      if (done === 0 && order.length > 1) postMessage({ bundle: encoder.encodeBundle(skeleton, clips) });
    }
    animation = undefined;
    const sizes = new Map([...clips].map(([name, { byteLength }]) => [name, byteLength]));
    postMessage({ bundle: encoder.encodeBundle(skeleton, clips), sizes, worst, skeleton: skeleton.byteLength });
  } catch (error) {
    postMessage({ error: wordsOf(error, source, animation) });
  }
};
