// The parts of the page and the choices above them: which is shown, on which sequence, in which colours.

const { byId, element, setOptions, capital, elements } = headlight.text;
const { NOWHERE } = headlight.selection;

/**
 * @param {string} name
 * @param {App} app
 */
function showTab(name, { store, selection }) {
  if (location.hash !== "#" + name) location.hash = name;
  const same = selection.sequence() === selection.sequence(name);
  store.change({ tab: name, place: null, ...(same ? {} : NOWHERE) });
}

/**
 * @param {State} state
 * @param {App["parts"]} parts
 */
function showChosenPart({ tab, printing }, parts) {
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
function buildChoices({ run, store, look, selection }) {
  /** @type {NodeListOf<HTMLSelectElement>} */
  const selects = document.querySelectorAll("select.sequence");
  /** @type {NodeListOf<HTMLSelectElement>} */
  const colors = document.querySelectorAll("select.scale");
  for (const select of selects) {
    setOptions(
      select,
      run.sequences.map((sequence) => sequence.label),
    );
    select.addEventListener("change", () => store.change({ sequence: Number(select.value), ...NOWHERE }));
  }
  for (const select of colors) {
    select.append(
      ...Object.entries(look.scales).map(([value, { meaning }]) => element("option", { value }, meaning)),
    );
    select.addEventListener("change", () => store.change({ scale: select.value }));
  }
  store.subscribe(["sequence"], (state) => {
    for (const select of selects) {
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
        capital(selection.headName()) + ". Sequence: " + run.sequences[state.sequence].label;
    }
  });
}

/**
 * The part that the address asks for.
 *
 * @param {App["parts"]} parts
 */
function tabInAddress(parts) {
  const name = location.hash.slice(1);
  const absent = Object.hasOwn(parts, name) && byId("part-" + name).hidden;
  return Object.hasOwn(parts, name) && !absent ? name : Object.keys(parts)[0];
}

/** @param {App} app */
function watchAddress(app) {
  for (const button of elements("nav button")) {
    button.addEventListener("click", () => showTab(button.dataset.tab, app));
  }
  window.addEventListener("hashchange", () => showTab(tabInAddress(app.parts), app));
  const first = tabInAddress(app.parts);
  history.replaceState(null, "", "#" + first);
  app.store.change({ opened: first, tab: first });
}

/** @typedef {typeof names} Names */
const names = { buildChoices, showTab, showChosenPart, watchAddress };
headlight.navigation = names;
