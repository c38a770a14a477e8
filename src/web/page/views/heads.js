// The part "Heads": every head small, one large.

import { knownMark, marked } from "../../kit/known.js";
import { byId, capital, elements } from "../../kit/text.js";
import { HeadGrid } from "../web/grid.js";
import { MapView } from "../web/map.js";
import { TokenText } from "../web/tokens.js";
import { readout, explainPattern } from "../web/readout.js";
import { mapPicture, gridPicture } from "../../kit/picture.js";
import { patternRows, saveButtons } from "../../kit/save.js";
import { TypedField } from "../web/typing.js";
import { PLAYED } from "./changes.js";
import { GridSwitches, WithoutPanel } from "./switches.js";

export class HeadsPart {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    const { run, store, look, selection } = app;
    for (const words of elements(".layers")) {
      words.hidden = run.layers === 1;
    }
    this.grid = new HeadGrid(byId("heads-grid"), app, byId("heads-map"));
    this.map = new MapView(byId("heads-map"), app);
    this.switches = new GridSwitches(this.grid, app);
    this.without = new WithoutPanel(byId("heads-without"), app, byId("heads-grid"), { marks: true });
    new TypedField("heads", app, awake);
    this.text = new TokenText(byId("heads-tokens"), app);
    this.keys = new TokenText(byId("heads-keys"), app, { keys: true });
    byId("heads-skip").addEventListener("click", () => byId("heads-map").focus());
    const head = () => run.headCode(selection.head);
    const note = () =>
      ["Sequence: " + selection.sequence().label, ...(app.without.patterns ? [app.without.phrase] : [])].join(
        ", ",
      );
    this.picture = () =>
      mapPicture(selection.patternNow(), this.map.texts, look.scale(), capital(selection.headName()), note());
    /** @type {(heads: number[]) => (string | number)[][]} */
    const rows = (heads) => patternRows(run, heads, (i) => selection.patternNow(i));
    byId("heads-save").append(
      saveButtons(run, "this pattern", this.picture, head, () => rows([selection.head])),
    );
    byId("heads-grid-save").append(
      saveButtons(
        run,
        "all heads",
        () => gridPicture(this.grid, look.scale(), "All heads", note()),
        () => "all heads",
        () => rows(Array.from({ length: run.heads }, (_, i) => i)),
      ),
    );
    /** @type {(keyof State)[]} */
    const drawn = [...PLAYED, "layer", "head", "scale", "view", "zoom", "printing"];
    store.subscribe(drawn, () => this.draw(selection.sequence("heads"), selection.patternNow()), awake);
    store.subscribe(
      [...drawn, "query", "key", "locked", "place"],
      (state) => this.point(selection.sequence("heads"), state),
      awake,
    );
    for (const node of elements("#part-heads .kinds")) {
      node.hidden = !run.scores.some((scores) => run.scoreTable.describe(scores, run.found)?.known);
    }
    store.subscribe(drawn, () => this.switchOff(selection.sequence("heads")), awake);
  }

  /**
   * @param {View} sequence
   * @param {Pattern} pattern
   */
  draw(sequence, pattern) {
    const { run, selection, without } = this.app;
    const text = run.scoreTable.text(run.scores[selection.head]);
    const name = selection.headName();
    const changed = without.patterns !== null; // the scores are of pictures that are not shown
    const scores = text && (changed ? "Head scores of the whole model: " : "Head scores: ") + text;
    explainPattern("part-heads", run, pattern, sequence.crossed);
    this.grid.show((head) => selection.patternNow(head), run.scores, changed);
    byId("heads-name").textContent = capital(name);
    byId("heads-scores").replaceChildren(...(scores ? marked([scores], knownMark(run.evidence.role)) : []));
    const label = `Attention pattern of ${name}${changed ? " " + without.phrase : ""}`;
    this.map.show(pattern, sequence, label + (scores ? ". " + scores : ""));
  }

  /** @param {View} sequence */
  switchOff(sequence) {
    const { without } = this.app;
    this.switches.show();
    byId("heads-whole").style.visibility = without.changed ? "visible" : "hidden"; // nothing moves
    byId("heads-whole").textContent = without.patterns ? without.phrase : "of the whole model";
    this.without.show();
    this.text.strike(without.lost(sequence));
  }

  /**
   * @param {View} sequence
   * @param {State} state
   */
  point(sequence, state) {
    const pattern = this.app.selection.patternNow();
    const { query, key, locked } = state;
    const words = readout(this.app, pattern, sequence);
    this.map.highlight(query, key, locked);
    this.text.show(sequence, pattern, query);
    this.keys.show(sequence, pattern, query);
    byId("heads-readout").textContent = words;
    if (state.tab === "heads") this.app.tip.follow(state, words, this.map, this.text);
  }
}
