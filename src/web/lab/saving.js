// What the lab gives away as files: weights and config, and the page itself as it is.

import { byId } from "../kit/text.js";
import { address } from "../kit/address.js";
import { asInFile } from "../kit/damage.js";
import { download } from "../kit/save.js";

/** @type {HTMLElement | null} */
let asOpened = null;

// Keeps the document as it came, so that it can be saved without what the scripts draw into it.
export function keepDocument() {
  asOpened = asInFile(document);
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}

/**
 * The page with a model in its lab, and an address that it opens at.
 *
 * @param {KeptLab} kept
 * @param {string} address
 */
export function pageWith(kept, address) {
  const data = asOpened.querySelector("#data");
  const before = data.textContent;
  const page = JSON.parse(before);
  page.lab.kept = kept;
  page.address = address;
  data.textContent = JSON.stringify(page).replaceAll("<", "\\u003c");
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
    const weights = await this.part.training.first.weights();
    download("model.safetensors", new Blob([weights.slice()], { type: "application/octet-stream" }));
    const config = JSON.stringify(this.part.model.config, null, 2);
    download("config.json", new Blob([config], { type: "application/json" }));
  }

  async page() {
    const { part } = this;
    const weights = base64(await part.training.first.weights());
    const kept = {
      config: part.model.config,
      weights,
      words: part.words(),
      settings: part.settings ?? [],
      step: part.last?.step ?? part.base,
    };
    const html = pageWith(kept, address());
    download("headlight lab.html", new Blob([html], { type: "text/html" }));
  }
}
