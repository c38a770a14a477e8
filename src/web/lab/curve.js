// How training went: loss and accuracy of one model, or of two in step.

import { byId, fixed, svgElement } from "../kit/text.js";

const WIDTH = 640;
const HEIGHT = 140;

/** @typedef {{ step: number; loss: number; accuracy: number | null }} Point */

/**
 * Of each curve the step at which half was right first; null where it never was.
 *
 * @param {Point[][]} curves
 */
export function halfRight(curves) {
  return curves.map((curve, i) => {
    const formed = curve.find(({ accuracy }) => accuracy >= 0.5);
    const whose = curves.length > 1 ? ["first: ", "second: "][i] : "";
    return formed ? { step: formed.step, words: `${whose}half is right at step ${formed.step}` } : null;
  });
}

/**
 * Loss from its largest value down to 0, accuracy from 0 to 1, and the step at which half was right.
 *
 * @param {Point[][]} curves
 */
export function drawCurves(curves) {
  const svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Training" });
  const points = curves.flat();
  byId("lab-curve").replaceChildren(...(points.length < 2 ? [] : [svg]));
  if (points.length < 2) return;
  const end = Math.max(...points.map(({ step }) => step), 1);
  const most = Math.max(...points.map(({ loss }) => loss));
  /** @type {(step: number) => number} */
  const x = (step) => (step / end) * (WIDTH - 20) + 10;
  /** @type {(share: number) => number} */
  const y = (share) => HEIGHT - 12 - share * (HEIGHT - 34);
  const formed = halfRight(curves);
  curves.forEach((curve, i) => {
    /** @type {(kind: string, share: (point: Point) => number) => void} */
    const line = (kind, share) => {
      const places = curve.map((point) => `${fixed(x(point.step))},${fixed(y(share(point)))}`);
      svg.append(
        svgElement("polyline", { class: kind + (i > 0 ? " second" : ""), points: places.join(" ") }),
      );
    };
    line("loss", ({ loss }) => loss / most);
    line("accuracy", ({ accuracy }) => accuracy ?? 0);
    if (!formed[i]) return;
    const at = x(formed[i].step);
    const { words } = formed[i];
    svg.append(
      svgElement("line", { class: "formed", x1: at, x2: at, y1: 24, y2: HEIGHT - 12 }),
      svgElement("text", { x: at, y: 10 + 11 * i, "text-anchor": at > WIDTH / 2 ? "end" : "start" }, words),
    );
  });
}
