// The reader's choices, applied to the run: which head, which sequence, which pattern.

import { element } from "../../kit/text.js";

// A row chosen on one sequence would be of another token on the next.
/** @type {Pick<State, "query" | "key" | "locked" | "place">} */
export const NOWHERE = { query: null, key: null, locked: false, place: null };

/**
 * @param {number} value
 * @param {number} high
 */
function clamp(value, high) {
  return Math.min(Math.max(value, 0), high);
}

export class Selection {
  /**
   * @param {Run} run
   * @param {Store} store
   * @param {Without} without
   */
  constructor(run, store, without) {
    this.run = run;
    this.store = store;
    this.without = without;
  }

  get head() {
    return this.store.state.layer * this.run.n_heads + this.store.state.head;
  }

  headName() {
    return this.run.headName(this.head);
  }

  /**
   * As the chosen head sees it. The part "Training" shows the first sequence, whichever is chosen elsewhere.
   *
   * @param {string} tab
   * @param {number} head
   */
  sequence(tab = this.store.state.tab, head = this.head) {
    return this.run.sequenceAt(tab === "training" ? 0 : this.store.state.sequence).views[
      this.run.stack(head)
    ];
  }

  /**
   * The pattern of a head on the chosen sequence, by the trained model, without the heads that are off where
   * that is known.
   *
   * @param {number} head
   */
  patternNow(head = this.head) {
    const { patterns } = this.sequence("heads", head);
    return (this.without.patterns ?? patterns).pattern(this.run.inStack(head));
  }

  /**
   * The pattern of a head on the first sequence, at the chosen step of training.
   *
   * @param {number} head
   */
  patternThen(head = this.head) {
    return this.run.snapshots[this.store.state.snapshot].pattern(head);
  }

  // The position that is read: the chosen one, that of the story, or one in the midst of those whose target
  // can be predicted.
  readingPosition() {
    const { query, sequence: shown } = this.store.state;
    const { story } = this.run;
    if (query !== null) return query;
    if (story?.query !== undefined && story.sequence === shown) return story.query;
    const sequence = this.sequence("predictions");
    const known = sequence.tokens
      .map((_, position) => position)
      .filter((position) => sequence.predictable[position] ?? sequence.targets[position] >= 0);
    return known.length > 0 ? known[Math.floor(known.length / 2)] : sequence.tokens.length - 1;
  }

  /** @param {number} head */
  chooseHead(head) {
    const { run } = this;
    const elsewhere =
      run.stack(head) === run.stack(this.head) ? {} : { query: null, key: null, locked: false };
    this.store.change({
      layer: Math.floor(head / run.n_heads),
      head: head % run.n_heads,
      place: null,
      ...elsewhere,
    });
  }

  /**
   * The story's row stays chosen on the story's sequence.
   *
   * @param {number} sequence
   */
  chooseSequence(sequence) {
    const { story } = this.run;
    const ofStory = story?.query !== undefined && story.sequence === sequence;
    this.store.change({
      sequence,
      ...NOWHERE,
      ...(ofStory ? { query: story.query, key: story.key, locked: true } : {}),
    });
  }

  /**
   * @param {number} down
   * @param {number} right
   */
  flip(down, right) {
    const { layer, head } = this.store.state;
    this.chooseHead(
      clamp(layer + down, this.run.layers - 1) * this.run.n_heads + clamp(head + right, this.run.n_heads - 1),
    );
  }

  /**
   * From cell to cell of the large picture; where there is none, from token to token.
   *
   * @param {number} down
   * @param {number} right
   */
  move(down, right) {
    const { tab, query, key } = this.store.state;
    const { tokens, keys } = this.sequence();
    const pattern = tab === "training" ? this.patternThen() : this.patternNow();
    const last = tokens.length - 1;
    /** @type {(position: number) => number} */
    const reach = (position) => (pattern.causal ? position : keys.length - 1);
    if (tab === "predictions")
      return this.store.change({ query: clamp(this.readingPosition() + down + right, last), key: null });
    const middle = Math.floor(last / 2);
    if (query === null)
      return this.store.change({ query: middle, key: clamp(middle, reach(middle)), place: "map" });
    const next = clamp(query + down * pattern.cell, last);
    this.store.change({
      query: next,
      key: clamp((key ?? next) + right * pattern.cell, reach(next)),
      place: "map",
    });
  }

  /**
   * Pressed on a token: lock its row; on the locked one: unlock it.
   *
   * @param {number} query
   * @param {number | null} key
   */
  press(query, key) {
    const state = this.store.state;
    this.store.change(
      state.locked && state.query === query ? { locked: false } : { locked: true, query, key },
    );
  }

  /**
   * The pointer is over a cell, or left. A locked row stays. `place`: what the pointer is on, for the tip.
   *
   * @param {number | null} query
   * @param {number | null} key
   * @param {Place} place
   */
  hover(query, key, place = this.store.state.place) {
    if (!this.store.state.locked) this.store.change({ query, key, place });
    else this.store.change({ key: query === null ? null : key, place });
  }
}

/**
 * A button, in an array, that goes to the first sequence of which has(sequence, index) is true; empty if
 * there is none.
 *
 * @param {App} app
 * @param {(sequence: RunSequence, index: number) => unknown} has
 */
export function sequenceButton({ run, selection }, has) {
  const first = run.sequences.findIndex(has);
  if (first < 0) return [];
  const button = element(
    "button",
    { type: "button", class: "go" },
    first === 0 ? "Show the first sequence" : "Show sequence " + (first + 1),
  );
  button.addEventListener("click", () => selection.chooseSequence(first));
  return [button];
}
