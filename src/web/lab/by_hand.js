// The transformer whose weights were set by hand: its few numbers, to be turned.

import { byId, element } from "../kit/text.js";

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
    const before = part.training;
    await part.open((training) => training.first.makeByHand(input), {
      words: "The induction transformer whose weights were set by hand.",
      title: this.title(),
      workers: 1,
      byHand: true,
    });
    if (part.training === before) return;
    part.renew();
    await this.follow();
  }

  // What was turned is in the name, so that two of them are told apart.
  title() {
    const variant = byId("lab-broken");
    const turned = SCALES.filter((id) => byId(id).value !== "0").map((id) => {
      const label = byId(id).parentElement.firstChild.textContent.trim();
      return `${label.toLowerCase()} ${byId(id).nextElementSibling.textContent}`;
    });
    const words = [...(variant.value === "none" ? [] : [variant.selectedOptions[0].text]), ...turned];
    return ["a model set by hand", ...words].join(", ");
  }

  // Where the hand is: the certificate of the model that was taken, once it is there.
  async follow() {
    const { part } = this;
    const { training } = part;
    const said = byId("lab-hand-said");
    said.textContent = "The lab shows this model now, above. Its certificate is being measured.";
    await part.renewal.done;
    if (training !== part.training || part.renewal.said !== "") return;
    const { run, store } = part.app;
    const { verdict, claims } = run.certificate;
    const failed = claims.filter(({ standing }) => standing === "fails").map(({ key }) => key);
    const words = `Its certificate: ${verdict}${failed.length > 0 ? "; failed: " + failed.join(", ") : ""}`;
    const button = element("button", { type: "button" }, words);
    button.addEventListener("click", () => store.change({ tab: "certificate" }));
    said.replaceChildren(button);
  }
}
