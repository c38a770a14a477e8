// Puts a box that floats over the page near a place on the screen, so that all of the box is on the screen.

const GAP = 8;

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function within(value, low, high) {
  return Math.max(low, Math.min(value, high));
}

/**
 * `anchor` is a rectangle of the window. Below it, if there is room and `first` is not "above"; otherwise
 * above.
 *
 * @param {HTMLElement} box
 * @param {Box} anchor
 * @param {"above" | "below"} first
 */
export function putBeside(box, anchor, first = "below") {
  box.style.left = "0";
  box.style.top = "0";
  const { left, top, width, height } = box.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const above = anchor.top - GAP - height;
  const below = anchor.bottom + GAP;
  const free = { above: above >= 4, below: below + height <= clientHeight - 4 };
  const side = free[first] ? first : first === "above" ? "below" : "above";
  const x = within((anchor.left + anchor.right - width) / 2, 4, clientWidth - width - 4);
  const y = within(side === "above" ? above : below, 4, clientHeight - height - 4);
  box.style.left = x - left + "px";
  box.style.top = y - top + "px";
}

/**
 * Diagonally above the rectangle `around`, to its right, or below it, to its left: there a stripe that goes
 * down to the right stays in sight. Above or below only as far as the rectangle `frame` goes.
 *
 * @param {HTMLElement} box
 * @param {Box} around
 * @param {{ top: number; bottom: number }} frame
 */
export function putAcross(box, around, frame) {
  box.style.left = "0";
  box.style.top = "0";
  const { left, top, width, height } = box.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const right = around.right + width <= clientWidth - 4;
  const x = within(right ? around.right : around.left - width, 4, clientWidth - width - 4);
  const inside = within(right ? around.top - height : around.bottom, frame.top, frame.bottom - height);
  box.style.left = x - left + "px";
  box.style.top = within(inside, 4, clientHeight - height - 4) - top + "px";
}
