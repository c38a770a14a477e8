// The figures that a reader can change, by the names that the lessons' texts give them.

import { forming } from "./forming.js";
import { graph } from "./graph.js";
import { heads } from "./heads.js";
import { Mask } from "./mask.js";
import { norms } from "./norms.js";
import { patching } from "./patching.js";
import { Paths } from "./paths.js";
import { scale } from "./scale.js";
import { sharpness } from "./sharpness.js";
import { Walk } from "./strides.js";
import { weights } from "./weights.js";

/** @type {Record<string, (root: HTMLElement) => unknown>} */
const figures = {
  forming,
  graph,
  heads,
  mask: (root) => new Mask(root),
  norms,
  patching,
  paths: (root) => new Paths(root),
  scale,
  sharpness,
  strides: (root) => new Walk(root),
  weights,
};

/**
 * Fills the figures' places in a chapter that is opened for the first time.
 *
 * @param {HTMLElement} chapter
 */
export function fill(chapter) {
  for (const root of /** @type {NodeListOf<HTMLElement>} */ (chapter.querySelectorAll("figure.live:empty")))
    figures[root.dataset.live](root);
}
