// The parts of the page and the choices above them: which is shown, on which sequence, in which colours.

import { byId, element, setOptions, capital, elements } from "../../kit/text.js";
import { address, goToAddress, replaceAddress } from "../../kit/address.js";
import { originOf } from "../../lab/address.js";
import { PLAYED, cutAddress, cutsInAddress } from "../views/changes.js";
import { NOWHERE } from "./selection.js";
import { tokensInAddress } from "./typing.js";

const SETTLED = 300; // milliseconds without a change, after which the address takes the state

let written = ""; // the address that the page itself wrote last: there is nothing to read in it

function nameInAddress() {
  return address().slice(1).split("&")[0];
}

/**
 * What the reader has chosen, as the address holds it after the part's name: "head=4&query=40".
 *
 * @param {App} app
 */
function choicesOf({ run, store, selection, without }) {
  const { state } = store;
  const choices = new URLSearchParams();
  if (selection.head !== run.firstHead) choices.set("head", run.headCode(selection.head));
  if (state.sequence === run.sequences.length) choices.set("tokens", state.tokens);
  else if (state.sequence !== 0) choices.set("sequence", String(state.sequence + 1));
  if (state.locked) choices.set("query", String(state.query));
  if (state.locked && state.key !== null) choices.set("key", String(state.key));
  if (state.off !== "") choices.set("off", without.off.map((head) => run.headCode(head)).join());
  if (state.cut !== "")
    choices.set(
      "cut",
      cutAddress(state.cut, (head) => run.headCode(head)),
    );
  if (state.mlps !== "") choices.set("mlps", state.mlps);
  if (state.lab !== "") new URLSearchParams(state.lab).forEach((value, name) => choices.set(name, value));
  else if (state.snapshot !== run.snapshots.length - 1)
    choices.set("step", String(run.snapshots[state.snapshot].step));
  return choices.toString().replaceAll("%2C", ",").replaceAll("%3D", "=");
}

/**
 * The choices in the address; what is not there, or no choice of this run, stays as it is.
 *
 * @param {App} app
 */
function readChoices({ run, store, selection, without, own }) {
  const choices = new URLSearchParams(address().slice(1));
  const codes = Array.from({ length: run.heads }, (_, head) => run.headCode(head));
  /** @type {(name: string, count: number) => number | null} */
  const number = (name, count) => {
    const value = choices.get(name);
    return /^\d+$/.test(value ?? "") && Number(value) < count ? Number(value) : null;
  };
  const sequence = number("sequence", run.sequences.length + 1);
  const head = codes.indexOf(choices.get("head"));
  const off = (choices.get("off") ?? "").split(",").map((code) => codes.indexOf(code));
  const made = run.lab && choices.has("new"); // then the step is that of the lab's model
  const snapshot = run.snapshots.findIndex(({ step }) => !made && String(step) === choices.get("step"));
  if (sequence) store.change({ sequence: sequence - 1, ...NOWHERE });
  if (head >= 0) selection.chooseHead(head);
  if (run.without && off.every((one) => one >= 0)) without.switchOff(off);
  if (snapshot >= 0) store.change({ snapshot });
  if (made) store.change({ lab: originOf(choices.get("new"), choices.get("step")) });
  const typed = own && tokensInAddress(choices.get("tokens"), run.vocabulary, own.most);
  const { tokens, keys } = typed ? { tokens: typed, keys: typed } : selection.sequence();
  if (own && choices.has("cut"))
    store.change({ cut: cutsInAddress(choices.get("cut"), codes, tokens.length) });
  const mlps = (choices.get("mlps") ?? "").split(",");
  const layers = Array.from({ length: run.mlps ? run.n_layers : 0 }, (_, layer) => String(layer));
  if (mlps.every((layer) => layers.includes(layer))) store.change({ mlps: mlps.join() });
  const query = number("query", tokens.length);
  const place = query === null ? {} : { query, key: number("key", keys.length), locked: true };
  if (typed) own.put(typed, { ...NOWHERE, ...place });
  else store.change(place);
}

/**
 * Keeps the address at the state, so that a reload or a link shows it again.
 *
 * @param {App} app
 */
function keepAddress(app) {
  let timer = 0;
  const write = () => {
    const choices = choicesOf(app);
    const wanted = "#" + app.store.state.tab + (choices === "" ? "" : "&" + choices);
    written = wanted;
    if (address() !== wanted) replaceAddress(wanted);
  };
  /** @type {(keyof State)[]} */
  const kept = [...PLAYED, "tab", "tokens", "layer", "head", "query", "key", "locked", "snapshot", "lab"];
  app.store.subscribe(kept, () => {
    clearTimeout(timer);
    timer = window.setTimeout(write, SETTLED);
  });
  app.closed.addEventListener("abort", () => {
    clearTimeout(timer);
    write();
  });
}

/**
 * @param {string} name
 * @param {App} app
 */
export function showTab(name, { store, selection }) {
  if (nameInAddress() !== name) goToAddress("#" + name);
  const same = selection.sequence() === selection.sequence(name);
  store.change({ tab: name, place: null, ...(same ? {} : NOWHERE) });
}

/**
 * @param {State} state
 * @param {App["parts"]} parts
 */
export function showChosenPart({ tab, printing }, parts) {
  for (const name of Object.keys(parts)) {
    byId("part-" + name).classList.toggle("shown", name === tab || printing);
  }
  for (const button of elements("nav button")) {
    button.dataset.tab === tab
      ? button.setAttribute("aria-current", "page")
      : button.removeAttribute("aria-current");
  }
}

/** @param {App} app */
export function buildChoices({ run, store, look, selection }) {
  /** @type {NodeListOf<HTMLSelectElement>} */
  const selects = document.querySelectorAll("select.sequence");
  /** @type {NodeListOf<HTMLSelectElement>} */
  const colors = document.querySelectorAll("select.scale");
  for (const select of selects) {
    select.addEventListener("change", () => store.change({ sequence: Number(select.value), ...NOWHERE }));
  }
  for (const select of colors) {
    select.append(
      ...Object.entries(look.scales).map(([value, { meaning }]) => element("option", { value }, meaning)),
    );
    select.addEventListener("change", () => store.change({ scale: select.value }));
  }
  store.subscribe(["sequence", "engine"], (state) => {
    const labels = [...run.sequences, ...(run.own ? [run.own] : [])].map(({ label }) => label);
    for (const select of selects) {
      setOptions(select, labels);
      select.value = String(state.sequence);
    }
  });
  store.subscribe(["scale"], (state) => {
    for (const select of colors) {
      select.value = state.scale;
    }
    look.drawLegends();
  });
  store.subscribe(["sequence", "layer", "head"], (state) => {
    for (const caption of elements(".printed")) {
      caption.textContent =
        capital(selection.headName()) + ". Sequence: " + run.sequenceAt(state.sequence).label;
    }
  });
}

/**
 * The part that the address asks for.
 *
 * @param {App["parts"]} parts
 */
function tabInAddress(parts) {
  const name = nameInAddress();
  const absent = Object.hasOwn(parts, name) && byId("part-" + name).hidden;
  return Object.hasOwn(parts, name) && !absent ? name : Object.keys(parts)[0];
}

/** @param {App} app */
export function watchAddress(app) {
  for (const button of elements("nav button")) {
    button.addEventListener("click", () => showTab(button.dataset.tab, app), { signal: app.closed });
  }
  const follow = () => {
    const name = tabInAddress(app.parts);
    if (name !== app.store.state.tab) showTab(name, app); // the page's own changes of the address come late
    if (address() !== written) readChoices(app);
  };
  window.addEventListener("hashchange", follow, { signal: app.closed });
  const first = tabInAddress(app.parts);
  if (nameInAddress() !== first) replaceAddress("#" + first);
  app.store.change({ opened: first, tab: first });
  readChoices(app);
  keepAddress(app);
}
