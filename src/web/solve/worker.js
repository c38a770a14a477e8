// The worker that compiles and grades: it holds the compiler and runs the learner's loop. One message is one
// call.
import { Directory, File } from "@bjorn3/browser_wasi_shim";
import { entriesOf, learnersLoop } from "./loop.js";
import { Toolchain } from "./toolchain.js";
import { treeOf } from "./tar.js";
import { XzReadableStream } from "xz-decompress";

/**
 * @typedef {{ own: { my: Folder; build: Folder }; course: WebAssembly.Module; lessons: Folder;
 *   tools: Toolchain }} Ready
 */
/** @type {Ready | undefined} */
let ready;
/** @type {(what: string) => void} */
let onStep = () => {};

const say = (/** @type {object} */ message) => self.postMessage(message);

const here = new URL(".", self.location.href);

/**
 * The bytes of a file, from what the browser kept or from the site, unpacked.
 *
 * @param {Manifest} manifest
 * @param {string} name
 * @param {(count: number, kept?: boolean) => void} [onBytes]
 */
async function load(manifest, name, onBytes) {
  const { hash, bytes } = manifest.files[name];
  const address = new URL(`${name}.xz?${hash}`, here).href;
  const kept = await globalThis.caches?.open("headlight-solve").catch(() => /** @type {Cache} */ (undefined));
  let response = await kept?.match(address);
  if (!response) {
    const came = await fetch(address).catch(() => {
      throw new Error(`${name}.xz cannot be loaded: is the network there? What has come is kept; try again.`);
    });
    if (!came.ok) throw new Error(`${name}.xz cannot be loaded: the server answers ${came.status}.`);
    const pieces = [];
    const reader = /** @type {ReadableStream<Uint8Array>} */ (came.body).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value);
      onBytes?.(piece.value.length);
    }
    const whole = new Blob(/** @type {BlobPart[]} */ (pieces));
    if (whole.size !== bytes)
      throw new Error(`${name}.xz was cut short: ${whole.size} bytes of ${bytes} came.`);
    response = new Response(whole);
    await kept?.put(address, response.clone()).catch(() => {});
  } else {
    onBytes?.(bytes, true);
  }
  return new Uint8Array(await new Response(new XzReadableStream(response.body)).arrayBuffer());
}

/** What every exercise needs, besides its own two objects. */
const COMMON = ["exercise.pch", "libexercise.a", "lessons.tar", "course.wasm"];
const isOfCompiler = (/** @type {string} */ name) => name.startsWith("compiler/");

async function prepare() {
  /** @type {Manifest} */
  const manifest = await (await fetch(new URL("manifest.json", here))).json();
  const names = Object.keys(manifest.files).filter((name) => COMMON.includes(name) || isOfCompiler(name));
  const size = names.reduce((sum, name) => sum + manifest.files[name].bytes, 0);
  let loaded = 0;
  const onBytes = (/** @type {number} */ count, kept = false) =>
    say({ loaded: (loaded += count), size, kept });
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  for (const name of names) files[name] = await load(manifest, name, onBytes);
  // The compiler asks for what lies beside it.
  const fetched = globalThis.fetch;
  globalThis.fetch = async (address) => {
    const name = `compiler/${String(address).split("/").at(-1)}`;
    const bytes = files[name];
    if (!bytes) return fetched(address);
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/x-tar";
    return new Response(/** @type {BodyInit} */ (bytes), { headers: { "Content-Type": type } });
  };
  const { runClang, commands } = await import(/* @vite-ignore */ new URL("compiler/bundle.js", here).href);
  await runClang(["clang++", "--version"], {}, { stdout: null, stderr: null, fetchProgress: () => {} });
  globalThis.fetch = fetched;
  for (const name of names.filter(isOfCompiler)) delete files[name];

  const tree = /** @type {{ lessons: Tree; build: { lessons: Record<string, Uint8Array> } }} */ (
    treeOf(files["lessons.tar"])
  );
  const tools = new Toolchain({
    clang: runClang,
    tool: (name, words, given, options) => commands[name](words, given, options),
    headers: { "exercise.pch": files["exercise.pch"] },
    flags: manifest,
    check: (lesson) => load(manifest, `checks/${lesson}.o`),
    drawing: (lesson) => load(manifest, `drawings/${lesson}.o`),
    library: files["libexercise.a"],
    uses: (lesson) => textOf(tree.build.lessons[`${lesson}.uses`]).split(";").filter(Boolean),
    start,
    lay: (files, name, bytes) => files.set(name, new File(bytes)),
  });
  ready = {
    own: { my: new Map(), build: new Map([["lessons", new Directory(entriesOf(tree.build.lessons))]]) },
    course: await WebAssembly.compile(/** @type {BufferSource} */ (files["course.wasm"])),
    lessons: entriesOf(tree.lessons),
    tools,
  };
}

const textOf = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);

/**
 * Runs a checker in a worker of its own, which is ended after its time.
 *
 * @param {Program} program
 * @returns {Promise<Partial<Ended>>}
 */
function start({ bytes, words, confined, environment }) {
  const worker = new Worker(new URL("checker.js", here), { type: "module" });
  let output = "";
  let errors = "";
  const began = performance.now();
  const most = 1000 * Math.max(confined?.cpu ?? 120, confined?.most_cpu ?? 0);
  return new Promise((resolve) => {
    let clock = 0;
    const end = (/** @type {{ status: number; signal: number }} */ how) => {
      clearTimeout(clock);
      worker.terminate();
      resolve({ output, errors, ...how });
    };
    const allow = (/** @type {number} */ seconds) => {
      clearTimeout(clock);
      const left = Math.min(1000 * seconds, began + most - performance.now());
      clock = setTimeout(() => end({ status: 152, signal: 24 }), left); // as of SIGXCPU
    };
    worker.onmessage = ({ data }) => {
      if (data.output) output += data.output;
      if (data.errors) errors += data.errors;
      if (data.progress) onStep(data.progress);
      if (data.allow) allow(data.allow);
      if (data.end) end(data.end);
    };
    worker.onerror = (event) => {
      errors += event.message ?? "";
      end({ status: 137, signal: 9 }); // it was killed, most often for its memory
    };
    allow(confined?.cpu ?? 120);
    worker.postMessage({ bytes, words, environment });
  });
}

/**
 * The files of a folder by their paths.
 *
 * @param {Folder} folder
 */
function pathsOf(folder, before = "") {
  /** @type {Record<string, string>} */
  const files = {};
  for (const [name, entry] of folder)
    if (entry instanceof Directory) Object.assign(files, pathsOf(entry.contents, `${before}${name}/`));
    else files[before + name] = textOf(entry.data);
  return files;
}

/** @param {Record<string, string>} files by their paths */
function folderOf(files) {
  /** @type {Folder} */
  const root = new Map();
  for (const [path, text] of Object.entries(files)) {
    const parts = path.split("/");
    const name = parts.pop();
    let folder = root;
    for (const part of parts) {
      if (!folder.has(part)) folder.set(part, new Directory(new Map()));
      folder = folder.get(part).contents;
    }
    folder.set(name, new File(new TextEncoder().encode(text)));
  }
  return root;
}

let before = Promise.resolve();
self.onmessage = ({ data: { id, words, my } }) => {
  before = before.then(async () => {
    try {
      await (ready ? undefined : prepare());
      if (!words) return say({ id, said: {} });
      const { own, course, lessons, tools } = ready;
      own.my = folderOf(my);
      onStep = (step) => say({ step });
      const said = await learnersLoop(course, lessons, own, words, (command, files) =>
        tools.run(command, files, own.build, onStep),
      );
      say({ id, said, my: pathsOf(own.my) });
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      const full = error instanceof RangeError || /memory/i.test(words);
      say({
        id,
        failed: full
          ? `This browser has no room for the compiler, which takes about 1 GB (${words}).`
          : words,
      });
    }
  });
};
