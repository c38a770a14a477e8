// Starts the page: reads the run, builds the parts, and listens to the keyboard.

let firstPicture = null;  // milliseconds from opening the page until it was on the screen

const PARTS = {};  // by the name of their section; filled when all files have been read

const aboutPart = {
  build() {
    for (const name of ["results", "settings"])
      for (const [key, value] of data[name])
        byId("about-" + name).append(element("tr", {}, element("td", {}, key), element("td", {}, value)));
  },
  render() {},
};

function themeName() {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function printing() {
  return document.documentElement.classList.contains("printing");
}

// Changes when everything has to be drawn anew.
function viewKey() {
  return [window.innerWidth, window.devicePixelRatio, themeName(), printing()].join();
}

function render() {
  for (const select of document.querySelectorAll("select.sequence")) select.value = state.sequence;
  for (const caption of document.querySelectorAll(".printed"))
    caption.textContent = "Head " + headName() + ", sequence " + data.sequences[state.sequence].label;
  for (const [name, part] of Object.entries(PARTS)) {
    const shown = name === state.tab || printing();
    byId("part-" + name).classList.toggle("shown", shown);
    if (shown) part.render();
  }
}

function showTab(name) {
  for (const button of document.querySelectorAll("nav button"))
    button.dataset.tab === name ? button.setAttribute("aria-current", "page") : button.removeAttribute("aria-current");
  if (location.hash !== "#" + name) location.hash = name;
  timePart.stop();
  // A row chosen on one sequence would be of another token on the first, which "Time" shows.
  const before = sequence();
  state.tab = name;
  change(sequence() === before ? {} : { query: null, key: null, locked: false });
}

function chooseHead(head) {
  change({ layer: Math.floor(head / data.n_heads), head: head % data.n_heads });
}

// Says so where a cell stands for several weights.
function explainCells(part, cell) {
  for (const node of byId(part).querySelectorAll(".whole")) node.hidden = cell > 1;
  for (const node of byId(part).querySelectorAll(".pooled"))
    node.textContent = cell > 1 ? " To keep this file small, each cell shows the largest of " + cell + " × " + cell + " weights." : "";
}

const FLIPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function clamp(value, high) {
  return Math.min(Math.max(value, 0), high);
}

// Arrows flip between heads, with Shift they move over the rows and columns of the large picture.
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || state.tab === "about") return;
  if (event.key === "Escape") change(state.locked ? { locked: false } : { query: null, key: null });
  if (event.target.closest?.("input, select, textarea")) return;
  const flip = FLIPS[event.key], elsewhere = event.target.closest?.("button");
  if (flip && event.shiftKey) move(...flip);
  else if (flip) {
    change({ layer: clamp(state.layer + flip[0], data.n_layers - 1), head: clamp(state.head + flip[1], data.n_heads - 1) });
    headsPart.grid.follow();
    timePart.grid.follow();
  } else if ((event.key === "Enter" || event.key === " ") && !elsewhere && state.query !== null) press(state.query, state.key);
  else return;
  event.preventDefault();
}

// From cell to cell of the large picture; where there is none, from token to token.
function move(down, right) {
  const last = sequence().tokens.length - 1;
  if (state.tab === "reading") return change({ query: clamp(readingPart.position() + down + right, last), key: null });
  if (state.query === null) return change({ query: Math.floor(last / 2), key: Math.floor(last / 2) });
  const cell = (state.tab === "time" ? patternThen() : patternNow()).cell;
  const query = clamp(state.query + down * cell, last);
  change({ query, key: clamp((state.key ?? query) + right * cell, query) });
}

function buildChoices() {
  for (const select of document.querySelectorAll("select.sequence")) {
    data.sequences.forEach((s, i) => select.append(element("option", { value: i }, s.label)));
    select.addEventListener("change", () => change({ sequence: Number(select.value), query: null, key: null, locked: false }));
  }
  const colors = document.querySelector("select.scale");
  colors.addEventListener("change", () => setScale(colors.value));
  for (const button of document.querySelectorAll("nav button")) button.addEventListener("click", () => showTab(button.dataset.tab));
}

function setScale(name) {
  state.scale = name;
  document.querySelector("select.scale").value = name;
  drawLegends();
  render();
}

// The page is drawn anew when its look or its room changes.
function watch() {
  window.addEventListener("resize", render);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", render);
  const watchResolution = () => {
    const same = matchMedia("(resolution: " + window.devicePixelRatio + "dppx)");
    same.addEventListener("change", () => (render(), watchResolution()), { once: true });
  };
  watchResolution();
  let screenScale = state.scale;
  window.addEventListener("beforeprint", () => {
    screenScale = state.scale;
    document.documentElement.classList.add("printing");
    setScale("paper");
  });
  window.addEventListener("afterprint", () => {
    document.documentElement.classList.remove("printing");
    setScale(screenScale);
  });
}

function tabInAddress() {
  const name = location.hash.slice(1);
  return Object.hasOwn(PARTS, name) ? name : "heads";
}

function start() {
  Object.assign(PARTS, { heads: headsPart, time: timePart, reading: readingPart, about: aboutPart });
  data = JSON.parse(byId("data").textContent);
  document.title = "Headlight: " + data.title;
  byId("run").textContent = data.title;
  byId("verdict").textContent = data.verdict;
  defineScales(data.heat);
  const induction = data.scores.map((scores) => scores[2]), best = induction.indexOf(Math.max(...induction));
  Object.assign(state, { layer: Math.floor(best / data.n_heads), head: best % data.n_heads, moment: data.history.steps.length - 1 });
  buildChoices();
  for (const part of Object.values(PARTS)) part.build();
  drawLegends();
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => showTab(tabInAddress()));
  watch();
  history.replaceState(null, "", "#" + tabInAddress());
  showTab(tabInAddress());
  requestAnimationFrame(() => requestAnimationFrame(() => { firstPicture = performance.now(); }));
}

document.addEventListener("DOMContentLoaded", start);
