// Heads switched off: what the model predicts without them. The numbers were computed with the page, for sets
// of heads.

const { element, setOptions, fixed } = headlight.text;

const { bytesOf } = headlight.squeeze;
const { sequenceButton } = headlight.selection;

const ROUNDED =
  "Without heads the page has the likeliest token and the right one. Their probabilities are " +
  "rounded by up to 0.002.";

class Without {
  constructor({ run, store }) {
    this.run = run;
    this.store = store;
    this.decoded = new Map();
    this.last = {};
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
    this.store.change({ off: [...new Set(heads)].sort((one, other) => one - other).join(",") });
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
    return (
      this.run.without !== undefined && this.indexOf([...heads].sort((one, other) => one - other)) !== null
    );
  }

  // The numbers of one way on a sequence; undefined where the page has none.
  numbers(sequence = this.store.state.sequence, way = this.store.state.way) {
    const packed = this.run.without?.sequences[sequence]?.[way];
    const name = sequence + " " + way;
    if (!packed || this.decoded.has(name)) return this.decoded.get(name);
    const tokens = bytesOf(packed.tokens);
    const wide = this.run.vocabulary.length > 256;
    const decoded = {
      tokens: wide ? new Uint16Array(tokens.buffer) : tokens,
      likeliest: bytesOf(packed.likeliest),
      targets: bytesOf(packed.targets),
      losses: packed.losses,
    };
    this.decoded.set(name, decoded);
    return decoded;
  }

  // The sequence with the predictions that are left; itself while no head is off, and where there are no
  // numbers.
  applied(sequence) {
    const { off, way } = this.store.state;
    const numbers = this.numbers();
    const index = this.run.without && this.indexOf(this.off);
    if (off === "" || !numbers || index === null || sequence.guesses.length === 0) return sequence;
    if (this.last.sequence === sequence && this.last.key === off + " " + way) return this.last.applied;
    const start = index * sequence.tokens.length;
    const guesses = sequence.tokens.map((_, position) => {
      const best = numbers.tokens[start + position];
      const target = sequence.targets[position];
      const first = [[best, numbers.likeliest[start + position] / 255]];
      return target < 0 || target === best
        ? first
        : [...first, [target, numbers.targets[start + position] / 255]];
    });
    this.last = { sequence, key: off + " " + way, applied: { ...sequence, guesses, without: true } };
    return this.last.applied;
  }

  // The positions that count: those of predictable tokens, if there are any.
  counted(sequence) {
    const places = sequence.tokens
      .map((_, position) => position)
      .filter((position) => sequence.targets[position] >= 0);
    const known = places.filter((position) => sequence.predictable[position]);
    return known.length > 0 ? known : places;
  }

  accuracy(sequence, numbers, index) {
    const places = this.counted(sequence);
    const right = places.filter(
      (position) => numbers.tokens[index * sequence.tokens.length + position] === sequence.targets[position],
    );
    return right.length / places.length;
  }

  // The counted positions whose prediction was right with all heads and is wrong now.
  lost(sequence) {
    const { guesses, without } = this.applied(sequence);
    const right = (all, position) => all[position][0][0] === sequence.targets[position];
    return new Set(
      without
        ? this.counted(sequence).filter(
            (position) => right(sequence.guesses, position) && !right(guesses, position),
          )
        : [],
    );
  }

  // "Without L1H0, L1H3: accuracy 0.36 instead of 1.00, loss 2.31 instead of 0.02, …"
  words(sequence) {
    const { run, off } = this;
    const numbers = this.numbers();
    const codes = this.codes();
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
    const own = run.sequences[this.store.state.sequence];
    const places = this.counted(own);
    const start = index * own.tokens.length;
    if (places.length === 0) {
      const changed = own.tokens.filter(
        (_, position) => numbers.tokens[start + position] !== numbers.tokens[position],
      ).length;
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
  const code = run.headCode(head);
  const title = "Switch " + code + " off or on";
  const input = element("input", {
    type: "checkbox",
    role: "switch",
    class: "power",
    "aria-label": code + " is on",
    title,
  });
  input.addEventListener("click", (event) => event.stopPropagation());
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
    this.grid = grid;
    this.app = app;
    this.cells = grid.buttons.map((button, head) => {
      const { input, show } = headSwitch(app, head);
      const strike = element("span", { class: "strike" });
      const cell = element("div", { class: "switched" });
      button.replaceWith(cell);
      cell.append(button, strike, input);
      return { cell, strike, show };
    });
    grid.root.addEventListener("keydown", (event) => {
      const head = grid.buttons.indexOf(event.target);
      if (
        event.key.toLowerCase() !== "x" ||
        head < 0 ||
        !app.run.without ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return;
      app.without.toggle(head);
      event.preventDefault();
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
    for (const node of document.querySelectorAll(".switching")) {
      node.hidden = !without;
    }
    if (without)
      setOptions(
        this.ways,
        without.ways.map(([, text]) => text),
      );
  }

  show(sequence) {
    const { without, store, run } = this.app;
    const off = without.off.length > 0;
    if (!run.without) return;
    const missing = off && !without.numbers();
    this.line.replaceChildren(off ? without.words(sequence) : this.invitation());
    this.elsewhere.replaceChildren(
      ...(missing ? sequenceButton(this.app, (_, i) => run.without.sequences[i] !== undefined) : []),
    );
    this.root.classList.toggle("active", off);
    this.line.classList.toggle("note", !off);
    this.choices.hidden = !off;
    this.note.hidden = !off;
    this.ways.value = store.state.way;
  }

  invitation() {
    const sign = element("i", { class: "power-sign", "aria-hidden": "true" });
    const name = element("span", { class: "unseen" }, "its switch");
    return element("span", {}, "What is lost without a head? Switch it off with ", sign, name, ".");
  }
}

headlight.without = { ROUNDED, Without, headSwitch, GridSwitches, WithoutPanel };
