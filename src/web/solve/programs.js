// Programs of WebAssembly that find files, and end: the learner's loop and the checkers.
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";

/** Signals by the numbers of Linux, as the grader knows them. */
export const SIGNAL = { ILL: 4, ABRT: 6, FPE: 8, SEGV: 11, XCPU: 24 };

/** @typedef {{ status: number, signal: number, crash: string }} End how a program ended; signal 0: by itself */

/**
 * Where functions stand in a stack of JavaScript, counted from the begin of the module's code, as DWARF counts.
 * @param {string} stack @param {number} codeBegin
 */
export function addressesIn(stack, codeBegin) {
  return [...stack.matchAll(/wasm-function\[\d+\]:0x([0-9a-f]+)/g)].map(([, at]) => Number.parseInt(at, 16) - codeBegin);
}

/** The offset of the code in a module. @param {Uint8Array} bytes */
export function codeBegin(bytes) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const section = bytes[at++];
    const size = number();
    if (section === 10) return at;
    at += size;
  }
  return 0;
}

/** What a system would say of an error that ended a program. @param {Error} error @param {number} begin */
export function crashOf(error, begin) {
  const stack = String(error.stack);
  const full = error instanceof RangeError || error.name === "InternalError";
  const aborts = /\babort\b/.test(stack.split("wasm-function")[0]) || /^\s*(at )?(\S+\.)?abort\b/m.test(stack);
  let signal = SIGNAL.SEGV;
  if (/divi|integer overflow/.test(error.message)) signal = SIGNAL.FPE;
  else if (!full && /unreachable/.test(error.message)) signal = aborts ? SIGNAL.ABRT : SIGNAL.ILL;
  const addresses = addressesIn(stack, begin).map((at) => ` 0x${at.toString(16)}`);
  return { signal, crash: `\n\x1ecrash ${signal} ${full ? 1 : 0}${addresses.join("")}\n` };
}

/**
 * Runs a program to its end. It draws the same random bytes again and again, where they are given.
 * @param {WebAssembly.Module} module
 * @param {{ words: string[], root?: Map<string, any>, environment?: string[], begin?: number,
 *   onOutput: (bytes: Uint8Array) => void, onErrors: (bytes: Uint8Array) => void,
 *   random?: Uint8Array, page: Record<string, (memory: () => WebAssembly.Memory) => Function> }} how
 * @returns {End}
 */
export function runProgram(module, { words, root, environment = [], begin = 0, onOutput, onErrors, random, page }) {
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
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError || error?.name === "InternalError"))
      throw error;
    const { signal, crash } = crashOf(error, begin);
    return { status: 128 + signal, signal, crash };
  }
}
