// The pointer on a large picture. A mouse points and clicks. A finger taps to lock a row; held, or drawn sideways, it
// moves from cell to cell instead of scrolling.

const HOLD = 250; // milliseconds until a finger that rests moves from cell to cell

class Pointing {
  // cellAt(event): [query, key], or null beside the picture.
  constructor(root, { store, selection }, cellAt) {
    Object.assign(this, { store, selection, cellAt, holding: false, timer: null });
    root.addEventListener("pointerdown", (e) => this.down(e));
    root.addEventListener("pointermove", (e) => this.move(e));
    root.addEventListener("pointerup", (e) => this.up(e));
    root.addEventListener("pointercancel", () => this.letGo());
    root.addEventListener("pointerleave", (e) => e.pointerType !== "touch" && this.leave());
    root.addEventListener("touchmove", (e) => this.holding && e.cancelable && e.preventDefault(), {
      passive: false,
    });
    root.addEventListener("contextmenu", (e) => this.holding && e.preventDefault());
    root.addEventListener("click", (e) => this.click(e));
  }

  down(event) {
    this.dragged = false;
    if (event.pointerType !== "touch") return;
    this.start = [event.clientX, event.clientY];
    this.timer = setTimeout(() => this.hold(event), HOLD);
  }

  hold(event) {
    Object.assign(this, { holding: true, dragged: true });
    this.store.change({ locked: false });
    this.look(event, "finger");
  }

  move(event) {
    if (event.pointerType !== "touch") return this.look(event, "map");
    const [across, down] = [event.clientX - this.start[0], event.clientY - this.start[1]].map(Math.abs);
    if (!this.holding && across > 8 && across > 2 * down) this.hold(event);
    if (this.holding) this.look(event, "finger");
  }

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

  look(event, place) {
    this.selection.hover(...(this.cellAt(event) ?? [null, null]), place);
  }

  leave() {
    this.selection.hover(null, null, null);
  }

  click(event) {
    const cell = this.cellAt(event);
    if (!cell || this.dragged) return;
    this.selection.press(...cell);
    this.store.change({ place: event.pointerType === "touch" ? "finger" : "map" });
  }
}

headlight.pointing = { Pointing };
