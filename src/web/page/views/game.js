// The game of the story: the reader guesses the next token, then sees where the network looked.

import { element, byId, fixed, elements } from "../../kit/text.js";
import { follower } from "../reasons/evidence.js";

const CHOICES = 5;

/**
 * The tokens to choose from: the answer and those that stand near a place, in the order of the vocabulary.
 *
 * @param {number[]} tokens
 * @param {number} answer
 * @param {number} near
 */
function choicesAround(tokens, answer, near) {
  const choices = new Set([answer]);
  for (let away = 1; away < tokens.length && choices.size < CHOICES; ++away) {
    for (const token of [tokens[near + away], tokens[near - away]]) {
      if (token !== undefined && choices.size < CHOICES) choices.add(token);
    }
  }
  return [...choices].sort((one, other) => one - other);
}

/**
 * The game of a run: at the story's query, or else at a predictable token. Null where no next token can be
 * guessed.
 *
 * @param {Run} run
 * @returns {Game | null}
 */
export function gameOf({ story, sequences, labels }) {
  const sequence = sequences[story?.sequence];
  if (!sequence || !story.headline || labels || sequence.source) return null;
  const { tokens, targets, guesses } = sequence;
  /** @type {(query: number) => boolean} */
  const asks = (query) =>
    query + 1 < tokens.length && targets[query] === tokens[query + 1] && guesses[query]?.length > 0;
  const known = tokens
    .map((_, query) => query)
    .filter((query) => sequence.predictable[query] && asks(query) && follower(tokens, query) > 0);
  const query = story.query ?? known[Math.floor(known.length / 2)];
  if (query === undefined || !asks(query)) return null;
  const answer = targets[query];
  return { query, answer, choices: choicesAround(tokens, answer, Math.max(0, follower(tokens, query))) };
}

export class StoryGame {
  /**
   * @param {App} app
   * @param {Game | null} game
   */
  constructor(app, game) {
    this.app = app;
    this.game = game;
    byId("story-game").hidden = game === null;
    if (game === null) return;
    app.store.subscribe([], () => this.build(game));
    app.store.subscribe(["answered", "printing"], (state) => this.show(game, state));
  }

  /**
   * The position after which the reader has not guessed yet.
   *
   * @param {State} state
   */
  asked({ answered, printing }) {
    return this.game === null || printing || answered !== null ? null : this.game.query;
  }

  // What the reader calls a token.
  get word() {
    return this.app.run.vocabulary.every((text) => Array.from(text).length === 1) ? "letter" : "token";
  }

  /** @param {Game} game */
  build({ query, choices }) {
    const { run, store } = this.app;
    const { tokens } = run.sequences[run.story.sequence];
    const seen = tokens.slice(0, query + 1).map((token) => run.tokenText(token));
    const then = run.story.query === undefined ? "what the network guesses" : "where the network looked";
    byId("story-question").textContent = `Guess the next ${this.word}, then see ${then}.`;
    byId("story-seen").textContent = `So far: ${seen.join(" ")}`;
    /** @type {(answered: number, text: string, kind: string) => HTMLElement} */
    const button = (answered, text, kind) => {
      const one = element("button", { type: "button", class: kind, "data-token": answered }, text);
      one.addEventListener("click", () => store.change({ answered }));
      return one;
    };
    byId("story-choices").replaceChildren(
      ...choices.map((token) => button(token, run.tokenText(token), "choice")),
      button(-1, "Show me", "choice no-guess"),
    );
  }

  /**
   * @param {Game} game
   * @param {State} state
   */
  show({ answer }, state) {
    const { answered } = state;
    const open = this.asked(state) !== null;
    for (const button of elements("#story-choices button")) {
      const token = Number(button.dataset.token);
      button.setAttribute("aria-pressed", String(answered === token));
      button.classList.toggle("right", !open && token === answer);
      button.classList.toggle("wrong", answered === token && token !== answer && token >= 0);
    }
    byId("story-answer").textContent = open ? "" : this.answerWords(answer, answered);
  }

  /**
   * @param {number} answer
   * @param {number | null} answered
   */
  answerWords(answer, answered) {
    const { run } = this.app;
    const [[guess, probability]] = run.sequences[run.story.sequence].guesses[this.game.query];
    /** @type {(token: number) => string} */
    const text = (token) => "‘" + run.tokenText(token) + "’";
    const own =
      answered === null || answered < 0
        ? ""
        : `You guessed ${text(answered)}: ${answered === answer ? "right" : "wrong"}. `;
    const right = guess === answer ? "That is right." : `That is wrong: ${text(answer)} comes next.`;
    return `${own}The network guesses ${text(guess)} with a probability of ${fixed(probability)}. ${right}`;
  }
}
