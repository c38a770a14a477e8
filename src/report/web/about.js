// The part "About": results, settings, and what the scores mean.

const { element, byId } = headlight.text;

class AboutPart {
  constructor({ run, store }, awake) {
    store.subscribe(["data"], () => this.draw(run), awake);
  }

  draw(run) {
    for (const name of ["results", "settings"])
      byId("about-" + name).replaceChildren(...run[name].map(([key, value]) =>
        element("tr", {}, element("td", {}, key), element("td", {}, value))));
    byId("about-scores").replaceChildren(...run.scoreTable.kinds.map(({ role, drawing }) =>
      element("p", {}, element("b", {}, (/^[aeiou]/.test(role) ? "An " : "A ") + role), " " + drawing)));
  }
}

headlight.about = { AboutPart };
