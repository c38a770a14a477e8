// Files in one: the few of tar's fields that tell their names and sizes.

const BLOCK = 512;
const FILE = "0";
const FOLDER = "5";
const padded = (/** @type {number} */ size) => Math.ceil(size / BLOCK) * BLOCK;

/** @param {Tree} tree */
export function tarOf(tree) {
  const blocks = [];
  /**
   * @param {string} name
   * @param {string} kind
   * @param {Uint8Array} bytes
   */
  const put = (name, kind, bytes) => {
    const header = new Uint8Array(BLOCK);
    const write = (/** @type {number} */ at, /** @type {string} */ text) =>
      header.set(new TextEncoder().encode(text), at);
    if (new TextEncoder().encode(name).length > 99)
      throw new Error(`the name is too long for a tar: ${name}`);
    write(0, name);
    write(100, "0000644\x000000000\x000000000\0");
    write(
      124,
      `${bytes.length.toString(8).padStart(11, "0")}\0${"0".repeat(11)}\0        ${kind}ustar\x0000`,
    );
    const sum = header.reduce((a, b) => a + b, 0);
    write(148, `${sum.toString(8).padStart(6, "0")}\0 `);
    blocks.push(header, bytes, new Uint8Array(padded(bytes.length) - bytes.length));
  };
  const add = (/** @type {string} */ folder, /** @type {Tree} */ files) => {
    for (const [name, entry] of Object.entries(files)) {
      if (entry instanceof Uint8Array) {
        put(`${folder}${name}`, FILE, entry);
      } else {
        put(`${folder}${name}`, FOLDER, new Uint8Array());
        add(`${folder}${name}/`, entry);
      }
    }
  };
  add("", tree);
  blocks.push(new Uint8Array(2 * BLOCK));
  const bytes = new Uint8Array(blocks.reduce((size, block) => size + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    bytes.set(block, at);
    at += block.length;
  }
  return bytes;
}

/** @param {Uint8Array} bytes */
export function treeOf(bytes) {
  /** @type {Tree} */
  const tree = {};
  const text = (/** @type {number} */ at, /** @type {number} */ size) =>
    new TextDecoder().decode(bytes.subarray(at, at + size)).replace(/\0.*$/s, "");
  for (let at = 0; at < bytes.length && bytes[at] !== 0;) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const parts = text(at, 100).split("/");
    const name = parts.pop();
    let folder = tree;
    for (const part of parts) folder = /** @type {Tree} */ (folder[part] ??= {});
    if (text(at + 156, 1) === FOLDER) folder[name] ??= {};
    else folder[name] = bytes.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + padded(size);
  }
  return tree;
}
