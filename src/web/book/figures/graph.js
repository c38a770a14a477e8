// Lesson 9: the graph of attention, and what the backward pass computes at each of its nodes.

import { element, svgElement } from "../../kit/text.js";
import { frame } from "./live.js";

const RADIUS = 17;
/**
 * @typedef {{ at: number[]; shape: string; forward: string; back: string; section: number; numbers?: string;
 *   also?: string }} GraphNode
 */
/** @type {Record<string, GraphNode>} */
const NODES = {
  X: {
    at: [22, 125],
    shape: "(n,d)",
    forward: "X: the tokens",
    back: "dX = dQ W_Qᵀ + dK W_Kᵀ + dV W_Vᵀ",
    section: 5,
  },
  Q: {
    at: [104, 40],
    shape: "(n,d_k)",
    forward: "Q = X W_Q",
    back: "dQ = dS K / √d_k",
    section: 4,
    numbers: "dQ[0,3] = ½ (−1.5·1 + 1.25·(−1) + 0.25·2) = −1.125",
    also: "dW_Q = Xᵀ dQ",
  },
  K: {
    at: [104, 125],
    shape: "(m,d_k)",
    forward: "K = X W_K",
    back: "dK = dSᵀ Q / √d_k",
    section: 4,
    numbers: "dK[2,2] = ½ (0.25·1 + 0·1) = 0.125",
    also: "dW_K = Xᵀ dK",
  },
  V: {
    at: [104, 210],
    shape: "(m,d_v)",
    forward: "V = X W_V",
    back: "dV = Pᵀ dZ",
    section: 2,
    numbers: "dV[0,1] = ½·2 + ¼·1 = 1.25",
    also: "dW_V = Xᵀ dV",
  },
  S: {
    at: [174, 82],
    shape: "(n,m)",
    forward: "S = Q Kᵀ / √d_k",
    back: "dS = P ⊙ (dP − rowsum(P ⊙ dP))",
    section: 3,
    numbers: "dS[0,0] = ½ (8 − 11) = −1.5",
  },
  P: {
    at: [236, 82],
    shape: "(n,m)",
    forward: "P = softmax of each row of S",
    back: "dP = dZ Vᵀ",
    section: 2,
    numbers: "dP[0,2] = 1·4 + 2·4 = 12",
  },
  Z: {
    at: [268, 168],
    shape: "(n,d_v)",
    forward: "Z = P V",
    back: "dZ = dY W_Oᵀ",
    section: 5,
    also: "dW_O = Zᵀ dY",
  },
  Y: { at: [326, 168], shape: "(n,d)", forward: "Y = Z W_O", back: "dY comes from the loss L", section: 5 },
};
const EDGES = ["XQ", "XK", "XV", "QS", "KS", "SP", "PZ", "VZ", "ZY", "YL"];
const LOSS = [374, 168];

/**
 * The edges by which the cotangent leaves the loss, down to a node.
 *
 * @param {string} name
 * @returns {{ direct: string[]; all: string[] }}
 */
function edgesTo(name) {
  const direct = EDGES.filter((edge) => edge[0] === name);
  const further = direct.flatMap((edge) => (edge[1] === "L" ? [] : edgesTo(edge[1]).all));
  return { direct, all: [...direct, ...further] };
}

/**
 * A line between the rims of two nodes; its arrow points forward, or back where a cotangent is carried.
 *
 * @param {string} edge
 * @param {string} kind
 */
function drawEdge(edge, kind) {
  const [from, to] = Array.from(edge, (name) => NODES[name]?.at ?? LOSS);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const start = [from[0] + ux * RADIUS, from[1] + uy * RADIUS];
  const end = [to[0] - ux * RADIUS, to[1] - uy * RADIUS];
  const way = kind === "" ? 1 : -1;
  const tip = way === 1 ? end : start;
  /** @param {number} side */
  const corner = (side) => [tip[0] - way * ux * 8 + side * uy * 4.5, tip[1] - way * uy * 8 - side * ux * 4.5];
  const points = [tip, corner(1), corner(-1)].map((point) =>
    point.map((value) => value.toFixed(1)).join(","),
  );
  const [x1, y1, x2, y2] = [...start, ...end].map((value) => value.toFixed(1));
  return svgElement(
    "g",
    { class: `edge ${kind}` },
    svgElement("line", { x1, y1, x2, y2 }),
    svgElement("polygon", { points: points.join(" ") }),
  );
}

/**
 * @param {string} name
 * @param {() => void} choose
 */
function drawNode(name, choose) {
  const [x, y] = NODES[name].at;
  const node = svgElement(
    "g",
    { class: "node", role: "button", tabindex: 0, "aria-label": `${name}, ${NODES[name].forward}` },
    svgElement("circle", { cx: x, cy: y, r: RADIUS }),
    svgElement("text", { x, y: y + 5, "text-anchor": "middle" }, name),
  );
  node.addEventListener("click", choose);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  });
  return node;
}

/** @param {HTMLElement} root */
export function graph(root) {
  const edges = svgElement("g");
  const nodes = Object.keys(NODES).map((name) => drawNode(name, () => choose(name)));
  const svg = svgElement(
    "svg",
    { viewBox: "0 0 400 236", class: "graph", role: "group", "aria-label": "the graph of attention" },
    edges,
    ...nodes,
    svgElement("text", { x: LOSS[0], y: LOSS[1] + 5, "text-anchor": "middle" }, "L"),
  );
  const formulas = element("dl");
  const headings = [...root.closest("article").querySelectorAll("h2")];

  /**
   * @param {GraphNode} node
   * @returns {[string, ...(string | Node)[]][]}
   */
  const lines = ({ shape, forward, back, section, numbers, also }) => {
    const place = headings.find((heading) => heading.textContent.startsWith(`${section}.`));
    const link = element("a", { href: `#${place?.id ?? ""}` }, `section ${section}`);
    /** @type {[string, ...(string | Node)[]][]} */
    const known = [
      ["forward", `${forward}   ${shape}`],
      ["backward", `${back}   ${shape}, `, link],
    ];
    if (numbers) known.push(["example", numbers]);
    if (also) known.push(["its weight", also]);
    return known;
  };
  /** @param {string} name */
  const choose = (name) => {
    const { direct, all } = edgesTo(name);
    /** @param {string} edge */
    const kind = (edge) => (direct.includes(edge) ? "lit" : all.includes(edge) ? "near" : "");
    edges.replaceChildren(...EDGES.map((edge) => drawEdge(edge, kind(edge))));
    for (const [i, one] of Object.keys(NODES).entries())
      nodes[i].setAttribute("aria-pressed", String(one === name));
    formulas.replaceChildren(
      ...lines(NODES[name]).map(([term, ...rest]) =>
        element("div", {}, element("dt", {}, term), element("dd", {}, ...rest)),
      ),
    );
    const from = direct.map((edge) => edge[1]);
    say(
      from[0] === "L"
        ? "dY comes from the loss, and has the shape of Y."
        : `d${name} comes back from ${from.join(", ").replace(/, (\w)$/, " and $1")}, ` +
            `and has the shape of ${name}, ${NODES[name].shape}.` +
            (from.length > 1 ? " The three parts add up." : ""),
    );
  };
  const say = frame(
    root,
    "Press a node. The lit arrows carry the cotangent to it; the numbers are those of the lesson's example.",
    svg,
    formulas,
  );
  choose("S");
}
