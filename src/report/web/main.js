// Starts the page: reads the run, builds the parts, and listens to the keyboard.

let firstPicture = null;  // milliseconds from opening the page until it was on the screen

const PARTS = {};  // by the name of their section; filled when all files have been read

const aboutPart = {
  build() {
    for (const name of ["results", "settings"])
      byId("about-" + name).append(...data[name].map(([key, value]) => element("tr", {}, element("td", {}, key), element("td", {}, value))));
  },
  render() {},
};

function themeName() {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function printing() {
  return document.documentElement.classList.contains("printing");
}

function render() {
  for (const [name, part] of Object.entries(PARTS)) {
    const shown = name === state.tab || printing();
    byId("part-" + name).classList.toggle("shown", shown);
    if (shown) part.render();
  }
}

function showTab(name) {
  for (const button of document.querySelectorAll("nav button"))
    button.dataset.tab === name ? button.setAttribute("aria-current", "page") : button.removeAttribute("aria-current");
  if (location.hash !== "#" + name) history.replaceState(null, "", "#" + name);
  // The part "Time" always shows the first sequence: a row chosen on another would mean another token.
  const elsewhere = name === "time" && state.sequence !== 0;
  change({ tab: name, ...(elsewhere ? { sequence: 0, query: null, key: null, locked: false } : {}) });
}

const FLIPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function clamp(value, high) {
  return Math.min(Math.max(value, 0), high);
}

// Arrows flip between heads, with Shift they move over the rows and columns of the large picture.
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
  const flip = FLIPS[event.key], onMap = event.target.closest?.(".map, .tokens");
  if (event.key === "Escape") change({ locked: false, query: null, key: null });
  else if (flip && event.shiftKey) move(...flip);
  else if (flip) {
    change({ layer: clamp(state.layer + flip[0], data.n_layers - 1), head: clamp(state.head + flip[1], data.n_heads - 1) });
    headsPart.grid.follow();
    timePart.grid.follow();
  } else if ((event.key === "Enter" || event.key === " ") && onMap && state.query !== null) press(state.query, state.key);
  else return;
  event.preventDefault();
}

function move(down, right) {
  const pattern = state.tab === "time" ? patternThen() : patternNow(), last = sequence().tokens.length - 1;
  const query = state.query ?? Math.floor(last / 2);
  if (state.query === null) return change({ query, key: query });
  if (down !== 0) return change({ query: clamp(query + down * pattern.cell, last), key: state.key === null ? null : Math.min(state.key, clamp(query + down * pattern.cell, last)) });
  change({ key: clamp((state.key ?? query) + right * pattern.cell, query) });
}

function buildChoices() {
  for (const select of document.querySelectorAll("select.sequence")) {
    data.sequences.forEach((s, i) => select.append(element("option", { value: i }, s.label)));
    select.addEventListener("change", () => {
      for (const other of document.querySelectorAll("select.sequence")) other.value = select.value;
      change({ sequence: Number(select.value), query: null, key: null, locked: false });
    });
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
  window.addEventListener("resize", render);
  window.addEventListener("hashchange", () => PARTS[location.hash.slice(1)] && showTab(location.hash.slice(1)));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", render);
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
  const wanted = location.hash.slice(1);
  showTab(PARTS[wanted] ? wanted : "heads");
  requestAnimationFrame(() => requestAnimationFrame(() => { firstPicture = performance.now(); }));
}

document.addEventListener("DOMContentLoaded", start);
