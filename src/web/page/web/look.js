// How the page looks: its colours, on the screen and on paper. Both scales of weights change evenly in
// lightness, so they can be told apart without seeing hues.

import { Scale, parts } from "../../kit/scale.js";
import { element, elements } from "../../kit/text.js";

/**
 * Of a colour "#rrggbb", as the contrast of WCAG 2 needs it.
 *
 * @param {string} hex
 */
function luminance(hex) {
  const linear = parts(hex)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

// Changes when everything has to be drawn anew. The height counts from where the style sheet lets it widen
// the large pattern: on a phone the bar of the address comes and goes.
export function viewKey() {
  const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return [window.innerWidth, Math.max(860, window.innerHeight), window.devicePixelRatio, theme].join();
}

export class Look {
  /**
   * @param {Run} run
   * @param {Store} store
   */
  constructor(run, store) {
    const paper = ["#ffffff", "#dbe7f1", "#a5c3dc", "#6a97c0", "#3a699c", "#1c4073", "#0b1d3f"];
    const pale = "#d8d2c8"; // no colour of `paper`
    /** @type {Record<string, Scale>} */
    this.scales = {
      heat: new Scale(run.heat, run.unseen, false, "brighter = more"),
      paper: new Scale(paper, pale, false, "darker = more"),
      heat_powers: new Scale(run.heat, run.unseen, true, "brighter = more, by powers of 10"),
      paper_powers: new Scale(paper, pale, true, "darker = more, by powers of 10"),
    };
    this.run = run;
    this.store = store;
    store.subscribe(["view", "printing"], () => this.readTiles());
  }

  // The tiles of tokens: from the page's ground, which a weight of 0 leaves as it is, to a strong colour.
  readTiles() {
    const style = getComputedStyle(document.documentElement);
    const ends = ["--paper", "--tile"].map((name) => style.getPropertyValue(name).trim());
    this.tiles = new Scale(ends, ends[0], false);
  }

  scale() {
    return this.scales[this.store.state.scale];
  }

  /**
   * Background of a tile and a text colour that can be read on it.
   *
   * @param {number} weight
   */
  tint(weight) {
    const background = this.tiles.css[this.tiles.level(weight)];
    // Each contrast is at least 4.5 : 1.
    return { background, color: luminance(background) > 0.179 ? "#000000" : "#ffffff" };
  }

  drawLegends() {
    const { ends, words, gradient, unseen } = this.scale();
    for (const legend of elements(".legend")) {
      const bar = element("i", { role: "img", "aria-label": "colour scale from " + ends.join(" to ") });
      const grey = element("i", { class: "unseen-key" });
      bar.style.background = gradient;
      grey.style.background = unseen;
      legend.replaceChildren(element("span", {}, ends[0], bar, ends[1]), words);
      if (this.run.hides) legend.append(element("span", {}, grey, "not seen"));
    }
  }

  /** @param {AbortSignal} signal that ends it */
  watch(signal) {
    const measure = () => this.store.change({ view: viewKey() });
    window.addEventListener("resize", measure, { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", measure, { signal });
    const watchResolution = () => {
      const same = matchMedia("(resolution: " + window.devicePixelRatio + "dppx)");
      same.addEventListener(
        "change",
        () => {
          measure();
          watchResolution();
        },
        { once: true, signal },
      );
    };
    watchResolution();
    let screenScale = this.store.state.scale;
    const print = () => {
      if (!this.store.state.printing) screenScale = this.store.state.scale;
      document.documentElement.classList.add("printing");
      this.store.change({ printing: true, scale: this.scale().powers ? "paper_powers" : "paper" });
    };
    const printed = () => {
      document.documentElement.classList.remove("printing");
      this.store.change({ printing: false, scale: screenScale });
    };
    window.addEventListener("beforeprint", print, { signal });
    window.addEventListener("afterprint", printed, { signal });
  }
}
