// The part "Training": the patterns along training, with the curves that go with them.

import { knownMark, marked } from "../../kit/known.js";
import { byId, element, fixed, capital, elements, percent } from "../../kit/text.js";
import { HeadGrid } from "../web/grid.js";
import { MapView } from "../web/map.js";
import { Chart } from "../../kit/chart.js";
import { readout, explainPattern } from "../web/readout.js";
import { mapPicture, gridPicture } from "../../kit/picture.js";
import { patternRows, saveButtons } from "../../kit/save.js";

// Curves that belong to no layer: their colours are not those of layers.
const COLORS = ["var(--ink)", "var(--soft)"];

export class TrainingPart {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    const { run, store } = app;
    this.slider = byId("training-slider");
    this.slider.addEventListener("input", () => {
      this.stop();
      store.change({ snapshot: Number(this.slider.value) });
    });
    byId("training-play").addEventListener("click", () => (this.timer ? this.stop() : this.play()));
    this.grid = new HeadGrid(byId("training-grid"), app, byId("training-map"));
    this.map = new MapView(byId("training-map"), app);
    this.buildSaving();
    byId("part-training")
      .querySelector(".dashboard")
      .classList.toggle("many", run.n_heads > 4);
    this.stop();
    const [loss, ...others] = run.charts;
    byId("training-charts").append(this.layerLegend(run.layers));
    this.charts = [
      this.metricsChart(loss, true),
      ...run.scoreTable.kinds.filter((kind) => kind.charted).map((kind) => this.scoreChart(kind)),
      ...others.map((chart) => this.metricsChart(chart, false)),
    ];
    /** @type {(keyof State)[]} */
    const shown = ["snapshot", "layer", "head", "scale", "view", "zoom", "printing"];
    store.subscribe(["tab"], () => this.stop());
    store.subscribe(["view", "printing"], () => this.drawCharts(), awake);
    store.subscribe(shown, (state) => this.draw(state), awake);
    store.subscribe(
      [...shown, "query", "key", "locked", "place", "tab", "sequence"],
      (state) => this.point(state),
      awake,
    );
  }

  buildSaving() {
    const { run, look, selection } = this.app;
    const note = () => "Sequence: " + run.sequences[0].label;
    const head = () => capital(selection.headName()) + ", at step " + this.step();
    const all = () => "All heads at step " + this.step();
    const one = () => mapPicture(selection.patternThen(), this.map.texts, look.scale(), head(), note());
    const name = () => run.headCode(selection.head) + " at step " + this.step();
    /** @type {(heads: number[]) => (string | number)[][]} */
    const rows = (heads) => patternRows(run, heads, (i) => selection.patternThen(i));
    byId("training-save").append(saveButtons(run, "this pattern", one, name, () => rows([selection.head])));
    byId("training-grid-save").append(
      saveButtons(
        run,
        "all heads",
        () => gridPicture(this.grid, look.scale(), all(), note()),
        all,
        () => rows(Array.from({ length: run.heads }, (_, i) => i)),
      ),
    );
  }

  /**
   * What the colours of the scores' curves mean.
   *
   * @param {number} count
   */
  layerLegend(count) {
    /** @type {(layer: number) => HTMLElement} */
    const swatch = (layer) => {
      const bar = element("i");
      bar.style.background = "var(--layer-" + (layer % 6) + ")";
      return element("span", {}, bar, this.app.run.layerName(layer));
    };
    return element(
      "p",
      { class: "note layer-key", id: "training-layers" },
      ...Array.from({ length: count }, (_, layer) => swatch(layer)),
      element("span", {}, "thick: the head chosen"),
    );
  }

  step() {
    return this.app.run.snapshots[this.app.store.state.snapshot].step;
  }

  /**
   * The kept step that is nearest.
   *
   * @param {number} step
   */
  pick(step) {
    const distance = this.app.run.snapshots.map((kept) => Math.abs(kept.step - step));
    this.app.store.change({ snapshot: distance.indexOf(Math.min(...distance)) });
  }

  /**
   * @param {Omit<ChartOptions<Metrics>, "pick">} options
   * @param {boolean} first
   */
  chart(options, first = false) {
    const root = byId(first ? "training-first-chart" : "training-charts");
    return new Chart(root, this.app, { ...options, pick: (step) => this.pick(step) });
  }

  /**
   * @param {ChartData} chart
   * @param {boolean} first
   */
  metricsChart({ title, share, curves }, first) {
    /** @type {(value: number) => string} */
    const format = (value) => (share ? percent(value) : fixed(value));
    /** @type {(measured: Metrics) => string} */
    const note = ({ values }) =>
      curves
        .filter(({ key, level_of }) => key in values && !level_of)
        .map(({ key, brief }) => (curves.length > 1 ? brief + " " : "") + format(values[key]))
        .join(", ");
    /** @type {(curve: string) => string} */
    const color = (curve) => COLORS[curves.findIndex(({ key }) => key === curve) % COLORS.length];
    /** @type {Curve<Metrics>[]} */
    const drawn = curves.map(({ key, name, brief, level_of }) => ({
      name,
      brief,
      color: color(level_of ?? key),
      dashed: level_of !== undefined,
      value: (measured) => measured.values[key],
    }));
    return this.chart({ title, curves: drawn, high: share ? 1 : null, note }, first);
  }

  /** @param {ScoreKind} kind */
  scoreChart({ key, name }) {
    const { run, selection } = this.app;
    const title = name.replaceAll(" ", "-") + " score";
    /** @type {(measured: Metrics, head: number) => number | null | undefined} */
    const value = (measured, head) => run.scoreTable.value(measured.scores[head], key);
    const curves = Array.from({ length: run.heads }, (_, head) => {
      const color = "var(--layer-" + (Math.floor(head / run.n_heads) % 6) + ")";
      return {
        name: run.headName(head),
        brief: run.headCode(head),
        color,
        head,
        value: (/** @type {Metrics} */ measured) => value(measured, head),
      };
    });
    /** @type {(measured: Metrics) => string} */
    const note = (measured) => {
      const score = value(measured, selection.head) ?? null; // not every score is defined for every head
      return score === null ? "" : run.headCode(selection.head) + " " + fixed(score);
    };
    return this.chart({ title: title[0].toUpperCase() + title.slice(1), curves, high: 1, note });
  }

  play() {
    const { run, store } = this.app;
    const last = run.snapshots.length - 1;
    if (store.state.snapshot === last) store.change({ snapshot: 0 });
    byId("training-play").textContent = "❚❚ Pause";
    const next = () =>
      store.state.snapshot < last ? store.change({ snapshot: store.state.snapshot + 1 }) : this.stop();
    this.timer = setInterval(next, 150);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    byId("training-play").textContent = "▶ Play";
  }

  drawCharts() {
    const { run } = this.app;
    const kept = run.snapshots.map((snapshot) => snapshot.step);
    for (const chart of this.charts) {
      chart.draw(run.metrics, kept);
    }
    for (const node of elements("#part-training .scored, #training-layers")) {
      node.hidden = !run.scored;
    }
  }

  /** @param {State} state */
  draw({ snapshot }) {
    const { run, selection } = this.app;
    const step = this.step();
    const metrics = run.metricsAt(step);
    const sequence = selection.sequence("training");
    const pattern = selection.patternThen();
    const name = selection.headName();
    this.slider.max = String(run.snapshots.length - 1);
    this.slider.value = String(snapshot);
    this.slider.setAttribute("aria-valuetext", "step " + step);
    const only = run.sequences.length > 1 ? " The snapshots' patterns are of this sequence only." : "";
    const rounded =
      pattern.levels === 255
        ? " Patterns along training are kept with 8 bits, so attention weights are rounded by up to 0.002."
        : "";
    byId("training-sequence").textContent = "Sequence: " + sequence.label + "." + only + rounded;
    byId("training-step").textContent = "step " + step;
    byId("training-name").textContent = capital(name);
    const scores = run.scoreTable.text(metrics.scores[selection.head]);
    const said = "Head scores, on fewer sequences than in Heads: " + scores;
    byId("training-scores").replaceChildren(...(scores ? marked([said], knownMark(run.evidence.role)) : []));
    explainPattern("part-training", run, pattern, sequence.crossed);
    this.grid.show((head) => selection.patternThen(head), metrics.scores);
    this.map.show(pattern, sequence, "Attention pattern of " + name + " at step " + step);
    for (const chart of this.charts) {
      chart.cursor(metrics);
    }
  }

  /** @param {State} state */
  point(state) {
    const { selection } = this.app;
    const { tab, sequence, query, key, locked } = state;
    const words = readout(this.app, selection.patternThen(), selection.sequence("training"));
    const elsewhere = tab !== "training" && sequence !== 0; // printed with a row chosen on another sequence
    this.map.highlight(elsewhere ? null : query, key, locked);
    byId("training-readout").textContent = words;
    if (tab === "training") this.app.tip.follow(state, words, this.map);
  }
}
