// Opens the page on the run that it holds.

import { byId, elements } from "../../kit/text.js";
import { address, replaceAddress } from "../../kit/address.js";
import { guarded } from "../../kit/damage.js";
import { idle } from "../../kit/idle.js";
import { Run } from "./run.js";
import { Store } from "../../kit/store.js";
import { Look, viewKey } from "./look.js";
import { Selection } from "./selection.js";
import { Glossary } from "./glossary.js";
import { Tip } from "./tip.js";
import { productRate, selfTest } from "../../model/self_test.js";
import { LiveModel } from "../../model/live.js";
import { Without } from "../views/without.js";
import { StartPart } from "../views/start.js";
import { HeadsPart } from "../views/heads.js";
import { PredictionsPart } from "../views/predictions.js";
import { TrainingPart } from "../views/training.js";
import { CertificatePart } from "../views/certificate.js";
import { CircuitsPart } from "../views/circuits.js";
import { AboutPart } from "../views/about.js";
import { LabPart } from "../../lab/part.js";
import { keepDocument, restoreParts } from "../../lab/saving.js";
import { PeriodsChart } from "../views/periods.js";
import { PartWords } from "../reasons/part_words.js";
import { Reason } from "../reasons/score_reason.js";
import { termsOf } from "../reasons/terms.js";
import { WhyHere } from "../reasons/why_here.js";
import { WhyThis } from "../reasons/why_this.js";
import { OwnSequence } from "./typing.js";
import { onKey } from "./keyboard.js";
import { buildChoices, showChosenPart, watchAddress } from "./navigation.js";

/**
 * @param {RunData} data
 * @param {{ app: App, engine: Engine | null } | null} before the page on another run, whose lab stays, and an
 *   engine that has this run's model
 * @returns {App}
 */
function open(data, before = null) {
  const run = new Run(data);
  const best = run.firstHead;
  const store = new Store({
    tab: "start",
    opened: null, // the part that the page opened with
    sequence: 0,
    layer: Math.floor(best / run.n_heads),
    head: best % run.n_heads,
    query: null, // the row looked at, in tokens; null: none
    key: null,
    locked: false, // whether the row stays when the pointer leaves
    place: null, // what is pointed at: "map", "finger" (on the map), "tokens"; null: nothing
    snapshot: run.snapshots.length - 1, // index of a kept step
    zoom: 1, // of the large picture
    tokens: "", // what is typed, as "5,16,57"
    off: "", // the heads that are switched off, as "1,6"
    way: 0, // what takes their place: index of the run's ways
    cut: "", // the looks that are forbidden, as "4-40-23": head, query, key
    mlps: "", // the layers whose MLPs are switched off
    patch: "", // the heads that write what they write on the sequence A
    remembered: "", // the sequence A
    scale: "heat",
    view: viewKey(),
    printing: false,
    guess: null, // the token whose logit is explained; null: the most likely
    reads: 1, // what heads read in the graph of circuits: 0 queries, 1 keys, 2 values
    least: null, // the strength from which edges are drawn, as a share of the largest; null: half of it
    distance: 0, // from the key to the query, in the matrix of attention logits
    lab: "", // what makes the lab's model, as the address has it: "new=…&step=300"; "": no link can
    trained: 0, // changes when the lab's model has taken steps, and when it rests
    engine: 0, // changes when the engine has an answer, and when what is typed is shown
    through: true, // whether keys are what an earlier head writes, where there is one
  });
  const live = run.lab ? new LiveModel({ run, store }, before?.engine) : null;
  const closing = new AbortController();
  const without = new Without({ run, store, live });
  const selection = new Selection(run, store, without);
  guarded(() => {
    if (selection.patternNow().spreadOut) store.state.scale = "heat_powers";
  });
  const look = new Look(run, store);
  /** @type {App} */
  const app = {
    data,
    original: before?.app.original ?? data,
    closed: closing.signal,
    close: () => closing.abort(),
    reopen: (next, engine = null) => reopen(app, next, engine),
    run,
    store,
    look,
    selection,
    glossary: before?.app.glossary ?? new Glossary(),
    tip: new Tip({ look, store, closed: closing.signal }),
    without,
    live,
    own: null,
    parts: {},
    lab: null,
    firstPicture: null,
  };
  if (live) app.own = new OwnSequence(app); // before the parts, which show it
  app.glossary.attach(run, store);
  buildChoices(app);
  store.subscribe(["tab", "printing"], (state) => {
    showChosenPart(state, app.parts); // before the parts measure their room
    app.tip.hide();
  });
  const kinds = {
    start: StartPart,
    heads: HeadsPart,
    predictions: PredictionsPart,
    training: TrainingPart,
    certificate: CertificatePart,
    circuits: CircuitsPart,
    about: AboutPart,
  };
  for (const [name, Part] of Object.entries(kinds)) {
    app.parts[name] = new Part(app, (state) => state.tab === name || state.printing);
  }
  app.lab = before?.app.lab ?? new LabPart(app);
  if (before) app.lab.attach(app);
  app.parts.lab = app.lab;
  new PeriodsChart(app, (state) => state.tab === "training" || state.printing);
  new WhyHere(app, (state) => state.tab === "heads" || state.printing);
  new WhyThis(app, (state) => state.tab === "predictions" || state.printing);
  document.addEventListener("keydown", (event) => onKey(event, app), { signal: closing.signal });
  watchAddress(app);
  look.watch(closing.signal);
  prepare(app);
  // Milliseconds from opening the page until it was on the screen.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      app.firstPicture = performance.now();
    }),
  );
  return app;
}

/**
 * The page on another run, in place: the reader stays where they are.
 *
 * @param {App} app
 * @param {RunData} data
 * @param {Engine | null} engine
 */
function reopen(app, data, engine) {
  const { scrollX, scrollY } = window;
  app.close();
  app.live?.close();
  restoreParts();
  guarded(() => {
    const next = open(data, { app, engine });
    next.store.change({ scale: app.store.state.scale });
    globalThis.headlight.app = next;
  });
  window.scrollTo(scrollX, scrollY);
}

/**
 * Expands what further clicks need, one piece at a time, while nobody waits.
 *
 * @param {App} app
 */
async function prepare({ run, without }) {
  const pieces = [
    ...(run.without ? run.sequences.map((_, i) => () => without.source.prepare(i)) : []),
    () => run.snapshots[0].pattern(0),
  ];
  for (const piece of pieces) {
    await idle();
    guarded(piece);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const opened = guarded(() => {
    const data = JSON.parse(byId("data").textContent);
    if (data.lab) keepDocument();
    if (data.address && address() === "") replaceAddress(data.address);
    globalThis.headlight = { app: open(data), termsOf, PartWords, Reason, selfTest, productRate };
  });
  if (opened) return;
  for (const node of elements("nav, main section")) {
    node.hidden = true;
  }
});
