// Accuracy against the period: a chart of the part "Training" for runs of tasks with segments.

import { byId, fixed } from "../../kit/text.js";
import { Chart } from "../../kit/chart.js";

/** @typedef {"trained" | "shorter" | "longer"} Part */
/** @typedef {{ step: number; accuracy: number; own: boolean } & Partial<Record<Part, number>>} Point */

/**
 * Whether a segment comes back one period later: a planted one comes back anywhere.
 *
 * @param {Run} run
 */
export function fixedDistance({ task, sequences }) {
  return sequences[0]?.repeats !== undefined && task?.name !== "planted";
}

export class PeriodsChart {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    /** @type {Point[]} */
    this.points = [];
    /** @type {ReturnType<PeriodsChart["build"]> | null} */
    this.chart = null;
    const { run, store } = app;
    store.subscribe(["view", "printing"], () => this.draw(run), awake);
  }

  /**
   * The curve of other periods meets that of the trained ones, so that it has no gap.
   *
   * @param {Run} run
   */
  draw({ periods }) {
    byId("training-periods").hidden = periods.length === 0;
    if (periods.length === 0) return;
    const trained = periods.map(([, , own]) => own);
    const first = trained.indexOf(true);
    const last = trained.lastIndexOf(true);
    const points = periods.map(([period, accuracy, own], i) => ({
      step: period,
      accuracy,
      own,
      trained: own ? accuracy : undefined,
      shorter: i <= (first < 0 ? periods.length : first) ? accuracy : undefined,
      longer: first >= 0 && i >= last ? accuracy : undefined,
    }));
    this.points = points;
    this.chart ??= this.build();
    this.chart.draw(points, []);
    /** @type {(list: Point[]) => string} */
    const mean = (list) => fixed(list.reduce((sum, { accuracy }) => sum + accuracy, 0) / list.length);
    const others = points.filter(({ own }) => !own);
    const elsewhere = others.length > 0 ? ", at others " + mean(others) : "";
    const own = points.filter((point) => point.own);
    byId("training-fixed").hidden = !fixedDistance(this.app.run);
    byId("training-periods-means").textContent =
      own.length === 0 ? "" : "Mean accuracy at periods in training: " + mean(own) + elsewhere + ".";
  }

  build() {
    /** @type {(key: Part, name: string, brief: string, color: string) => Curve<Point>} */
    const curve = (key, name, brief, color) => ({ name, brief, color, value: (point) => point[key] });
    const curves = [
      curve("shorter", "periods not in training", "", "var(--soft)"),
      curve("longer", "periods not in training", "others", "var(--soft)"),
      curve("trained", "periods in training", "in training", "var(--ink)"),
    ];
    /** @type {(point: Point) => string} */
    const note = ({ step, own, accuracy }) =>
      "period " + step + (own ? ", in training" : ", not in training") + ": " + fixed(accuracy);
    /** @type {(period: number) => void} */
    const pick = (period) => {
      const distance = this.points.map(({ step }) => Math.abs(step - period));
      this.chart.cursor(this.points[distance.indexOf(Math.min(...distance))]);
    };
    return new Chart(byId("training-periods-chart"), this.app, {
      title: "Accuracy on predictable tokens, by period",
      curves,
      high: 1,
      note,
      pick,
      axis: "period: tokens in a segment",
    });
  }
}
