// The certificate of the model as it is now.

import { byId, element, fixed, sentence, tableRow } from "../kit/text.js";
import { limitWords } from "../page/reasons/limit_words.js";

export class LiveCertificate {
  /**
   * @param {() => Engine} engine
   * @param {() => string} whose
   */
  constructor(engine, whose) {
    this.engine = engine;
    this.whose = whose;
    byId("lab-certify").addEventListener("click", () => this.certify());
  }

  /** @param {string} sentence */
  say(sentence) {
    byId("lab-verdict").textContent = sentence;
  }

  clear() {
    this.say("");
    byId("lab-claims").replaceChildren();
  }

  async certify() {
    this.clear();
    const begun = performance.now();
    const wait = () =>
      this.say(`The six claims are being tested: ${fixed((performance.now() - begun) / 1000, 0)} s so far.`);
    wait();
    const timer = setInterval(wait, 1000);
    try {
      const { sentence: says, claims } = await this.engine().certify();
      const seconds = fixed((performance.now() - begun) / 1000, 1);
      this.say(
        `${this.whose()}${says} Tested in this page, in ${seconds} seconds. The order is not asked here, ` +
          "because a page keeps no snapshots of its training.",
      );
      byId("lab-claims").replaceChildren(...claims.map((claim) => this.row(claim)));
    } catch (error) {
      this.say("No certificate: " + sentence(error));
    } finally {
      clearInterval(timer);
    }
  }

  /** @param {Claim} claim */
  row(claim) {
    const { key, name, standing, says } = claim;
    /** @type {(what: "number" | "control") => string} */
    const measured = (what) =>
      claim[what] === null ? "–" : `${fixed(claim[what])} (${limitWords(claim, what)})`;
    const row = tableRow(
      key,
      element("span", { title: says }, name),
      measured("number"),
      measured("control"),
      standing,
    );
    row.className = standing.replace(" ", "-");
    return row;
  }
}
