// Heads switched off: what the model predicts without them. The numbers were computed with the page, for sets of heads.

const { element, setOptions, fixed } = headlight.text;

const { bytesOf } = headlight.squeeze;
const { sequenceButton } = headlight.selection;

const ROUNDED =
  "Without heads the page has the likeliest token and the right one. Their probabilities are rounded by up to 0.002.";

class Without {
  constructor({ run, store }) {
    Object.assign(this, { run, store, decoded: new Map(), last: {} });
    store.subscribe(["data"], () => this.decoded.clear());
  }

  get off() {
    const { off } = this.store.state;
    return off === "" ? [] : off.split(",").map(Number);
  }

  codes(heads = this.off) {
    return heads.map((head) => this.run.headCode(head)).join(", ");
  }

  switchOff(heads) {
    this.store.change({ off: [...new Set(heads)].sort((a, b) => a - b).join(",") });
  }

  toggle(head) {
    const { off } = this;
    this.switchOff(off.includes(head) ? off.filter((other) => other !== head) : [...off, head]);
  }

  // The number of a set among those of the page; null for a larger one.
  indexOf(heads) {
    const { without, heads: count } = this.run;
    if (without.most === count) return heads.reduce((index, head) => index + 2 ** head, 0);
    if (heads.length > without.most) return null;
    const [i, j] = heads;
    if (heads.length < 2) return heads.length === 0 ? 0 : 1 + i;
    return 1 + count + (i * (2 * count - i - 1)) / 2 + j - i - 1;
  }

  has(heads) {
    return this.run.without !== undefined && this.indexOf([...heads].sort((a, b) => a - b)) !== null;
  }

  // The numbers of one way on a sequence; undefined where the page has none.
  numbers(sequence = this.store.state.sequence, way = this.store.state.way) {
    const packed = this.run.without?.sequences[sequence]?.[way],
      name = sequence + " " + way;
    if (!packed || this.decoded.has(name)) return this.decoded.get(name);
    const tokens = bytesOf(packed.tokens),
      wide = this.run.vocabulary.length > 256;
    const decoded = {
      tokens: wide ? new Uint16Array(tokens.buffer) : tokens,
      likeliest: bytesOf(packed.likeliest),
      targets: bytesOf(packed.targets),
      losses: packed.losses,
    };
    this.decoded.set(name, decoded);
    return decoded;
  }

  // The sequence with the predictions that are left; itself while no head is off, and where there are no numbers.
  applied(s) {
    const { off, way } = this.store.state,
      numbers = this.numbers(),
      index = this.run.without && this.indexOf(this.off);
    if (off === "" || !numbers || index === null || s.guesses.length === 0) return s;
    if (this.last.s === s && this.last.key === off + " " + way) return this.last.applied;
    const start = index * s.tokens.length;
    const guesses = s.tokens.map((_, t) => {
      const best = numbers.tokens[start + t],
        target = s.targets[t];
      const first = [[best, numbers.likeliest[start + t] / 255]];
      return target < 0 || target === best ? first : [...first, [target, numbers.targets[start + t] / 255]];
    });
    this.last = { s, key: off + " " + way, applied: { ...s, guesses, without: true } };
    return this.last.applied;
  }

  // The positions that count: those of predictable tokens, if there are any.
  counted(s) {
    const places = s.tokens.map((_, t) => t).filter((t) => s.targets[t] >= 0),
      known = places.filter((t) => s.predictable[t]);
    return known.length > 0 ? known : places;
  }

  accuracy(s, numbers, index) {
    const places = this.counted(s),
      right = places.filter((t) => numbers.tokens[index * s.tokens.length + t] === s.targets[t]);
    return right.length / places.length;
  }

  // The counted positions whose prediction was right with all heads and is wrong now.
  lost(s) {
    const { guesses, without } = this.applied(s),
      right = (all, t) => all[t][0][0] === s.targets[t];
    return new Set(without ? this.counted(s).filter((t) => right(s.guesses, t) && !right(guesses, t)) : []);
  }

  // "Without L1H0, L1H3: accuracy 0.36 instead of 1.00, loss 2.31 instead of 0.02, …"
  words(s) {
    const { run, off } = this,
      numbers = this.numbers(),
      codes = this.codes();
    if (off.length === 0) return "";
    if (!numbers) return "Without " + codes + ": " + this.missing();
    const index = this.indexOf(off);
    if (index === null)
      return (
        "Without " +
        codes +
        ": this page has numbers for " +
        (run.without.most === 2 ? "one or two heads" : "one head") +
        " switched off, of a model with so many. The predictions are those with all heads."
      );
    const own = run.sequences[this.store.state.sequence],
      places = this.counted(own),
      start = index * own.tokens.length;
    if (places.length === 0) {
      const changed = own.tokens.filter((_, t) => numbers.tokens[start + t] !== numbers.tokens[t]).length;
      return (
        "Without " + codes + ": other predictions at " + changed + " of " + own.tokens.length + " tokens."
      );
    }
    const instead = (now, before) => fixed(now) + " instead of " + fixed(before);
    return (
      "Without " +
      codes +
      ": accuracy " +
      instead(this.accuracy(own, numbers, index), this.accuracy(own, numbers, 0)) +
      ", loss " +
      instead(numbers.losses[index], numbers.losses[0]) +
      " on the " +
      places.length +
      (own.predictable.some(Boolean) ? " " + run.predictable : "") +
      " tokens of this sequence." +
      (run.certificate ? " The certificate's numbers are of other sequences." : "")
    );
  }

  missing() {
    const { length } = this.run.without.sequences;
    return (
      "this sequence has no such numbers; " +
      (length === 1 ? "only the first sequence has" : "the first " + length + " sequences have") +
      ". The predictions are those with all heads."
    );
  }
}

// A head's switch, and the function that shows its state.
function headSwitch({ run, store, without }, head) {
  const code = run.headCode(head),
    title = "Switch " + code + " off or on";
  const input = element("input", {
    type: "checkbox",
    role: "switch",
    class: "power",
    "aria-label": code + " is on",
    title,
  });
  input.addEventListener("click", (e) => e.stopPropagation());
  input.addEventListener("change", () => without.toggle(head));
  const show = () => {
    input.hidden = run.without === undefined;
    input.checked = !without.off.includes(head);
  };
  return { input, show };
}

// The switches on the small pictures.
class GridSwitches {
  constructor(grid, app) {
    Object.assign(this, { grid, app });
    this.cells = grid.buttons.map((button, head) => {
      const { input, show } = headSwitch(app, head),
        strike = element("span", { class: "strike" });
      const cell = element("div", { class: "switched" });
      button.replaceWith(cell);
      cell.append(button, strike, input);
      return { cell, strike, show };
    });
    grid.root.addEventListener("keydown", (e) => {
      const head = grid.buttons.indexOf(e.target);
      if (e.key.toLowerCase() !== "x" || head < 0 || !app.run.without || e.ctrlKey || e.metaKey || e.altKey)
        return;
      app.without.toggle(head);
      e.preventDefault();
    });
  }

  show() {
    const { off } = this.app.without;
    this.cells.forEach(({ cell, strike, show }, head) => {
      show();
      strike.style.aspectRatio = this.grid.buttons[head].firstChild.style.aspectRatio;
      cell.classList.toggle("off", off.includes(head));
    });
  }
}

// What is lost, in a line, with the choice of what takes a head's place.
class WithoutPanel {
  // `marks`: whether the text of the sequence marks what is lost.
  constructor(root, app, { marks = false } = {}) {
    const { run, store, without } = (this.app = app);
    this.root = root;
    this.line = element("p", { role: "status" });
    this.ways = element("select");
    this.ways.addEventListener("change", () => store.change({ way: Number(this.ways.value) }));
    this.allOn = element("button", { type: "button" }, "Switch all on");
    this.allOn.addEventListener("click", () => without.switchOff([]));
    this.choices = element(
      "div",
      { class: "controls" },
      element("label", {}, "In place of a head's output: ", this.ways),
      this.allOn,
    );
    const patterns = "The patterns on the page stay those of the whole model.";
    this.note = element(
      "p",
      { class: "note" },
      patterns,
      marks
        ? " In the sequence, a frame marks a token at which the prediction was right and is wrong now."
        : "",
    );
    this.elsewhere = element("div", {});
    root.append(this.line, this.elsewhere, this.choices);
    root.after(this.note); // below what sticks to the edge of the screen
    store.subscribe(["data"], () => this.name(run));
  }

  name({ without }) {
    this.root.hidden = !without;
    if (!without) this.note.hidden = true;
    for (const node of document.querySelectorAll(".switching")) node.hidden = !without;
    if (without)
      setOptions(
        this.ways,
        without.ways.map(([, text]) => text),
      );
  }

  show(s) {
    const { without, store, run } = this.app,
      off = without.off.length > 0;
    if (!run.without) return;
    const missing = off && !without.numbers();
    this.line.replaceChildren(off ? without.words(s) : this.invitation());
    this.elsewhere.replaceChildren(
      ...(missing ? sequenceButton(this.app, (_, i) => run.without.sequences[i] !== undefined) : []),
    );
    this.root.classList.toggle("active", off);
    this.line.classList.toggle("note", !off);
    this.choices.hidden = this.note.hidden = !off;
    this.ways.value = store.state.way;
  }

  invitation() {
    const sign = element("i", { class: "power-sign", "aria-hidden": "true" }),
      name = element("span", { class: "unseen" }, "its switch");
    return element("span", {}, "What is lost without a head? Switch it off with ", sign, name, ".");
  }
}

headlight.without = { ROUNDED, Without, headSwitch, GridSwitches, WithoutPanel };
