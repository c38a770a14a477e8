// The part "Certificate": whether the model has an induction circuit, and where to see each claim.

import { element, glued, tableRow, byId, fixed, capital, elements } from "../../kit/text.js";
import { knownMark, marked } from "../../kit/known.js";
import { FormationChart } from "./formation.js";
import { helperNote } from "../reasons/evidence.js";
import { limitWords } from "../reasons/limit_words.js";
import { ClaimLinks } from "./claim_links.js";

/**
 * Of a set that was found by adding one head at a time.
 *
 * @param {number} found
 * @param {number} heads of the model
 */
export function enoughWords(found, heads) {
  return found < heads
    ? "The model solves the task with these heads alone. They were found by adding one at a time."
    : "Heads were added one at a time until they solved the task: these are all heads of the model.";
}

/**
 * "5 of 6 claims hold; not asked: order."
 *
 * @param {{ key: string; standing: string }[]} claims
 */
export function standingWords(claims) {
  /** @type {(standing: string) => string[]} */
  const those = (standing) => claims.filter((claim) => claim.standing === standing).map(({ key }) => key);
  const named = Object.entries({ failed: those("fails"), "not asked": those("not asked") })
    .filter(([, keys]) => keys.length > 0)
    .map(([word, keys]) => `; ${word}: ${keys.join(", ")}`);
  return `${those("holds").length} of ${claims.length} claims hold${named.join("")}.`;
}

export class CertificatePart {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    this.links = new ClaimLinks(app);
    const { run, store } = app;
    const absent = run.certificate === undefined; // then the address cannot ask for this part
    elements("nav [data-tab=certificate]")[0].hidden = absent;
    byId("part-certificate").hidden = absent;
    /** @type {Awake} */
    const shown = (state) => awake(state) && !absent;
    store.subscribe(["sequence"], () => this.draw(run.certificate), shown);
    store.subscribe(["engine"], () => this.helpers(), shown);
    this.formation = new FormationChart(app, shown);
  }

  /** @param {Certificate} certificate */
  draw(certificate) {
    byId("certificate-title").textContent = "Certificate: " + certificate.verdict;
    byId("certificate-standing").textContent = standingWords(certificate.claims);
    byId("certificate-sentence").replaceChildren(
      ...certificate.said.flatMap(({ text, kind, numbers }) =>
        marked(this.withHeads(text), knownMark(this.app.run.evidence[kind], numbers)),
      ),
    );
    const { roles } = this.app.run;
    byId("certificate-heads").replaceChildren(
      ...roles.flatMap(([role, heads]) => this.named(role, heads)),
      ...this.tested(certificate),
    );
    byId("certificate-claims").replaceChildren(
      ...certificate.claims.map((claim) => this.row(claim, certificate)),
    );
    byId("certificate-needed").hidden = certificate.needed.length === 0;
    byId("certificate-enough").textContent = enoughWords(certificate.needed.length, this.app.run.heads);
    byId("certificate-needs").replaceChildren(
      ...certificate.needed.map(({ head, looks, weight, accuracy_without }) =>
        tableRow(this.chip(head), looks, fixed(weight), fixed(accuracy_without)),
      ),
    );
    byId("certificate-formed").hidden = certificate.formation.length === 0;
  }

  helpers() {
    const helpers = this.app.run.roles.find(([role]) => role === "helper")?.[1] ?? [];
    byId("certificate-helpers").replaceChildren(
      ...helpers.map((head) => helperNote(this.app, head)).filter((note) => note !== null),
    );
  }

  /**
   * The heads of claims that failed.
   *
   * @param {Certificate} certificate
   */
  tested({ induction_heads, previous_token_heads }) {
    const named = new Set(this.app.run.roles.flatMap(([, heads]) => heads));
    const heads = [...induction_heads, ...previous_token_heads].filter((head) => !named.has(head));
    if (heads.length === 0) return [];
    const chips = heads.flatMap((head) => [this.chip(head), " "]);
    return [element("p", {}, "tested: ", ...chips, "(no certified role)")];
  }

  /**
   * "induction heads L1H0 L1H3"
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
    button.addEventListener("click", () => this.links.showHead(head));
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
    const [begin, ...parts] = text.split(/\b([A-Z]\d+H\d+)\b(\S*)/);
    /** @type {(string | Node)[]} */
    const nodes = [begin];
    for (let i = 0; i < parts.length; i += 3) {
      const [code, close, after] = parts.slice(i, i + 3);
      nodes.push(heads.has(code) ? glued(this.chip(heads.get(code)), close) : code + close, after);
    }
    return nodes;
  }

  /**
   * @param {Claim} claim
   * @param {Certificate} certificate
   */
  row(claim, certificate) {
    const remark = this.remark(claim, certificate);
    const description = element(
      "th",
      { class: "claim", scope: "row" },
      element("b", {}, capital(claim.key)),
      ": " + claim.name,
      ...(claim.number === null ? [] : [" ", knownMark(this.app.run.evidence[claim.key])]),
      ".",
      element("p", { class: "says" }, ...this.withHeads(claim.says)),
      ...(remark || claim.more ? [this.folded(claim.more, remark)] : []),
    );
    const standing = element(
      "span",
      { class: "standing " + claim.standing.replace(" ", "-") },
      { holds: "✓ ", fails: "✗ " }[claim.standing] ?? "",
      claim.standing,
    );
    const number = this.measured(claim, "number");
    const control = this.measured(claim, "control");
    const links = this.links.of(claim, certificate).map(([text, act]) => {
      const button = element("button", { type: "button", class: "see" }, text);
      button.addEventListener("click", act);
      return button;
    });
    return element(
      "tr",
      {},
      description,
      number,
      control,
      element("td", { class: "result" }, standing),
      element("td", { class: "sees" }, ...links),
    );
  }

  /**
   * @param {string} more
   * @param {string} remark
   */
  folded(more, remark) {
    return element(
      "details",
      { class: "remark" },
      element("summary", {}, "More on this"),
      ...(more ? [element("p", { class: "says" }, ...this.withHeads(more))] : []),
      ...(remark ? [element("p", { class: "says" }, ...this.app.glossary.nodes(remark))] : []),
    );
  }

  /**
   * What a reader of the claim's words and numbers may stumble over.
   *
   * @param {Claim} claim
   * @param {Certificate} certificate
   */
  remark({ key, number, control }, { induction_heads, previous_token_heads, tells_tokens }) {
    const { run } = this.app;
    if (number === null) return "";
    if (key === "copying" && run.circuits && induction_heads.length > 0)
      return (
        "The *copying scores* under Circuits ask something else: what the parameters of one head alone " +
        "do to all *logits*. So they can differ from this number."
      );
    if (key === "composition" && previous_token_heads.length > 0)
      return (
        "What an earlier head writes at a token becomes part of that token's *" +
        (tells_tokens ? "key" : "query") +
        "*. Here only this part is replaced."
      );
    const switches = run.without
      ? " The switches show the same on one sequence at a time, so their numbers differ."
      : "";
    if (key === "necessity")
      return (
        (control === null
          ? "There are no other heads for a control. The limit lies a quarter "
          : "The heads of the control are neither in the circuit nor helpers. The limits lie a quarter and " +
            "half ") +
        "of the way from the accuracy without any head to that of the model." +
        switches
      );
    if (key === "sufficiency")
      return (
        "The limits lie nine tenths of the way from the accuracy without any head to that of the model, " +
        "and at half of the model's accuracy." +
        switches
      );
    if (key === "order")
      return (
        "The claim asks that the earlier heads have begun when half of the matching is made. It does not " +
        "ask that they finish first."
      );
    return "";
  }

  /**
   * "0.93" above "at least 0.30".
   *
   * @param {Claim} claim
   * @param {"number" | "control"} what
   */
  measured(claim, what) {
    const value = claim[what];
    if (value === null)
      return element("td", { class: "measured", "data-what": what }, element("span", { class: "none" }, "–"));
    return element(
      "td",
      { class: "measured", "data-what": what },
      element("b", {}, claim.key === "order" ? "step " + value : fixed(value)),
      element("span", {}, limitWords(claim, what)),
    );
  }
}
