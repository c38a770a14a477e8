// Random codes for the page's decoder (src/web/kit/compress.js), and random bytes through a coder and back:
//   node page_decoder.mjs [SECONDS [SEED]]
import { bytesOf } from "../../src/web/kit/compress.js";

let state = Number(process.argv[3] ?? Date.now()) >>> 0;
const begun = state;
function random(below) {  // xorshift
  state = state || 1;
  state ^= state << 13, state ^= state >>> 17, state ^= state << 5;
  return (state >>> 0) % below;
}

// The coder of src/web/page/compress.cpp.
function compressed(bytes, stride) {
  const magnitude = (byte) => 32 - Math.clz32(byte), equal = new Uint16Array(162).fill(2048), tree = new Uint16Array(256 * 81).fill(2048);
  const code = [];
  let low = 0, high = 0xffffffff;
  const bit = (table, place, value) => {
    const range = high - low, p = table[place];
    const middle = low + Math.floor(range / 4096) * p + Math.floor(((range & 0xfff) * p) / 4096);
    if (value) high = middle;
    else low = middle + 1;
    table[place] = value ? p + ((4096 - p) >> 4) : p - (p >> 4);
    for (; ((low ^ high) & 0xff000000) === 0; low = (low << 8) >>> 0, high = ((high << 8) | 0xff) >>> 0) code.push(high >>> 24);
    return value;
  };
  for (let i = 0, before = 0, same = 0; i < bytes.length; ++i) {
    const above = i < stride ? 0 : bytes[i - stride], context = magnitude(above) * 9 + magnitude(before);
    before = above;
    same = bit(equal, 2 * context + same, bytes[i] === above ? 1 : 0);
    if (!same) {
      let node = 1;
      for (let k = 7; k >= 0; --k) node = 2 * node + bit(tree, 256 * context + node, (bytes[i] >> k) & 1);
      before = node & 0xff;
    }
  }
  for (let i = 0; i < 4; ++i, high = (high << 8) >>> 0) code.push(high >>> 24);
  return Buffer.from(code);
}

function drawn(size) {
  const few = 1 + random(256), bytes = new Uint8Array(size);
  for (let i = 0; i < size; ++i) bytes[i] = i > 8 && random(3) ? bytes[i - 1 - random(8)] : random(few);
  return bytes;
}

function broken(code) {
  const changed = Buffer.from(code);
  for (let k = random(8); k >= 0 && changed.length; --k) changed[random(changed.length)] = random(256);
  return changed.subarray(0, random(4) ? changed.length : random(changed.length + 1));
}

function fail(what) {
  console.error(`headlight: the page's decoder ${what} (seed ${begun})`);
  process.exit(1);
}

const end = Date.now() + 1000 * Number(process.argv[2] ?? 600);
let rounds = 0;
for (; rounds < 10 || Date.now() < end; ++rounds) {
  const bytes = drawn(random(3000)), stride = 1 + random(400), code = compressed(bytes, stride);
  const packed = (data, size) => ({ size, stride, data: data.toString("base64") });
  if (Buffer.compare(Buffer.from(bytesOf(packed(code, bytes.length))), Buffer.from(bytes))) fail("does not give the bytes back");
  for (let k = 0; k < 4; ++k) {
    const size = random(4000);
    if (bytesOf(packed(broken(code), size)).length !== size) fail("gives another number of bytes than it was asked for");
  }
}
console.log(`page_decoder: ${5 * rounds} codes`);
