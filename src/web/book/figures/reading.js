// The book: one chapter at a time.

import { address, nameIn, replaceAddress } from "../../kit/address.js";
import { byId, targetOf } from "../../kit/text.js";
import { markTerms, explain, meaning } from "./terms.js";
import { markWords, search, wordsOf } from "./search.js";
import { listSections, markSection } from "./contents.js";
import { fill } from "./figures.js";
const articles = [...document.querySelectorAll("article")];

// Who reads by keyboard can scroll what is wider than the page.
function letScroll() {
  for (const wide of document.querySelectorAll("article.open :is(pre, math[display], table, .map)"))
    wide.scrollWidth > wide.clientWidth
      ? wide.setAttribute("tabindex", "0")
      : wide.removeAttribute("tabindex");
}

// The longest line of each block of code: the style sheet makes it fit into the column, or breaks it where it
// is a sentence.
/** @param {HTMLElement} chapter */
function measureCode(chapter) {
  for (const block of chapter.querySelectorAll("pre")) {
    const columns = Math.max(...block.textContent.split("\n").map((line) => Array.from(line).length));
    const long = columns > 115;
    block.classList.toggle("long", long);
    block.style.setProperty("--columns", String(long ? 80 : columns));
  }
}

// The words of the search whose result is being opened.
/** @type {string[]} */
let wanted = [];

/**
 * Marks these words, and shows the first one behind a place.
 *
 * @param {Element} chapter
 * @param {Element} place
 */
function showWanted(chapter, place) {
  const first = markWords(chapter, wanted).find((range) => range.comparePoint(place, 0) < 0);
  wanted = [];
  if (!first) return;
  const around = first.startContainer.parentElement;
  openAround(around);
  if (first.getBoundingClientRect().bottom > innerHeight) around.scrollIntoView({ block: "center" });
}

/** @param {Element} place */
function openAround(place) {
  for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details"))
    fold.open = true;
}

/**
 * Shows the chapter of a place, opens what is folded around it, and goes there.
 *
 * @param {string} id
 */
function go(id) {
  const place = byId(id) ?? byId("start");
  const chapter = place.closest("article");
  for (const article of articles) article.classList.toggle("open", article === chapter);
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("nav a")))
    link.hash === "#" + chapter.id
      ? link.setAttribute("aria-current", "page")
      : link.removeAttribute("aria-current");
  openAround(place);
  listSections(chapter);
  document.title = (chapter.querySelector("h1")?.textContent ?? "Glossary") + " · Headlight";
  byId("contents").classList.remove("open");
  byId("open-contents").setAttribute("aria-expanded", "false");
  meaning.hidden = true;
  byId("found").hidden = true;
  byId("search").value = "";
  markTerms(chapter);
  fill(chapter);
  measureCode(chapter);
  letScroll();
  place === chapter ? scrollTo(0, 0) : place.scrollIntoView();
  showWanted(chapter, place);
  markSection(chapter);
}

document.body.classList.add("one");
addEventListener("resize", letScroll);
document.addEventListener("toggle", letScroll, true);
// Where the reader stood is kept with each step of the browser's history, for the way back.
history.scrollRestoration = "manual";
let settled = 0;
addEventListener("scroll", () => {
  clearTimeout(settled);
  settled = setTimeout(() => {
    replaceAddress(address(), { y: scrollY });
    markSection(document.querySelector("article.open"));
  }, 150);
});
addEventListener("hashchange", () => {
  clearTimeout(settled);
  const stood = history.state?.y;
  go(nameIn(address()) || "start");
  if (stood !== undefined) scrollTo(0, stood);
});
document.addEventListener("click", (event) => {
  const term = /** @type {HTMLElement | null} */ (targetOf(event).closest(".term"));
  if (term) explain(term);
  else if (!meaning.contains(targetOf(event))) meaning.hidden = true;
  if (targetOf(event).closest("#found a")) wanted = wordsOf(byId("search").value);
  const link = targetOf(event).closest("a")?.getAttribute("href") ?? "";
  if (!link.startsWith("#")) return;
  const place = new URL(link, document.baseURI);
  if (place.hash === address()) return go(nameIn(place.hash));
  // In srcdoc a link to a place of the book is one to the page around it.
  if (place.href.split("#")[0] === location.href.split("#")[0]) return;
  event.preventDefault();
  replaceAddress(place.hash);
  go(nameIn(place.hash));
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  meaning.hidden = true;
  markWords(document.body, []);
});
byId("search").addEventListener("input", () => search(byId("search").value));
byId("open-contents").addEventListener("click", () => {
  const open = byId("contents").classList.toggle("open");
  byId("open-contents").setAttribute("aria-expanded", String(open));
});
// The folds of the text are printed open. Those that stay closed, such as the hints, are not printed.
/** @type {HTMLDetailsElement[]} */
let opened = [];
addEventListener("beforeprint", () => {
  meaning.hidden = true;
  opened = [
    ...document.querySelectorAll("article.open details:not([open], .beside, .beside *, .guess *)"),
  ].map((fold) => /** @type {HTMLDetailsElement} */ (fold));
  for (const fold of opened) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of opened) fold.open = false;
});
go(nameIn(address()) || "start");
