// What the lab gives away as files: weights and config, and the page itself as it is.

import { byId, elements, sentence } from "../kit/text.js";
import { address } from "../kit/address.js";
import { asInFile } from "../kit/damage.js";
import { download } from "../kit/save.js";
import { withoutOrigin } from "./address.js";

/** @type {HTMLElement | null} */
let asOpened = null;

// Keeps the document as it came, so that it can be saved without what the scripts draw into it.
export function keepDocument() {
  asOpened = asInFile(document);
  asOpened.querySelector("body > footer")?.remove(); // its links lead to what stands beside this page
}

// The parts of the page as they came, but the lab, in place of what the scripts drew into them.
export function restoreParts() {
  for (const section of elements("main > section:not(#part-lab)")) {
    section.replaceWith(document.importNode(asOpened.querySelector("#" + section.id), true));
  }
}

/**
 * The page of a run, and the address that it opens at.
 *
 * @param {RunData} run
 * @param {string} address
 */
export function pageWith(run, address) {
  const data = asOpened.querySelector("#data");
  const before = data.textContent;
  data.textContent = JSON.stringify({ ...run, address }).replaceAll("<", "\\u003c");
  const html = "<!doctype html>\n" + asOpened.outerHTML + "\n";
  data.textContent = before;
  return html;
}

export class Saving {
  /** @param {import("./part.js").LabPart} part */
  constructor(part) {
    this.part = part;
    byId("lab-save").addEventListener("click", () => this.weights());
    byId("lab-save-page").addEventListener("click", () => this.page());
  }

  async weights() {
    let weights;
    try {
      weights = await this.part.training.first.weights();
    } catch (error) {
      byId("lab-refused").textContent = "Nothing is saved: " + sentence(error);
      return;
    }
    download("model.safetensors", new Blob([weights.slice()], { type: "application/octet-stream" }));
    const config = JSON.stringify(this.part.model.config, null, 2);
    download("config.json", new Blob([config], { type: "application/json" }));
  }

  // When the page shows the model.
  async page() {
    const { part } = this;
    part.course.pause();
    await part.course.trained;
    await part.renewal.done;
    if (part.renewal.said !== "") byId("lab-refused").textContent = part.renewal.said;
    else {
      const html = pageWith(part.app.data, withoutOrigin(address()));
      download("headlight lab.html", new Blob([html], { type: "text/html" }));
    }
  }
}
