// The book: one chapter at a time.

import { address, nameIn, replaceAddress } from "../../kit/address.js";
import { byId, targetOf } from "../../kit/text.js";
import { markTerms, explain, meaning } from "./terms.js";
import { search } from "./search.js";
import { fill } from "./figures.js";
const articles = [...document.querySelectorAll("article")];

// Who reads by keyboard can scroll what is wider than the page.
function letScroll() {
  for (const wide of document.querySelectorAll("article.open :is(pre, math[display], table, .map)"))
    wide.scrollWidth > wide.clientWidth
      ? wide.setAttribute("tabindex", "0")
      : wide.removeAttribute("tabindex");
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
  for (let around = place.closest("details"); around; around = around.parentElement.closest("details"))
    around.open = true;
  document.title = (chapter.querySelector("h1")?.textContent ?? "Glossary") + " · Headlight";
  byId("contents").classList.remove("open");
  byId("open-contents").setAttribute("aria-expanded", "false");
  meaning.hidden = true;
  byId("found").hidden = true;
  byId("search").value = "";
  markTerms(chapter);
  fill(chapter);
  letScroll();
  place === chapter ? scrollTo(0, 0) : place.scrollIntoView();
}

document.body.classList.add("one");
addEventListener("resize", letScroll);
document.addEventListener("toggle", letScroll, true);
// Where the reader stood is kept with each step of the browser's history, for the way back.
history.scrollRestoration = "manual";
let settled = 0;
addEventListener("scroll", () => {
  clearTimeout(settled);
  settled = setTimeout(() => replaceAddress(address(), { y: scrollY }), 150);
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
  if (event.key === "Escape") meaning.hidden = true;
});
byId("search").addEventListener("input", () => search(byId("search").value));
byId("open-contents").addEventListener("click", () => {
  const open = byId("contents").classList.toggle("open");
  byId("open-contents").setAttribute("aria-expanded", String(open));
});
addEventListener("beforeprint", () => (meaning.hidden = true));
go(nameIn(address()) || "start");
