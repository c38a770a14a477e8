// The looks that are forbidden: single cells of patterns that the engine sets to 0.

import { byId, element } from "../../kit/text.js";
import { cutsIn, lookWords } from "./changes.js";

export class Forbidden {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.root = byId("heads-forbidden");
    this.root.hidden = !app.live;
    this.button = element("button", { type: "button", id: "heads-forbid" });
    this.button.addEventListener("click", () => app.without.toggle("cut", this.look));
    this.list = element("ul", {});
    this.all = element("button", { type: "button", id: "heads-allow-all" }, "Allow all looks");
    this.all.addEventListener("click", () => app.store.change({ cut: "" }));
    this.root.append(this.button, this.list, this.all);
  }

  /**
   * `cell`: the one that is locked.
   *
   * @param {Cell | null} cell
   */
  show(cell) {
    const { run, selection, store } = this.app;
    if (!this.app.live) return;
    this.look = cell ? [selection.head, cell.query, cell.key].join("-") : "";
    const looks = store.state.cut === "" ? [] : store.state.cut.split(",");
    this.button.hidden = cell === null;
    this.button.textContent = looks.includes(this.look) ? "Allow this look" : "Forbid this look";
    this.all.hidden = looks.length === 0;
    this.list.replaceChildren(
      ...cutsIn(store.state.cut).map((cut) =>
        element("li", {}, "Forbidden: " + lookWords(cut, (head) => run.headCode(head)) + "."),
      ),
    );
  }
}
