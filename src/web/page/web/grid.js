// A button with a small picture for every head; layers are rows, under the name of their stack where there
// are several.

import { element, capital } from "../../kit/text.js";
import { drawPattern } from "../../kit/pattern.js";

const AT_ONCE = 100; // milliseconds that go into drawing before the page answers again

export class HeadGrid {
  /**
   * `large`: the map that shows the chosen head.
   *
   * @param {HTMLElement} root
   * @param {App} app
   * @param {HTMLElement} large
   */
  constructor(root, { run, look, selection, store }, large) {
    this.root = root;
    this.run = run;
    this.store = store;
    this.look = look;
    this.selection = selection;
    this.large = large;
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    /** @type {HTMLCanvasElement[]} */
    this.canvases = [];
    /** @type {HTMLElement[]} */
    this.captions = [];
    /** @type {number | undefined} */
    this.head = undefined;
    this.hides = false; // whether a pattern has keys that are not seen
    /** @type {(() => void)[]} */
    this.pending = []; // what is still to be drawn
    /** @type {number | undefined} */
    this.rest = undefined; // the timer that goes on with it
    store.subscribe(["printing"], () => store.state.printing && this.draw(Infinity));
    root.style.gridTemplateColumns =
      "repeat(" + run.n_heads + ", minmax(" + (run.n_heads > 6 ? 3.4 : 4.2) + "rem, var(--thumb)))";
    for (let head = 0; head < run.heads; ++head) {
      if (run.stacks.length > 1 && run.inStack(head) === 0)
        root.append(element("p", { class: "stack" }, run.stacks[run.stack(head)].title));
      const caption = element(
        "span",
        {},
        element("b", {}, run.headCode(head)),
        element("i"),
        element("span"),
      );
      const canvas = element("canvas", { "aria-hidden": "true" });
      const button = element("button", { type: "button" }, canvas, caption);
      button.addEventListener("click", () => {
        selection.chooseHead(head);
        this.reveal();
      });
      this.buttons.push(button);
      this.canvases.push(canvas);
      this.captions.push(caption);
      root.append(button);
    }
  }

  // Where parts stand below each other, the large picture may be off the screen.
  reveal() {
    const { top, bottom, height } = this.large.getBoundingClientRect();
    const seen = Math.min(bottom, document.documentElement.clientHeight) - Math.max(top, 0);
    if (seen >= height / 2) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.large.closest("figure").scrollIntoView({ block: "nearest", behavior: still ? "instant" : "smooth" });
  }

  /**
   * pattern(head) and the scores of each head, where there are any. `changed`: whether the patterns are not
   * those that the scores are of.
   *
   * @param {(head: number) => Pattern} pattern
   * @param {Scores[]} scores
   */
  show(pattern, scores, changed = false) {
    const { run, selection } = this;
    const drawn = this.canvases.map((_, head) => pattern(head));
    this.hides ||= drawn.some((one) => one.hides);
    this.pending = drawn.map((one, head) => () => drawPattern(this.canvases[head], one, this.look.scale()));
    this.draw(this.store.state.printing ? Infinity : AT_ONCE);
    this.buttons.forEach((button, head) => {
      const table = run.scoreTable;
      const { queries, keys } = drawn[head];
      this.canvases[head].style.aspectRatio = String(Math.min(Math.max(keys / queries, 0.5), 2));
      this.caption(this.captions[head], table.describe(scores[head], run.found), changed);
      const of = changed ? ". Head scores of the whole model: " : ": ";
      button.title = capital(run.headName(head)) + (scores[head] ? of + table.text(scores[head]) : "");
      button.setAttribute("aria-pressed", String(head === selection.head));
    });
    // The focus moves with the choice when it stands on one of the heads.
    if (this.head !== selection.head && this.root.contains(document.activeElement))
      this.buttons[selection.head].focus();
    this.head = selection.head;
  }

  /**
   * Draws for so many milliseconds what is pending, and the rest when the page has answered. What is printed
   * or saved is drawn whole.
   *
   * @param {number} most
   */
  draw(most) {
    clearTimeout(this.rest);
    const until = performance.now() + most;
    while (this.pending.length > 0 && performance.now() < until) this.pending.shift()();
    if (this.pending.length > 0) this.rest = setTimeout(() => this.draw(AT_ONCE));
  }

  /**
   * "L1H0 0.98", "induction head"; below the threshold "L1H1", "no known kind". No score stands below a
   * changed pattern.
   *
   * @param {Element} node
   * @param {ReturnType<ScoreTable["describe"]>} described
   * @param {boolean} changed
   */
  caption(node, described, changed) {
    const [, score, role] = node.children;
    score.textContent = described?.known && !changed ? described.score : "";
    role.textContent = described?.role ?? "";
    node.className = described?.known ? "caption found" : "caption";
  }

  /**
   * The caption of a head in two lines, for a saved picture.
   *
   * @param {number} head
   */
  captionLines(head) {
    const [code, score, role] = Array.from(this.captions[head].children, (part) => part.textContent);
    return [(code + " " + score).trim(), role];
  }
}
