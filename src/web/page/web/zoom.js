// A large picture of a long sequence can be zoomed: it then scrolls within its frame.

import { element } from "../../kit/text.js";

const LONG = 100; // tokens from which on a cell is hard to hit

/**
 * Puts the picture into a frame, with the choice above it where some sequence is long.
 *
 * @param {HTMLElement} root
 * @param {App} app
 */
export function addZoom(root, { run, store }) {
  const frame = element("div", { class: "map-frame" });
  root.before(frame);
  frame.append(root);
  const longest = Math.max(...run.sequences.map(({ tokens, keys }) => Math.max(tokens.length, keys.length)));
  if (longest <= LONG) return;
  const select = element("select");
  select.append(...[1, 2, 4].map((times) => element("option", { value: times }, times + " ×")));
  select.addEventListener("change", () => store.change({ zoom: Number(select.value) }));
  frame.before(element("label", { class: "zoom note" }, "Zoom ", select));
  store.subscribe(["zoom", "printing"], ({ zoom, printing }) => {
    const times = printing ? 1 : zoom;
    select.value = String(zoom);
    frame.classList.toggle("zoomed", times > 1);
    root.style.width = 100 * times + "%";
  });
}
