// The part "Time": the patterns along training, with the curves that go with them.

const { byId, fixed } = headlight.text;
const { HeadGrid } = headlight.grid;
const { MapView } = headlight.map;
const { Chart } = headlight.chart;
const { readout, explainPattern } = headlight.readout;
const { mapPicture, gridPicture } = headlight.picture;
const { saveButtons } = headlight.save;

class TimePart {
  constructor(app, awake) {
    const { run, store } = this.app = app;
    this.slider = byId("time-slider");
    this.slider.addEventListener("input", () => (this.stop(), store.change({ moment: Number(this.slider.value) })));
    byId("time-play").addEventListener("click", () => (this.timer ? this.stop() : this.play()));
    this.grid = new HeadGrid(byId("time-grid"), app);
    this.map = new MapView(byId("time-map"), app);
    this.buildSaving();
    this.charts = [...run.charts.map((chart) => this.metricsChart(chart)),
                   ...run.scoreTable.kinds.filter((kind) => kind.charted).map((kind) => this.scoreChart(kind))];
    const shown = ["moment", "layer", "head", "scale", "view", "printing", "data"];
    const kept = () => run.moments.length > 0;  // until then there is nothing to show
    store.subscribe(["tab"], () => this.stop());
    store.subscribe(["data", "view", "printing"], () => this.drawCharts(), awake);
    store.subscribe(shown, (state) => this.draw(state), (state) => awake(state) && kept());
    store.subscribe([...shown, "query", "key", "locked", "tab", "sequence"], (state) => this.point(state),
                    (state) => awake(state) && kept());
  }

  buildSaving() {
    const { run, look, selection } = this.app, note = () => "Sequence " + run.sequences[0].label;
    const head = () => "Head " + selection.headName() + " at step " + this.step(), all = () => "All heads at step " + this.step();
    byId("time-save").append(saveButtons(run, head, () => mapPicture(selection.patternThen(), this.map.texts, look.scale(), head(), note())));
    byId("time-grid-save").append(saveButtons(run, all, () => gridPicture(this.grid, look.scale(), all(), note())));
  }

  step() {
    return this.app.run.moments[this.app.store.state.moment].step;
  }

  // The kept step that is nearest.
  pick(step) {
    const distance = this.app.run.moments.map((kept) => Math.abs(kept.step - step));
    if (distance.length > 0) this.app.store.change({ moment: distance.indexOf(Math.min(...distance)) });
  }

  chart(options) {
    return new Chart(byId("time-charts"), this.app, { ...options, pick: (step) => this.pick(step) });
  }

  metricsChart({ title, share, curves }) {
    const told = (value) => (share ? fixed(100 * value, 1) + " %" : fixed(value));
    const note = ({ values }) =>
      curves.filter(({ key }) => key in values).map(({ key, brief }) => (curves.length > 1 ? brief + " " : "") + told(values[key])).join(", ");
    const drawn = curves.map(({ key, name, brief }, i) =>
      ({ name, brief, color: "var(--layer-" + (i % 6) + ")", dashed: i > 0, value: (f) => f.values[key] }));
    return this.chart({ title, curves: drawn, high: share ? 1 : null, note });
  }

  scoreChart({ key, name }) {
    const { run, selection } = this.app, title = name.replaceAll(" ", "-") + " score";
    const value = (f, head) => run.scoreTable.value(f.scores[head], key);
    const curves = Array.from({ length: run.heads }, (_, head) => {
      const color = "var(--layer-" + (Math.floor(head / run.n_heads) % 6) + ")", brief = run.headName(head);
      return { name: "head " + brief, brief, color, head, value: (f) => value(f, head) };
    });
    const note = (f) => (f.scores.length > 0 ? "head " + selection.headName() + ": " + fixed(value(f, selection.head)) : "");
    return this.chart({ title: title[0].toUpperCase() + title.slice(1), curves, high: 1, note });
  }

  play() {
    const { run, store } = this.app, last = () => run.moments.length - 1;
    if (last() < 0) return;
    if (store.state.moment === last()) store.change({ moment: 0 });
    byId("time-play").textContent = "❚❚";
    byId("time-play").setAttribute("aria-label", "Pause");
    const next = () => (store.state.moment < last() ? store.change({ moment: store.state.moment + 1 }) : this.stop());
    this.timer = setInterval(next, 150);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    byId("time-play").textContent = "▶";
    byId("time-play").setAttribute("aria-label", "Play");
  }

  drawCharts() {
    const { run } = this.app, kept = run.moments.map((moment) => moment.step);
    for (const chart of this.charts) chart.draw(run.metrics, kept);
  }

  draw({ moment }) {
    const { run, selection } = this.app, step = this.step(), metrics = run.metricsAt(step), s = run.sequences[0];
    const pattern = selection.patternThen(), name = selection.headName();
    this.slider.max = run.moments.length - 1;
    this.slider.value = moment;
    this.slider.setAttribute("aria-valuetext", "step " + step);
    byId("time-sequence").textContent = "Sequence " + s.label + ".";
    byId("time-step").textContent = "step " + step;
    byId("time-name").textContent = "Head " + name;
    byId("time-scores").textContent = run.scoreTable.text(metrics.scores[selection.head]);
    explainPattern("part-time", pattern, s.crossed);
    this.grid.show((head) => selection.patternThen(head), metrics.scores);
    this.map.show(pattern, s, "Attention pattern of head " + name + " at step " + step);
    for (const chart of this.charts) chart.cursor(metrics);
  }

  point({ tab, sequence, query, key, locked }) {
    const { run, selection } = this.app;
    const elsewhere = tab !== "time" && sequence !== 0;  // printed with a row chosen on another sequence
    this.map.highlight(elsewhere ? null : query, key, locked);
    byId("time-readout").textContent = readout(this.app, selection.patternThen(), run.sequences[0]);
  }
}

headlight.time = { TimePart };
