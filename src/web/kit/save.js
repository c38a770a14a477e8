// Pictures of the page as files.

import { element } from "./text.js";

/**
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/**
 * @param {Run} run
 * @param {string} name
 * @param {string} extension
 */
function fileName(run, name, extension) {
  return ("headlight " + run.title + " " + name).replace(/[^\w.-]+/g, " ").trim() + "." + extension;
}

/**
 * @param {(extension: string) => string} file
 * @param {SVGSVGElement} svg
 */
function saveSvg(file, svg) {
  const text = new XMLSerializer().serializeToString(svg);
  download(file("svg"), new Blob([text], { type: "image/svg+xml" }));
}

/**
 * @param {(extension: string) => string} file
 * @param {SVGSVGElement} svg
 */
function savePng(file, svg) {
  const url = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }),
  );
  const image = new Image();
  const failed = () => alert("This browser could not draw the picture. SVG may work.");
  image.onerror = failed;
  image.onload = () => {
    const canvas = element("canvas", {
      width: 2 * Number(svg.getAttribute("width")),
      height: 2 * Number(svg.getAttribute("height")),
    });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => (blob ? download(file("png"), blob) : failed()));
    URL.revokeObjectURL(url);
  };
  image.src = url;
}

/**
 * Quoted where a comma, a quote or a line's end would be misread.
 *
 * @param {(string | number)[][]} rows
 */
export function csvOf(rows) {
  /** @type {(cell: string | number) => string} */
  const quoted = (cell) =>
    /[",\r\n]/.test(String(cell)) ? '"' + String(cell).replaceAll('"', '""') + '"' : String(cell);
  return rows.map((row) => row.map(quoted).join(",") + "\n").join("");
}

/**
 * "Save this pattern: SVG PNG CSV". makeSvg() gives the picture as it is when pressed, name() its file's
 * name, rows() its numbers under a line of names.
 *
 * @param {Run} run
 * @param {string} what
 * @param {() => SVGSVGElement} makeSvg
 * @param {() => string} name
 * @param {() => (string | number)[][]} rows
 */
export function saveButtons(run, what, makeSvg, name, rows) {
  const span = element("span", { class: "save" }, "Save " + what + ": ");
  for (const [kind, save] of Object.entries({ SVG: saveSvg, PNG: savePng })) {
    const button = element("button", { type: "button", "aria-label": kind + ": save " + what }, kind);
    button.addEventListener("click", () => save((extension) => fileName(run, name(), extension), makeSvg()));
    span.append(button, " ");
  }
  const csv = element("button", { type: "button", "aria-label": "CSV: save the numbers of " + what }, "CSV");
  csv.addEventListener("click", () =>
    download(fileName(run, name(), "csv"), new Blob([csvOf(rows())], { type: "text/csv" })),
  );
  span.append(csv);
  return span;
}

/**
 * The weights that are seen of some heads' patterns, one a row, in cells.
 *
 * @param {{ headCode: (head: number) => string }} run
 * @param {number[]} heads
 * @param {(head: number) => Pattern} pattern
 * @returns {(string | number)[][]}
 */
export function patternRows(run, heads, pattern) {
  /** @type {(string | number)[][]} */
  const rows = [["head", "query", "key", "weight"]];
  for (const head of heads) {
    const one = pattern(head);
    for (let query = 0; query < one.queries; ++query) {
      const [first, end] = one.seen(query);
      for (let key = first; key < end; ++key) {
        const weight = Number(one.weight(query, key).toFixed(6));
        rows.push([run.headCode(head), query * one.cell, key * one.cell, weight]);
      }
    }
  }
  return rows;
}
