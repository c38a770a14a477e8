// Colours of weights. Both scales change evenly in lightness, so they can be told apart without seeing hues.

const SCALES = {};

function mixed(points, t) {
  const at = Math.min(Math.max(t, 0), 1) * (points.length - 1);
  const below = Math.min(Math.floor(at), points.length - 2);
  return [0, 1, 2].map((i) => Math.round(points[below][i] + (at - below) * (points[below + 1][i] - points[below][i])));
}

function defineScale(name, hexes, meaning) {
  const points = hexes.map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  const colors = Array.from({ length: 256 }, (_, i) => mixed(points, i / 255));
  SCALES[name] = {
    meaning,
    css: colors.map((c) => "#" + c.map((part) => part.toString(16).padStart(2, "0")).join("")),
    pixels: Uint32Array.from(colors, ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0),
    gradient: "linear-gradient(to right, " + hexes.join(", ") + ")",
  };
}

function defineScales(heat) {
  defineScale("heat", heat, "brighter = more");
  defineScale("paper", ["#ffffff", "#dbe7f1", "#a5c3dc", "#6a97c0", "#3a699c", "#1c4073", "#0b1d3f"], "darker = more");
}

function scale() {
  return SCALES[state.scale];
}

// Background and a text colour that can be read on it.
function tint(weight) {
  const level = Math.round(Math.min(Math.max(weight, 0), 1) * 255);
  const background = scale().css[level];
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(background.slice(at, at + 2), 16));
  return { background, color: 0.3 * r + 0.59 * g + 0.11 * b > 140 ? "#14141b" : "#ffffff" };
}

function drawLegends() {
  for (const legend of document.querySelectorAll(".legend")) {
    const bar = element("i", { role: "img", "aria-label": "colour scale from 0 to 1" });
    bar.style.background = scale().gradient;
    legend.replaceChildren(element("span", {}, "0", bar, "1"), "attention weight, " + scale().meaning);
  }
}
