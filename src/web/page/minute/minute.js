// The first minute: a line, its notes, where the finder looks, and what is left without them; step by step,
// and then in the reader's hands.

import { byId } from "../../kit/text.js";
import { buildControls } from "./controls.js";
import { Line, OFF, framesOf } from "./frames.js";
import { CUT, FOOL, GO_ON, GUESS, NOTE, STEPS, TRAIN } from "./captions.js";
import { MOTION, REST, between, eased, sceneAt, stillScene } from "./scene.js";
import { Panel } from "./panel.js";
import { Strip } from "./strip.js";
import { FinderMap } from "./finder_map.js";
import { TrainingAxis } from "./training_axis.js";

const SWITCHED = 1.2; // seconds until a switch has shown what it does
const MOVED = 0.3; // until another step of training, or another letter, has

export class Minute {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    this.data = app.run.minute;
    const { tokens, predictable, ask, steps, frames, fool } = this.data;
    this.line = new Line(tokens, predictable, ask);
    this.frames = framesOf(frames, tokens.length);
    this.fooled = fool && {
      line: new Line(fool.tokens, predictable, fool.ask, ask),
      frame: framesOf(fool.frames, tokens.length)[0],
    };
    /** @type {{ line: Line; frame: AnyFrame } | null} */
    this.own = null;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.text = (/** @type {number} */ token) => app.run.tokenText(token);
    this.strip = new Strip(/** @type {any} */ (byId("minute-strip")), (position) => this.choose(position));
    this.map = new FinderMap(/** @type {any} */ (byId("minute-map")), (position) => this.choose(position));
    this.axis = new TrainingAxis(
      /** @type {any} */ (byId("minute-curve")),
      steps,
      this.frames.map((frame) => ({ notes: this.line.notes(frame), looks: this.line.looks(frame, 0) })),
    );
    this.panel = new Panel(this);
    this.laidOut = ""; // for which widths
    /** @type {number | null} */
    this.guessed = null; // by the reader
    this.frame = 0;
    this.last = 0;
    this.reset(GUESS);
    byId("minute").hidden = false;
    // Who goes by keys hears each step to its end, and goes on by a key.
    this.byKeys = false;
    const capture = { capture: true, signal: app.closed };
    document.addEventListener("keydown", () => (this.byKeys = true), capture);
    document.addEventListener("pointerdown", () => (this.byKeys = false), capture);
    buildControls(this);
    new ResizeObserver(() => {
      if (awake(app.store.state) && this.laidOut !== this.rooms().join()) this.layout();
    }).observe(byId("minute"));
    app.store.subscribe(
      ["tab", "printing"],
      ({ printing }) => {
        if (printing && this.step < GO_ON) this.go(GO_ON, true);
        this.layout();
        this.wake();
      },
      awake,
    );
  }

  /** @param {number} step */
  reset(step) {
    this.step = step;
    this.time = this.rest = 0;
    this.state = 0;
    this.snapshot = step === TRAIN ? 0 : this.frames.length - 1;
    /** @type {number | null} */
    this.query = null;
    this.touched = this.dragged = this.paused = false;
    this.own = null;
    /** @type {Scene | null} */
    this.before = null;
    this.share = 1;
    this.taking = 1;
    this.running = MOTION[step] > 0;
    if (step === GUESS) this.guessed = null;
  }

  /** @returns {Situation} */
  get situation() {
    const shown =
      this.own ??
      (this.step === FOOL && this.fooled
        ? this.fooled
        : { line: this.line, frame: this.frames[this.snapshot] });
    const { state, query, touched, dragged, text } = this;
    const begun = this.step !== FOOL || this.time >= 1.2;
    const [begins] = this.data.steps;
    const untrained = begins === 0 ? this.line.notes(this.frames[0]) : 0;
    return {
      ...shown,
      state,
      query,
      touched,
      dragged,
      text,
      untrained,
      begins,
      begun,
      own: this.own !== null,
    };
  }

  // The letters can be chosen, and the lamps switched without leaving the step.
  get inHand() {
    return this.step >= CUT && this.time >= MOTION[this.step];
  }

  /** @param {number} by */
  neighbour(by) {
    let step = this.step + by;
    if (step === FOOL && !this.fooled) step += by;
    return Math.min(Math.max(step, 0), STEPS.length - 1);
  }

  /**
   * @param {number} step
   * @param {boolean} atEnd
   */
  go(step, atEnd = false) {
    const { guessed } = this;
    this.leaveOwn();
    this.reset(step);
    if (step !== GUESS) this.guessed = guessed;
    if (atEnd || this.still.matches) {
      this.time = MOTION[step];
      this.running = false;
    }
    this.layout();
    this.wake();
  }

  next() {
    if (this.step === TRAIN) return this.go(GUESS);
    if (this.running) {
      this.time = MOTION[this.step];
      this.running = false;
      return this.wake();
    }
    return this.go(this.neighbour(1));
  }

  /**
   * What `change` does is shown as a passage of so many seconds.
   *
   * @param {number} seconds
   * @param {() => void} change
   */
  change(seconds, change) {
    const { line } = this.situation;
    const before = this.step >= CUT ? this.scene() : null;
    change();
    const same = this.situation.line === line && before !== null;
    this.before = same && !this.still.matches ? before : null;
    this.share = this.before ? 0 : 1;
    this.taking = seconds;
    if (!same) this.layout();
    this.wake();
  }

  /** @param {number} bit */
  flip(bit) {
    if (this.step < NOTE || (bit === OFF.wire && this.own)) return;
    if (this.step < CUT) this.go(CUT);
    this.time = MOTION[this.step];
    this.running = false;
    this.change(SWITCHED, () => {
      const wire = this.state === OFF.wire ? 0 : OFF.wire;
      this.state = bit === OFF.wire ? wire : (this.state & ~OFF.wire) ^ bit;
      this.touched = true;
    });
  }

  /** @param {number} position */
  choose(position) {
    const { line } = this.situation;
    if (!this.inHand) return;
    if (line.asked.includes(position) || line.predictable[position])
      this.change(MOVED, () => {
        this.query = position;
      });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !this.inHand) return;
    event.preventDefault();
    const { line } = this.situation;
    const at = line.asked.indexOf(this.query ?? line.ask);
    this.choose(line.asked[Math.min(Math.max(at + by, 0), line.asked.length - 1)]);
  }

  /** @param {number} snapshot */
  train(snapshot) {
    this.change(MOVED, () => {
      if (this.step !== TRAIN) {
        this.leaveOwn();
        this.reset(TRAIN);
      }
      this.snapshot = snapshot;
      this.dragged = true;
    });
  }

  /**
   * A line that the reader typed.
   *
   * @param {Line} line
   * @param {AnyFrame} frame
   */
  showOwn(line, frame) {
    if (this.step !== CUT) this.reset(CUT);
    if (this.state === OFF.wire) this.state = 0;
    this.own = { line, frame };
    this.query = this.before = null;
    this.touched = true;
    this.layout();
  }

  // The line that was typed stands in its field only while it is shown.
  leaveOwn() {
    byId("minute-text").value = byId("minute-refused").textContent = "";
  }

  pause() {
    this.paused = !this.paused;
    this.wake();
  }

  scene() {
    const s = this.situation;
    const now = this.own ? stillScene(s) : sceneAt(this.step, this.time, s);
    return this.before && this.share < 1 ? between(this.before, now, eased(this.share)) : now;
  }

  // The widths of its pictures.
  rooms() {
    return ["minute-stage", "minute-figure", "minute-axis"].map((id) => byId(id).clientWidth);
  }

  layout() {
    const { line } = this.situation;
    const texts = line.tokens.map(this.text);
    const rooms = this.rooms();
    const [width, figure, axis] = rooms;
    if (width === 0) return;
    this.laidOut = rooms.join();
    this.strip.layout(line, texts, width);
    this.map.layout(line, texts, figure || width);
    this.axis.layout(axis || width);
    this.draw();
  }

  wake() {
    if (this.frame) return;
    this.last = performance.now();
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  /** @param {number} now */
  tick(now) {
    this.frame = 0;
    const passed = Math.min(0.25, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    let busy = false;
    if (this.paused) {
      this.draw();
      return;
    }
    if (this.running) {
      this.time += passed;
      busy = true;
      if (this.time >= MOTION[this.step]) {
        this.time = MOTION[this.step];
        this.running = false;
      }
    } else if (
      REST[this.step] > 0 &&
      !this.still.matches &&
      !this.byKeys &&
      this.app.store.state.tab === "start" &&
      !this.app.store.state.printing
    ) {
      this.rest += passed;
      busy = true;
      if (this.rest >= REST[this.step]) return this.go(this.step + 1);
    }
    if (this.share < 1) {
      this.share = Math.min(1, this.share + passed / this.taking);
      busy = true;
    }
    this.draw();
    if (busy) this.frame = requestAnimationFrame((time) => this.tick(time));
  }

  draw() {
    if (!this.strip.line) return;
    const scene = this.scene();
    this.strip.draw(scene, this.text);
    this.map.draw(scene);
    this.axis.draw(this.snapshot);
    this.panel.show(scene);
  }
}

/** @typedef {import("./frames.js").AnyFrame} AnyFrame */
