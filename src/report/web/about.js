// The part "About": results, settings, and what the scores mean.

const { element, byId, fixed } = headlight.text;

class AboutPart {
  constructor({ run, store, glossary }, awake) {
    this.glossary = glossary;
    store.subscribe(["data"], () => this.draw(run), awake);
  }

  draw(run) {
    for (const name of ["results", "settings"])
      byId("about-" + name).replaceChildren(...run[name].map(([key, ...cells]) =>
        element("tr", {}, element("th", { scope: "row" }, key), ...cells.map((cell) => element("td", {}, cell)))));
    this.tellTask(run.task);
    byId("about-found").textContent = fixed(run.found);
    byId("about-scores").replaceChildren(...run.scoreTable.kinds.map(({ role, drawing }) =>
      element("p", {}, element("b", {}, (/^[aeiou]/.test(role) ? "An " : "A ") + role), " ", ...this.glossary.nodes(drawing))));
  }

  tellTask(task) {
    byId("about-task").hidden = byId("about-look").hidden = !task;
    if (!task) return;
    const said = { what: "about-what", success: "about-success", look_for: "about-look" };
    for (const [key, id] of Object.entries(said)) byId(id).replaceChildren(...this.glossary.nodes(task[key]));
  }
}

headlight.about = { AboutPart };
