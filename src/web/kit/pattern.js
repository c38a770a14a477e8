// A pattern as a small picture on a canvas of its own.

/**
 * One pixel a cell; the style sheet makes it large.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Pattern} pattern
 * @param {Pick<Scale, "table" | "unseenPixel">} scale
 */
export function drawPattern(canvas, pattern, scale) {
  const { queries, keys } = pattern;
  const colors = scale.table(pattern.levels);
  if (canvas.width !== keys || canvas.height !== queries)
    Object.assign(canvas, { width: keys, height: queries });
  const context = canvas.getContext("2d");
  const image = context.createImageData(keys, queries);
  const out = new Uint32Array(image.data.buffer).fill(scale.unseenPixel);
  let at = pattern.offset;
  for (let i = 0; i < queries; ++i) {
    const [first, end] = pattern.seen(i);
    for (let j = first; j < end; ++j) {
      out[i * keys + j] = colors[pattern.values[at + j]];
    }
    at += pattern.kept(i);
  }
  context.putImageData(image, 0, 0);
}
