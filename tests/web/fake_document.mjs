// As much of a document as the figures of the book use, so that node can move them and read what they say.

import assert from "node:assert/strict";

class FakeNode {
  constructor(tag) {
    this.tagName = tag;
    this.attributes = new Map();
    this.childNodes = [];
    this.parent = null;
    this.listeners = new Map();
    this.dataset = {};
    this.style = { setProperty: (name, value) => (this.style[name] = value) };
    this.hidden = this.disabled = false;
    this.classList = {
      contains: (name) => this.classes.includes(name),
      toggle: (name, on = !this.classes.includes(name)) => {
        this.className = [...this.classes.filter((one) => one !== name), ...(on ? [name] : [])].join(" ");
      },
    };
  }

  get classes() {
    return this.className.split(" ").filter((name) => name !== "");
  }
  get className() {
    return this.attributes.get("class") ?? "";
  }
  set className(names) {
    this.attributes.set("class", names);
  }
  setAttribute(name, value) {
    this.attributes.set(name, value);
    if (name === "value") this.value = value;
    if (name.startsWith("data-")) this.dataset[name.slice(5)] = value;
  }
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }

  append(...nodes) {
    for (const node of nodes) {
      const child =
        node instanceof FakeNode ? node : Object.assign(new FakeNode("#text"), { text: String(node) });
      child.parent = this;
      this.childNodes.push(child);
    }
  }
  replaceChildren(...nodes) {
    this.childNodes = [];
    this.append(...nodes);
  }
  get firstChild() {
    return this.childNodes[0];
  }
  get firstElementChild() {
    return this.childNodes.find((node) => node.tagName !== "#text");
  }
  get textContent() {
    return this.tagName === "#text" ? this.text : this.childNodes.map((node) => node.textContent).join("");
  }
  set textContent(text) {
    if (this.tagName === "#text") this.text = text;
    else this.replaceChildren(text);
  }
  closest(tag) {
    return this.tagName === tag ? this : (this.parent?.closest(tag) ?? null);
  }
  querySelectorAll(tag) {
    return this.childNodes.flatMap((node) => [
      ...(node.tagName === tag ? [node] : []),
      ...node.querySelectorAll(tag),
    ]);
  }

  addEventListener(kind, act) {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), act]);
  }
  dispatch(kind, event = {}) {
    for (const act of this.listeners.get(kind) ?? [])
      act({ target: this, currentTarget: this, detail: 0, preventDefault() {}, ...event });
  }
  getContext() {
    return {
      createImageData: (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
      putImageData: (image) => (this.pixels = new Uint32Array(image.data.buffer)),
    };
  }
  focus() {}
  select() {}
}

/** What getElementById finds. */
export const known = new Map();

globalThis.document = /** @type {any} */ ({
  createElement: (tag) => new FakeNode(tag),
  createElementNS: (_, tag) => new FakeNode(tag),
  getElementById: (id) => known.get(id) ?? null,
  querySelectorAll: (tag) => (tag === "main" ? [{ dataset: { heat: "#000000,#ff8000", unseen: "#010203" } }] : []),
});

/** A figure in an article with these headings, filled by `fill`. */
export class Figure {
  constructor(fill, headings = []) {
    const article = new FakeNode("article");
    this.root = new FakeNode("figure");
    for (const [id, text] of headings) {
      const heading = new FakeNode("h2");
      heading.id = id;
      heading.append(text);
      article.append(heading);
    }
    article.append(this.root);
    this.made = fill(this.root);
  }

  all(tag, of = this.root) {
    return of.querySelectorAll(tag);
  }
  named(tag, label) {
    return this.all(tag).find((node) => node.getAttribute("aria-label") === label);
  }
  says() {
    return this.all("p").find((node) => node.getAttribute("role") === "status").textContent;
  }
  press(text) {
    this.all("button")
      .find((node) => node.textContent === text)
      .dispatch("click");
  }
  write(input, value) {
    input.value = String(value);
    input.dispatch("input");
  }
  /** Moves the slider with this name to one of its values. */
  slide(name, place) {
    const label = this.all("label").find(
      (node) => node.classes.includes("slider") && node.firstChild.textContent === name,
    );
    this.write(this.all("input", label)[0], place);
    return this.all("output", label)[0].textContent;
  }
  /** The numbers of a bar chart, by the beginning of its title. Its bars must be as high as these. */
  bars(title) {
    const chart = this.all("svg").find((svg) => (svg.getAttribute("aria-label") ?? "").startsWith(title));
    const values = chart.getAttribute("aria-label").split(": ").at(-1).split(", ").map(Number);
    const [zero, one] = ["0", "1"].map((text) => this.placeOfRule(chart, text));
    const bars = this.all("rect", chart);
    assert.equal(bars.length, values.length);
    bars.forEach((bar, i) => {
      const [y, height] = ["y", "height"].map((name) => Number(bar.getAttribute(name)));
      assert.ok(Math.abs(height / (zero - one) - values[i]) < 0.006, `the height of bar ${i}`);
      assert.ok(Math.abs(y + height - zero) < 0.2, `the foot of bar ${i}`);
    });
    return values;
  }
  /** Where the rule stands that has this number beside it. */
  placeOfRule(chart, text) {
    const rule = this.all("line", chart)[
      this.all("text", chart)
        .filter((node) => node.getAttribute("text-anchor") === "end")
        .findIndex((node) => node.textContent === text)
    ];
    return Number(rule.getAttribute("y1"));
  }
}

/** Each row of a table as texts. */
export const cells = (table) =>
  table.querySelectorAll("tr").map((row) => row.querySelectorAll("td").map((cell) => cell.textContent));

/** The numbers in a text, with − for the sign. */
export const numbersIn = (text) => (text.replaceAll("−", "-").match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
