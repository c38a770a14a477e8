// The worker in which one program runs that has a learner's code in it. Who started it ends it when its time
// is over.
import { addressesIn } from "./crash.js";
import { runProgram } from "./programs.js";

/** @type {any} */ (Error).stackTraceLimit = 64;

/** @param {MessageEvent<Program>} event */
self.onmessage = ({ data: { bytes, words, environment, begin } }) => {
  const decode = () => {
    const decoder = new TextDecoder();
    return (/** @type {Uint8Array} */ piece) => decoder.decode(piece, { stream: true });
  };
  const output = decode();
  const errors = decode();
  /** @type {PageImports} */
  const page = {
    allow: () => (seconds) => self.postMessage({ allow: seconds }),
    stack: (memory) => (at, most) => {
      const addresses = addressesIn(String(new Error().stack), begin).slice(0, most);
      new Uint32Array(memory().buffer, at, addresses.length).set(addresses);
      return addresses.length;
    },
    run: () => () => 0,
    answer: () => () => {},
  };
  try {
    const { status, signal, crash } = runProgram(
      new WebAssembly.Module(/** @type {BufferSource} */ (bytes)),
      {
        words,
        root: new Map(),
        environment: Object.entries(Object.fromEntries(environment ?? [])).map(
          ([name, value]) => `${name}=${value}`,
        ),
        begin,
        onOutput: (piece) => self.postMessage({ output: output(piece) }),
        onErrors: (piece) => self.postMessage({ errors: errors(piece) }),
        page,
      },
    );
    self.postMessage({ errors: crash, end: { status, signal } });
  } catch (error) {
    self.postMessage({ errors: String(error), end: { status: 137, signal: 9 } });
  }
};
