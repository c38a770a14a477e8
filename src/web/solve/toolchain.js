// The programs that the learner's loop starts, as a page plays them: ninja, the checkers, addr2line.
const text = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);

/**
 * What a program that ended says; the rest as by default.
 *
 * @param {Partial<Ended & { made: Uint8Array }>} how made: the program that was built
 */
const ended = (how = {}) => ({
  output: "",
  errors: "",
  status: 0,
  found: true,
  timed_out: false,
  signal: 0,
  ...how,
});

/** @typedef {(words: string[], files: Tree, options: object) => Promise<Record<string, Uint8Array>>} Run */

/**
 * @typedef {object} Parts what is needed besides the learner's file
 * @property {Run} clang runs clang++
 * @property {(name: string, ...run: Parameters<Run>) => ReturnType<Run>} tool runs another program of LLVM
 * @property {Tree} headers the files that every compilation finds
 * @property {Pick<Manifest, "compile" | "link">} flags
 * @property {(lesson: string) => Promise<Uint8Array>} check the object of a lesson's checker
 * @property {(lesson: string) => Promise<Uint8Array>} drawing and of its picture
 * @property {Uint8Array} library all that they link to
 * @property {(lesson: string) => string[]} uses the folders of the lessons that one uses
 * @property {(folder: Folder, name: string, bytes: Uint8Array) => void} lay puts a file into a folder
 * @property {(program: Program) => Promise<Partial<Ended>>} start
 */

/** Keeps what a compiler prints. */
function keeping() {
  /** @type {Uint8Array[]} */
  const said = [];
  const keep = (/** @type {Uint8Array | null} */ bytes) => bytes && said.push(bytes.slice());
  return { said, options: { stdout: keep, stderr: keep } };
}
const all = (/** @type {Uint8Array[]} */ said) => said.map(text).join("");

export class Toolchain {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    /** @type {Map<string, { source: string; object: Uint8Array; said: string }>} */
    this.objects = new Map();
    /** @type {Map<string, Uint8Array>} */
    this.programs = new Map();
  }

  /**
   * Compiles a file, unless it has the text of last time.
   *
   * @param {string} name "my/02_derivatives.cpp"
   * @param {Uint8Array} bytes
   * @param {string} lesson
   * @param {string[]} more words of the command line
   * @returns {Promise<{ object?: Uint8Array; said: string }>}
   */
  async compile(name, bytes, lesson, more) {
    const source = text(bytes);
    const known = this.objects.get(name);
    if (known?.source === source) return { object: known.object, said: known.said };
    const { said, options } = keeping();
    const folder = name.slice(0, name.lastIndexOf("/"));
    const file = name.slice(folder.length + 1);
    /** @type {Tree} */
    const files = { ...this.parts.headers };
    let at = files;
    for (const part of folder.split("/")) at = at[part] = { .../** @type {Tree} */ (at[part]) };
    at[file] = bytes;
    try {
      const words = [
        ...this.parts.flags.compile,
        ...more,
        `-Iusr/exercise/lessons/${lesson}`,
        "-c",
        name,
        "-o",
        "out.o",
      ];
      const { "out.o": object } = await this.parts.clang(words, files, options);
      this.objects.set(name, { source, object, said: all(said) });
      return { object, said: all(said) };
    } catch (error) {
      if (said.length === 0) throw error;
      return { said: all(said) };
    }
  }

  /**
   * Builds "my_NN_name" or "show_NN_name".
   *
   * @param {string} target
   * @param {Folder} my
   * @param {(what: string) => void} [onStep]
   */
  async build(target, my, onStep) {
    const [, kind, lesson] = /** @type {string[]} */ (/^(my|show)_(.+)$/.exec(target));
    const used = this.parts.uses(lesson);
    /** @type {Record<string, Uint8Array>} */
    const objects = {};
    let output = "";
    let done = 0;
    /** @type {(...file: Parameters<Toolchain["compile"]>) => Promise<boolean>} */
    const compiled = async (name, bytes, folder, more) => {
      onStep?.(`compiling ${name}`);
      const { object, said } = await this.compile(name, bytes, folder, more);
      output += said;
      if (!object) return false;
      objects[`o${done++}.o`] = object;
      return true;
    };
    for (const each of used)
      if (
        !(await compiled(`my/.used/${each}.cpp`, my.get(".used").contents.get(`${each}.cpp`).data, each, [
          "-w",
        ]))
      )
        return ended({ output, status: 1 });
    if (!(await compiled(`my/${lesson}.cpp`, my.get(`${lesson}.cpp`).data, lesson, [])))
      return ended({ output, status: 1 });
    objects["check.o"] = await (kind === "my" ? this.parts.check(lesson) : this.parts.drawing(lesson));
    onStep?.("linking");
    const { said, options } = keeping();
    try {
      const words = [...Object.keys(objects), ...this.parts.flags.link, "-o", "out.wasm"];
      const made = await this.parts.tool(
        "wasm-ld",
        words,
        { ...objects, "libexercise.a": this.parts.library },
        options,
      );
      const program = made["out.wasm"].slice(); // its buffer has room for more, which a worker would be sent
      this.programs.set(target, program);
      return ended({ output, made: program });
    } catch (error) {
      if (said.length === 0) throw error;
      return ended({ output: output + all(said), status: 1 });
    }
  }

  /**
   * The lines of addresses in a program: "my/02_derivatives.cpp:41".
   *
   * @param {Uint8Array} program
   * @param {string[]} addresses
   */
  async linesOf(program, addresses) {
    const { said, options } = keeping();
    await this.parts.tool(
      "addr2line",
      ["-i", "-e", "program.wasm", ...addresses],
      { "program.wasm": program },
      options,
    );
    return all(said);
  }

  /**
   * Plays a program.
   *
   * @param {Command} command
   * @param {Folder} my
   * @param {Folder} build where programs are laid
   * @param {(what: string) => void} [onStep]
   */
  async run({ words, confined, environment }, my, build, onStep) {
    const program = words[0].slice(words[0].lastIndexOf("/") + 1);
    if (program === "flock") return ended({ found: false, status: 127 });
    const at = words.indexOf("ninja");
    if (at >= 0) {
      const target = words.at(-1);
      const { made, ...end } = await this.build(target, my, onStep);
      if (made) this.parts.lay(build.get("lessons").contents, target, made);
      return end;
    }
    if (program === "addr2line")
      return ended({ output: await this.linesOf(this.programs.get(base(words[3])), words.slice(4)) });
    onStep?.("running");
    const bytes = this.programs.get(program);
    if (!bytes) return ended({ found: false, status: 127 });
    return ended(await this.parts.start({ bytes, words, confined, environment }));
  }
}

const base = (/** @type {string} */ path) => path.slice(path.lastIndexOf("/") + 1);
