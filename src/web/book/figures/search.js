// A search through the sections of all chapters.

const MOST = 20; // results
const articles = [...document.querySelectorAll("article")];

// Sections whose text has all words that are searched for.
let sections = null;
function sectionsOfBook() {
  sections ??= articles.flatMap((article) => {
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
  for (const { id, title, text } of hits.slice(0, MOST)) {
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
    hits.length === 0
      ? "Nothing found"
      : hits.length === 1
        ? "1 section"
        : hits.length <= MOST
          ? hits.length + " sections"
          : `The best ${MOST} of ${hits.length} sections`;
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
