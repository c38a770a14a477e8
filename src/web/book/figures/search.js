// A search through the sections of all chapters.

import { byId, element } from "../../kit/text.js";

const MOST = 20; // results

/** @typedef {{ id: string; title: string; text: string; code: string }} Section */

/**
 * What one reads in a node. A formula that the author typed is read as typed.
 *
 * @param {Node} node
 * @returns {string}
 */
export function textOf(node) {
  const typed = node instanceof Element ? node.getAttribute("alttext") : null;
  if (typed !== null) return typed;
  return node.hasChildNodes() ? [...node.childNodes].map(textOf).join("") : node.textContent;
}

/** @type {Section[] | null} */
let sections = null;
function sectionsOfBook() {
  sections ??= [...document.querySelectorAll("article")].flatMap((article) => {
    const title = article.querySelector("h1")?.textContent ?? "Glossary";
    /** @type {Section[]} */
    const all = [{ id: article.id, title, text: "", code: "" }];
    /** @type {Section[]} */
    const folded = [];
    for (const node of article.children) {
      if (node.nodeName === "H2")
        all.push({ id: node.id, title: title + " › " + textOf(node), text: "", code: "" });
      else if (node.id.endsWith("-hints") || node.classList.contains("live")) continue;
      else if (node.matches("details.beside")) {
        const section = { id: node.id, title: `${title} › ${textOf(node.children[0])}`, text: "", code: "" };
        [...node.children].slice(1).forEach((child) => add(section, child));
        folded.push(section);
      } else add(all.at(-1), node);
    }
    return [...all, ...folded];
  });
  return sections;
}

/**
 * @param {Section} section
 * @param {Element} node
 */
function add(section, node) {
  const lines = node.matches("pre") ? [node] : [...node.querySelectorAll("pre")];
  section.code += lines.map((line) => line.textContent + "\n").join("");
  if (lines.length === 0) section.text += textOf(node) + " ";
  else if (node !== lines[0]) for (const child of node.children) add(section, child);
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
function hitsIn({ title, text, code }, words) {
  /** @type {(from: string, word: string) => number} */
  const times = (from, word) => from.toLowerCase().split(word).length - 1;
  return words.reduce(
    (sum, word) => sum + 5 * Math.min(1, times(title, word)) + Math.min(5, times(text + code, word)),
    0,
  );
}

/**
 * Sections that have all words, the best first: those that say them before those whose code has them.
 *
 * @param {Section[]} all
 * @param {string[]} words
 */
export function sectionsWith(all, words) {
  /** @type {(section: Section, code: string) => boolean} */
  const has = ({ title, text }, code) =>
    words.every((word) => [title, text, code].some((part) => part.toLowerCase().includes(word)));
  return all
    .filter((section) => has(section, section.code))
    .sort(
      (one, other) =>
        Number(has(other, "")) - Number(has(one, "")) || hitsIn(other, words) - hitsIn(one, words),
    );
}

/**
 * The text around the first place of a word, or the code where no text has it.
 *
 * @param {Section} section
 * @param {string} word
 */
export function excerpt({ text, code }, word) {
  const from = text.toLowerCase().includes(word) ? text : code.toLowerCase().includes(word) ? code : text;
  const at = Math.max(0, from.toLowerCase().indexOf(word) - 60);
  return " … " + from.slice(at, at + 160).replace(/\s+/g, " ") + " …";
}

/**
 * The places of the words in a text, in order and apart: [from, to][].
 *
 * @param {string} text
 * @param {string[]} words
 */
export function placesOf(text, words) {
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  const pattern = longestFirst.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return [...text.matchAll(new RegExp(pattern, "gi"))].map(({ index, 0: word }) => [
    index,
    index + word.length,
  ]);
}

/**
 * The text, with its words marked.
 *
 * @param {string} text
 * @param {string[]} words
 */
function marked(text, words) {
  /** @type {(string | Node)[]} */
  const parts = [];
  let before = 0;
  for (const [from, to] of placesOf(text, words)) {
    parts.push(text.slice(before, from), element("mark", {}, text.slice(from, to)));
    before = to;
  }
  return [...parts, text.slice(before)];
}

/**
 * Marks the words in a chapter, none without words, and returns where they stand. A browser without
 * highlights marks nothing.
 *
 * @param {Element} chapter
 * @param {string[]} words
 */
export function markWords(chapter, words) {
  if (!CSS.highlights) return [];
  /** @type {Range[]} */
  const ranges = [];
  const walk = document.createTreeWalker(chapter, NodeFilter.SHOW_TEXT);
  while (words.length > 0 && walk.nextNode()) {
    const node = walk.currentNode;
    for (const [from, to] of placesOf(node.textContent, words)) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      ranges.push(range);
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
  return ranges;
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
    .map((section) =>
      element(
        "li",
        {},
        element("a", { href: "#" + section.id }, ...marked(section.title, words)),
        element("span", {}, ...marked(excerpt(section, words[0]), words)),
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
