// Pictures of the page as files.

const FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
const MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

function download(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function fileName(name, extension) {
  return "headlight " + name.replace(/[^\w. -]+/g, " ").trim() + "." + extension;
}

function saveSvg(name, svg) {
  const text = new XMLSerializer().serializeToString(svg);
  download(fileName(name, "svg"), new Blob([text], { type: "image/svg+xml" }));
}

function savePng(name, svg) {
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
  const image = new Image();
  image.onload = () => {
    const canvas = element("canvas", { width: 2 * svg.getAttribute("width"), height: 2 * svg.getAttribute("height") });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(fileName(name, "png"), blob));
    URL.revokeObjectURL(url);
  };
  image.src = url;
}

// "Save SVG PNG"; makeSvg() gives the picture as it is when pressed, name (a text or a function) its file's name.
function saveButtons(name, makeSvg) {
  const span = element("span", { class: "save" }, "Save ");
  const named = () => (typeof name === "function" ? name() : name);
  for (const [kind, save] of [["SVG", saveSvg], ["PNG", savePng]]) {
    const button = element("button", { type: "button", "aria-label": "Save as " + kind + (typeof name === "string" ? ": " + name : "") }, kind);
    button.addEventListener("click", () => save(named(), makeSvg()));
    span.append(button, " ");
  }
  return span;
}

// A standalone picture: white ground, title, the content below it.
function pictureAround(content, width, height, title) {
  const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", width, height: height + 34,
                                  viewBox: "0 0 " + width + " " + (height + 34), "font-family": FONT });
  const text = svgElement("text", { x: 8, y: 22, "font-size": 15, "font-weight": 600, fill: "#1d1d28" }, title);
  content.setAttribute("y", 34);
  content.setAttribute("width", width);
  content.setAttribute("height", height);
  const ground = getComputedStyle(document.documentElement).getPropertyValue("--paper");
  const onDark = parseInt(ground.trim().slice(1, 3), 16) < 128;
  if (onDark) text.setAttribute("fill", "#ececf1");
  svg.append(svgElement("title", {}, title), svgElement("rect", { width: "100%", height: "100%", fill: ground }), text, content);
  return svg;
}

function labelled(x, y, size, anchor, content, more = {}) {
  return svgElement("text", { x: fixed(x), y: fixed(y), "font-size": fixed(size, 1), "text-anchor": anchor, fill: "#1d1d28", ...more }, content);
}

// One pattern with its axes and legend, on white.
function mapPicture(pattern, tokens, title) {
  const side = 640, unit = side / pattern.size, left = 60, top = 84, colors = scale().css;
  const paths = new Map();
  for (let i = 0; i < pattern.size; ++i)
    for (let j = 0; j <= i; ++j) {
      const level = Math.round(pattern.weight(i, j) * 64) * 4;
      if (level > 0) paths.set(level, (paths.get(level) ?? "") + "M" + j + " " + i + "h1v1h-1z");
    }
  const cells = svgElement("g", { transform: "translate(" + left + " " + top + ") scale(" + unit + ")", "shape-rendering": "crispEdges" });
  cells.append(svgElement("rect", { width: pattern.size, height: pattern.size, fill: colors[0] }));
  for (const [level, path] of paths) cells.append(svgElement("path", { d: path, fill: colors[Math.min(level, 255)] }));
  const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", width: side + 84, height: side + 156,
                                  viewBox: "0 0 " + (side + 84) + " " + (side + 156), "font-family": FONT });
  svg.append(svgElement("title", {}, title), svgElement("rect", { width: "100%", height: "100%", fill: "#ffffff" }));
  svg.append(labelled(left, 30, 18, "start", title, { "font-weight": 600 }), cells);
  const size = Math.min(13, unit * 0.95);
  if (pattern.cell === 1 && unit >= 7)
    tokens.forEach((token, i) => {
      const at = (i + 0.5) * unit, text = tokenText(token), long = Array.from(text).length * size * 0.62 > unit + 2;
      svg.append(labelled(left - 6, top + at + size * 0.35, size, "end", text, { "font-family": MONO }));
      const turn = long ? { transform: "rotate(-90 " + fixed(left + at) + " " + (top - 6) + ")", "text-anchor": "start", dy: "0.35em" } : {};
      svg.append(labelled(left + at, top - 6, size, "middle", text, { "font-family": MONO, ...turn }));
    });
  svg.append(labelled(left + side / 2, 56, 14, "middle", "key (looked at) →"));
  svg.append(labelled(22, top + side / 2, 14, "middle", "← query (looks)", { transform: "rotate(-90 22 " + (top + side / 2) + ")" }));
  svg.append(...legendPicture(left, top + side + 22));
  return svg;
}

function legendPicture(x, y) {
  const parts = [];
  for (let i = 0; i < 64; ++i)
    parts.push(svgElement("rect", { x: fixed(x + i * 3.4), y, width: 3.6, height: 12, fill: scale().css[i * 4 + 2] }));
  parts.push(labelled(x, y + 28, 13, "middle", "0"), labelled(x + 218, y + 28, 13, "middle", "1"));
  parts.push(labelled(x + 109, y + 28, 13, "middle", "attention weight"));
  return parts;
}

// All heads of a grid, as they stand.
function gridPicture(grid, title) {
  const side = 150, gap = 14, below = 24;
  const width = 40 + data.n_heads * (side + gap), height = 60 + data.n_layers * (side + gap + below) + 50;
  const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: "0 0 " + width + " " + height, "font-family": FONT });
  svg.append(svgElement("title", {}, title), svgElement("rect", { width: "100%", height: "100%", fill: "#ffffff" }));
  svg.append(labelled(20, 30, 18, "start", title, { "font-weight": 600 }));
  grid.buttons.forEach((button, head) => {
    const x = 20 + (head % data.n_heads) * (side + gap), y = 50 + Math.floor(head / data.n_heads) * (side + gap + below);
    const href = button.firstChild.toDataURL();
    svg.append(svgElement("image", { x, y, width: side, height: side, href, style: "image-rendering: pixelated" }));
    svg.append(labelled(x, y + side + 16, 12, "start", button.lastChild.textContent));
  });
  svg.append(...legendPicture(30, height - 48));
  return svg;
}
