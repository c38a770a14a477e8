// A box under each exercise of the book, in which one writes C++ and is told the same as in a terminal.
import style from "./box.css";
import { download } from "../kit/save.js";
import { element, sentence } from "../kit/text.js";
import { Kept } from "./kept.js";
import { Solver } from "./solver.js";
import { pressable } from "./verdict.js";

const kept = new Kept();
/**
 * The box that is at work, to which the solver's news go.
 *
 * @type {Box | undefined}
 */
let atWork;
const solver = new Solver((event) => atWork?.news(event));

/**
 * @param {string} words
 * @param {() => void} act
 */
function button(words, act) {
  const made = element("button", { type: "button" }, words);
  made.addEventListener("click", act);
  return made;
}

const packed = () => new Blob([/** @type {BlobPart} */ (kept.packed())], { type: "application/x-tar" });

const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 1e6);

class Box {
  /**
   * @param {HTMLElement} place
   * @param {string} lesson "02_derivatives"
   * @param {string} shipped the exercise as it is shipped
   * @param {Record<string, string>} headers what it includes, to be read
   */
  constructor(place, lesson, shipped, headers) {
    this.place = place;
    this.lesson = lesson;
    this.number = String(Number(lesson.slice(0, 2)));
    this.file = `${lesson}.cpp`;
    this.verdict = `.verdicts/${lesson}.txt`; // the last one, for the next time
    this.shipped = shipped;
    this.headers = headers;
    this.status = element("p", { role: "status", class: "step" });
    this.said = element("div", { class: "said" }); // the verdict
    this.more = element("div", { class: "said more" }); // what was asked after it
    this.bar = element("p", { class: "parts" });
  }

  async open() {
    this.place.replaceChildren(this.bar, this.status);
    this.status.textContent = "The editor is coming …";
    const { openEditor } = await import("./editor.js");
    const frame = element("div", { class: "editor" });
    this.editor = openEditor(frame, {
      text: kept.files.get(this.file) ?? this.shipped,
      label: `my/${this.file}`,
      onChange: (text) => this.edited(text),
      onCheck: () => this.check(),
    });
    this.checks = button("Check", () => this.check());
    this.checks.classList.add("check");
    this.hints = button("Hint", () => this.hint());
    this.stops = button("Stop", () => solver.stop());
    this.stops.hidden = true;
    const choose = element("input", { type: "file", multiple: "", accept: ".tar,.cpp", hidden: "" });
    choose.addEventListener("change", () => this.opened(choose.files));
    const more = element(
      "details",
      {},
      element("summary", {}, "Files"),
      button("Begin anew", () => this.reset()),
      button("Download my/", () => download("my.tar", packed())),
      button("Open a my/ …", () => choose.click()),
      choose,
    );
    const reading = Object.entries(this.headers).map(([name, text]) =>
      element("details", { class: "header" }, element("summary", {}, name), element("pre", {}, text)),
    );
    this.place.replaceChildren(
      this.bar,
      element("div", { class: "headers" }, "To read: ", ...reading),
      frame,
      element(
        "div",
        { class: "acts" },
        this.checks,
        this.hints,
        this.stops,
        element("span", { class: "keys" }, "Ctrl-Enter checks"),
        more,
      ),
      this.status,
      this.said,
      this.more,
    );
    this.drawParts();
    const before = kept.files.get(this.verdict);
    if (before) this.show(before, this.said);
    this.editor.focus();
    this.tell("");
    atWork = this;
    try {
      await solver.prepare();
      if (atWork === this && !this.running) this.tell("The compiler is ready.");
    } catch (error) {
      this.tell(sentence(error));
    }
  }

  /** @param {string} text */
  edited(text) {
    kept.write(this.file, text);
    this.editor?.unmark();
  }

  /** @param {string} text */
  tell(text) {
    const loses = "This window keeps nothing: download my/ before you close it.";
    this.status.textContent = kept.lasts ? text : `${text} ${loses}`.trim();
  }

  /** @param {SolverEvent} event */
  news({ loaded, size, kept, step }) {
    const words = kept ? "Unpacking the compiler, which this browser has" : "Loading the compiler";
    if (loaded && size) this.tell(`${words}: ${megabytes(loaded)} of ${megabytes(size)} MB`);
    if (step) this.tell(`${step} …`);
  }

  drawParts() {
    const solved = kept.solved(this.lesson);
    this.bar.textContent = solved.length
      ? `${solved.filter(Boolean).length} of ${solved.length} parts are solved`
      : "";
    markContents(this.lesson, solved);
  }

  /**
   * @param {string} what
   * @param {string} [part] ".4"
   */
  async call(what, part = "") {
    if (this.running) return undefined;
    this.running = true;
    atWork = this;
    this.checks.disabled = this.hints.disabled = true;
    this.stops.hidden = false;
    const began = performance.now();
    kept.write(this.file, this.editor.text());
    const columns = Math.floor(this.said.clientWidth / 8.2);
    try {
      const width = String(Math.min(Math.max(columns, 40), 100));
      const { said, my } = await solver.call([what, this.number + part, width], kept.all());
      kept.take(my);
      this.drawParts();
      this.tell(`${((performance.now() - began) / 1000).toFixed(1)} s`);
      return said;
    } catch (error) {
      this.tell(sentence(error));
      return undefined;
    } finally {
      this.running = false;
      this.checks.disabled = this.hints.disabled = false;
      this.stops.hidden = true;
    }
  }

  /** @param {string} [part] */
  async check(part) {
    this.said.classList.add("old");
    const said = await this.call("check", part);
    if (!said) return;
    kept.write(this.verdict, said.failed ?? said.text ?? "");
    this.show(kept.files.get(this.verdict), this.said);
    this.said.classList.remove("old");
    this.more.replaceChildren();
    this.editor.unmark();
    if (said.mark)
      this.editor.mark(
        said.mark.line,
        said.mark.column,
        said.mark.wrong,
        said.error || "The verdict is about this part.",
      );
    if (said.picture) this.said.append(button("Draw the picture of what I wrote", () => this.picture()));
    this.said.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} [part] */
  async hint(part) {
    const said = await this.call("hint", part);
    if (said) this.show(said.failed ?? said.text ?? "");
  }

  async picture() {
    const said = await this.call("show");
    if (!said) return;
    if (!said.picture) return this.show(said.failed ?? "");
    const svg = kept.files.get(/** @type {string} */ (said.picture).replace(/^my\//, "")) ?? "";
    const bytes = new TextEncoder().encode(svg);
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    const src = `data:image/svg+xml;base64,${btoa(letters)}`;
    this.more.replaceChildren(element("img", { src, alt: "What your functions draw, beside ours" }));
  }

  /**
   * Shows a text of the terminal; below the last verdict, unless it is one.
   *
   * @param {string} text
   * @param {HTMLElement} [where]
   */
  show(text, where = this.more) {
    const part = `${this.number}(?:\\.(\\d+))?\\b`;
    const readme = `lessons/${this.lesson}/README\\.md`;
    where.replaceChildren(
      pressable(text, [
        [`\\./headlight check ${part}`, (at) => this.check(at && `.${at}`)],
        [`\\./headlight hint(?: ${part})?`, (at) => this.hint(at && `.${at}`)],
        [`\\./headlight show ${part}`, () => this.picture()],
        ["\\./headlight start (\\d+)", (lesson) => (location.hash = `lesson-${lesson.padStart(2, "0")}`)],
        [`my/${this.lesson}\\.cpp:(\\d+)`, (line) => this.editor.go(Number(line))],
        ["my/\\.compiler\\.txt()", () => this.show(kept.files.get(".compiler.txt") ?? "")],
        [`Read again: "([^"]+)"\\s+in\\s+${readme}`, (section) => this.read(section)],
        [`questions at the end of ${readme}()`, () => this.place.nextElementSibling?.scrollIntoView()],
      ]),
    );
  }

  /** Goes to a section of the lesson. @param {string} section its heading, which may be broken over lines */
  read(section) {
    const words = section.replace(/\s+/g, " ");
    const headings = this.place.closest("article").querySelectorAll("h2, h3");
    [...headings].find((heading) => heading.textContent.endsWith(words))?.scrollIntoView();
  }

  reset() {
    const old = this.editor.text();
    let number = 1;
    while (kept.files.has(`${this.lesson}.${number}.cpp`)) ++number;
    kept.write(`${this.lesson}.${number}.cpp`, old);
    this.editor.replace(this.shipped);
    kept.forget(this.lesson);
    this.drawParts();
    this.said.replaceChildren();
    this.more.replaceChildren();
    const name = `my/${this.lesson}.${number}.cpp`;
    this.tell(`my/${this.file} is as it was shipped. Your old file is ${name} in "Download my/".`);
  }

  /** @param {FileList} chosen */
  async opened(chosen) {
    const count = await kept.open(chosen);
    const mine = kept.files.get(this.file);
    if (mine !== undefined) this.editor.replace(mine);
    this.tell(count === 0 ? "There is no file of an exercise in it." : `${count} files were opened.`);
    this.drawParts();
  }
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
document.adoptedStyleSheets.push(sheet);

/**
 * Marks in the book's contents what is solved.
 *
 * @param {string} lesson
 * @param {boolean[]} solved
 */
function markContents(lesson, solved) {
  const item = document.querySelector(`#contents a[href="#lesson-${lesson.slice(0, 2)}"]`)?.parentElement;
  item?.querySelector(".solved")?.remove();
  const count = solved.filter(Boolean).length;
  if (!item || solved.length === 0) return;
  const mark = ` ${count}/${solved.length}${count === solved.length ? " ✓" : ""}`;
  item.querySelector("a").after(element("span", { class: "solved" }, mark));
}

/** Puts a box at the end of each exercise's section. */
async function offer() {
  /** @type {Manifest} */
  const manifest = await (await fetch(new URL("manifest.json", import.meta.url))).json();
  const size = Object.entries(manifest.files).reduce(
    (sum, [name, file]) => sum + (/^(checks|drawings)/.test(name) ? 0 : file.bytes),
    0,
  );
  for (const [lesson, { shipped, headers }] of Object.entries(manifest.exercises)) {
    const heading = document.getElementById(`lesson-${lesson.slice(0, 2)}-the-exercise`);
    if (!heading) continue;
    const place = element("div", { class: "solve" });
    const box = new Box(place, lesson, shipped, headers);
    place.append(
      button("Write it here", () => box.open()),
      ` The compiler comes into this page: ${megabytes(size)} MB, once. ` +
        "Nothing that you write is sent anywhere.",
    );
    let last = /** @type {Element} */ (heading);
    while (last.nextElementSibling && !last.nextElementSibling.matches("h2, .turn"))
      last = last.nextElementSibling;
    last.after(place);
    const here = button("in this page", () => box.open().then(() => place.scrollIntoView()));
    heading.after(
      element("p", { class: "solve" }, "You can solve it ", here, ". The commands are for a terminal."),
    );
    markContents(lesson, kept.solved(lesson));
  }
}
offer();
