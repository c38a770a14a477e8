// packed_engine.mjs FOLDER: what was packed of the engine that was built there are the modules that were linked.
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { moduleIn } from "../../src/web/model/two_modules.js";

const folder = process.argv[2];
if (!existsSync(`${folder}/engine.gz`)) process.exit(77);
const packed = new Uint8Array(gunzipSync(readFileSync(`${folder}/engine.gz`)));
for (const kind of ["fused", "plain"])
  if (!readFileSync(`${folder}/lab_${kind}.wasm`).equals(moduleIn(packed, kind === "fused")))
    throw new Error(`the ${kind} module is another than the linker's`);
