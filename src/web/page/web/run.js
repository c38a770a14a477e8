// A run.

import { visible } from "../../kit/text.js";
import { Patterns } from "../../kit/codec.js";
import { ScoreTable, certifiedRoles } from "./scores.js";

// The stack of a model that has only one.
const ONLY = { letter: "L", of: "", title: "" };

export class Run {
  // What the page holds, under the names of its JSON.
  /** @type {string} */
  title;
  /** @type {string[]} */
  vocabulary;
  /** @type {number} */
  n_layers;
  /** @type {number} */
  n_heads;
  /** @type {number} */
  found;
  /** @type {string} */
  opens_with;
  /** @type {string[]} */
  heat;
  /** @type {string} */
  unseen;
  /** @type {Certificate | undefined} */
  certificate;
  /** @type {WithoutData | undefined} */
  without;
  /** @type {LabData | undefined} */
  lab;
  verdict = "";
  verdict_kind = "";
  /** @type {Record<string, EvidenceKind>} */
  evidence = {};
  /** @type {Metrics[]} */
  metrics = [];
  /** @type {Scores[]} */
  scores = [];
  /** @type {RunSequence[]} */
  sequences = [];
  /** @type {RunSequence | null} */
  own = null; // what the reader typed
  /** @type {ChartData[]} */
  charts = [];
  /** @type {Period[]} */
  periods = [];
  /** @type {string[][]} */
  results = [];
  /** @type {string[][]} */
  settings = [];
  /** @type {Term[]} */
  glossary = [];
  /** @type {StoryData | null} */
  story = null;
  /** @type {MinuteData | undefined} */
  minute;
  /** @type {TaskData | null} */
  task = null;
  /** @type {CircuitsData | null} */
  circuits = null;
  /** @type {Stack[]} */
  stacks = [ONLY];
  /** @type {ScoreTable} */
  scoreTable;
  /** @type {ReturnType<typeof certifiedRoles>} */
  roles = [];
  /** @type {Snapshot[]} */
  snapshots = [];

  /** @param {RunData} data */
  constructor({ history, score_kinds, sequences = [], ...others }) {
    if (sequences.length === 0) throw new Error("the run has no sequence");
    Object.assign(this, others);
    this.sequences = sequences.map((sequence) => this.sequence(sequence));
    const patterns = [history.patterns, ...(history.views ?? [])].map((packed) => new Patterns(packed));
    /** @type {(i: number, head: number) => Pattern} */
    const pattern = (i, head) =>
      patterns[this.stack(head)].pattern(i * this.headsOfStack + this.inStack(head));
    history.steps.forEach((step, i) => {
      this.snapshots.push({ step, pattern: (head) => pattern(i, head) });
    });
    this.roles = certifiedRoles(this.certificate);
    this.scoreTable = new ScoreTable(score_kinds, new Map(this.scoresWithRoles()));
  }

  /**
   * A sequence as each stack of heads sees it. `keys` are the tokens attended to; `crossed` where they are
   * another sequence. An encoder's queries have no targets; of the tokens' own targets and guesses,
   * cross-attention sees all.
   *
   * @param {SequenceData} sequence
   * @returns {RunSequence}
   */
  sequence(sequence) {
    const own = this.view(sequence, {});
    const others = (sequence.views ?? []).map((view) => {
      const predicts = view.keys !== undefined ? {} : { targets: [], predictable: [], guesses: [] };
      return this.view({ ...sequence, ...predicts, ...view }, { repeats: undefined });
    });
    if (others[0] && !others[0].crossed) own.source = others[0].tokens;
    return { ...own, views: [own, ...others] };
  }

  /**
   * One of the run's sequences, or after them the reader's own.
   *
   * @param {number} index
   */
  sequenceAt(index) {
    return index === this.sequences.length ? this.own : this.sequences[index];
  }

  /**
   * @param {SequenceData} sequence
   * @param {{ repeats?: undefined }} more
   * @returns {View}
   */
  view(sequence, more) {
    const targets = sequence.targets.length > 0 ? sequence.targets : sequence.tokens.map(() => -1);
    return {
      ...sequence,
      targets,
      keys: sequence.keys ?? sequence.tokens,
      crossed: sequence.keys !== undefined,
      patterns: new Patterns(sequence.patterns),
      ...more,
    };
  }

  /**
   * Of the trained model: its scores at the end, and those along training at the last step.
   *
   * @returns {[scores: Scores, role: string][]}
   */
  scoresWithRoles() {
    const last = this.metrics.at(-1);
    const trained = last?.step === this.snapshots.at(-1)?.step ? [this.scores, last.scores] : [this.scores];
    return this.roles.flatMap(([role, heads]) =>
      heads.flatMap((head) =>
        trained
          .filter((scores) => scores?.[head])
          .map((scores) => /** @type {[Scores, string]} */ ([scores[head], role])),
      ),
    );
  }

  // The head that the story is about; without one the best by the score that the run opens with.
  get firstHead() {
    const { story } = this;
    return story?.head === undefined
      ? this.scoreTable.bestHead(this.scores, this.opens_with)
      : story.layer * this.n_heads + story.head;
  }

  // Heads are counted through the layers of all stacks.
  get layers() {
    return this.stacks.length * this.n_layers;
  }

  get heads() {
    return this.layers * this.n_heads;
  }

  get headsOfStack() {
    return this.n_layers * this.n_heads;
  }

  // Whether layers have MLPs that can be switched off, where there is an engine.
  get mlps() {
    return Number(this.lab?.config.model.d_mlp ?? 0) > 0;
  }

  // Whether each head has a sink, which takes a share of every row.
  get sinks() {
    return this.settings.some(([key, value]) => key === "model.sinks" && value === "true");
  }

  /** @param {number} head */
  stack(head) {
    return Math.floor(head / this.headsOfStack);
  }

  /** @param {number} head */
  inStack(head) {
    return head % this.headsOfStack;
  }

  /**
   * "layer 1, head 2", for sentences.
   *
   * @param {number} head
   */
  headName(head) {
    return this.layerName(Math.floor(head / this.n_heads), ", head " + (head % this.n_heads));
  }

  /**
   * "layer 1", "layer 1 of the encoder".
   *
   * @param {number} layer
   * @param {string} more
   */
  layerName(layer, more = "") {
    return "layer " + (layer % this.n_layers) + more + this.stacks[Math.floor(layer / this.n_layers)].of;
  }

  /**
   * "L1H2", where there is little room.
   *
   * @param {number} head
   */
  headCode(head) {
    return (
      this.stacks[this.stack(head)].letter +
      Math.floor(this.inStack(head) / this.n_heads) +
      "H" +
      (head % this.n_heads)
    );
  }

  // Whether the targets are labels, not the next tokens.
  get labels() {
    return this.task?.labels ?? false;
  }

  // What the task calls the tokens that follow from those before: "predictable", or of a text "copied".
  get predictable() {
    return (
      this.charts.flatMap(({ curves }) => curves).find(({ key }) => key === "loss_predictable")?.brief ??
      "predictable"
    );
  }

  // Whether some query of some stack does not see some key.
  get hides() {
    return this.sequences[0].views.some(({ patterns }) => patterns.hides);
  }

  // Whether some head has a score.
  /** @returns {boolean} */
  get scored() {
    return [this, ...this.metrics].some(({ scores }) => scores.length > 0);
  }

  /** @param {number} id */
  tokenText(id) {
    if (!(id in this.vocabulary)) throw new Error("the vocabulary has no token " + id);
    return visible(this.vocabulary[id]);
  }

  /**
   * What was measured at a step of training; nothing of a step that was not measured.
   *
   * @param {number} step
   * @returns {Metrics}
   */
  metricsAt(step) {
    return this.metrics.find((measured) => measured.step === step) ?? { step, values: {}, scores: [] };
  }
}
