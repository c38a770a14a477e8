// A search through the sections of all chapters.

const articles = [...document.querySelectorAll("article")];

// Sections whose text has all words that are searched for.
let sections = null;
function sectionsOfBook() {
  sections ??= articles.flatMap((article) => {
    const all = [{ id: article.id, title: article.querySelector("h1")?.textContent ?? "Glossary", text: "" }];
    for (const node of article.children) {
      if (node.nodeName === "H2")
        all.push({ id: node.id, title: all[0].title + " › " + node.textContent, text: "" });
      else if (!node.classList.contains("live")) all.at(-1).text += node.textContent + " ";
    }
    return all;
  });
  return sections;
}
function search(wanted) {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = document.getElementById("found");
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const hits = sectionsOfBook().filter(({ title, text }) =>
    words.every((word) => (title + " " + text).toLowerCase().includes(word)),
  );
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
  heading.textContent =
    hits.length === 0 ? "Nothing found" : hits.length + (hits.length === 1 ? " section" : " sections");
  found.replaceChildren(heading, list);
  scrollTo(0, 0);
}
const hitsIn = ({ title, text }, words) =>
  words.reduce(
    (sum, word) =>
      sum +
      (title.toLowerCase().includes(word) ? 5 : 0) +
      Math.min(5, text.toLowerCase().split(word).length - 1),
    0,
  );

headlight.search = { search };
