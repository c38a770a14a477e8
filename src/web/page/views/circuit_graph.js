// The graph of the part "Circuits": which head reads what another wrote.

import { allMarked, knownMark } from "../../kit/known.js";
import { svgElement, byId, fixed } from "../../kit/text.js";

const READS = ["queries", "keys", "values"];
// Pixels: the height of a head's box, and the distance from layer to layer.
const HIGH = 38;
const STEP = 120;
const STRONG = 0.1; // the least strength above random that is drawn as the thickest line
const STOPS = 24; // edges that Tab reaches: the strongest

/**
 * Stores what an input holds, in the form that value(text) gives it.
 *
 * @param {Store} store
 * @param {string} id
 * @param {keyof State} key
 * @param {(text: string) => number | boolean} value
 */
export function storeInput(store, id, key, value) {
  const input = /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(id));
  input.addEventListener("input", () => store.change({ [key]: value(input.value) }));
}

export class CircuitGraph {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    const { store } = app;
    storeInput(store, "circuits-reads", "reads", Number);
    storeInput(store, "circuits-least", "least", Number);
    store.subscribe(
      ["reads", "least", "layer", "head", "view", "printing"],
      (state) => this.draw(state),
      awake,
    );
  }

  /**
   * The edges of one stack, strongest first: the ratio above that of random matrices.
   *
   * @param {number} stack
   * @param {number} reads
   * @returns {Edge[]}
   */
  edges(stack, reads) {
    const { run } = this.app;
    return run.circuits.edges
      .filter(([from]) => run.stack(from) === stack)
      .map(([from, to, ratio, baseline]) => ({
        from,
        to,
        ratio: ratio[reads],
        baseline: baseline[reads],
        above: ratio[reads] - baseline[reads],
      }))
      .sort((one, other) => other.above - one.above);
  }

  /** @param {State} state */
  draw({ reads, least }) {
    const { run, selection } = this.app;
    const stack = run.stack(selection.head);
    const edges = this.edges(stack, reads);
    const root = byId("circuits-graph");
    const most = Math.max(edges[0]?.above ?? 0, STRONG);
    const from = least === null ? most / 2 : least * most;
    const slider = byId("circuits-least");
    byId("circuits-reads").value = String(reads);
    slider.value = String(least ?? 0.5);
    const shown = edges.filter(({ above }) => above >= from && above > 0);
    for (const id of ["circuits-lines", "circuits-strengths"]) byId(id).hidden = edges.length === 0;
    byId("circuits-shown").textContent =
      `at least ${fixed(from, 3)} above random: ${shown.length} ` +
      `${shown.length === 1 ? "line" : "lines"} of ${edges.length}`;
    slider.setAttribute("aria-valuetext", byId("circuits-shown").textContent);
    root.replaceChildren();
    const mark = edges.length > 0 ? knownMark(this.app.run.evidence.parameters) : "";
    byId("circuits-strongest").replaceChildren(...allMarked([this.strongest(edges, reads, stack)], mark));
    this.lines = shown.length;
    this.showWords(null);
    root.append(this.picture(stack, shown, most, root.clientWidth || 640));
  }

  /**
   * @param {Edge[]} edges
   * @param {number} reads
   * @param {number} stack
   */
  strongest(edges, reads, stack) {
    const { run } = this.app;
    if (edges.length === 0)
      return run.n_layers > 1
        ? "These strengths are not defined for heads" + run.stacks[stack].of + "."
        : "With one layer, no head can read what another wrote.";
    if (edges[0].above <= 0) return "No strength is above that between random matrices of this size.";
    return "Strongest: " + this.words(edges[0], reads);
  }

  /**
   * @param {Edge} edge
   * @param {number} reads
   */
  words({ from, to, ratio, baseline }, reads = this.app.store.state.reads) {
    const { run } = this.app;
    /** @type {(head: number) => string} */
    const code = (head) => run.headCode(head);
    return (
      `From ${code(from)} into the ${READS[reads]} of ${code(to)}, with a strength of ` +
      `${fixed(ratio)}. Between random matrices of this size it is ${fixed(baseline)}.`
    );
  }

  /**
   * @param {number} stack
   * @param {Edge[]} edges
   * @param {number} most
   * @param {number} width
   */
  picture(stack, edges, most, width) {
    const { run, selection } = this.app;
    const high = HIGH + (run.n_layers - 1) * STEP + 8;
    const first = stack * run.headsOfStack;
    const wide = Math.min(width, 150 * run.n_heads);
    const wideBox = Math.min(112, (wide / run.n_heads) * 0.86);
    const margin = (width - wide) / 2;
    /** @type {(head: number) => { x: number; y: number }} */
    const place = (head) => {
      const place = head - first;
      const layer = Math.floor(place / run.n_heads);
      return { x: margin + ((place % run.n_heads) + 0.5) * (wide / run.n_heads), y: 4 + layer * STEP };
    };
    const svg = svgElement("svg", {
      viewBox: [0, 0, width, high].join(" "),
      width,
      height: high,
      role: "group",
      "aria-label": "Heads, layer by layer, and the strengths between them",
    });
    const drawn = [...edges]
      .reverse()
      .map((edge) => this.edge(edge, place, most, edges.indexOf(edge) < STOPS));
    const boxes = Array.from({ length: run.headsOfStack }, (_, i) =>
      this.box(first + i, place(first + i), wideBox, first + i === selection.head),
    );
    svg.append(...drawn, ...boxes);
    return svg;
  }

  /**
   * @param {Edge} edge
   * @param {(head: number) => { x: number; y: number }} place
   * @param {number} most
   * @param {boolean} stop
   */
  edge(edge, place, most, stop) {
    const { selection } = this.app;
    const from = place(edge.from);
    const to = place(edge.to);
    const start = from.y + HIGH;
    const end = to.y;
    const bend = (end - start) / 2;
    const d =
      "M" +
      [from.x, start] +
      "C" +
      [from.x, start + bend, to.x, end - bend, to.x, end].map((coordinate) => fixed(coordinate, 1));
    const share = edge.above / most;
    const words = this.words(edge);
    const chosen = [edge.from, edge.to].includes(selection.head);
    const group = svgElement(
      "g",
      {
        class: "edge" + (chosen ? " chosen" : ""),
        ...(stop ? { tabindex: 0, role: "img" } : {}),
        "aria-label": words,
      },
      svgElement("path", { class: "reach", d }),
      svgElement("path", {
        class: "line",
        d,
        "stroke-width": fixed(1 + 8 * share, 1),
        opacity: fixed(0.35 + 0.65 * share),
      }),
    );
    for (const event of ["pointerenter", "focus", "pointerdown"]) {
      group.addEventListener(event, () => this.showWords(words));
    }
    group.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.showWords(null));
    group.addEventListener("blur", () => this.showWords(null));
    return group;
  }

  /**
   * @param {number} head
   * @param {{ x: number; y: number }} place
   * @param {number} wide
   * @param {boolean} chosen
   */
  box(head, { x, y }, wide, chosen) {
    const { run, selection } = this.app;
    const described = run.scoreTable.describe(run.scores[head], run.found);
    const role = described?.known ? described.role.replace(/ head$/, "") : "";
    /** @type {(dy: number, more: Attributes, words: string) => SVGTextElement} */
    const text = (dy, more, words) =>
      svgElement("text", { x, y: y + dy, "text-anchor": "middle", ...more }, words);
    const room = role !== "" && wide >= 70;
    const label = run.headCode(head);
    const group = svgElement(
      "g",
      {
        class: "node",
        role: "button",
        tabindex: 0,
        "aria-pressed": chosen,
        "aria-label": (room ? label + " " + role : label) + ", " + run.headName(head),
        "data-head": head,
      },
      svgElement("rect", { x: x - wide / 2, y, width: wide, height: HIGH, rx: 6 }),
      text(room ? 16 : 24, { class: "code" }, label),
      ...(room
        ? [
            text(
              31,
              {
                class: "role",
                ...(role.length * 6.2 > wide - 6
                  ? { textLength: wide - 8, lengthAdjust: "spacingAndGlyphs" }
                  : {}),
              },
              " " + role,
            ),
          ]
        : []),
    );
    const choose = () => {
      selection.chooseHead(head);
      const box = byId("circuits-graph").querySelector("[data-head='" + head + "']");
      /** @type {SVGElement} */ (box)?.focus({ preventScroll: true });
    };
    group.addEventListener("click", choose);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      choose();
    });
    return group;
  }

  /** @param {string | null} words */
  showWords(words) {
    byId("circuits-readout").textContent =
      words ??
      (this.lines > 0 ? "Point at a line, or reach it with Tab, to read its strength. " : "") +
        "A click on a head shows its matrices below.";
  }
}
