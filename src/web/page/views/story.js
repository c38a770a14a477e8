// The story above the parts: what the model must do on one sequence, and where the head in question looked.

import { element, byId, elements, fixed } from "../../kit/text.js";
import { LookbackPicture } from "./lookback.js";
import { StoryGame, gameOf } from "./game.js";
import { showTab } from "../web/navigation.js";

export class Story {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { run, store } = app;
    this.game = new StoryGame(app, gameOf(run));
    byId("story-show").addEventListener("click", () => this.show());
    byId("story-certificate").addEventListener("click", () => showTab("certificate", app));
    byId("story-toggle").addEventListener("click", () =>
      store.change({ storyOpen: !this.open(store.state), place: null }),
    );
    store.subscribe([], () => this.showTexts(run));
    store.subscribe(["storyOpen", "tab", "opened", "printing"], (state) => this.fold(!this.open(state)));
    store.subscribe(["printing"], ({ printing }) => this.unfold(printing));
    store.subscribe(["answered", "printing"], (state) => this.showCaptions(state));
    store.subscribe(
      ["view", "printing", "answered"],
      (state) => this.draw(run, state),
      (state) => this.open(state),
    );
  }

  /**
   * Above the part that the page opened with, until the reader has chosen. Elsewhere it would push each part
   * off the screen.
   *
   * @param {State} state
   */
  open({ storyOpen, tab, opened, printing }) {
    return printing || (storyOpen ?? tab === opened);
  }

  /** @param {boolean} folded */
  fold(folded) {
    byId("story").classList.toggle("folded", folded);
    byId("story-toggle").setAttribute("aria-expanded", String(!folded));
  }

  /**
   * On paper nothing can be opened.
   *
   * @param {boolean} printing
   */
  unfold(printing) {
    const long = byId("story-long");
    if (printing) this.wasOpen = long.open;
    long.open = printing || (this.wasOpen ?? false);
  }

  /** @param {Run} run */
  showTexts({ title, verdict, story }) {
    const { glossary } = this.app;
    document.title = "Headlight: " + title;
    byId("run").textContent = title;
    const [first, rest = ""] = verdict.split(/(?<=\.)( .*)/s);
    byId("verdict").replaceChildren(
      ...(story?.headline
        ? [story.headline]
        : [...glossary.nodes(first), element("span", {}, ...glossary.nodes(rest))]),
    );
    byId("story-verdict").replaceChildren(...(story?.headline ? glossary.nodes(verdict) : []));
    const sentences = (story?.sentences ?? []).map((sentence) =>
      element("p", {}, ...glossary.nodes(sentence)),
    );
    byId("story-toggle").hidden = byId("story-long").hidden = sentences.length === 0;
    byId("story-sentences").replaceChildren(...sentences);
  }

  // Whether the story has a head, a query and a key.
  looked() {
    const { story, sequences } = this.app.run;
    return story?.query !== undefined && story.key !== undefined && sequences[story.sequence] !== undefined;
  }

  /**
   * What the picture shows, once it shows it. Each caption points at its place in the picture and in the
   * pattern.
   *
   * @param {State} state
   */
  showCaptions(state) {
    const { run } = this.app;
    const open = this.game.asked(state) === null;
    const looked = open && this.looked();
    byId("story-show").hidden = !looked;
    byId("story-certificate").hidden = !open || !run.certificate;
    byId("story-captions").replaceChildren(...(looked ? this.captions(run.story) : []));
  }

  /** @param {StoryData} story */
  captions(story) {
    const { run } = this.app;
    const sequence = run.sequences[story.sequence];
    const { weight } = this.look(sequence, story);
    /** @type {(position: number) => string} */
    const text = (position) => "‘" + run.tokenText(sequence.tokens[position]) + "’";
    const head = run.headCode(story.layer * run.n_heads + story.head);
    const { query, key } = story;
    return [
      this.caption("query", `At ${text(query)}, head ${head} looks back.`, { query, key: null }),
      this.caption(
        "key",
        `It gives ${fixed(weight)} of its attention to ${text(key)}, which followed ` +
          `${text(key - 1)} last time.`,
        { query, key },
      ),
    ];
  }

  /**
   * @param {string} kind
   * @param {string} words
   * @param {Partial<State>} cell
   */
  caption(kind, words, cell) {
    const { store } = this.app;
    const { sequence, layer, head } = this.app.run.story;
    const button = element("button", { type: "button", class: "caption-" + kind }, words);
    /** @type {(on: boolean) => void} */
    const point = (on) => {
      for (const frame of elements(".lookback .frame." + kind)) {
        frame.classList.toggle("told", on);
      }
      if (store.state.locked) return;
      store.change(
        on
          ? { sequence, layer, head, off: "", place: null, ...cell }
          : { query: null, key: null, place: null },
      );
    };
    button.addEventListener("pointerenter", () => point(true));
    button.addEventListener("pointerleave", () => point(false));
    button.addEventListener("focus", () => point(true));
    button.addEventListener("blur", () => point(false));
    button.addEventListener("click", () => this.show());
    return element("li", {}, button);
  }

  /**
   * @param {Run} run
   * @param {State} state
   */
  draw({ story, sequences }, state) {
    const root = byId("story-picture");
    const sequence = sequences[story?.sequence];
    root.hidden = sequence === undefined || story.sentences.length === 0;
    if (root.hidden) return;
    root.replaceChildren(); // so that its width is that of its place
    const texts = sequence.tokens.map((id) => this.app.run.tokenText(id));
    const { run } = this.app;
    const width = root.clientWidth || 640;
    const picture = new LookbackPicture(
      sequence,
      texts,
      this.looked() ? this.look(sequence, story) : null,
      width,
      run.labels,
      this.game.asked(state),
      this.game.game?.query ?? null,
    );
    const svg = picture.draw();
    if (sequence.source) root.append(this.source(sequence.source));
    root.append(svg);
    picture.keepNamesInside(svg);
  }

  /**
   * What the encoder reads, as text.
   *
   * @param {number[]} tokens
   */
  source(tokens) {
    const { run } = this.app;
    const cells = tokens.map((id) => element("span", { class: "token" }, run.tokenText(id)));
    return element(
      "div",
      { class: "source" },
      element("p", { class: "note" }, "source"),
      element("div", { class: "tokens" }, ...cells),
      element("p", { class: "note" }, "tokens of the decoder"),
    );
  }

  /**
   * @param {View} sequence
   * @param {StoryData} story
   * @returns {LookBack}
   */
  look(sequence, { layer, head, query, key }) {
    const { run } = this.app;
    const pattern = sequence.patterns.pattern(layer * run.n_heads + head);
    const target = sequence.targets[query];
    const weight = pattern.weight(Math.floor(query / pattern.cell), Math.floor(key / pattern.cell));
    const best = sequence.guesses[query]?.[0];
    const guess = best && {
      text: run.tokenText(best[0]),
      probability: best[1],
      right: target < 0 ? null : target === best[0],
    };
    return { query, key, weight, guess };
  }

  // The same weight in the large picture of the part "Heads".
  show() {
    const { sequence, layer, head, query, key } = this.app.run.story;
    showTab("heads", this.app);
    byId("heads-map").focus({ preventScroll: true });
    this.app.store.change({ sequence, layer, head, query, key, locked: true, place: null, off: "" });
    for (const id of ["heads-map", "heads-readout"]) {
      byId(id).scrollIntoView({ block: "nearest" });
    }
  }
}
