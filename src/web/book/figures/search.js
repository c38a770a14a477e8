// A search through the sections of all chapters.

import { byId, element } from "../../kit/text.js";

const MOST = 20; // results

/** @typedef {{ id: string; title: string; text: string }} Section */

/** @type {Section[] | null} */
let sections = null;
function sectionsOfBook() {
  sections ??= [...document.querySelectorAll("article")].flatMap((article) => {
    /** @type {Section[]} */
    const folded = [];
    const all = [{ id: article.id, title: article.querySelector("h1")?.textContent ?? "Glossary", text: "" }];
    for (const node of article.children) {
      if (node.nodeName === "H2")
        all.push({ id: node.id, title: all[0].title + " › " + node.textContent, text: "" });
      else if (node.matches("details.beside"))
        folded.push({
          id: node.id,
          title: all[0].title + " › " + node.firstElementChild.textContent,
          text: node.textContent,
        });
      else if (!node.classList.contains("live")) all.at(-1).text += node.textContent + " ";
    }
    return [...all, ...folded.filter(({ id }) => !id.endsWith("-hints"))];
  });
  return sections;
}

/** @param {string} wanted */
export function wordsOf(wanted) {
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/**
 * @param {Section} section
 * @param {string[]} words
 */
function hitsIn({ title, text }, words) {
  return words.reduce(
    (sum, word) =>
      sum +
      (title.toLowerCase().includes(word) ? 5 : 0) +
      Math.min(5, text.toLowerCase().split(word).length - 1),
    0,
  );
}

/**
 * Sections that have all words, the best first.
 *
 * @param {Section[]} all
 * @param {string[]} words
 */
export function sectionsWith(all, words) {
  return all
    .filter(({ title, text }) => words.every((word) => (title + " " + text).toLowerCase().includes(word)))
    .sort((one, other) => hitsIn(other, words) - hitsIn(one, words));
}

/**
 * The text around the first place of a word.
 *
 * @param {string} text
 * @param {string} word
 */
export function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
  return " … " + text.slice(at, at + 160).replace(/\s+/g, " ") + " …";
}

/** @param {string} wanted */
export function search(wanted) {
  const words = wordsOf(wanted);
  const found = byId("found");
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const hits = sectionsWith(sectionsOfBook(), words);
  const items = hits
    .slice(0, MOST)
    .map(({ id, title, text }) =>
      element(
        "li",
        {},
        element("a", { href: "#" + id }, title),
        element("span", {}, excerpt(text, words[0])),
      ),
    );
  const heading =
    hits.length === 0
      ? "Nothing found"
      : hits.length === 1
        ? "1 section"
        : hits.length <= MOST
          ? hits.length + " sections"
          : `The best ${MOST} of ${hits.length} sections`;
  found.replaceChildren(element("h2", {}, heading), element("ol", {}, ...items));
  scrollTo(0, 0);
}
