// The part "Heads": every head small, one large.

const { byId } = headlight.text;
const { HeadGrid } = headlight.grid;
const { MapView } = headlight.map;
const { TokenText } = headlight.tokens;
const { readout, explainPattern } = headlight.readout;
const { mapPicture, gridPicture } = headlight.picture;
const { saveButtons } = headlight.save;

class HeadsPart {
  constructor(app, awake) {
    const { run, store, look, selection } = this.app = app;
    this.grid = new HeadGrid(byId("heads-grid"), app);
    this.map = new MapView(byId("heads-map"), app);
    this.text = new TokenText(byId("heads-tokens"), app);
    this.keys = new TokenText(byId("heads-keys"), app, { keys: true });
    const head = () => "head " + selection.headName(), note = () => "Sequence " + selection.sequence().label;
    const picture = () => mapPicture(selection.patternNow(), this.map.texts, look.scale(), "Head " + selection.headName(), note());
    byId("heads-save").append(saveButtons(run, head, picture));
    byId("heads-grid-save").append(saveButtons(run, "all heads", () => gridPicture(this.grid, look.scale(), "All heads", note())));
    const drawn = ["sequence", "layer", "head", "scale", "view", "printing", "data"];
    store.subscribe(drawn, (state) => this.draw(run.sequences[state.sequence], selection.patternNow()), awake);
    store.subscribe([...drawn, "query", "key", "locked"], (state) => this.point(run.sequences[state.sequence], state), awake);
  }

  draw(s, pattern) {
    const { run, selection } = this.app, scores = run.scoreTable.text(run.scores[selection.head]), name = selection.headName();
    explainPattern("part-heads", pattern, s.crossed);
    this.grid.show((head) => selection.patternNow(head), run.scores);
    byId("heads-name").textContent = "Head " + name;
    byId("heads-scores").textContent = scores;
    this.map.show(pattern, s, "Attention pattern of head " + name + (scores ? ": " + scores : ""));
  }

  point(s, { query, key, locked }) {
    const pattern = this.app.selection.patternNow();
    this.map.highlight(query, key, locked);
    this.text.show(s, pattern, query);
    this.keys.show(s, pattern, query);
    byId("heads-readout").textContent = readout(this.app, pattern, s);
  }
}

headlight.heads = { HeadsPart };
