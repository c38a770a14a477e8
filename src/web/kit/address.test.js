import assert from "node:assert/strict";
import { test } from "node:test";

import { address, goToAddress, nameIn, replaceAddress } from "./address.js";

/** @param {boolean} refused */
function browser(refused) {
  /** @type {unknown[]} */
  const written = [];
  const write = (/** @type {string} */ hash) => {
    if (refused) throw new Error("SecurityError");
    written.push(hash);
    hashNow = hash;
  };
  let hashNow = "#old";
  Object.assign(globalThis, {
    history: { replaceState: (_state, _title, hash) => write(hash) },
    location: {
      get hash() {
        return hashNow;
      },
      set hash(hash) {
        write(hash);
      },
    },
  });
  return written;
}

test("an address that can be written is the browser's", () => {
  const written = browser(false);
  replaceAddress("#heads");
  goToAddress("#training&step=3");
  assert.deepEqual(written, ["#heads", "#training&step=3"]);
  assert.equal(address(), "#training&step=3");
});

test("an address that cannot be written is kept all the same", () => {
  const written = browser(true);
  assert.equal(address(), "#old");
  replaceAddress("#heads&query=4");
  assert.equal(address(), "#heads&query=4");
  goToAddress("#about");
  assert.equal(address(), "#about");
  assert.deepEqual(written, []);
});

test("a hash that is no code is a name as it stands", () => {
  const names = { "#lesson-01": "lesson-01", "#a%20b": "a b", "#50%": "50%", "#%E0%A4": "%E0%A4", "": "" };
  for (const [hash, name] of Object.entries(names)) assert.equal(nameIn(hash), name);
});
