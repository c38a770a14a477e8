// The part "Time": the patterns along training, with the curves that go with them.
const timePart = {
  build() {
    this.steps = data.history.steps;
    this.slider = byId("time-slider");
    this.slider.max = this.steps.length - 1;
    this.slider.addEventListener("input", () => (this.stop(), change({ moment: Number(this.slider.value) })));
    byId("time-play").addEventListener("click", () => (this.timer ? this.stop() : this.play()));
    this.grid = new HeadGrid(byId("time-grid"));
    this.map = new MapView(byId("time-map"), hover, press);
    const note = "Sequence " + data.sequences[0].label;
    byId("time-sequence").textContent = note + ".";
    explainCells("part-time", data.history.patterns.cell);
    const head = () => "Head " + headName() + " at step " + this.step(), all = () => "All heads at step " + this.step();
    byId("time-save").append(saveButtons(head, () => mapPicture(patternThen(), data.sequences[0].tokens, head(), note)));
    byId("time-grid-save").append(saveButtons(all, () => gridPicture(this.grid, all(), note)));
    this.buildCharts();
  },

  step() {
    return this.steps[state.moment];
  },

  buildCharts() {
    const figures = data.figures, steps = figures.map((f) => f.step), root = byId("time-charts");
    const pick = (step) => {
      const distance = this.steps.map((kept) => Math.abs(kept - step));
      change({ moment: distance.indexOf(Math.min(...distance)) });
    };
    const curve = (name, of, color, more = {}) => ({ name, values: figures.map(of), color, ...more });
    const ofHead = (head, score) => {
      const color = "var(--layer-" + (Math.floor(head / data.n_heads) % 6) + ")";
      return curve("head " + headName(head), (f) => f.scores[head][score], color, { head, short: headName(head) });
    };
    const ofHeads = (score) => data.scores.map((_, head) => ofHead(head, score));
    const highest = Math.max(...figures.map((f) => Math.max(f.loss_predictable, f.loss_unpredictable)));
    const chart = (title, series, high) => new Chart(root, { title, series, steps, high, kept: this.steps, pick });
    const colors = ["var(--layer-0)", "var(--layer-1)"];
    const predictable = curve("predictable tokens", (f) => f.loss_predictable, colors[0], { short: "predictable" });
    const unpredictable = curve("unpredictable tokens", (f) => f.loss_unpredictable, colors[1], { dashed: true, short: "unpredictable" });
    const right = curve("right", (f) => f.accuracy, colors[0]);
    this.charts = [
      [chart("Loss, in nats", [predictable, unpredictable], highest),
       (f) => "predictable " + fixed(f.loss_predictable) + ", unpredictable " + fixed(f.loss_unpredictable)],
      [chart("Predictable tokens right", [right], 1), (f) => fixed(100 * f.accuracy, 1) + " %"],
      [chart("Previous-token score", ofHeads(0), 1), (f) => "head " + headName() + ": " + fixed(f.scores[headIndex()][0])],
      [chart("Induction score", ofHeads(2), 1), (f) => "head " + headName() + ": " + fixed(f.scores[headIndex()][2])],
    ];
  },

  play() {
    const last = this.steps.length - 1;
    if (state.moment === last) change({ moment: 0 });
    byId("time-play").textContent = "❚❚";
    byId("time-play").setAttribute("aria-label", "Pause");
    this.timer = setInterval(() => (state.moment < last ? change({ moment: state.moment + 1 }) : this.stop()), 150);
  },

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    byId("time-play").textContent = "▶";
    byId("time-play").setAttribute("aria-label", "Play");
  },

  render() {
    const step = this.step(), figures = figuresAt(step), scores = figures.scores, pattern = patternThen();
    if (viewKey() !== this.size) {
      this.size = viewKey();
      for (const [chart] of this.charts) chart.draw();
    }
    const drawn = [state.moment, headIndex(), state.scale, this.size].join();
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.slider.value = state.moment;
      this.slider.setAttribute("aria-valuetext", "step " + step);
      byId("time-step").textContent = "step " + step;
      byId("time-name").textContent = "Head " + headName();
      byId("time-scores").textContent = scoresText(scores[headIndex()]);
      this.grid.show(patternThen, scores);
      this.map.show(pattern, data.sequences[0].tokens, "Attention pattern of head " + headName() + " at step " + step);
      for (const [chart, note] of this.charts) chart.cursor(step, note(figures));
    }
    const elsewhere = state.tab !== "time" && state.sequence !== 0;  // printed with a row chosen on another sequence
    this.map.highlight(elsewhere ? null : state.query, state.key, state.locked);
    byId("time-readout").textContent = readout(pattern, data.sequences[0].tokens);
  },
};
