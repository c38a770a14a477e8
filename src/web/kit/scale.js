// A scale of colours for weights from 0 to 1.

const DECADES = 4; // of the scales by powers of 10

/**
 * @param {number[][]} points
 * @param {number} share
 */
function mixed(points, share) {
  const place = Math.min(Math.max(share, 0), 1) * (points.length - 1);
  const below = Math.min(Math.floor(place), points.length - 2);
  return [0, 1, 2].map((i) =>
    Math.round(points[below][i] + (place - below) * (points[below + 1][i] - points[below][i])),
  );
}

/** @param {string} hex */
export function parts(hex) {
  return [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16));
}

/** @param {number[]} color */
export function pixel([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

export class Scale {
  /**
   * From 0 to 1 in these colours: evenly, or by powers of 10 from 10^-DECADES.
   *
   * @param {string[]} hexes
   * @param {string} unseen
   * @param {boolean} powers
   * @param {string} [meaning]
   */
  constructor(hexes, unseen, powers, meaning) {
    const points = hexes.map(parts);
    const colors = Array.from({ length: 256 }, (_, i) => mixed(points, i / 255));
    this.css = colors.map((color) => "#" + color.map((part) => part.toString(16).padStart(2, "0")).join(""));
    this.pixels = Uint32Array.from(colors, pixel);
    this.unseen = unseen;
    this.unseenPixel = pixel(parts(unseen));
    this.powers = powers;
    this.meaning = meaning;
    this.gradient = "linear-gradient(to right, " + hexes.join(", ") + ")";
    this.ends = [powers ? "≤ " + 10 ** -DECADES : "0", "1"];
    this.words =
      "attention weight" + (powers ? ", by powers of 10 (middle: " + 10 ** (-DECADES / 2) + ")" : "");
    /** @type {Record<number, Uint32Array>} */
    this.tables = {};
  }

  /** @param {number} weight */
  level(weight) {
    const share = this.powers ? (weight > 0 ? 1 + Math.log10(weight) / DECADES : 0) : weight;
    return Math.round(255 * Math.min(Math.max(share, 0), 1));
  }

  /**
   * The pixel of each stored level.
   *
   * @param {number} levels
   */
  table(levels) {
    this.tables[levels] ??= Uint32Array.from(
      { length: levels + 1 },
      (_, stored) => this.pixels[this.level(stored / levels)],
    );
    return this.tables[levels];
  }

  /**
   * @param {Pattern} pattern
   * @param {number} query
   * @param {number} key
   */
  colorOf(pattern, query, key) {
    return pattern.sees(query, key) ? this.css[this.level(pattern.weight(query, key))] : this.unseen;
  }
}
