// Lays what the exercises need in a page into a folder: node make.mjs ROOT BUILD OUT [LESSON]. BUILD is where ./make built.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { tarOf } from "./tar.js";

const [root, build, out] = process.argv.slice(2, 5).map((folder) => path.resolve(folder));
const only = process.argv[5];
const wasi = path.join(build, "wasi");
const clang = path.join(build, "page/node_modules/@yowasp/clang/gen");

/** The files of a folder as a tree. */
function tree(folder, wanted = () => true) {
  const files = {};
  for (const name of fs.readdirSync(folder).sort()) {
    const file = path.join(folder, name);
    if (fs.statSync(file).isDirectory()) files[name] = tree(file, wanted);
    else if (wanted(name)) files[name] = new Uint8Array(fs.readFileSync(file));
  }
  return files;
}

const manifest = {};
function write(name, bytes) {
  const file = path.join(out, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const packed = execFileSync("xz", [only ? "-0" : "-9", "-T2", "--stdout"], { input: bytes, maxBuffer: 2 ** 30 });
  fs.writeFileSync(`${file}.xz`, packed);
  manifest[name] = { bytes: packed.length, hash: createHash("sha256").update(packed).digest("hex").slice(0, 16) };
}

// How a learner's file is compiled: as CMake says, without what belongs to this machine.
const commands = JSON.parse(fs.readFileSync(path.join(build, "compile_commands.json"), "utf8"));
const shipped = commands.find(({ command }) => /checker_01_tensors_shipped.dir\S*exercise.cpp.obj/.test(command));
const words = shipped.command.split(" ");
const compile = [
  "clang++",
  ...words.filter((word) => /^-(D|std=|W|f|m|O)/.test(word) && !/relaxed-template|invalid-pch/.test(word)),
  "-gline-tables-only",
  "-fno-color-diagnostics",
  "-isystem",
  "usr/exercise",
  "-Iusr/exercise/lessons",
];
const link = [
  "usr/lib/wasm32-wasip1/crt1-command.o",
  "libexercise.a",
  "-zstack-size=8388608",
  "--stack-first",
  "--max-memory=2147483648",
];

/**
 * The script of the compiler, with files that have room to grow. As it comes, it copies the whole file at every write of
 * at most 4,096 bytes; with that, verdicts on solutions took three to five times as long.
 */
function bundleOf(file) {
  const script = fs.readFileSync(file, "utf8");
  const copying = /    const newData = new Uint8Array\(Math\.max\(this\.file\.data\.length, offset \+ contents\.length\)\);\n.*\n.*\n    this\.file\.data = newData;\n/;
  if (!copying.test(script)) throw new Error(`${file} writes to its files in another way: does it still need a faster one?`);
  return script.replace(copying, `    const { file } = this;
    const size = Math.max(file.data.length, offset + contents.length);
    if (file.room?.buffer !== file.data.buffer || file.room.length < size) {
      file.room = new Uint8Array(1.5 * size);
      file.room.set(file.data);
    }
    file.data = file.room.subarray(0, size);
    file.data.set(contents, offset);
`);
}

// What every compilation and every link finds.
const headers = path.join(wasi, "headers");
const exercise = { headlight: tree(path.join(root, "include/headlight")), lessons: tree(path.join(root, "lessons"), (name) => name.endsWith(".h")) };
for (const library of ["fmt", "xtensor", "xtl"]) exercise[library] = tree(path.join(headers, library));
const usr = {
  include: tree(path.join(wasi, "include"), (name) => !/cuda|hip|opencl|arm|riscv|avx|amx|altivec|vecintrin|vec.*intrin|mm.*intrin|intrin\.h/.test(name)),
  lib: { "wasm32-wasip1": { "crt1-command.o": fs.readFileSync(path.join(wasi, "lib/wasm32-wasip1/crt1-command.o")) } },
  exercise,
};
// The compiler, with these files in place of its own. It reads what lies beside it.
const compiler = path.join(build, "compiler");
fs.mkdirSync(compiler, { recursive: true });
const bundle = bundleOf(path.join(clang, "bundle.js"));
fs.writeFileSync(path.join(compiler, "bundle.mjs"), bundle);
fs.writeFileSync(path.join(compiler, "llvm-resources.tar"), tarOf(usr));
for (const name of ["llvm.core.wasm", "llvm.core2.wasm", "llvm.core3.wasm", "llvm.core4.wasm"])
  fs.copyFileSync(path.join(clang, name), path.join(compiler, name));
for (const name of fs.readdirSync(compiler).filter((each) => each !== "bundle.mjs"))
  write(`compiler/${name}`, fs.readFileSync(path.join(compiler, name)));
const { runClang } = await import(path.join(compiler, "bundle.mjs"));
fs.mkdirSync(path.join(out, "compiler"), { recursive: true });
fs.writeFileSync(path.join(out, "compiler/bundle.js"), bundle);

const said = (bytes) => bytes && process.stderr.write(bytes);
const say = { stdout: said, stderr: said, fetchProgress: () => {} };
// What the header instantiates is compiled once, into an object of its own: the learner's file takes a third of the time.
const once = ["-fpch-instantiate-templates", "-fpch-codegen"];
const headerWords = [...compile, ...once, "-x", "c++-header", "usr/exercise/lessons/exercise.h", "-o", "exercise.pch"];
const { "exercise.pch": header } = await runClang(headerWords, {}, say);
write("exercise.pch", header);
const { "header.o": object } = await runClang([...compile, "-c", "exercise.pch", "-o", "header.o"], { "exercise.pch": header }, say);
compile.push("-include-pch", "exercise.pch", "-Xclang", "-fno-validate-pch");

// What a checker and a picture link to, as one library.
const linked = only ? `checker_${only}_shipped` : "show_10_transformer_block_shipped";
const last = execFileSync("ninja", ["-C", build, "-t", "commands", linked], { encoding: "utf8" }).trim().split("\n").at(-1);
const libraries = [
  ...last.split(" ").filter((word) => word.endsWith(".a")).map((name) => path.resolve(build, name)),
  ...["libc++", "libc++abi", "libwasi-emulated-signal", "libwasi-emulated-process-clocks", "libwasi-emulated-getpid", "libc"].map((name) =>
    path.join(wasi, "lib/wasm32-wasip1", `${name}.a`)),
];
const whole = path.join(build, "libexercise.a");
fs.rmSync(whole, { force: true });
fs.writeFileSync(path.join(build, "header.o"), object);
execFileSync("llvm-ar-19", ["-M"], { input: [`create ${whole}`, ...libraries.map((file) => `addlib ${file}`), `addmod ${path.join(build, "header.o")}`, "save", "end", ""].join("\n") });
write("libexercise.a", fs.readFileSync(whole));

const lessons = path.join(root, "lessons");
const names = only ? [only] : fs.readdirSync(lessons).filter((name) => fs.existsSync(path.join(lessons, name, "exercise.cpp")));
const objects = path.join(build, "lessons/CMakeFiles");
for (const name of names) {
  write(`checks/${name}.o`, fs.readFileSync(path.join(objects, `check_${name}.dir`, name, "check.cpp.obj")));
  const drawing = path.join(objects, `draws_${name}.dir`, name, "show.cpp.obj");
  if (!only && fs.existsSync(drawing)) write(`drawings/${name}.o`, fs.readFileSync(drawing));
}
const uses = Object.fromEntries(names.map((name) => [`${name}.uses`, fs.readFileSync(path.join(build, "lessons", `${name}.uses`))]));
write("lessons.tar", tarOf({ lessons: tree(lessons, (name) => /\.(md|cpp|h)$/.test(name) && name !== "check.cpp"), build: { lessons: uses } }));
write("course.wasm", fs.readFileSync(path.join(build, "src/web/solve/course")));
/** What an exercise's first lines include of the lesson's folder or of all lessons, to be read beside it. */
function headersOf(lesson, shipped) {
  const headers = {};
  for (const [, name] of shipped.matchAll(/^#include "([^"]+)"/gm)) {
    const file = [path.join(lessons, lesson, name), path.join(lessons, name)].find((each) => fs.existsSync(each));
    if (file) headers[name] = fs.readFileSync(file, "utf8");
  }
  return headers;
}
const exercises = {};
for (const name of names) {
  const shipped = fs.readFileSync(path.join(lessons, name, "exercise.cpp"), "utf8");
  exercises[name] = { shipped, headers: headersOf(name, shipped) };
}
fs.writeFileSync(path.join(out, "manifest.json"), JSON.stringify({ files: manifest, compile, link, exercises }));
execFileSync("esbuild", ["box.js", "worker.js", "checker.js", "--bundle", "--splitting", "--format=esm", "--minify", "--charset=utf8",
  "--loader:.css=text", "--external:*/bundle.js", "--log-level=warning", `--outdir=${out}`], { stdio: "inherit" });
