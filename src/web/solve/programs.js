// Programs of WebAssembly that find files, and end: the learner's loop and the checkers.
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";
import { addressesIn, codeBegin, crashOf } from "./crash.js";

/**
 * How a program ended; signal 0: by itself.
 *
 * @typedef {{ status: number; signal: number; crash: string }} End
 */

/**
 * Runs a program to its end. It draws the same random bytes again and again, where they are given.
 *
 * @param {WebAssembly.Module} module
 * @param {{ words: string[]; root?: Folder; environment?: string[]; begin?: number;
 *   onOutput: (bytes: Uint8Array) => void; onErrors: (bytes: Uint8Array) => void;
 *   random?: Uint8Array; page: PageImports }} how
 * @returns {End}
 */
export function runProgram(
  module,
  { words, root, environment = [], begin = 0, onOutput, onErrors, random, page },
) {
  const files = [
    new OpenFile(new File([])),
    new ConsoleStdout((/** @type {Uint8Array} */ bytes) => onOutput(bytes.slice())),
    new ConsoleStdout((/** @type {Uint8Array} */ bytes) => onErrors(bytes.slice())),
    ...(root ? [new PreopenDirectory("/", root)] : []),
  ];
  const wasi = new WASI(words, environment, files, { debug: false });
  // Times are not kept: nothing in a page compares them.
  const imports = { ...wasi.wasiImport, path_filestat_set_times: () => 0, fd_filestat_set_times: () => 0 };
  const memory = () => /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  if (random)
    imports.random_get = (/** @type {number} */ at, /** @type {number} */ size) => {
      for (let i = 0; i < size; ++i) new Uint8Array(memory().buffer)[at + i] = random[i % random.length];
      return 0;
    };
  const ours = Object.fromEntries(Object.entries(page).map(([name, make]) => [name, make(memory)]));
  /** @type {WebAssembly.Instance} */
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports, page: ours });
  try {
    return { status: wasi.start(instance), signal: 0, crash: "" };
  } catch (error) {
    if (!(
      error instanceof WebAssembly.RuntimeError ||
      error instanceof RangeError ||
      /** @type {Error} */ (error)?.name === "InternalError"
    ))
      throw error;
    const { signal, crash } = crashOf(/** @type {Error} */ (error), begin);
    return { status: 128 + signal, signal, crash };
  }
}

/**
 * Runs a checker, or what draws: it has no files, and asks where functions stand when something is thrown.
 *
 * @param {Program} program
 * @param {{ onOutput: (text: string) => void; onErrors: (text: string) => void;
 *   onAllow?: (seconds: number) => void }} news
 * @returns {{ status: number; signal: number }}
 */
export function runChecker({ bytes, words, environment = [] }, { onOutput, onErrors, onAllow }) {
  /** @type {any} */ (Error).stackTraceLimit = 64;
  const begin = codeBegin(bytes);
  const texts = [new TextDecoder(), new TextDecoder()];
  const { status, signal, crash } = runProgram(new WebAssembly.Module(/** @type {BufferSource} */ (bytes)), {
    words,
    root: new Map(),
    environment: environment.map(([name, value]) => `${name}=${value}`),
    begin,
    onOutput: (piece) => onOutput(texts[0].decode(piece, { stream: true })),
    onErrors: (piece) => onErrors(texts[1].decode(piece, { stream: true })),
    page: {
      allow: () => (seconds) => onAllow?.(seconds),
      stack: (memory) => (at, most) => {
        const addresses = addressesIn(String(new Error().stack), begin).slice(0, most);
        new Uint32Array(memory().buffer, at, addresses.length).set(addresses);
        return addresses.length;
      },
      run: () => () => 0,
      answer: () => () => {},
    },
  });
  onErrors(crash);
  return { status, signal };
}
