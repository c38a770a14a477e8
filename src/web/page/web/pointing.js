// The pointer on a large picture. A mouse points and clicks. A finger taps to lock a row; held, or drawn
// sideways, it moves from cell to cell instead of scrolling.

const HOLD = 250; // milliseconds until a finger that rests moves from cell to cell

export class Pointing {
  /**
   * cellAt(event): [query, key], or null beside the picture.
   *
   * @param {HTMLElement} root
   * @param {App} app
   * @param {(event: MouseEvent) => [query: number, key: number] | null} cellAt
   */
  constructor(root, { store, selection }, cellAt) {
    this.store = store;
    this.selection = selection;
    this.cellAt = cellAt;
    this.holding = false;
    this.timer = null;
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    root.addEventListener("pointercancel", () => this.letGo());
    root.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.leave());
    root.addEventListener(
      "touchmove",
      (event) => this.holding && event.cancelable && event.preventDefault(),
      {
        passive: false,
      },
    );
    root.addEventListener("contextmenu", (event) => this.holding && event.preventDefault());
    root.addEventListener("click", (event) => this.click(event));
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.dragged = false;
    if (event.pointerType !== "touch") return;
    this.start = [event.clientX, event.clientY];
    this.timer = setTimeout(() => this.hold(event), HOLD);
  }

  /** @param {PointerEvent} event */
  hold(event) {
    this.holding = true;
    this.dragged = true;
    this.store.change({ locked: false });
    this.look(event, "finger");
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (event.pointerType !== "touch") return this.look(event, "map");
    const [across, down] = [event.clientX - this.start[0], event.clientY - this.start[1]].map(Math.abs);
    if (!this.holding && across > 8 && across > 2 * down) this.hold(event);
    if (this.holding) this.look(event, "finger");
  }

  /** @param {PointerEvent} event */
  up(event) {
    const held = this.holding;
    this.letGo();
    const cell = this.cellAt(event);
    if (held && cell) this.store.change({ locked: true, query: cell[0], key: cell[1], place: "finger" });
  }

  letGo() {
    clearTimeout(this.timer);
    this.holding = false;
  }

  /**
   * @param {PointerEvent} event
   * @param {Place} place
   */
  look(event, place) {
    this.selection.hover(...(this.cellAt(event) ?? [null, null]), place);
  }

  leave() {
    this.selection.hover(null, null, null);
  }

  /** @param {MouseEvent} event */
  click(event) {
    const cell = this.cellAt(event);
    if (!cell || this.dragged) return;
    this.selection.press(...cell);
    this.store.change({
      place: /** @type {PointerEvent} */ (event).pointerType === "touch" ? "finger" : "map",
    });
  }
}
