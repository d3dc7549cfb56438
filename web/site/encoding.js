// Encodes a source in a worker, the last that was asked for. The worker takes keys from that which has read the file.
import { hasSimd } from 'quatsimd';

const build = new URL(`./quatsimd/encoder.${hasSimd() ? 'simd' : 'scalar'}.wasm`, import.meta.url);
let compiled; // once, for all workers

async function compile() {
  const answer = await fetch(build);
  if (!answer.ok) throw new Error(`${build.pathname}: ${answer.status} ${answer.statusText}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

export class Encoding {
  #worker;
  #turn = 0;

  get isBusy() {
    return Boolean(this.#worker);
  }

  /** Ends what is being encoded. */
  stop() {
    this.#turn += 1;
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** job: { source, first, bounds, keys, glb }. reading: has the keys. on: { progress(done, of), bundle(bytes),
   *  done({ bundle, glb, stay, refusal, larger, sizes, worst, refused, skeleton, zipped }), error(words) }. */
  async start(job, reading, on) {
    this.stop();
    const turn = this.#turn,
      worker = (this.#worker = new Worker(new URL('./encode.js', import.meta.url), { type: 'module' }));
    const end = (tell, told) => {
      if (turn !== this.#turn) return;
      this.stop();
      tell(told);
    };
    worker.onerror = ({ message }) => end(on.error, message ?? 'the encoder did not start');
    worker.onmessage = ({ data }) => {
      if (turn !== this.#turn) return;
      if (data.error) end(on.error, data.error);
      else if (data.sizes) end(on.done, data);
      else if (data.bundle) on.bundle(data.bundle);
      else on.progress(data.done, data.of);
    };
    try {
      const wasm = await (compiled ??= compile());
      if (turn !== this.#turn) return;
      const port = reading.openPort();
      worker.postMessage({ ...job, wasm, port }, [port]);
    } catch (error) {
      compiled = undefined;
      end(on.error, error.message);
    }
  }
}
