// Lesson 13: the three runs of path patching, and what the third one leaves of the accuracy.

import { svgElement } from "../../kit/text.js";
import { frame, choice } from "./live.js";

const SENDERS = ["L0H0", "L0H1", "L0H2", "L0H3"];
const INPUTS = ["queries", "keys", "values"];
// The table of section 3.
const ACCURACY = [
  [0.84, 0.96, 0.72],
  [1, 0.04, 1],
  [0.99, 0.98, 0.98],
  [0.96, 0.92, 0.95],
];

const TOKENS = [38, 110];
const LOGITS = [372, 110];
const RECEIVERS = [306, 110];
/** @param {number} sender */
const senderAt = (sender) => [118, 32 + 52 * sender];
/** @param {number} input */
const inputAt = (input) => [218, 50 + 60 * input];

/** @type {(from: number[], to: number[], lit: boolean) => SVGGElement} */
const line = ([x1, y1], [x2, y2], lit) =>
  svgElement("g", { class: lit ? "edge lit" : "edge" }, svgElement("line", { x1, y1, x2, y2 }));

/**
 * @param {number[]} at
 * @param {string} name
 * @param {boolean} lit
 */
function node([x, y], name, lit) {
  const width = 14 + 8 * name.length;
  return svgElement(
    "g",
    { class: lit ? "box lit" : "box" },
    svgElement("rect", { x: x - width / 2, y: y - 13, width, height: 26, rx: 6 }),
    svgElement("text", { x, y: y + 5, "text-anchor": "middle" }, name),
  );
}

/**
 * The graph of a run; what comes from other tokens is lit.
 *
 * @param {number} run
 * @param {number} sender
 * @param {number} input
 */
function drawing(run, sender, input) {
  const changed = INPUTS.map((_, i) => run === 1 || run === 2 || i === input);
  const all = run === 1;
  return [
    ...SENDERS.map((_, s) => line(TOKENS, senderAt(s), all)),
    ...SENDERS.flatMap((_, s) =>
      INPUTS.map((_, i) => line(senderAt(s), inputAt(i), all || (s === sender && changed[i]))),
    ),
    ...INPUTS.map((_, i) => line(inputAt(i), RECEIVERS, all || (run === 3 && i === input))),
    line(RECEIVERS, LOGITS, run !== 2),
    node(TOKENS, "tokens", all),
    ...SENDERS.map((name, s) => node(senderAt(s), name, all || s === sender)),
    ...INPUTS.map((name, i) => node(inputAt(i), name, changed[i])),
    node(RECEIVERS, "L1", run !== 2),
    node(LOGITS, "logits", run !== 2),
  ];
}

/** @param {HTMLElement} root */
export function patching(root) {
  const now = { run: 1, sender: 1, input: 1 };
  const svg = svgElement("svg", { viewBox: "0 0 404 222", class: "graph", role: "img" });
  const sentence = () => {
    const [sender, input] = [SENDERS[now.sender], INPUTS[now.input]];
    if (now.run === 1)
      return `Run 1: the model reads other tokens. Only what ${sender} made of them is kept.`;
    if (now.run === 2)
      return (
        `Run 2: the true tokens, but ${sender} writes what it wrote in run 1. The stream before layer 1 is ` +
        `kept, and the rest of the run is not needed.`
      );
    return (
      `Run 3: the true tokens. Only the ${input} of the three induction heads read the stream of run 2. ` +
      `The accuracy is ${ACCURACY[now.sender][now.input].toFixed(2)}; with no change it is 1.00.`
    );
  };
  const update = () => {
    svg.replaceChildren(...drawing(now.run, now.sender, now.input));
    svg.setAttribute("aria-label", sentence());
    say(sentence());
  };
  /**
   * @param {"run" | "sender" | "input"} key
   * @param {string} name
   * @param {[string, string][]} options
   */
  const choosing = (key, name, options) =>
    choice(name, options, (value) => {
      now[key] = Number(value);
      update();
    });
  const senders = choosing(
    "sender",
    "sender",
    SENDERS.map((name, s) => [String(s), name]),
  );
  const inputs = choosing(
    "input",
    "into",
    INPUTS.map((name, i) => [String(i), `into ${name}`]),
  );
  const say = frame(
    root,
    "Go through the three runs, then choose another sender and another input. What is lit comes from " +
      "other tokens.",
    choosing(
      "run",
      "run",
      [1, 2, 3].map((run) => [String(run), `run ${run}`]),
    ).node,
    senders.node,
    inputs.node,
    svg,
  );
  senders.mark("1");
  inputs.mark("1");
  update();
}
