// The transformer whose weights were set by hand: its few numbers, to be turned.

import { byId } from "../kit/text.js";

/** @type {("lab-first" | "lab-later" | "lab-output")[]} */
const SCALES = ["lab-first", "lab-later", "lab-output"];

export class ByHand {
  /** @param {import("./part.js").LabPart} part */
  constructor(part) {
    this.part = part;
    byId("lab-hand").addEventListener("click", () => this.open());
    byId("lab-broken").addEventListener("change", () => part.byHand && this.open());
    for (const id of SCALES) {
      byId(id).addEventListener("change", () => part.byHand && this.open());
      byId(id).addEventListener("input", () => this.scales());
    }
    this.scales();
  }

  // The sliders are powers of 2; beside each stands by what it multiplies.
  scales() {
    return SCALES.map((id) => {
      const power = Number(byId(id).value);
      byId(id).nextElementSibling.textContent = power < 0 ? `× 1/${2 ** -power}` : `× ${2 ** power}`;
      return 2 ** power;
    });
  }

  // As it was written down.
  openWhole() {
    byId("lab-broken").value = "none";
    for (const id of SCALES) {
      byId(id).value = "0";
    }
    return this.open();
  }

  async open() {
    const { part } = this;
    const input = { broken: byId("lab-broken").value, scales: this.scales() };
    await part.open((training) => training.first.makeByHand(input), {
      words: "The induction transformer whose weights were set by hand.",
      title:
        "a model set by hand" +
        (input.broken === "none" ? "" : `, ${byId("lab-broken").selectedOptions[0].text}`),
      workers: 1,
      byHand: true,
    });
    part.renew();
  }
}
