"use strict";
// The book: one chapter at a time, a search, and terms that say what they mean.
const byId = (id) => document.getElementById(id);
const articles = [...document.querySelectorAll("article")];
const terms = JSON.parse(byId("terms").textContent);
const meaning = byId("meaning");

// Shows the chapter of a place, opens what is folded around it, and goes there.
function go(id) {
  const place = byId(id) ?? byId("start");
  const chapter = place.closest("article");
  for (const article of articles) article.classList.toggle("open", article === chapter);
  for (const link of document.querySelectorAll("nav a"))
    link.hash === "#" + chapter.id ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  for (let around = place.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  document.title = (chapter.querySelector("h1")?.textContent ?? "Glossary") + " · Headlight";
  byId("contents").classList.remove("open");
  byId("open-contents").setAttribute("aria-expanded", "false");
  meaning.hidden = true;
  byId("found").hidden = true;
  byId("search").value = "";
  markTerms(chapter);
  place === chapter ? scrollTo(0, 0) : place.scrollIntoView();
}

// The first place of each known term in each section becomes a button.
const marked = new Set();
const patterns = terms.map(([name]) => new RegExp("(?<![\\p{L}\\p{N}-])" + name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "(?![\\p{L}\\p{N}-])", "iu"));
function markTerms(chapter) {
  if (marked.has(chapter) || !chapter.id.startsWith("lesson-")) return;
  marked.add(chapter);
  const known = terms.map((term, i) => i).filter((i) => terms[i][2] <= chapter.id);
  let section = new Set();
  const walk = document.createTreeWalker(chapter, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node.nodeType === 1 && /^(A|CODE|PRE|MATH|SUMMARY|BUTTON|TH|H1)$/i.test(node.nodeName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const texts = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode()) texts.push(node);
  for (const node of texts) {
    if (node.nodeName === "H2") section = new Set();
    if (node.nodeType === 3 && !node.parentElement.closest("h2, h3")) markIn(node, known, section);
  }
}
function markIn(node, known, section) {
  let first = null;
  for (const i of known) {
    if (section.has(i)) continue;
    const found = patterns[i].exec(node.data);
    if (found && (!first || found.index < first.found.index || (found.index === first.found.index && found[0].length > first.found[0].length)))
      first = { i, found };
  }
  if (!first) return;
  section.add(first.i);
  const rest = node.splitText(first.found.index);
  const after = rest.splitText(first.found[0].length);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "term";
  button.dataset.term = String(first.i);
  button.textContent = rest.data;
  rest.replaceWith(button);
  markIn(after, known, section);
}

// Under the term, within the window.
function explain(button) {
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

// Sections whose text has all words that are searched for.
let sections = null;
function sectionsOfBook() {
  sections ??= articles.flatMap((article) => {
    const all = [{ id: article.id, title: article.querySelector("h1")?.textContent ?? "Glossary", text: "" }];
    for (const node of article.children) {
      if (node.nodeName === "H2") all.push({ id: node.id, title: all[0].title + " › " + node.textContent, text: "" });
      else all.at(-1).text += node.textContent + " ";
    }
    return all;
  });
  return sections;
}
function search(wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found = byId("found");
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const hits = sectionsOfBook().filter(({ title, text }) => words.every((word) => (title + " " + text).toLowerCase().includes(word)));
  hits.sort((one, other) => hitsIn(other, words) - hitsIn(one, words));
  const list = document.createElement("ol");
  for (const { id, title, text } of hits.slice(0, 20)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = "#" + id;
    link.textContent = title;
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
    const part = document.createElement("span");
    part.textContent = " … " + text.slice(at, at + 160).replace(/\s+/g, " ") + " …";
    item.append(link, part);
    list.append(item);
  }
  const heading = document.createElement("h2");
  heading.textContent = hits.length === 0 ? "Nothing found" : hits.length + (hits.length === 1 ? " section" : " sections");
  found.replaceChildren(heading, list);
  scrollTo(0, 0);
}
const hitsIn = ({ title, text }, words) =>
  words.reduce((sum, word) => sum + (title.toLowerCase().includes(word) ? 5 : 0) + Math.min(5, text.toLowerCase().split(word).length - 1), 0);

document.body.classList.add("one");
addEventListener("hashchange", () => go(decodeURIComponent(location.hash.slice(1))));
document.addEventListener("click", (event) => {
  const term = event.target.closest(".term");
  if (term) explain(term);
  else if (!meaning.contains(event.target)) meaning.hidden = true;
  const link = event.target.closest("a");
  if (link && link.hash === location.hash) go(decodeURIComponent(link.hash.slice(1)));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") meaning.hidden = true;
});
byId("search").addEventListener("input", (event) => search(event.target.value));
byId("open-contents").addEventListener("click", () => {
  const open = byId("contents").classList.toggle("open");
  byId("open-contents").setAttribute("aria-expanded", String(open));
});
addEventListener("beforeprint", () => meaning.hidden = true);
go(decodeURIComponent(location.hash.slice(1)) || "start");
