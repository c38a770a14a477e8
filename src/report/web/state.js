// What the page shows now, and what a run holds. A change goes through change(), which redraws.

const state = {
  tab: "heads",
  sequence: 0,
  layer: 0,
  head: 0,
  query: null,   // the row looked at, in tokens; null: none
  key: null,
  locked: false, // whether the row stays when the pointer leaves
  moment: 0,     // index of a kept step
  scale: "heat",
};

let data = null;
const decoded = new Map();

function change(changes) {
  Object.assign(state, changes);
  render();
}

// The part "Time" shows the first sequence, whichever is chosen elsewhere.
function sequence() {
  return data.sequences[state.tab === "time" ? 0 : state.sequence];
}

function tokenText(id) {
  return visible(data.vocabulary[id]);
}

function headIndex(layer = state.layer, head = state.head) {
  return layer * data.n_heads + head;
}

function patternsOf(index) {
  if (!decoded.has(index)) decoded.set(index, new Patterns(data.sequences[index].patterns, data.sequences[index].tokens.length));
  return decoded.get(index);
}

function historyPatterns() {
  if (!decoded.has("history")) decoded.set("history", new Patterns(data.history.patterns, data.sequences[0].tokens.length));
  return decoded.get("history");
}

// The pattern of a head on the chosen sequence, by the trained model.
function patternNow(head = headIndex()) {
  return patternsOf(state.sequence).pattern(head);
}

// The pattern of a head on the first sequence, at the chosen step of training.
function patternThen(head = headIndex()) {
  return historyPatterns().pattern(state.moment * data.n_layers * data.n_heads + head);
}

const SCORES = ["previous token", "duplicate token", "induction"];

function strongest(scores) {
  const best = scores.indexOf(Math.max(...scores));
  return { name: SCORES[best], value: scores[best] };
}

function scoresText(scores) {
  return SCORES.map((name, i) => name + " " + fixed(scores[i])).join(" · ");
}

function headName(head = headIndex()) {
  return Math.floor(head / data.n_heads) + "." + (head % data.n_heads);
}

// The figures that were measured at a step of training.
function figuresAt(step) {
  return data.figures.find((f) => f.step === step);
}
