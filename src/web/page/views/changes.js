// What is changed in the model: the state's texts, the engine's `Changes`, the words and the address of them.

import { insteadOf } from "../../kit/text.js";

export const FRESH = 64; // sequences on which accuracy and loss are measured

// What the state holds where nothing is changed.
export const UNCHANGED = { off: "", cut: "", mlps: "", patch: "" };

// The keys of the state that say what the model reads and does.
/** @type {(keyof State)[]} */
export const PLAYED = ["sequence", "off", "way", "cut", "mlps", "patch", "remembered", "engine"];

/**
 * "1,6" as [1, 6].
 *
 * @param {string} list
 */
export function numbersIn(list) {
  return list === "" ? [] : list.split(",").map(Number);
}

/**
 * "4-40-23" as head 4, query 40, key 23.
 *
 * @param {string} list
 */
export function cutsIn(list) {
  return list === "" ? [] : list.split(",").map((cut) => /** @type {Cut} */ (cut.split("-").map(Number)));
}

/**
 * A list, such as "1,6", with an entry more, or without it if it is there.
 *
 * @param {string} list
 * @param {string} entry
 */
export function toggled(list, entry) {
  const entries = list === "" ? [] : list.split(",");
  return (
    entries.includes(entry)
      ? entries.filter((one) => one !== entry)
      : [...entries, entry].sort((one, other) => Number(one) - Number(other))
  ).join();
}

/**
 * The heads and MLPs that are off after a layer's switch was pressed: all of the layer if one of them was on.
 *
 * @param {number} layer
 * @param {number} n_heads
 * @param {boolean} has whether layers have MLPs
 * @param {number[]} off
 * @param {number[]} mlps
 */
export function layerToggled(layer, n_heads, has, off, mlps) {
  const heads = Array.from({ length: n_heads }, (_, head) => layer * n_heads + head);
  const on = heads.some((head) => !off.includes(head)) || (has && !mlps.includes(layer));
  const [others, rest] = [off.filter((head) => !heads.includes(head)), mlps.filter((one) => one !== layer)];
  const sorted = (/** @type {number[]} */ list) => list.sort((one, other) => one - other);
  return {
    on,
    off: on ? sorted([...others, ...heads]) : others,
    mlps: on && has ? sorted([...rest, layer]) : rest,
  };
}

/**
 * What the engine is told: nothing of what is not changed.
 *
 * @param {Pick<State, "off" | "cut" | "mlps" | "patch" | "remembered">} state
 * @param {string} way
 * @returns {Changes}
 */
export function changesOf({ off, cut, mlps, patch, remembered }, way) {
  return {
    ...(off + mlps === "" ? {} : { way }),
    ...(off === "" ? {} : { off: numbersIn(off) }),
    ...(mlps === "" ? {} : { mlps_off: numbersIn(mlps) }),
    ...(cut === "" ? {} : { cut: cutsIn(cut) }),
    ...(patch === "" ? {} : { patch: { heads: numbersIn(patch), tokens: numbersIn(remembered) } }),
  };
}

/**
 * "without L0H1, the MLP of layer 1 and with L1H0 as on A"; "" where nothing is changed.
 *
 * @param {Changes} changes
 * @param {(head: number) => string} code
 */
export function changeWords({ off = [], mlps_off = [], cut = [], patch }, code) {
  const gone = [
    ...off.map(code),
    ...mlps_off.map((layer) => "the MLP of layer " + layer),
    ...cut.map((one) => lookWords(one, code)),
  ];
  return [
    ...(gone.length > 0 ? ["without " + gone.join(", ")] : []),
    ...(patch ? [`with ${patch.heads.map(code).join(", ")} as on A`] : []),
  ].join(" and ");
}

/**
 * "the look of L1H0 from 40 at 23"
 *
 * @param {Cut} cut
 * @param {(head: number) => string} code
 */
export function lookWords([head, query, key], code) {
  return `the look of ${code(head)} from ${query} at ${key}`;
}

/**
 * The numbers on fresh sequences, with the changes and without. A patched head writes what it writes on one
 * sequence, so that these numbers leave it out.
 *
 * @param {Evaluation} whole
 * @param {Evaluation} changed
 * @param {string} words as changeWords() says it
 * @param {boolean} patched
 */
export function freshWords(whole, changed, words, patched) {
  const apart = patched ? " What comes from A is not in these numbers." : "";
  const accuracy =
    whole.accuracy === null || changed.accuracy === null
      ? ""
      : `accuracy ${insteadOf(changed.accuracy, whole.accuracy)}, `;
  return (
    `On ${FRESH} fresh sequences ${words}: ${accuracy}` +
    `loss on all tokens ${insteadOf(changed.loss, whole.loss)}.${apart}`
  );
}

/**
 * The cuts as the address holds them: "L1H0-40-23".
 *
 * @param {string} cut
 * @param {(head: number) => string} code
 */
export function cutAddress(cut, code) {
  return cutsIn(cut)
    .map(([head, query, key]) => [code(head), query, key].join("-"))
    .join();
}

/**
 * The cuts in an address, without those that the model does not have.
 *
 * @param {string} address
 * @param {string[]} codes of all heads
 * @param {number} n tokens of the sequence
 */
export function cutsInAddress(address, codes, n) {
  return address
    .split(",")
    .map((one) => one.split("-"))
    .filter(([code, ...places]) => {
      const [query, key] = places.map(Number);
      return (
        codes.includes(code) && places.every((place) => /^\d+$/.test(place)) && key <= query && query < n
      );
    })
    .map(([code, query, key]) => [codes.indexOf(code), query, key].join("-"))
    .join();
}
