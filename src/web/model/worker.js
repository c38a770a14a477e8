// The engine's module in a worker: one message is one call. The function's text is the worker's script, so it
// uses nothing from outside.

export function engineWorker() {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  /** @type {EngineExports} */
  let engine;

  /** @type {(at: number, size: number) => Uint8Array} */
  const bytes = (at, size) => new Uint8Array(engine.memory.buffer, at, size);

  // What the C library asks of a system: clocks tell the time, output is dropped, there is no environment.
  const system = {
    clock_time_get: (
      /** @type {number} */ _clock,
      /** @type {bigint} */ _precision,
      /** @type {number} */ at,
    ) => {
      const now = BigInt(Math.round(performance.now() * 1e6));
      new DataView(engine.memory.buffer).setBigUint64(at, now, true);
      return 0;
    },
    environ_sizes_get: (/** @type {number} */ count, /** @type {number} */ size) => {
      const view = new DataView(engine.memory.buffer);
      view.setUint32(count, 0, true);
      view.setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_close: () => 0,
    fd_seek: () => 0,
    fd_write: () => 0,
    proc_exit: () => {
      throw new Error("the engine ended");
    },
  };
  const page = {
    raise: (/** @type {number} */ at, /** @type {number} */ size) => {
      throw new Error(decoder.decode(bytes(at, size)));
    },
  };

  // Holds the lock as long as the worker lives, where there are locks.
  /** @type {(lock: string) => Promise<boolean>} */
  const hold = (lock) =>
    new Promise((resolve) => {
      const endless = () => {
        resolve(true);
        return new Promise(() => {});
      };
      if (!navigator.locks) return resolve(false);
      navigator.locks.request(lock, endless).catch(() => resolve(false));
    });

  self.onmessage = async ({ data: { id, module, lock, name, input, args } }) => {
    try {
      if (module) {
        const instance = await WebAssembly.instantiate(module, { page, wasi_snapshot_preview1: system });
        engine = /** @type {EngineExports} */ (/** @type {any} */ (instance).exports);
        engine._initialize();
        return self.postMessage({ id, output: Uint8Array.of(Number(await hold(lock))) });
      }
      const given = typeof input === "string" ? encoder.encode(input) : input;
      const at = engine.lab_input(given.length);
      bytes(at, given.length).set(given);
      engine[name](...args);
      const output = bytes(engine.lab_output(), engine.lab_output_size()).slice();
      self.postMessage({ id, output }, { transfer: [output.buffer] });
    } catch (error) {
      // After an error of its own the module is in no known state.
      self.postMessage({
        id,
        error:
          error instanceof RangeError ? "the page has no memory left" : /** @type {Error} */ (error).message,
      });
    }
  };
}
