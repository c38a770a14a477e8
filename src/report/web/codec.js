// Attention patterns as they travel: base64 of the rows' parts up to the diagonal, head by head.
class Patterns {
  constructor(packed, length) {
    this.cell = packed.cell;                       // a cell is the largest of cell × cell weights
    this.size = Math.ceil(length / packed.cell);
    this.stride = (this.size * (this.size + 1)) / 2;
    this.levels = packed.bits === 8 ? 255 : 65535;
    const bytes = Uint8Array.from(atob(packed.data), (c) => c.charCodeAt(0));
    this.values = packed.bits === 8 ? bytes : new Uint16Array(bytes.buffer);
  }

  pattern(index) {
    return new Pattern(this, index * this.stride);
  }
}

// One head's pattern: weight(query, key), both in cells.
class Pattern {
  constructor(patterns, offset) {
    Object.assign(this, { size: patterns.size, cell: patterns.cell, levels: patterns.levels, values: patterns.values, offset });
  }

  weight(query, key) {
    return key > query ? 0 : this.values[this.offset + (query * (query + 1)) / 2 + key] / this.levels;
  }

  row(query) {
    return Array.from({ length: this.size }, (_, key) => this.weight(query, key));
  }
}
