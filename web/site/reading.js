// A file that a worker reads, whose keys stay there: see read.js.
export class Reading {
  #worker = new Worker(new URL('./read.js', import.meta.url), { type: 'module' });
  #asked = new Map();
  #count = 0;
  #over; // why nobody answers any more

  /** progress(done, of): animations. */
  constructor(progress) {
    this.#worker.onmessage = ({ data: { id, answer, error, done, of } }) => {
      if (id === undefined) return progress(done, of);
      const [tell, fail] = this.#asked.get(id);
      this.#asked.delete(id);
      if (error) fail(error);
      else tell(answer);
    };
    this.#worker.onerror = ({ message }) => this.#end(message || 'The reader did not start.');
  }

  #check() {
    if (this.#over) throw new Error(this.#over);
  }
  #ask(question) {
    return new Promise((tell, fail) => {
      this.#check();
      const id = this.#count++;
      this.#asked.set(id, [tell, fail]);
      this.#worker.postMessage({ ...question, id });
    });
  }

  /** job: { kind, file, files (withPaths) }. */
  read(job) {
    return this.#ask({ job });
  }
  /** An animation with its keys, by its number. */
  animation(number) {
    return this.#ask({ animation: number });
  }
  /** Bytes of the keys as others pack them: see packedOf. Once. */
  pack() {
    return this.#ask({ job: 'pack' });
  }
  /** A port that gives animations, too: it is asked { animation: number } and answers { answer } or { error }. */
  openPort() {
    this.#check();
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ port: port1 }, [port1]);
    return port2;
  }

  #end(words) {
    this.#over = words;
    this.#worker.terminate();
    for (const [, fail] of this.#asked.values()) fail(new Error(words));
    this.#asked.clear();
  }
  close() {
    this.#end('It is closed.');
  }
}
