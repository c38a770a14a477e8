// The terms of the glossary: in the text they are buttons that say what they mean.

/** @type {[name: string, meaning: string, lesson: string, everyday: boolean][]} */
const terms = JSON.parse(document.getElementById("terms").textContent);
export const meaning = document.getElementById("meaning");

// Words that also have an everyday meaning would often be explained wrongly.
const AMBIGUOUS = ["value", "weights", "score"];

// The first place of each known term in a lesson becomes a button.
const marked = new Set();
const patterns = terms.map(
  ([name]) =>
    new RegExp(
      // In the singular or the plural.
      "(?<![\\p{L}\\p{N}-])" +
        name.replace(/s$/, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&") +
        "(?:s|es)?(?![\\p{L}\\p{N}-])",
      "iu",
    ),
);
/** @param {HTMLElement} chapter */
export function markTerms(chapter) {
  if (marked.has(chapter) || !chapter.id.startsWith("lesson-")) return;
  marked.add(chapter);
  const known = terms
    .map((_, i) => i)
    .filter((i) => {
      const [name, , lesson, everyday] = terms[i];
      return !AMBIGUOUS.includes(name) && (!everyday || lesson <= chapter.id);
    });
  const there = new Set();
  const walk = document.createTreeWalker(chapter, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node.nodeType === 1 && /^(A|CODE|PRE|MATH|SUMMARY|BUTTON|TH|H1)$/i.test(node.nodeName)
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  /** @type {Node[]} */
  const texts = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode()) texts.push(node);
  for (const node of texts) {
    if (node instanceof Text && !node.parentElement.closest("h2, h3")) markIn(node, known, there);
  }
}
/**
 * @param {Text} node
 * @param {number[]} known
 * @param {Set<number>} there
 */
function markIn(node, known, there) {
  /** @type {{ i: number; found: RegExpExecArray } | null} */
  let first = null;
  for (const i of known) {
    if (there.has(i)) continue;
    const found = patterns[i].exec(node.data);
    if (
      found &&
      (!first ||
        found.index < first.found.index ||
        (found.index === first.found.index && found[0].length > first.found[0].length))
    )
      first = { i, found };
  }
  if (!first) return;
  there.add(first.i);
  const rest = node.splitText(first.found.index);
  const after = rest.splitText(first.found[0].length);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "term";
  button.dataset.term = String(first.i);
  button.textContent = rest.data;
  rest.replaceWith(button);
  markIn(after, known, there);
}

/**
 * Under the term, within the window.
 *
 * @param {HTMLElement} button
 */
export function explain(button) {
  const [name, text, lesson] = terms[Number(button.dataset.term)];
  const title = document.createElement("b");
  title.textContent = name + ": ";
  const link = document.createElement("a");
  link.href = "#" + lesson;
  link.textContent = " Lesson " + Number(lesson.slice(7));
  meaning.replaceChildren(title, text.replaceAll("`", "").replaceAll("**", "").replaceAll("$", ""), link);
  meaning.hidden = false;
  const box = button.getBoundingClientRect();
  meaning.style.left = Math.max(8, Math.min(box.left, innerWidth - meaning.offsetWidth - 8)) + scrollX + "px";
  meaning.style.top = box.bottom + 6 + scrollY + "px";
}
