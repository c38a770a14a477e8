// How the circuit of the certificate formed along training: a chart of the part "Certificate".

import { element, byId, fixed } from "../../kit/text.js";
import { Chart } from "../../kit/chart.js";

// Key, what it is, colour, whether dashed.
/** @type {[key: keyof Formation, name: string, color: string, dashed: boolean][]} */
const CURVES = [
  ["matching", "attention weight on followers, above its control", "var(--layer-1)", false],
  ["copying", "copying score of the induction heads, from their parameters", "var(--layer-2)", false],
  ["previous", "the previous-token heads' attention weight on the token before", "var(--layer-0)", false],
  ["without", "accuracy without the induction heads (necessity)", "var(--ink)", true],
  ["alone", "accuracy with the circuit and its helpers alone (sufficiency)", "var(--soft)", true],
  ["accuracy", "of the whole model, on predictable tokens", "var(--ink)", false],
];

export class FormationChart {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    const { run, store } = app;
    this.app = app;
    /** @type {ReturnType<FormationChart["build"]> | null} */
    this.chart = null;
    store.subscribe(["view", "printing"], () => this.draw(run.certificate), awake);
    store.subscribe(["view", "printing", "snapshot"], () => this.point(run.certificate), awake);
  }

  /** @param {Certificate} certificate */
  draw({ formation }) {
    if (formation.length === 0) return;
    const { run } = this.app;
    const known = CURVES.filter(([key]) => formation.some((sample) => sample[key] !== undefined));
    byId("certificate-curves").replaceChildren(...known.map((curve) => this.curveName(...curve)));
    byId("certificate-measured").hidden = !known.some(([key]) => key === "without");
    this.chart ??= this.build(known);
    this.chart.draw(
      formation.map((sample) => ({
        ...sample,
        matching: Math.max(0, sample.matching),
        copying: sample.copying === undefined ? undefined : Math.max(0, sample.copying),
      })),
      run.snapshots.map(({ step }) => step),
    );
  }

  /** @param {typeof CURVES} known */
  build(known) {
    const { run, store } = this.app;
    /** @type {(at: Formation) => string} */
    const note = (at) =>
      "step " + at.step + ": " + known.map(([key]) => key + " " + fixed(at[key])).join(", ");
    /** @type {(step: number) => void} */
    const pick = (step) => {
      const distance = run.snapshots.map((kept) => Math.abs(kept.step - step));
      store.change({ snapshot: distance.indexOf(Math.min(...distance)) });
    };
    /** @type {Curve<Formation>[]} */
    const curves = CURVES.map(([key, name, color, dashed]) => ({
      name,
      brief: key,
      color,
      dashed,
      value: (sample) => sample[key],
    }));
    return new Chart(byId("certificate-chart"), this.app, {
      title: "The circuit along training",
      curves,
      high: 1,
      note,
      pick,
    });
  }

  /**
   * @param {string} key
   * @param {string} name
   * @param {string} color
   * @param {boolean} dashed
   */
  curveName(key, name, color, dashed) {
    const bar = element("i", dashed ? { class: "broken" } : {});
    bar.style.color = color;
    return element("span", {}, bar, key + ": " + name);
  }

  /** @param {Certificate} certificate */
  point({ formation }) {
    const { run, store } = this.app;
    const { step } = run.snapshots[store.state.snapshot];
    const shown = formation.find((sample) => sample.step === step) ?? formation.at(-1);
    if (shown) this.chart.cursor(shown);
  }
}
