// The certificate of the model as it is now.

import { byId, element, fixed, tableRow } from "../kit/text.js";

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
      const { sentence, claims } = await this.engine().certify();
      const seconds = fixed((performance.now() - begun) / 1000, 1);
      this.say(`${this.whose()}${sentence} Tested in this page, in ${seconds} seconds.`);
      byId("lab-claims").replaceChildren(...claims.map((claim) => this.row(claim)));
    } catch (error) {
      this.say("No certificate: " + /** @type {Error} */ (error).message);
    } finally {
      clearInterval(timer);
    }
  }

  /** @param {Claim} claim */
  row({
    key,
    name,
    standing,
    number,
    threshold,
    number_at_most,
    control,
    control_limit,
    control_at_most,
    says,
  }) {
    /** @type {(value: number | null, limit: number, atMost: boolean) => string} */
    const measured = (value, limit, atMost) =>
      value === null ? "–" : `${fixed(value)} (at ${atMost ? "most" : "least"} ${fixed(limit)})`;
    const row = tableRow(
      key,
      element("span", { title: says }, name),
      measured(number, threshold, number_at_most),
      measured(control, control_limit, control_at_most),
      standing,
    );
    row.className = standing.replace(" ", "-");
    return row;
  }
}
