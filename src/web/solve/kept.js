// The learner's folder my/, as the browser keeps it.
import { tarOf, treeOf } from "./tar.js";

const BEFORE = "headlight my/";

/** Keeps files in the browser, or, where it does not allow that, until the page is closed. */
export class Kept {
  constructor() {
    /** @type {Map<string, string>} */
    this.files = new Map();
    this.lasts = true;
    try {
      for (let i = 0; i < localStorage.length; ++i) {
        const key = localStorage.key(i) ?? "";
        if (key.startsWith(BEFORE)) this.files.set(key.slice(BEFORE.length), localStorage.getItem(key) ?? "");
      }
      localStorage.setItem("headlight", "");
    } catch {
      this.lasts = false;
    }
  }

  /**
   * @param {string} path
   * @param {string} text
   */
  write(path, text) {
    if (this.files.get(path) === text) return;
    this.files.set(path, text);
    try {
      localStorage.setItem(BEFORE + path, text);
    } catch {
      this.lasts = false;
    }
  }

  /** @param {string} path */
  remove(path) {
    this.files.delete(path);
    if (this.lasts) localStorage.removeItem(BEFORE + path);
  }

  /**
   * What a call left there, besides the texts that may have been edited meanwhile.
   *
   * @param {Record<string, string>} files
   */
  take(files) {
    for (const path of [...this.files.keys()])
      if (!(path in files) && path.startsWith(".")) this.remove(path);
    for (const [path, text] of Object.entries(files))
      if (path.startsWith(".") || path.endsWith(".svg")) this.write(path, text);
  }

  all() {
    return Object.fromEntries(this.files);
  }

  /**
   * Which parts of a lesson are solved.
   *
   * @param {string} lesson
   * @returns {boolean[]}
   */
  solved(lesson) {
    try {
      return JSON.parse(this.files.get(".progress.json") ?? "{}").lessons?.[lesson]?.solved ?? [];
    } catch {
      return [];
    }
  }

  /** As if no part of it had been solved. @param {string} lesson */
  forget(lesson) {
    const progress = JSON.parse(this.files.get(".progress.json") ?? "{}");
    delete progress.lessons?.[lesson];
    if (progress.lessons) this.write(".progress.json", JSON.stringify(progress));
    this.remove(`.verdicts/${lesson}.txt`);
  }

  /** All files in one, which `tar xf my.tar` lays beside the project's lessons. */
  packed() {
    /** @type {Tree} */
    const my = {};
    for (const [path, text] of this.files) {
      const parts = path.split("/");
      const name = /** @type {string} */ (parts.pop());
      let folder = my;
      for (const part of parts) folder = /** @type {Tree} */ (folder[part] ??= {});
      folder[name] = new TextEncoder().encode(text);
    }
    return tarOf({ my });
  }

  /**
   * Takes the files of a my/, as a folder that was chosen or as packed() made it; theirs replace those here.
   *
   * @param {FileList} chosen
   */
  async open(chosen) {
    let count = 0;
    const put = (/** @type {string} */ path, /** @type {string} */ text) => {
      this.write(path, text);
      ++count;
    };
    for (const file of chosen) {
      if (file.name.endsWith(".tar")) {
        const unpack = (/** @type {Tree} */ tree, /** @type {string} */ before) => {
          for (const [name, entry] of Object.entries(tree))
            if (entry instanceof Uint8Array) put(before + name, new TextDecoder().decode(entry));
            else unpack(entry, `${before}${name}/`);
        };
        const { my } = treeOf(new Uint8Array(await file.arrayBuffer()));
        unpack(/** @type {Tree} */ (my ?? {}), "");
      } else if (/^\d\d_\w+\.cpp$/.test(file.name) && !/\/\.\w+\//.test(file.webkitRelativePath)) {
        put(file.name, await file.text());
      }
    }
    return count;
  }
}
