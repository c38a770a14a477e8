// The part "Certificate": whether the model has an induction circuit, and where to see each claim.

const { element, byId, fixed, capital } = headlight.text;
const { Chart } = headlight.chart;
const { showTab } = headlight.navigation;

const ROLES = { matchers: "matcher", senders: "sender", helpers: "helper" };
const CURVES = [["matching", "matching: weight on followers, above its control", "var(--layer-1)"],
                ["previous", "senders: weight on the token before", "var(--layer-0)"],
                ["accuracy", "accuracy on predictable tokens", "var(--ink)"]];

class CertificatePart {
  constructor(app, awake) {
    const { run, store } = this.app = app;
    this.offer(run);  // before the address is read
    store.subscribe(["data"], () => this.offer(run));
    const shown = (state) => awake(state) && run.certificate !== undefined;
    store.subscribe(["data", "sequence"], () => this.draw(run.certificate), shown);
    store.subscribe(["data", "view", "printing"], () => this.drawChart(run.certificate), shown);
    store.subscribe(["data", "view", "printing", "moment"], () => this.point(run.certificate), shown);
  }

  // A run without a certificate has no such part.
  offer({ certificate }) {
    document.querySelector("nav [data-tab=certificate]").hidden = byId("part-certificate").hidden = certificate === undefined;
  }

  draw(certificate) {
    const { run } = this.app;
    byId("certificate-title").textContent = "Certificate: " + certificate.verdict;
    byId("certificate-sentence").replaceChildren(...this.withHeads(certificate.sentence));
    byId("certificate-heads").replaceChildren(...Object.entries(ROLES).flatMap(([key, role]) => this.named(role, certificate[key])));
    byId("certificate-claims").replaceChildren(...certificate.claims.map((claim) => this.row(claim, certificate)));
    byId("certificate-needed").hidden = certificate.needed.length === 0;
    byId("certificate-needs").replaceChildren(...certificate.needed.map(({ head, looks, weight, accuracy_without }) =>
      element("tr", {}, ...[this.chip(head), looks, fixed(weight), fixed(accuracy_without)].map((cell) => element("td", {}, cell)))));
    byId("certificate-formed").hidden = certificate.formation.length === 0;
    byId("certificate-formed-note").hidden = run.moments.length === 0;
  }

  // "matchers L1H0 L1H3"
  named(role, heads) {
    if (heads.length === 0) return [];
    const { glossary } = this.app, word = heads.length === 1 ? role : role + "s";
    return [element("p", {}, element("span", {}, ...glossary.nodes("*" + word + "*")), " ", ...heads.map((head) => this.chip(head)))];
  }

  chip(head, text = this.app.run.headCode(head)) {
    const button = element("button", { type: "button", class: "chip", title: "Show the pattern of " + this.app.run.headName(head) }, text);
    button.addEventListener("click", () => this.showHead(head));
    return button;
  }

  // A text in which the codes of heads are chips.
  withHeads(text) {
    const { run } = this.app, heads = new Map(Array.from({ length: run.heads }, (_, head) => [run.headCode(head), head]));
    return text.split(/\b([A-Z]\d+H\d+)\b/).map((part) => (heads.has(part) ? this.chip(heads.get(part)) : part));
  }

  row(claim, certificate) {
    const told = element("td", { class: "claim" }, element("b", {}, capital(claim.key)), ": " + claim.name + ".",
                         element("p", { class: "says" }, ...this.withHeads(claim.says)));
    const standing = element("span", { class: "standing " + claim.standing.replace(" ", "-") }, { holds: "✓ ", fails: "✗ " }[claim.standing] ?? "", claim.standing);
    const number = this.measured(claim, claim.number, claim.threshold, claim.number_at_most, "number");
    const control = this.measured(claim, claim.control, claim.control_limit, claim.control_at_most, "control");
    const links = this.links(claim, certificate).map(([text, act]) => {
      const button = element("button", { type: "button", class: "see" }, text);
      button.addEventListener("click", act);
      return button;
    });
    return element("tr", {}, told, number, control, element("td", { class: "result" }, standing), element("td", { class: "sees" }, ...links));
  }

  // "0.93" above "at least 0.30".
  measured({ key }, value, limit, atMost, what) {
    if (value === null) return element("td", { class: "measured", "data-what": what }, element("span", { class: "none" }, "–"));
    const text = (x) => (key === "order" ? "step " + x : fixed(x));
    return element("td", { class: "measured", "data-what": what }, element("b", {}, text(value)),
                   element("span", {}, (atMost ? "at most " : "at least ") + text(limit)));
  }

  // Where a claim can be seen: [text, what a press does], …
  links({ key, says }, { matchers, senders, helpers }) {
    const { run, without } = this.app, core = [...matchers, ...senders], circuit = [...core, ...helpers];
    const [matcher] = this.namedIn(says, matchers), [sender] = senders, code = (head) => run.headCode(head);
    const others = Array.from({ length: run.heads }, (_, head) => head).filter((head) => !circuit.includes(head));
    const off = (heads, text) => (heads.length > 0 && without.has(heads) ? [[text, () => this.switchOff(heads, matcher)]] : []);
    if (key === "order") return run.moments.length === 0 ? [] : [["See the heads form", () => this.showTraining(sender ?? matcher)]];
    if (matcher === undefined) return [];
    if (key === "matching") return [["See where " + code(matcher) + " looks", () => this.showHead(matcher)]];
    if (key === "copying") return [["See a prediction", () => this.showPrediction(matcher)]];
    if (key === "composition") return sender === undefined ? [] : [["See where " + code(sender) + " looks", () => this.showHead(sender)]];
    if (key === "necessity") return off(core, "Switch them off");
    return key === "sufficiency" ? off(others, "Switch the others off") : [];
  }

  // Of these heads the one that a text names first; else the first.
  namedIn(text, heads) {
    const place = (head) => (text.indexOf(this.app.run.headCode(head)) + text.length + 1) % (text.length + 1);
    return [...heads].sort((a, b) => place(a) - place(b));
  }

  choose(head, more = {}) {
    const { run, store } = this.app;
    store.change({ layer: Math.floor(head / run.n_heads), head: head % run.n_heads, query: null, key: null, locked: false, place: null, ...more });
  }

  // Where the story looked too, at the story's query.
  showHead(head) {
    const { run } = this.app, story = run.story, told = story?.query !== undefined && story.layer * run.n_heads + story.head === head;
    showTab("heads", this.app);
    this.choose(head, told ? { sequence: story.sequence, query: story.query, key: story.key, locked: true } : {});
    this.arrive("heads-map");
  }

  showPrediction(head) {
    const { story } = this.app.run;
    showTab("predictions", this.app);
    this.choose(head, story?.query === undefined ? {} : { sequence: story.sequence, query: story.query, locked: true });
    this.arrive("predictions-tokens");
  }

  switchOff(heads, head) {
    const { run, store, without } = this.app;
    showTab("predictions", this.app);
    this.choose(head, run.without.sequences.length > store.state.sequence ? {} : { sequence: 0 });
    store.change({ way: 0 });
    without.switchOff(heads);
    this.arrive("predictions-without");
  }

  showTraining(head) {
    showTab("training", this.app);
    if (head !== undefined) this.choose(head);
    this.arrive("training-slider");
  }

  arrive(id) {
    byId(id).focus({ preventScroll: true });
    byId(id).scrollIntoView({ block: "nearest" });
  }

  drawChart({ formation }) {
    if (formation.length === 0) return;
    const { run, store } = this.app, note = (at) => "step " + at.step + ": " + CURVES.map(([key]) => key + " " + fixed(at[key])).join(", ");
    const pick = (step) => {
      const distance = run.moments.map((kept) => Math.abs(kept.step - step));
      if (distance.length > 0) store.change({ moment: distance.indexOf(Math.min(...distance)) });
    };
    const curves = CURVES.map(([key, name, color]) => ({ name, brief: key, color, value: (at) => at[key] }));
    this.chart ??= new Chart(byId("certificate-chart"), this.app, { title: "Matching, the senders' weight on the token before, and accuracy", curves, high: 1, note, pick });
    this.chart.draw(formation.map((at) => ({ ...at, matching: Math.max(0, at.matching) })), run.moments.map(({ step }) => step));
  }

  point({ formation }) {
    const { run, store } = this.app, step = run.moments[store.state.moment]?.step ?? formation.at(-1)?.step;
    const at = formation.find((f) => f.step === step) ?? formation.at(-1);
    if (at) this.chart.cursor(at);
  }
}

headlight.certificate = { CertificatePart };
