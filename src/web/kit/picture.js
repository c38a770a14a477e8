// The page's pictures as SVG, each to be understood by itself.

import { svgElement, fixed } from "./text.js";

const FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
const UNSEEN = "not seen";
export const MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/**
 * A standalone picture on the page's own ground: title, a note under it, the content below.
 *
 * @param {SVGSVGElement} content
 * @param {number} width
 * @param {number} height
 * @param {string} title
 * @param {string} note
 */
export function pictureAround(content, width, height, title, note) {
  const style = getComputedStyle(document.documentElement);
  const above = 50;
  const box = { width, height: height + above, viewBox: "0 0 " + width + " " + (height + above) };
  const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", ...box, "font-family": FONT });
  content.setAttribute("y", String(above));
  content.setAttribute("width", String(width));
  content.setAttribute("height", String(height));
  const ink = style.getPropertyValue("--ink");
  const ground = svgElement("rect", {
    width: "100%",
    height: "100%",
    fill: style.getPropertyValue("--paper"),
  });
  const heading = labelled(8, 20, 15, "start", title, { "font-weight": 600, fill: ink });
  svg.append(
    svgElement("title", {}, title),
    ground,
    heading,
    labelled(8, 38, 12, "start", note, { fill: ink }),
    content,
  );
  return svg;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} anchor
 * @param {string} content
 * @param {Attributes} more
 */
function labelled(x, y, size, anchor, content, more = {}) {
  const place = { x: fixed(x), y: fixed(y), "font-size": fixed(size, 1), "text-anchor": anchor };
  return svgElement("text", { ...place, fill: "#1d1d28", ...more }, content);
}

/**
 * A text in as many lines as it needs at this width.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} width
 * @param {string} content
 */
function wrapped(x, y, size, width, content) {
  const room = Math.floor(width / (size * 0.56));
  const lines = [""];
  for (const word of content.split(" ")) {
    if (lines.at(-1).length + word.length + 1 > room && lines.at(-1) !== "") lines.push("");
    lines.push((lines.pop() + " " + word).trim());
  }
  return lines.map((line, i) => labelled(x, y + i * size * 1.25, size, "start", line));
}

/**
 * @param {number} width
 * @param {number} height
 * @param {string} title
 */
function whitePicture(width, height, title) {
  const box = { width, height, viewBox: "0 0 " + width + " " + height };
  const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", ...box, "font-family": FONT });
  svg.append(
    svgElement("title", {}, title),
    svgElement("rect", { width: "100%", height: "100%", fill: "#ffffff" }),
  );
  return svg;
}

/**
 * One path for each colour, on the colour of what is not seen.
 *
 * @param {Pattern} pattern
 * @param {Scale} scale
 */
function cellsPicture(pattern, scale) {
  const paths = new Map([[0, ""]]);
  for (let i = 0; i < pattern.queries; ++i) {
    const [first, end] = pattern.seen(i);
    paths.set(0, paths.get(0) + "M" + first + " " + i + "H" + end + "v1H" + first + "z");
    for (let j = first; j < end; ++j) {
      const level = Math.round(scale.level(pattern.weight(i, j)) / 4) * 4;
      if (level > 0) paths.set(level, (paths.get(level) ?? "") + "M" + j + " " + i + "h1v1h-1z");
    }
  }
  const ground = svgElement("rect", { width: pattern.keys, height: pattern.queries, fill: scale.unseen });
  return [
    ground,
    ...Array.from(paths, ([level, path]) =>
      svgElement("path", { d: path, fill: scale.css[Math.min(level, 255)] }),
    ),
  ];
}

/**
 * One pattern with its axes and legend, on white. `texts` are those of queries and keys.
 *
 * @param {Pattern} pattern
 * @param {string[][]} texts
 * @param {Scale} scale
 * @param {string} title
 * @param {string} note
 */
export function mapPicture(pattern, texts, scale, title, note) {
  const side = 640;
  const unit = side / Math.max(pattern.queries, pattern.keys);
  const every = Math.ceil(7 / unit);
  const size = Math.min(13, unit * every * 0.95); // every k-th token has a label
  const [rows, columns] = pattern.cell === 1 ? texts : [[], []];
  /** @type {(labels: string[]) => number} */
  const room = (labels) => size * 0.62 * Math.max(1, ...labels.map((text) => Array.from(text).length));
  const upright = room(columns) > unit * every + 2;
  const wide = pattern.keys * unit;
  const high = pattern.queries * unit;
  const left = Math.max(60, 34 + room(rows));
  const notes = wrapped(left, 48, 12, side, note);
  const top = 66 + notes.length * 15 + (upright ? room(columns) + 8 : columns.length > 0 ? 18 : 4);
  const bottom = top + Math.max(high, 150); // where the axis' name ends
  const svg = whitePicture(left + side + 24, bottom + 72, title);
  const cells = {
    transform: "translate(" + fixed(left) + " " + fixed(top) + ") scale(" + unit + ")",
    "shape-rendering": "crispEdges",
  };
  svg.append(labelled(left, 30, 18, "start", title, { "font-weight": 600 }), ...notes);
  svg.append(svgElement("g", cells, ...cellsPicture(pattern, scale)));
  const mono = { "font-family": MONO };
  /** @type {(i: number) => number} */
  const middle = (i) => (i + 0.5) * unit;
  /** @type {(text: string, i: number) => boolean} */
  const shown = (_, i) => i % every === 0;
  rows.forEach(
    (text, i) =>
      shown(text, i) &&
      svg.append(labelled(left - 6, top + middle(i) + size * 0.35, size, "end", text, mono)),
  );
  columns.forEach((text, i) => {
    if (!shown(text, i)) return;
    const place = left + middle(i);
    const turn = "rotate(-90 " + fixed(place) + " " + fixed(top - 6) + ")";
    const turned = { transform: turn, "text-anchor": "start", dy: "0.35em" };
    svg.append(labelled(place, top - 6, size, "middle", text, { ...mono, ...(upright ? turned : {}) }));
  });
  const centre = (top + bottom) / 2;
  const axis = { transform: "rotate(-90 18 " + fixed(centre) + ")" };
  svg.append(labelled(left + wide / 2, 58 + notes.length * 15, 14, "middle", "key (attended to) →"));
  svg.append(
    labelled(18, centre, 14, "middle", "← query (attending)", axis),
    ...legendPicture(scale, left, bottom + 22, pattern.hides),
  );
  return svg;
}

/**
 * @param {Scale} scale
 * @param {number} x
 * @param {number} y
 * @param {boolean} hides
 */
function legendPicture(scale, x, y, hides) {
  const parts = [];
  for (let i = 0; i < 64; ++i) {
    parts.push(
      svgElement("rect", { x: fixed(x + i * 3.4), y, width: 3.6, height: 12, fill: scale.css[i * 4 + 2] }),
    );
  }
  const [low, high] = scale.ends;
  parts.push(labelled(x - 4, y + 28, 13, "start", low), labelled(x + 218, y + 28, 13, "middle", high));
  parts.push(labelled(x + 232, y + 11, 13, "start", scale.words));
  if (hides)
    parts.push(
      svgElement("rect", { x: x + 232, y: y + 18, width: 12, height: 12, fill: scale.unseen }),
      labelled(x + 250, y + 28, 13, "start", UNSEEN),
    );
  return parts;
}

/**
 * All heads of a grid, as they stand.
 *
 * @param {HeadGrid} grid
 * @param {Scale} scale
 * @param {string} title
 * @param {string} note
 */
export function gridPicture(grid, scale, title, note) {
  const side = 150;
  const gap = 14;
  const below = 38;
  const { layers, n_heads } = grid.run;
  const width = Math.max(420, 40 + n_heads * (side + gap));
  const notes = wrapped(20, 50, 12, width - 40, note);
  const top = 52 + notes.length * 15;
  const height = top + layers * (side + gap + below) + 60;
  const svg = whitePicture(width, height, title);
  svg.append(labelled(20, 30, 18, "start", title, { "font-weight": 600 }), ...notes);
  grid.draw(Infinity);
  grid.buttons.forEach((_, head) => {
    const x = 20 + (head % n_heads) * (side + gap);
    const y = top + Math.floor(head / n_heads) * (side + gap + below);
    const picture = {
      x,
      y,
      width: side,
      height: side,
      href: grid.canvases[head].toDataURL(),
      "image-rendering": "pixelated",
    };
    svg.append(
      svgElement("image", picture),
      ...grid.captionLines(head).map((line, i) => labelled(x, y + side + 16 + 14 * i, 12, "start", line)),
    );
  });
  svg.append(...legendPicture(scale, 30, height - 48, grid.hides));
  return svg;
}
