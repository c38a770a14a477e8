// Programs of WebAssembly that find files, and end: the learner's loop and the checkers.
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";
import { crashOf } from "./crash.js";

/** @typedef {{ status: number, signal: number, crash: string }} End how a program ended; signal 0: by itself */

/**
 * Runs a program to its end. It draws the same random bytes again and again, where they are given.
 * @param {WebAssembly.Module} module
 * @param {{ words: string[], root?: Map<string, any>, environment?: string[], begin?: number,
 *   onOutput: (bytes: Uint8Array) => void, onErrors: (bytes: Uint8Array) => void,
 *   random?: Uint8Array, page: Record<string, (memory: () => WebAssembly.Memory) => Function> }} how
 * @returns {End}
 */
export function runProgram(
  module,
  { words, root, environment = [], begin = 0, onOutput, onErrors, random, page },
) {
  const files = [
    new OpenFile(new File([])),
    new ConsoleStdout((bytes) => onOutput(bytes.slice())),
    new ConsoleStdout((bytes) => onErrors(bytes.slice())),
    ...(root ? [new PreopenDirectory("/", root)] : []),
  ];
  const wasi = new WASI(words, environment, files, { debug: false });
  // Times are not kept: nothing in a page compares them.
  const imports = { ...wasi.wasiImport, path_filestat_set_times: () => 0, fd_filestat_set_times: () => 0 };
  const memory = () => /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  if (random)
    imports.random_get = (at, size) => {
      for (let i = 0; i < size; ++i) new Uint8Array(memory().buffer)[at + i] = random[i % random.length];
      return 0;
    };
  const ours = Object.fromEntries(Object.entries(page).map(([name, make]) => [name, make(memory)]));
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports, page: ours });
  try {
    return { status: wasi.start(/** @type {any} */ (instance)), signal: 0, crash: "" };
  } catch (error) {
    if (!(
      error instanceof WebAssembly.RuntimeError ||
      error instanceof RangeError ||
      error?.name === "InternalError"
    ))
      throw error;
    const { signal, crash } = crashOf(error, begin);
    return { status: 128 + signal, signal, crash };
  }
}
