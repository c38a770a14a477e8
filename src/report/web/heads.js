// The part "Heads": every head small, one large.
const headsPart = {
  build() {
    this.grid = new HeadGrid(byId("heads-grid"));
    this.map = new MapView(byId("heads-map"), hover, press);
    this.text = new TokenText(byId("heads-tokens"), false);
    const title = () => "Head " + headName() + ", " + sequence().label;
    byId("heads-save").append(saveButtons(title, () => mapPicture(patternNow(), sequence().tokens, title())));
    byId("heads-grid-save").append(saveButtons("all heads", () => gridPicture(this.grid, "All heads, " + sequence().label)));
  },

  render() {
    const scores = data.scores[headIndex()], tokens = sequence().tokens, pattern = patternNow();
    const drawn = [state.sequence, headIndex(), state.scale, window.innerWidth, document.documentElement.className, themeName()].join();
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.grid.show(patternNow, data.scores);
      byId("heads-name").textContent = "Head " + headName();
      byId("heads-scores").textContent = scoresText(scores);
      this.map.show(pattern, tokens, "Attention pattern of head " + headName() + ": " + scoresText(scores));
    }
    this.map.highlight(state.query, state.key, state.locked);
    this.text.show(sequence(), pattern);
    byId("heads-readout").textContent = readout(pattern, tokens);
  },
};
