// How training went: loss and accuracy of one model, or of two in step.

import { byId, fixed, svgElement } from "../kit/text.js";
import { KEPT_EVERY } from "./history.js";

const WIDTH = 640;
const HEIGHT = 190;
const [LEFT, RIGHT, ABOVE, BELOW] = [16, 160, 28, 18]; // room for labels
const LINE = 12; // pixels between them

/** @typedef {{ step: number; loss: number; accuracy: number | null }} Point */

/**
 * Of each curve the step at which half was right first; null where it never was. A curve that begins there
 * was not seen to get there.
 *
 * @param {Point[][]} curves
 */
export function halfRight(curves) {
  return curves.map((curve, i) => {
    const formed = curve.find(({ accuracy }) => accuracy >= 0.5);
    if (!formed) return null;
    const whose = curves.length > 1 ? ["first: ", "second: "][i] : "";
    const already = formed === curve[0] ? " already" : "";
    return { step: formed.step, words: `${whose}half is right${already} at step ${formed.step}` };
  });
}

/**
 * Which of two models had half right sooner; "" until one of them has.
 *
 * @param {Point[][]} curves
 */
export function raceInWords(curves) {
  if (curves.length < 2) return "";
  const [first, second] = halfRight(curves);
  if (!first && !second) return "";
  if (!first || !second) {
    const [which, { step }] = first ? ["first", first] : ["second", second];
    return `The ${which} is ahead: half is right in it since step ${step}, and not in the other so far.`;
  }
  const steps = second.step - first.step;
  const sooner =
    steps === 0
      ? `Half was right in both at step ${first.step}.`
      : `Half was right ${Math.abs(steps)} steps sooner in the ${steps > 0 ? "first" : "second"}.`;
  return (
    `${sooner} It is measured every ${KEPT_EVERY} steps. ` +
    "That is one training of each: other seeds may change it."
  );
}

// Heights of labels that do not overlap, each as near to its own as the ones above leave room.
/** @param {number[]} heights */
export function apart(heights) {
  const order = heights.map((_, i) => i).sort((one, other) => heights[one] - heights[other]);
  const places = [...heights];
  order.forEach((label, k) => {
    if (k > 0) places[label] = Math.max(places[label], places[order[k - 1]] + LINE);
  });
  const over = Math.max(0, Math.max(...places) - (HEIGHT - BELOW + 4));
  return places.map((place) => place - over);
}

/**
 * Loss from its largest value down to 0, accuracy from 0 to 1, and the step at which half was right.
 *
 * @param {Point[][]} curves
 * @param {number} begin the step at the left
 */
export function drawCurves(curves, begin = 0) {
  const points = curves.flat();
  const none = points.length < 2;
  byId("lab-curve-note").hidden = none;
  const svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Training" });
  byId("lab-curve").replaceChildren(...(none ? [] : [svg]));
  if (none) return;
  const end = Math.max(...points.map(({ step }) => step), begin + 1);
  const most = Math.max(...points.map(({ loss }) => loss));
  /** @type {(step: number) => number} */
  const x = (step) => LEFT + ((step - begin) / (end - begin)) * (WIDTH - LEFT - RIGHT);
  /** @type {(share: number) => number} */
  const y = (share) => HEIGHT - BELOW - share * (HEIGHT - ABOVE - BELOW);
  /** @type {(x: number, y: number, anchor: string, text: string, kind?: string) => void} */
  const write = (x, y, anchor, text, kind = "axis") =>
    svg.append(svgElement("text", { x, y, "text-anchor": anchor, class: kind }, text));
  write(LEFT - 4, y(1) + 4, "end", "1");
  write(LEFT - 4, y(0) + 4, "end", "0");
  write(LEFT, HEIGHT - 2, "start", String(begin));
  write(x(end), HEIGHT - 2, "end", `step ${end}`);
  for (const share of [0, 1]) {
    svg.append(svgElement("line", { class: "axis", x1: LEFT, x2: x(end), y1: y(share), y2: y(share) }));
  }
  const formed = halfRight(curves);
  /** @type {{ height: number; text: string; kind: string }[]} */
  const labels = [];
  curves.forEach((curve, i) => {
    const whose = curves.length > 1 ? ["first ", "second "][i] : "";
    /** @type {(kind: string, share: (point: Point) => number, value: string) => void} */
    const line = (kind, share, value) => {
      const places = curve.map((point) => `${fixed(x(point.step))},${fixed(y(share(point)))}`);
      svg.append(
        svgElement("polyline", { class: kind + (i > 0 ? " second" : ""), points: places.join(" ") }),
      );
      labels.push({ height: y(share(curve.at(-1))), text: `${whose}${kind} ${value}`, kind });
    };
    if (curve.length === 0) return;
    const { loss, accuracy } = curve.at(-1);
    line("loss", (point) => point.loss / most, fixed(loss));
    if (accuracy !== null) line("accuracy", (point) => point.accuracy ?? 0, fixed(accuracy));
    if (!formed[i]) return;
    const at = x(formed[i].step);
    svg.append(svgElement("line", { class: "formed", x1: at, x2: at, y1: ABOVE, y2: HEIGHT - BELOW }));
    write(at, 10 + LINE * i, at > WIDTH / 2 ? "end" : "start", formed[i].words, "");
  });
  const heights = apart(labels.map(({ height }) => height));
  labels.forEach(({ text, kind }, i) => write(x(end) + 6, heights[i] + 4, "start", text, kind));
}
