// Attention patterns as they travel: the bytes of their rows, head by head. Of a causal pattern only the
// rows' parts up to the diagonal are there. Of weights of 16 bits all high bytes come first.

import { bytesOf } from "./compress.js";

/** @param {Uint8Array} planes */
function joined(planes) {
  const count = planes.length / 2;
  const values = new Uint16Array(count);
  for (let i = 0; i < count; ++i) {
    values[i] = (planes[i] << 8) | planes[count + i];
  }
  return values;
}

export class Patterns {
  /** @param {PackedPatterns} packed */
  constructor(packed) {
    /** @type {(tokens: number) => number} */
    const cells = (tokens) => Math.ceil(tokens / packed.cell); // a cell is the largest of cell × cell weights
    this.data = packed.data;
    this.decoded = packed.decoded;
    this.bits = packed.bits;
    this.cell = packed.cell;
    this.causal = packed.causal;
    this.window = packed.window ?? Infinity; // a query sees keys less than this far away
    this.queries = cells(packed.queries);
    this.keys = cells(packed.keys);
    // Whether some query does not see some key.
    this.hides = this.causal || this.window < Math.max(packed.queries, packed.keys);
    this.levels = packed.bits === 8 ? 255 : 65535;
    this.stride = this.causal ? (this.queries * (this.queries + 1)) / 2 : this.queries * this.keys;
  }

  // Decoded when it is first looked at.
  get values() {
    if (this.data !== null) {
      const bytes = bytesOf(this.data);
      this.decoded = this.bits === 8 ? bytes : joined(bytes);
      this.data = null;
    }
    return this.decoded;
  }

  /** @param {number} index */
  pattern(index) {
    return new Pattern(this, index * this.stride);
  }
}

// One head's pattern: weight(query, key), both in cells.
class Pattern {
  /**
   * @param {Patterns} patterns
   * @param {number} offset
   */
  constructor({ queries, keys, cell, causal, window, hides, levels, values }, offset) {
    this.queries = queries;
    this.keys = keys;
    this.cell = cell;
    this.causal = causal;
    this.window = window;
    this.hides = hides;
    this.levels = levels;
    this.values = values;
    this.offset = offset;
  }

  /**
   * How many weights of a row are kept: those of its first keys.
   *
   * @param {number} query
   */
  kept(query) {
    return this.causal ? query + 1 : this.keys;
  }

  /**
   * The keys that a query sees, from the first to the one after the last.
   *
   * @param {number} query
   * @returns {[first: number, end: number]}
   */
  seen(query) {
    const { cell, window } = this;
    const first = Math.floor((query * cell - window + 1) / cell);
    const last = Math.floor((query * cell + cell - 2 + window) / cell);
    return [Math.max(0, first), Math.min(this.kept(query), last + 1)];
  }

  /**
   * @param {number} query
   * @param {number} key
   */
  sees(query, key) {
    const [first, end] = this.seen(query);
    return first <= key && key < end;
  }

  // Whether the last query gives no key a weight that an even scale of colours would show.
  get spreadOut() {
    return Math.max(...this.row(this.queries - 1)) < 0.05;
  }

  /**
   * @param {number} query
   * @param {number} key
   */
  weight(query, key) {
    if (key >= this.kept(query)) return 0;
    const row = this.causal ? (query * (query + 1)) / 2 : query * this.keys;
    return this.values[this.offset + row + key] / this.levels;
  }

  /** @param {number} query */
  row(query) {
    return Array.from({ length: this.keys }, (_, key) => this.weight(query, key));
  }
}
