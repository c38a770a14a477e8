// Pictures of the page as files.

const { element } = headlight.text;

/**
 * @param {string} name
 * @param {Blob} blob
 */
function download(name, blob) {
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
 * "Save this pattern: SVG PNG". makeSvg() gives the picture as it is when pressed, name() its file's name.
 *
 * @param {Run} run
 * @param {string} what
 * @param {() => SVGSVGElement} makeSvg
 * @param {() => string} name
 */
function saveButtons(run, what, makeSvg, name = () => what) {
  const span = element("span", { class: "save" }, "Save " + what + ": ");
  for (const [kind, save] of Object.entries({ SVG: saveSvg, PNG: savePng })) {
    const button = element("button", { type: "button", "aria-label": kind + ": save " + what }, kind);
    button.addEventListener("click", () => save((extension) => fileName(run, name(), extension), makeSvg()));
    span.append(button, " ");
  }
  return span;
}

/** @typedef {typeof names} Names */
const names = { saveButtons };
headlight.save = names;
