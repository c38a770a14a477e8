// Pictures of the page as files.

const FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
const MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

function download(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function fileName(name, extension) {
  return ("headlight " + data.title + " " + name).replace(/[^\w.-]+/g, " ").trim() + "." + extension;
}

function saveSvg(name, svg) {
  const text = new XMLSerializer().serializeToString(svg);
  download(fileName(name, "svg"), new Blob([text], { type: "image/svg+xml" }));
}

function savePng(name, svg) {
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
  const image = new Image();
  const failed = () => alert("This browser could not draw the picture. SVG may work.");
  image.onerror = failed;
  image.onload = () => {
    const canvas = element("canvas", { width: 2 * svg.getAttribute("width"), height: 2 * svg.getAttribute("height") });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => (blob ? download(fileName(name, "png"), blob) : failed()));
    URL.revokeObjectURL(url);
  };
  image.src = url;
}

// "Save SVG PNG"; makeSvg() gives the picture as it is when pressed, name (a text or a function) its file's name.
function saveButtons(name, makeSvg) {
  const span = element("span", { class: "save" }, "Save ");
  const named = () => (typeof name === "function" ? name() : name);
  for (const [kind, save] of [["SVG", saveSvg], ["PNG", savePng]]) {
    const label = "Save as " + kind + (typeof name === "string" ? ": " + name : "");
    const button = element("button", { type: "button", "aria-label": label }, kind);
    button.addEventListener("click", () => save(named(), makeSvg()));
    span.append(button, " ");
  }
  return span;
}

// A standalone picture on the page's own ground: title, a note under it, the content below.
function pictureAround(content, width, height, title, note) {
  const style = getComputedStyle(document.documentElement), above = 50;
  const box = { width, height: height + above, viewBox: "0 0 " + width + " " + (height + above) };
  const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", ...box, "font-family": FONT });
  content.setAttribute("y", above);
  content.setAttribute("width", width);
  content.setAttribute("height", height);
  const ink = style.getPropertyValue("--ink");
  const ground = svgElement("rect", { width: "100%", height: "100%", fill: style.getPropertyValue("--paper") });
  const heading = labelled(8, 20, 15, "start", title, { "font-weight": 600, fill: ink });
  svg.append(svgElement("title", {}, title), ground, heading, labelled(8, 38, 12, "start", note, { fill: ink }), content);
  return svg;
}

function labelled(x, y, size, anchor, content, more = {}) {
  const place = { x: fixed(x), y: fixed(y), "font-size": fixed(size, 1), "text-anchor": anchor };
  return svgElement("text", { ...place, fill: "#1d1d28", ...more }, content);
}

// A text in as many lines as it needs at this width.
function wrapped(x, y, size, width, content) {
  const room = Math.floor(width / (size * 0.56)), lines = [""];
  for (const word of content.split(" ")) {
    if (lines.at(-1).length + word.length + 1 > room && lines.at(-1) !== "") lines.push("");
    lines.push((lines.pop() + " " + word).trim());
  }
  return lines.map((line, i) => labelled(x, y + i * size * 1.25, size, "start", line));
}

function whitePicture(width, height, title) {
  const box = { width, height, viewBox: "0 0 " + width + " " + height };
  const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", ...box, "font-family": FONT });
  svg.append(svgElement("title", {}, title), svgElement("rect", { width: "100%", height: "100%", fill: "#ffffff" }));
  return svg;
}

// One path for each colour; the ground has the colour of 0.
function cellsPicture(pattern) {
  const paths = new Map(), colors = scale().css;
  for (let i = 0; i < pattern.size; ++i)
    for (let j = 0; j <= i; ++j) {
      const level = Math.round(pattern.weight(i, j) * 64) * 4;
      if (level > 0) paths.set(level, (paths.get(level) ?? "") + "M" + j + " " + i + "h1v1h-1z");
    }
  const ground = svgElement("rect", { width: pattern.size, height: pattern.size, fill: colors[0] });
  return [ground, ...Array.from(paths, ([level, path]) => svgElement("path", { d: path, fill: colors[Math.min(level, 255)] }))];
}

// One pattern with its axes and legend, on white.
function mapPicture(pattern, tokens, title, note) {
  const side = 640, unit = side / pattern.size, size = Math.min(13, unit * 0.95);
  const texts = pattern.cell === 1 && unit >= 7 ? tokens.map(tokenText) : [];
  const longest = size * 0.62 * Math.max(1, ...texts.map((t) => Array.from(t).length)), upright = longest > unit + 2;
  const left = Math.max(60, 34 + longest), notes = wrapped(left, 48, 12, side, note);
  const top = 66 + notes.length * 15 + (upright ? longest + 8 : texts.length > 0 ? 18 : 4);
  const svg = whitePicture(left + side + 24, top + side + 72, title);
  const cells = { transform: "translate(" + fixed(left) + " " + fixed(top) + ") scale(" + unit + ")", "shape-rendering": "crispEdges" };
  svg.append(labelled(left, 30, 18, "start", title, { "font-weight": 600 }), ...notes);
  svg.append(svgElement("g", cells, ...cellsPicture(pattern)));
  texts.forEach((text, i) => {
    const at = (i + 0.5) * unit, mono = { "font-family": MONO };
    const turned = { transform: "rotate(-90 " + fixed(left + at) + " " + fixed(top - 6) + ")", "text-anchor": "start", dy: "0.35em" };
    svg.append(labelled(left - 6, top + at + size * 0.35, size, "end", text, mono));
    svg.append(labelled(left + at, top - 6, size, "middle", text, { ...mono, ...(upright ? turned : {}) }));
  });
  const middle = top + side / 2, axis = { transform: "rotate(-90 18 " + fixed(middle) + ")" };
  svg.append(labelled(left + side / 2, 58 + notes.length * 15, 14, "middle", "key (attended to) →"));
  svg.append(labelled(18, middle, 14, "middle", "← query (attending)", axis), ...legendPicture(left, top + side + 22));
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
function gridPicture(grid, title, note) {
  const side = 150, gap = 14, below = 24, width = Math.max(420, 40 + data.n_heads * (side + gap));
  const notes = wrapped(20, 50, 12, width - 40, note), top = 52 + notes.length * 15;
  const height = top + data.n_layers * (side + gap + below) + 60;
  const svg = whitePicture(width, height, title);
  svg.append(labelled(20, 30, 18, "start", title, { "font-weight": 600 }), ...notes);
  grid.buttons.forEach((button, head) => {
    const x = 20 + (head % data.n_heads) * (side + gap), y = top + Math.floor(head / data.n_heads) * (side + gap + below);
    const picture = { x, y, width: side, height: side, href: button.firstChild.toDataURL(), style: "image-rendering: pixelated" };
    svg.append(svgElement("image", picture), labelled(x, y + side + 16, 12, "start", button.lastChild.textContent));
  });
  svg.append(...legendPicture(30, height - 48));
  return svg;
}
