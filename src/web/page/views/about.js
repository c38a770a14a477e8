// The part "About": results, settings, and what the scores mean.

import { element, byId, fixed, elements } from "../../kit/text.js";
import { fixedDistance } from "./periods.js";

export class AboutPart {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor({ run, store, glossary }, awake) {
    this.glossary = glossary;
    store.subscribe([], () => this.draw(run), awake);
  }

  /** @param {Run} run */
  draw(run) {
    /** @type {(key: string, ...cells: (string | Node)[][]) => HTMLElement} */
    const row = (key, ...cells) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, key),
        ...cells.map((cell) => element("td", {}, ...cell)),
      );
    byId("about-results").replaceChildren(
      ...run.results.map(([key, value]) => row(key, this.glossary.marked(value, ["nats"]))),
    );
    byId("about-settings").replaceChildren(
      ...run.settings.map(([key, value, help = ""]) => row(key, [value], this.glossary.nodes(help))),
    );
    for (const { children } of byId("about-settings").children) {
      children[1].classList.toggle("long", children[1].textContent.length > 40);
    }
    this.showTask(run.task);
    byId("about-scored-on").textContent = run.task?.scored_on || "repeated random tokens";
    const kinds = run.scoreTable.measured(run.scores);
    const shown = {
      scored: run.scored,
      copies: run.sequences[0]?.repeats !== undefined && kinds.some(({ key }) => key === "induction"),
      periods: run.periods.length > 0 && fixedDistance(run) && run.scored,
    };
    for (const [name, applies] of Object.entries(shown)) {
      for (const node of elements("#part-about ." + name)) {
        node.hidden = !applies;
      }
    }
    byId("about-scores").hidden = !run.scored;
    byId("about-found").textContent = fixed(run.found);
    byId("about-scores").replaceChildren(
      ...kinds.map(({ role, drawing }) =>
        element(
          "p",
          {},
          element("b", {}, (/^[aeiou]/.test(role) ? "An " : "A ") + role),
          " ",
          ...this.glossary.nodes(drawing),
        ),
      ),
    );
  }

  /** @param {TaskData | null} task */
  showTask(task) {
    const known = Boolean(task?.what);
    byId("about-task").hidden = !known;
    byId("about-look").hidden = !known;
    if (!known) return;
    /** @type {Partial<Record<keyof TaskData, string>>} */
    const said = {
      what: "about-what",
      answer: "about-answer",
      success: "about-success",
      look_for: "about-look",
    };
    for (const [key, id] of Object.entries(said)) {
      const text = /** @type {Record<string, any>} */ (task)[key];
      byId(id).replaceChildren(...this.glossary.nodes(text ?? ""));
    }
  }
}
