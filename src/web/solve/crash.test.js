import assert from "node:assert/strict";
import { test } from "node:test";
import { addressesIn, codeBegin, crashOf } from "./crash.js";

// A module whose one function does this.
const moduleOf = (...body) => {
  const section = (id, ...bytes) => [id, bytes.length, ...bytes];
  const code = [0, ...body, 0x0b];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 0, 1, 0x7f),
    ...section(3, 1, 0),
    ...section(5, 1, 0, 1),
    ...section(7, 1, 1, 0x66, 0, 0),
    ...section(10, 1, code.length, ...code),
  ]);
};
const crashIn = (...body) => {
  const bytes = moduleOf(...body);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  try {
    exports.f();
  } catch (error) {
    return crashOf(error, codeBegin(bytes));
  }
  return assert.fail("it did not crash");
};

test("the code of a module begins behind the size of its section", () => {
  const bytes = moduleOf(0);
  assert.equal(bytes[codeBegin(bytes) - 2], 10);
  assert.equal(bytes[codeBegin(bytes)], 1); // one function
});

test("a crash has a signal and its place in the code", () => {
  // Behind the count, the size and the locals: 3 bytes; the instruction stands behind those that it needs.
  const places = [
    [[0x00], 4, 3], // unreachable: SIGILL
    [[0x41, 1, 0x41, 0, 0x6d], 8, 7], // 1 / 0
    [[0x41, 0x7f, 0x28, 2, 0], 11, 5], // beyond the memory
  ];
  for (const [body, signal, at] of places)
    assert.deepEqual(crashIn(...body), { signal, crash: `\n\x1ecrash ${signal} 0 0x${at}\n` });
});

test("a full stack is told from other bad accesses", () => {
  const { signal, crash } = crashIn(0x10, 0); // calls itself
  assert.equal(signal, 11);
  assert.match(crash, /^\n\x1ecrash 11 1 0x/);
});

test("abort() is told from an instruction that is none", () => {
  const error = new WebAssembly.RuntimeError("unreachable");
  error.stack = "RuntimeError: unreachable\n    at out.wasm.abort (wasm://wasm/out:wasm-function[5]:0x40)";
  assert.equal(crashOf(error, 0).signal, 6);
  error.stack = "abort@http://127.0.0.1/x:wasm-function[5]:0x40";
  assert.equal(crashOf(error, 0).signal, 6);
  error.stack = "RuntimeError: unreachable\n    at out.wasm.fit (wasm://wasm/out:wasm-function[5]:0x40)";
  assert.equal(crashOf(error, 0).signal, 4);
});

test("addresses are read from the stacks of both kinds of browsers", () => {
  const stack = `at a (wasm://wasm/x:wasm-function[1]:0x1f)
b@http://h/x line 3 > WebAssembly.Module:wasm-function[2]:0x2a`;
  assert.deepEqual(addressesIn(stack, 0xf), [0x10, 0x1b]);
});
