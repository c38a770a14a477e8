// The part "Start": the first minute of a run with an induction circuit; of any other run one sentence that
// is true of it, its first sequence with the model's guesses, and one thing to do.

import { knownMark, marked } from "../../kit/known.js";
import { byId, element } from "../../kit/text.js";
import { Line } from "../minute/frames.js";
import { Growing } from "../minute/growing.js";
import { Minute } from "../minute/minute.js";
import { stillScene } from "../minute/scene.js";
import { Strip } from "../minute/strip.js";
import { showTab } from "../web/navigation.js";

const MOST = 64; // tokens that are drawn
const TRAIN = "▶ Train: ten seconds"; // a fresh model, on two cores
const TRAIN_ON = "▶ Train on";

export class StartPart {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    const { run, store } = app;
    document.title = "Headlight: " + run.title;
    byId("run").textContent = run.title;
    byId("start-plain").hidden = Boolean(run.minute);
    this.minute = run.minute ? new Minute(app, awake) : null;
    this.strip = new Strip(/** @type {any} */ (byId("start-strip")), () => {});
    // Whether the thing to do is to train, which is watched here.
    this.trains = thingToDo(run)[1] === "lab";
    this.growing = this.trains ? new Growing(app) : null;
    store.subscribe([], () => this.showWords(app));
    store.subscribe(["trained"], ({ trained }) => trained > 0 && this.grow(app));
    store.subscribe(["view", "tab"], () => !app.lab.course?.running && this.drawSequence(run), awake);
  }

  // The lab's model in training, in the place of the run.
  /** @param {App} app */
  grow(app) {
    if (!this.trains) return;
    const { running } = app.lab.course;
    const [button, other] = byId("start-do").querySelectorAll("button");
    button.textContent = running ? "❚❚ Pause" : TRAIN_ON;
    other.hidden = running;
    byId("start-training").textContent = app.lab.renewal.said;
    if (app.store.state.tab !== "start" || !app.lab.course.last) return;
    for (const id of ["start-verdict", "start-sentences"]) {
      byId(id).hidden = true; // they are of the run
    }
    this.growing.draw();
  }

  /** @param {App} app */
  showWords(app) {
    const { run, glossary } = app;
    const headline = run.story?.headline;
    const verdict = marked(glossary.nodes(run.verdict), knownMark(run.evidence[run.verdict_kind]));
    byId("verdict").replaceChildren(...(headline ? [headline] : verdict));
    byId("start-verdict").replaceChildren(...(headline || run.minute ? verdict : []));
    byId("start-sentences").replaceChildren(
      ...(run.minute ? [] : (run.story?.sentences ?? [])).map(({ words, kind }) => {
        const nodes = glossary.nodes(words);
        return element("p", {}, ...(kind ? marked(nodes, knownMark(run.evidence[kind])) : nodes));
      }),
    );
    const [words, tab] = thingToDo(run);
    const button = element("button", { type: "button", class: this.trains ? "large" : "" }, words);
    button.addEventListener("click", () => {
      if (this.trains) return app.lab.course.trainFirst();
      showTab(tab, app);
      window.scrollTo(0, 0); // a part begins with its heading
    });
    byId("start-do").replaceChildren(button);
    if (!this.trains) return;
    byId("verdict").after(byId("start-do"));
    const made = element("button", { type: "button" }, "Or take one whose weights were set by hand");
    made.addEventListener("click", () => app.lab.byHandModel.openWhole());
    byId("start-do").append(" ", made);
  }

  /**
   * The model's guesses above the letters that follow from those before.
   *
   * @param {Run} run
   */
  drawSequence(run) {
    const { tokens, targets, predictable, guesses, source } = run.sequences[0];
    const asked = tokens.map(
      (_, i) => predictable[i] && guesses[i]?.length > 0 && targets[i] === tokens[i + 1],
    );
    const shown = Math.min(tokens.length, MOST);
    const none = run.minute || source || !asked.slice(0, shown - 1).includes(true);
    byId("start-strip").toggleAttribute("hidden", Boolean(none));
    const width = none ? 0 : byId("start-plain").clientWidth;
    if (width === 0) return;
    const line = new Line(tokens.slice(0, shown), asked, asked.indexOf(true));
    const scene = stillScene({
      line,
      frame: {
        note: () => 0,
        weight: () => 0,
        guess: (_, i) => ({ token: guesses[i][0][0], probability: guesses[i][0][1] }),
      },
      state: 0,
      text: (token) => run.tokenText(token),
    });
    this.strip.layout(
      line,
      line.tokens.map((token) => run.tokenText(token)),
      width,
      false,
    );
    this.strip.draw({ ...scene, query: -1, asking: 0 }, (token) => run.tokenText(token));
    byId("start-strip").setAttribute(
      "aria-label",
      `The first sequence, with the network’s guesses: ${scene.right} of ${line.asked.length} ` +
        `of ${run.predictable} tokens are right`,
    );
    byId("start-right").textContent =
      `${scene.right} of ${line.asked.length} guesses of ${run.predictable} tokens are right up to the last ${
        shown < tokens.length ? `of the first ${shown} tokens` : "token"
      } of this sequence. A guess stands above the letter that comes.`;
  }
}

/**
 * @param {Run} run
 * @returns {[words: string, tab: string]}
 */
export function thingToDo(run) {
  const { certificate } = run;
  if (run.minute) return ["See how this was tested", "certificate"];
  if (run.lab && certificate?.verdict === "does not solve the task")
    return [run.snapshots.at(-1).step <= 1 ? TRAIN : TRAIN_ON, "lab"];
  if (certificate && certificate.claims.length > 0)
    return ["See which tests it passed, and which not", "certificate"];
  if (run.story?.query !== undefined) return ["See where its heads look", "heads"];
  return ["See what it predicts", "predictions"];
}
