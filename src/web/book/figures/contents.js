// The sections of the chapter that is open, below its line in the contents.

import { element } from "../../kit/text.js";

/**
 * @param {HTMLElement} chapter
 * @returns {HTMLElement[]}
 */
const headingsOf = (chapter) =>
  [...chapter.querySelectorAll(":scope > h2")].map((one) => /** @type {any} */ (one));

/** @param {HTMLElement} chapter */
export function listSections(chapter) {
  document.getElementById("sections")?.remove();
  const line = document.querySelector(`nav [href="#${chapter.id}"]`);
  const links = headingsOf(chapter).map((heading) => {
    const link = element("a", { href: "#" + heading.id });
    link.append(...[...heading.childNodes].map((node) => node.cloneNode(true)));
    return element("li", {}, link);
  });
  if (links.length > 0) line.parentElement.append(element("ol", { id: "sections" }, ...links));
}

/**
 * Marks the section that is being read: the last whose heading is above the upper third of the window.
 *
 * @param {HTMLElement} chapter
 */
export function markSection(chapter) {
  const above = headingsOf(chapter).filter(
    (heading) => heading.getBoundingClientRect().top < innerHeight / 3,
  );
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#sections a")))
    link.hash === "#" + above.at(-1)?.id
      ? link.setAttribute("aria-current", "location")
      : link.removeAttribute("aria-current");
}
