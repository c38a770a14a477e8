import assert from "node:assert/strict";
import { test } from "node:test";

import { Figure } from "../../../../tests/web/fake_document.mjs";
import { normals } from "../../kit/numbers.js";
import { graph } from "./graph.js";

/** @typedef {number[][]} Matrix */
const HEADINGS = [2, 3, 4, 5].map((section) => [`id-${section}`, `${section}. A section`]);

/** @type {(a: Matrix, f: (x: number, i: number, j: number) => number) => Matrix} */
const each = (a, f) => a.map((row, i) => row.map((x, j) => f(x, i, j)));
/** @type {(a: Matrix) => Matrix} */
const transposed = (a) => a[0].map((_, j) => a.map((row) => row[j]));
/** @type {(a: Matrix, b: Matrix) => Matrix} */
const times = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
/** @type {(a: Matrix, b: Matrix) => number} */
const inner = (a, b) => a.flat().reduce((sum, x, i) => sum + x * b.flat()[i], 0);

/**
 * The value of a formula as the figure writes it: products of names, with ᵀ, / √d_k, sums, and the two forms
 * of a softmax.
 *
 * @param {string} formula
 * @param {Record<string, Matrix>} of
 * @returns {Matrix}
 */
function value(formula, of) {
  if (formula.includes("softmax")) {
    assert.equal(formula, "softmax of each row of S");
    const powers = each(of.S, Math.exp);
    return each(powers, (x, i) => x / powers[i].reduce((sum, power) => sum + power));
  }
  if (formula.includes("⊙")) {
    assert.equal(formula, "P ⊙ (dP − rowsum(P ⊙ dP))");
    const sums = each(of.P, (p, i, j) => p * of.dP[i][j]).map((row) => row.reduce((sum, x) => sum + x));
    return each(of.P, (p, i, j) => p * (of.dP[i][j] - sums[i]));
  }
  const terms = formula.split(" + ").map((term) => {
    const [product, root] = term.split(" / ");
    const factors = product
      .split(" ")
      .map((name) => (name.endsWith("ᵀ") ? transposed(of[name.slice(0, -1)]) : of[name]));
    assert.ok(root === undefined || root === "√d_k", term);
    return each(factors.reduce(times), (x) => (root ? x / Math.sqrt(of.Q[0].length) : x));
  });
  return terms.reduce((sum, term) => each(sum, (x, i, j) => x + term[i][j]));
}

// The lines of each node: what the figure writes beside "forward", "backward" and so on.
function linesOfNodes() {
  const figure = new Figure(graph, HEADINGS);
  /** @type {Record<string, Record<string, string>>} */
  const all = {};
  for (const node of figure.all("g").filter((one) => one.getAttribute("class") === "node")) {
    node.dispatch("click");
    const name = node.getAttribute("aria-label").split(",")[0];
    const terms = figure.all("dt").map((dt) => dt.textContent);
    all[name] = Object.fromEntries(figure.all("dd").map((dd, i) => [terms[i], dd.textContent]));
    all[name].says = figure.says();
    all[name].link = figure.all("a")[0].getAttribute("href");
  }
  return all;
}

/** "K = X W_K   (m,d_k)" @param {string} text */
const formulaIn = (text) => text.split("   ")[0].split(" = ");

test("the formulas of the graph of attention are its derivatives", () => {
  const lines = linesOfNodes();
  const normal = normals(5);
  /** @type {(rows: number, columns: number) => Matrix} */
  const drawn = (rows, columns) =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, normal));
  // Three tokens, so that dS is square, and dS K would have the shape of dSᵀ K too.
  /** @type {Record<string, Matrix>} */
  const leaves = { X: drawn(3, 4), W_Q: drawn(4, 2), W_K: drawn(4, 2), W_V: drawn(4, 5), W_O: drawn(5, 4) };
  const dY = drawn(3, 4);
  const order = ["Q", "K", "V", "S", "P", "Z", "Y"];
  /**
   * All that follows from the leaves, with `change` added to one of the nodes.
   *
   * @param {string} [changed]
   * @param {Matrix} [change]
   */
  const run = (changed, change) => {
    /** @type {(name: string, matrix: Matrix) => Matrix} */
    const moved = (name, matrix) => (name === changed ? each(matrix, (x, i, j) => x + change[i][j]) : matrix);
    /** @type {Record<string, Matrix>} */
    const of = Object.fromEntries(
      Object.entries(leaves).map(([name, matrix]) => [name, moved(name, matrix)]),
    );
    for (const name of order) {
      const [left, right] = formulaIn(lines[name].forward);
      assert.equal(left, name);
      of[name] = moved(name, value(right, of));
    }
    return of;
  };
  const here = run();
  here.dY = dY;
  /** @param {string} name */
  const measured = (name) =>
    each(here[name], (_, row, column) => {
      const by = each(here[name], (_, i, j) => (i === row && j === column ? 1e-5 : 0));
      const [more, less] = [by, each(by, (x) => -x)].map((change) => inner(run(name, change).Y, dY));
      return (more - less) / 2e-5;
    });
  const checked = [];
  for (const name of ["Z", "P", "V", "S", "Q", "K", "X"])
    for (const text of [lines[name].backward, lines[name]["its weight"]]) {
      if (text === undefined) continue;
      const [left, right] = formulaIn(text);
      here[left] = value(right, here);
      checked.push(left);
      const expected = measured(left.slice(1));
      here[left]
        .flat()
        .forEach((x, i) => assert.ok(Math.abs(x - expected.flat()[i]) < 1e-6, `${left}, entry ${i}`));
    }
  assert.deepEqual(checked, ["dZ", "dW_O", "dP", "dV", "dW_V", "dS", "dQ", "dW_Q", "dK", "dW_K", "dX"]);
});

test("a node has the shape of its cotangent, its section, and the nodes it comes back from", () => {
  const lines = linesOfNodes();
  const after = { X: "Q, K and V", Q: "S", K: "S", V: "Z", S: "P", P: "Z", Z: "Y" };
  for (const [name, { forward, backward, says, link }] of Object.entries(lines)) {
    const shape = forward.split("   ")[1];
    assert.equal(backward.split("   ")[1].split(",  ")[0].startsWith(shape), true, name);
    const section = backward.at(-1);
    assert.equal(link, `#id-${section}`);
    if (name !== "Y")
      assert.ok(
        says.startsWith(`d${name} comes back from ${after[name]}, and has the shape of ${name}, ${shape}.`),
      );
  }
});

test("the examples of the graph are entries of the lesson's matrices", () => {
  /** @type {Record<string, Matrix>} */
  const of = {
    P: [
      [0.5, 0.25, 0.25],
      [0.25, 0.75, 0],
    ],
    V: [
      [8, 0],
      [0, 8],
      [4, 4],
    ],
    dZ: [
      [1, 2],
      [3, 1],
    ],
    Q: [
      [2 * Math.log(2), 0, 1, 0],
      [0, 2 * Math.log(3), 1, 0],
    ],
    K: [
      [1, 0, 3, 1],
      [0, 1, 3, -1],
      [0, 0, 3, 2],
    ],
  };
  assert.deepEqual(times(of.P, of.V), [
    [5, 3],
    [2, 6],
  ]);
  const lines = linesOfNodes();
  let examples = 0;
  for (const name of ["P", "V", "S", "Q", "K"]) {
    const [left, right] = formulaIn(lines[name].backward);
    of[left] = value(right, of);
    const [place, sum, result] = lines[name].example.split(" = ");
    const [, i, j] = /^d\w\[(\d),(\d)\]$/.exec(place);
    const script = sum
      .replaceAll("½", "0.5*")
      .replaceAll("¼", "0.25*")
      .replaceAll("·", "*")
      .replaceAll("−", "-")
      .replaceAll("**", "*");
    const number = Number(result.replace("−", "-"));
    assert.ok(Math.abs(Function(`return ${script}`)() - number) < 1e-12, sum);
    assert.ok(Math.abs(of[left][Number(i)][Number(j)] - number) < 1e-12, place);
    ++examples;
  }
  assert.equal(examples, 5);
});
