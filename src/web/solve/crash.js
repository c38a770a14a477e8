// What a system would say of a program of WebAssembly that crashed, so that the grader reads it as there.

/** Signals by the numbers of Linux, as the grader knows them. */
export const SIGNAL = { ILL: 4, ABRT: 6, FPE: 8, SEGV: 11, XCPU: 24 };

/**
 * Where functions stand in a stack of JavaScript, counted from the begin of the module's code, as DWARF
 * counts.
 *
 * @param {string} stack
 * @param {number} codeBegin
 */
export function addressesIn(stack, codeBegin) {
  return [...stack.matchAll(/wasm-function\[\d+\]:0x([0-9a-f]+)/g)].map(
    ([, at]) => Number.parseInt(at, 16) - codeBegin,
  );
}

/**
 * The offset of the code in a module.
 *
 * @param {Uint8Array} bytes
 */
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

/**
 * What a system would say of an error that ended a program.
 *
 * @param {Error} error
 * @param {number} begin of the code in its module
 */
export function crashOf(error, begin) {
  const stack = String(error.stack);
  const full = error instanceof RangeError || error.name === "InternalError";
  const aborts = /\babort\b/.test(stack.split("wasm-function")[0]); // the function in which it was
  let signal = SIGNAL.SEGV;
  if (/divi|integer overflow/.test(error.message)) signal = SIGNAL.FPE;
  else if (!full && /unreachable/.test(error.message)) signal = aborts ? SIGNAL.ABRT : SIGNAL.ILL;
  const addresses = addressesIn(stack, begin).map((at) => ` 0x${at.toString(16)}`);
  return { signal, crash: `\n\x1ecrash ${signal} ${full ? 1 : 0}${addresses.join("")}\n` };
}
