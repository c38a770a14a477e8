// The learner's loop, course.wasm, to which a page plays the programs that it starts. They take time, and a
// program of WebAssembly cannot wait: so it is run anew after each, with the answers that it was given so
// far.
import { Directory, File } from "@bjorn3/browser_wasi_shim";
import { runProgram } from "./programs.js";

/** Is thrown through the program where it asks for what nobody has answered yet. */
class Asked {
  /** @param {string} command */
  constructor(command) {
    this.command = command;
  }
}

/**
 * A copy whose files can be written without a trace in these.
 *
 * @param {Folder} folder
 * @returns {Folder}
 */
export function copied(folder) {
  const copy = new Map();
  for (const [name, entry] of folder)
    copy.set(name, entry instanceof Directory ? new Directory(copied(entry.contents)) : new File(entry.data));
  return copy;
}

/**
 * The files of a tree, as programs find them.
 *
 * @param {Tree} tree
 * @returns {Folder}
 */
export function entriesOf(tree) {
  return new Map(
    Object.entries(tree).map(([name, entry]) => [
      name,
      entry instanceof Uint8Array ? new File(entry) : new Directory(entriesOf(entry)),
    ]),
  );
}

/**
 * @param {WebAssembly.Module} course
 * @param {Folder} lessons the files of /lessons
 * @param {{ my: Folder; build: Folder }} own its files, which it changes
 * @param {string[]} words "check", "2.3", "80"
 * @param {(command: Command, my: Folder) => Promise<Ended>} run plays a program, which finds the files in /my
 * @returns {Promise<Said>}
 */
export async function learnersLoop(course, lessons, own, words, run) {
  /** @type {Uint8Array[]} */
  const answers = [];
  const random = crypto.getRandomValues(new Uint8Array(8)); // the same each time, and unknown to the checker
  for (;;) {
    const my = copied(own.my);
    const build = copied(own.build);
    const root = new Map(
      Object.entries({ lessons, my, build }).map(([name, files]) => [name, new Directory(files)]),
    );
    /** @type {string[]} */
    const output = [];
    let next = 0;
    /** @type {PageImports} */
    const page = {
      run: (memory) => (at, size) => {
        if (next === answers.length)
          throw new Asked(new TextDecoder().decode(new Uint8Array(memory().buffer, at, size)));
        return answers[next].length;
      },
      answer: (memory) => (at) => new Uint8Array(memory().buffer).set(answers[next++], at),
      allow: () => () => {},
      stack: () => () => 0,
    };
    try {
      /** @type {string[]} */
      const errors = [];
      const end = runProgram(course, {
        words: ["course", ...words],
        root,
        random,
        onOutput: (bytes) => output.push(new TextDecoder().decode(bytes)),
        onErrors: (bytes) => errors.push(new TextDecoder().decode(bytes)),
        page,
      });
      if (end.signal !== 0) throw new Error(`The grader ended by itself: ${errors.join("")}${end.crash}`);
      Object.assign(own, { my, build });
      return JSON.parse(output.join(""));
    } catch (asked) {
      if (!(asked instanceof Asked)) throw asked;
      answers.push(new TextEncoder().encode(JSON.stringify(await run(JSON.parse(asked.command), my))));
    }
  }
}
