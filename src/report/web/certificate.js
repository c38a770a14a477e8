// The part "Certificate": whether the model has an induction circuit, and where to see each claim.

const { element, tableRow, byId, fixed, capital, elements } = headlight.text;
const { showTab } = headlight.navigation;
const { NOWHERE } = headlight.selection;
const { FormationChart } = headlight.formation;
const { cellOf, helperNote } = headlight.evidence;

/** @typedef {[text: string, act: () => void]} Link */

const ROLES = { matchers: "matcher", senders: "sender", helpers: "helper" };

class CertificatePart {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    const { run, store } = app;
    this.offer(run); // before the address is read
    store.subscribe(["data"], () => this.offer(run));
    /** @type {Awake} */
    const shown = (state) => awake(state) && run.certificate !== undefined;
    store.subscribe(["data", "sequence"], () => this.draw(run.certificate), shown);
    this.formation = new FormationChart(app, shown);
  }

  /**
   * A run without a certificate has no such part.
   *
   * @param {Run} run
   */
  offer({ certificate }) {
    const absent = certificate === undefined;
    elements("nav [data-tab=certificate]")[0].hidden = absent;
    byId("part-certificate").hidden = absent;
  }

  /** @param {Certificate} certificate */
  draw(certificate) {
    const { run } = this.app;
    byId("certificate-title").textContent = "Certificate: " + certificate.verdict;
    byId("certificate-sentence").replaceChildren(...this.withHeads(certificate.sentence));
    byId("certificate-heads").replaceChildren(
      ...this.named(ROLES.matchers, certificate.matchers),
      ...this.named(ROLES.senders, certificate.senders),
      ...this.named(ROLES.helpers, certificate.helpers),
    );
    byId("certificate-helpers").replaceChildren(
      ...certificate.helpers.map((head) => helperNote(this.app, head)).filter((note) => note !== null),
    );
    byId("certificate-claims").replaceChildren(
      ...certificate.claims.map((claim) => this.row(claim, certificate)),
    );
    byId("certificate-needed").hidden = certificate.needed.length === 0;
    byId("certificate-needs").replaceChildren(
      ...certificate.needed.map(({ head, looks, weight, accuracy_without }) =>
        tableRow(this.chip(head), looks, fixed(weight), fixed(accuracy_without)),
      ),
    );
    byId("certificate-formed").hidden = certificate.formation.length === 0;
    byId("certificate-formed-note").hidden = run.snapshots.length === 0;
  }

  /**
   * "matchers L1H0 L1H3"
   *
   * @param {string} role
   * @param {number[]} heads
   */
  named(role, heads) {
    if (heads.length === 0) return [];
    const { glossary } = this.app;
    const word = heads.length === 1 ? role : role + "s";
    return [
      element(
        "p",
        {},
        element("span", {}, ...glossary.nodes("*" + word + "*")),
        " ",
        ...heads.map((head) => this.chip(head)),
      ),
    ];
  }

  /**
   * @param {number} head
   * @param {string} text
   */
  chip(head, text = this.app.run.headCode(head)) {
    const button = element(
      "button",
      { type: "button", class: "chip", title: "Show the pattern of " + this.app.run.headName(head) },
      text,
    );
    button.addEventListener("click", () => this.showHead(head));
    return button;
  }

  /**
   * A text in which the codes of heads are chips.
   *
   * @param {string} text
   */
  withHeads(text) {
    const { run } = this.app;
    const heads = new Map(Array.from({ length: run.heads }, (_, head) => [run.headCode(head), head]));
    return text
      .split(/\b([A-Z]\d+H\d+)\b/)
      .map((part) => (heads.has(part) ? this.chip(heads.get(part)) : part));
  }

  /**
   * @param {Claim} claim
   * @param {Certificate} certificate
   */
  row(claim, certificate) {
    const remark = this.remark(claim, certificate);
    const told = element(
      "th",
      { class: "claim", scope: "row" },
      element("b", {}, capital(claim.key)),
      ": " + claim.name + ".",
      element("p", { class: "says" }, ...this.withHeads(claim.says)),
      ...(remark ? [element("p", { class: "says remark" }, ...this.app.glossary.nodes(remark))] : []),
    );
    const standing = element(
      "span",
      { class: "standing " + claim.standing.replace(" ", "-") },
      { holds: "✓ ", fails: "✗ " }[claim.standing] ?? "",
      claim.standing,
    );
    const number = this.measured(claim, claim.number, claim.threshold, claim.number_at_most, "number");
    const control = this.measured(
      claim,
      claim.control,
      claim.control_limit,
      claim.control_at_most,
      "control",
    );
    const links = this.links(claim, certificate).map(([text, act]) => {
      const button = element("button", { type: "button", class: "see" }, text);
      button.addEventListener("click", act);
      return button;
    });
    return element(
      "tr",
      {},
      told,
      number,
      control,
      element("td", { class: "result" }, standing),
      element("td", { class: "sees" }, ...links),
    );
  }

  /**
   * What a reader of the claim's words and numbers may stumble over.
   *
   * @param {Claim} claim
   * @param {Certificate} certificate
   */
  remark({ key, number, says }, { matchers }) {
    const { run } = this.app;
    const keys = says.includes(" to the keys of ");
    if (number === null) return "";
    if (key === "copying" && run.circuits && matchers.length > 0)
      return (
        "The *copying scores* under Circuits ask something else: what the weights of one head alone " +
        "do to all *logits*. So they can differ from this number."
      );
    if (key === "composition" && (keys || says.includes(" to the queries of ")))
      return (
        "What an earlier head writes at a token becomes part of that token's *" +
        (keys ? "key" : "query") +
        "*. Here only this part is replaced."
      );
    if (key === "necessity" || key === "sufficiency")
      return run.without
        ? "The switches show the same on one sequence at a time, so their numbers differ."
        : "";
    return "";
  }

  /**
   * "0.93" above "at least 0.30".
   *
   * @param {Claim} claim
   * @param {number | null} value
   * @param {number} limit
   * @param {boolean} atMost
   * @param {string} what
   */
  measured({ key, number }, value, limit, atMost, what) {
    if (value === null)
      return element("td", { class: "measured", "data-what": what }, element("span", { class: "none" }, "–"));
    /** @type {(value: number) => string} */
    const text = (value) => (key === "order" ? "step " + value : fixed(value));
    const third = key === "matching" && what === "control" && Math.abs(limit - number / 3) < 1e-6;
    return element(
      "td",
      { class: "measured", "data-what": what },
      element("b", {}, text(value)),
      element(
        "span",
        {},
        (atMost ? "at most " : "at least ") + text(limit) + (third ? ", a third of the number" : ""),
      ),
    );
  }

  /**
   * Where a claim can be seen: [text, what a press does], …
   *
   * @param {Claim} claim
   * @param {Certificate} certificate
   * @returns {Link[]}
   */
  links({ key, says }, { matchers, senders, helpers }) {
    const { run, without } = this.app;
    const core = [...matchers, ...senders];
    const circuit = [...core, ...helpers];
    const [inductionHead] = this.namedIn(says, matchers);
    const [previousTokenHead] = senders;
    /** @type {(head: number) => string} */
    const code = (head) => run.headCode(head);
    const others = Array.from({ length: run.heads }, (_, head) => head).filter(
      (head) => !circuit.includes(head),
    );
    /** @type {(heads: number[], text: string) => Link[]} */
    const off = (heads, text) =>
      heads.length > 0 && without.has(heads) ? [[text, () => this.switchOff(heads, inductionHead)]] : [];
    if (key === "order")
      return run.snapshots.length === 0
        ? []
        : [["See the heads form", () => this.showTraining(previousTokenHead ?? inductionHead)]];
    if (inductionHead === undefined) return [];
    if (key === "matching")
      return [["See where " + code(inductionHead) + " looks", () => this.showHead(inductionHead)]];
    if (key === "copying") return [["See a prediction", () => this.showPrediction(inductionHead)]];
    if (key === "composition")
      return previousTokenHead === undefined
        ? []
        : [["See where " + code(previousTokenHead) + " looks", () => this.showHead(previousTokenHead)]];
    if (key === "necessity") return off(core, "Switch them off");
    return key === "sufficiency" ? off(others, "Switch the others off") : [];
  }

  /**
   * Of these heads the one that a text names first; else the first.
   *
   * @param {string} text
   * @param {number[]} heads
   */
  namedIn(text, heads) {
    /** @type {(head: number) => number} */
    const place = (head) => (text.indexOf(this.app.run.headCode(head)) + text.length + 1) % (text.length + 1);
    return [...heads].sort((one, other) => place(one) - place(other));
  }

  /**
   * All heads are on again, unless more says otherwise.
   *
   * @param {number} head
   * @param {Partial<State>} more
   */
  choose(head, more = {}) {
    const { run, store } = this.app;
    store.change({
      layer: Math.floor(head / run.n_heads),
      head: head % run.n_heads,
      off: "",
      ...NOWHERE,
      ...more,
    });
  }

  /**
   * With the cell marked in which the head does what its role says.
   *
   * @param {number} head
   */
  showHead(head) {
    showTab("heads", this.app);
    this.choose(head, cellOf(this.app.run, head));
    this.arrive("heads-map");
  }

  /** @param {number} head */
  showPrediction(head) {
    const { story } = this.app.run;
    showTab("predictions", this.app);
    this.choose(
      head,
      story?.query === undefined ? {} : { sequence: story.sequence, query: story.query, locked: true },
    );
    this.arrive("predictions-tokens");
  }

  /**
   * @param {number[]} heads
   * @param {number} head
   */
  switchOff(heads, head) {
    const { run, store, without } = this.app;
    showTab("predictions", this.app);
    this.choose(head, run.without.sequences.length > store.state.sequence ? {} : { sequence: 0 });
    store.change({ way: 0 });
    without.switchOff(heads);
    this.arrive("predictions-without");
  }

  /** @param {number | undefined} head */
  showTraining(head) {
    showTab("training", this.app);
    if (head !== undefined) this.choose(head);
    this.arrive("training-slider");
  }

  /** @param {string} id */
  arrive(id) {
    byId(id).focus({ preventScroll: true });
    byId(id).scrollIntoView({ block: "nearest" });
  }
}

/** @typedef {typeof names} Names */
const names = { CertificatePart };
headlight.certificate = names;
