// Bytes as they travel: base64, or base64 of the code that src/web/page/compress.h describes.

const MAGNITUDES = 9;
const MAGNITUDE = Uint8Array.from({ length: 256 }, (_, byte) => 32 - Math.clz32(byte));

/**
 * A plain loop, since a page of 20 MB would otherwise open a second later.
 *
 * @param {string} text
 */
export function decoded(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) {
    bytes[i] = binary.charCodeAt(i);
  }
  return bytes;
}

/**
 * @param {Uint8Array} code
 * @param {number} size
 * @param {number} stride
 */
function expanded(code, size, stride) {
  const contexts = MAGNITUDES * MAGNITUDES;
  const equal = new Uint16Array(2 * contexts).fill(2048);
  const tree = new Uint16Array(256 * contexts).fill(2048);
  const bytes = new Uint8Array(size);
  let low = 0;
  let high = 0xffffffff | 0;
  let ahead = 0;
  let next = 0;
  const take = () => {
    ahead = (ahead << 8) | (code[next++] ?? 0);
  };
  for (let i = 0; i < 4; ++i) {
    take();
  }
  /** @type {(table: Uint16Array, place: number) => number} */
  const bit = (table, place) => {
    const range = (high - low) >>> 0;
    const probability = table[place];
    const middle =
      (low + Math.imul(range >>> 12, probability) + (((range & 0xfff) * probability) >>> 12)) | 0;
    const value = ahead >>> 0 <= middle >>> 0 ? 1 : 0;
    if (value) high = middle;
    else low = (middle + 1) | 0;
    table[place] = value ? probability + ((4096 - probability) >> 4) : probability - (probability >> 4);
    while (((low ^ high) & 0xff000000) === 0) {
      take();
      low <<= 8;
      high = (high << 8) | 0xff;
    }
    return value;
  };
  let before = 0;
  let same = 0;
  for (let i = 0; i < size; ++i) {
    const above = i < stride ? 0 : bytes[i - stride];
    const context = MAGNITUDE[above] * MAGNITUDES + MAGNITUDE[before];
    before = above;
    same = bit(equal, 2 * context + same);
    if (!same) {
      let node = 1;
      for (let k = 0; k < 8; ++k) {
        node = 2 * node + bit(tree, 256 * context + node);
      }
      before = node & 0xff;
    }
    bytes[i] = before;
  }
  return bytes;
}

/** @param {Packed} packed */
export function bytesOf(packed) {
  return typeof packed === "string"
    ? decoded(packed)
    : expanded(decoded(packed.data), packed.size, packed.stride);
}
