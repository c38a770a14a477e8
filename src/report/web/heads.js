// The part "Heads": every head small, one large.
const headsPart = {
  build() {
    this.grid = new HeadGrid(byId("heads-grid"));
    this.map = new MapView(byId("heads-map"), hover, press);
    this.text = new TokenText(byId("heads-tokens"), false);
    const picture = () => mapPicture(patternNow(), sequence().tokens, "Head " + headName(), "Sequence " + sequence().label);
    byId("heads-save").append(saveButtons(() => "head " + headName(), picture));
    byId("heads-grid-save").append(saveButtons("all heads", () => gridPicture(this.grid, "All heads", "Sequence " + sequence().label)));
    explainCells("part-heads", patternNow().cell);
  },

  render() {
    const scores = data.scores[headIndex()], s = data.sequences[state.sequence], pattern = patternNow();
    const drawn = [state.sequence, headIndex(), state.scale, viewKey()].join();
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.grid.show(patternNow, data.scores);
      byId("heads-name").textContent = "Head " + headName();
      byId("heads-scores").textContent = scoresText(scores);
      this.map.show(pattern, s.tokens, "Attention pattern of head " + headName() + ": " + scoresText(scores));
    }
    this.map.highlight(state.query, state.key, state.locked);
    this.text.show(s, pattern, state.query);
    byId("heads-readout").textContent = readout(pattern, s.tokens);
  },
};
