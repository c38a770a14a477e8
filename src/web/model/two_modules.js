// The engine's two modules, as src/web/wasm/pack.cpp wrote them.

/** @param {Uint8Array<ArrayBuffer>} bytes */
function reader(bytes) {
  let at = 0;
  return {
    number() {
      for (let value = 0, unit = 1; ; unit *= 128) {
        const byte = bytes[at++];
        value += (byte % 128) * unit;
        if (byte < 128) return value;
      }
    },
    /** @param {number} length */
    bytes: (length) => bytes.subarray(at, (at += length)),
    rest: () => bytes.subarray(at),
  };
}

/**
 * What the differences make of `from`.
 *
 * @param {Uint8Array<ArrayBuffer>} from
 * @param {Uint8Array<ArrayBuffer>} differences
 */
function changed(from, differences) {
  const read = reader(differences);
  const to = new Uint8Array(read.number());
  let filled = 0;
  /** @param {Uint8Array<ArrayBuffer>} bytes */
  const add = (bytes) => {
    to.set(bytes, filled);
    filled += bytes.length;
  };
  for (let place = 0; filled < to.length;) {
    add(read.bytes(read.number()));
    const ahead = read.number();
    place += ahead % 2 === 0 ? ahead / 2 : -(ahead + 1) / 2;
    const length = read.number();
    add(from.subarray(place, place + length));
    place += length;
  }
  return to;
}

/**
 * The module for browsers with relaxed SIMD, or for all others.
 *
 * @param {Uint8Array<ArrayBuffer>} packed
 * @param {boolean} fused
 */
export function moduleIn(packed, fused) {
  const read = reader(packed);
  const first = read.bytes(read.number());
  return fused ? first : changed(first, read.rest());
}
