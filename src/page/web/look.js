// How the page looks: its colours, on the screen and on paper. Both scales of weights change evenly in
// lightness, so they can be told apart without seeing hues.

const { element, elements } = headlight.text;

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

/**
 * @param {string[]} hexes
 * @param {string} [meaning]
 */
function makeScale(hexes, meaning) {
  const points = hexes.map((hex) => [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16)));
  const colors = Array.from({ length: 256 }, (_, i) => mixed(points, i / 255));
  return {
    meaning,
    css: colors.map((color) => "#" + color.map((part) => part.toString(16).padStart(2, "0")).join("")),
    pixels: Uint32Array.from(
      colors,
      ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0,
    ),
    gradient: "linear-gradient(to right, " + hexes.join(", ") + ")",
  };
}

/**
 * Of a colour "#rrggbb", as the contrast of WCAG 2 needs it.
 *
 * @param {string} hex
 */
function luminance(hex) {
  const linear = [1, 3, 5]
    .map((start) => parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

// Changes when everything has to be drawn anew.
function viewKey() {
  const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return [window.innerWidth, window.devicePixelRatio, theme].join();
}

class Look {
  /**
   * @param {string[]} heat
   * @param {Store} store
   */
  constructor(heat, store) {
    const paper = ["#ffffff", "#dbe7f1", "#a5c3dc", "#6a97c0", "#3a699c", "#1c4073", "#0b1d3f"];
    this.scales = { heat: makeScale(heat, "brighter = more"), paper: makeScale(paper, "darker = more") };
    this.store = store;
    store.subscribe(["view", "printing"], () => this.readTiles());
  }

  // The tiles of tokens: from the page's ground, which a weight of 0 leaves as it is, to a strong colour.
  readTiles() {
    const style = getComputedStyle(document.documentElement);
    this.tiles = makeScale(["--paper", "--tile"].map((name) => style.getPropertyValue(name).trim()));
  }

  scale() {
    return this.store.state.scale === "paper" ? this.scales.paper : this.scales.heat;
  }

  /**
   * Background of a tile and a text colour that can be read on it.
   *
   * @param {number} weight
   */
  tint(weight) {
    const level = Math.round(Math.min(Math.max(weight, 0), 1) * 255);
    const background = this.tiles.css[level];
    // Each contrast is at least 4.5 : 1.
    return { background, color: luminance(background) > 0.179 ? "#000000" : "#ffffff" };
  }

  drawLegends() {
    for (const legend of elements(".legend")) {
      const bar = element("i", { role: "img", "aria-label": "colour scale from 0 to 1" });
      bar.style.background = this.scale().gradient;
      legend.replaceChildren(element("span", {}, "0", bar, "1"), "attention weight");
    }
  }

  watch() {
    const measure = () => this.store.change({ view: viewKey() });
    window.addEventListener("resize", measure);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", measure);
    const watchResolution = () => {
      const same = matchMedia("(resolution: " + window.devicePixelRatio + "dppx)");
      same.addEventListener(
        "change",
        () => {
          measure();
          watchResolution();
        },
        { once: true },
      );
    };
    watchResolution();
    let screenScale = this.store.state.scale;
    window.addEventListener("beforeprint", () => {
      if (!this.store.state.printing) screenScale = this.store.state.scale;
      document.documentElement.classList.add("printing");
      this.store.change({ printing: true, scale: "paper" });
    });
    window.addEventListener("afterprint", () => {
      document.documentElement.classList.remove("printing");
      this.store.change({ printing: false, scale: screenScale });
    });
  }
}

/** @typedef {typeof names} Names */
const names = { Look, viewKey };
headlight.look = names;
