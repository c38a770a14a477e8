import assert from "node:assert/strict";
import test from "node:test";
import { Frame, Line, OFF } from "./frames.js";
import {
  about,
  CUT,
  FOOL,
  GO_ON,
  GUESS,
  LOOK,
  NOTE,
  COPY,
  TRAIN,
  caption,
  captionKind,
  described,
  detail,
  offWords,
} from "./captions.js";
import { MOTION, between, sceneAt, stillScene } from "./scene.js";
import { readLine } from "./own_line.js";

const LETTERS = ["a", "b", "c", "d"];
/** @param {number} token */
const text = (token) => LETTERS[token];
const TOKENS = [0, 1, 2, 0, 1, 2]; // abcabc
const N = TOKENS.length;
const SIZE = N + (5 * N * (N + 1)) / 2 + 9 * N * 4;

// A frame whose bytes all differ from their neighbours, as the page packs it.
function counted() {
  return Uint8Array.from({ length: SIZE }, (_, i) => (7 * i + 3) % 251);
}

/**
 * A frame of what each question is answered with.
 *
 * @param {{ right?: Record<number, number[]>; looks?: Record<number, number>; note?: number }} made
 * @returns {import("./frames.js").AnyFrame}
 */
function frameOf({ right = { 0: [2, 3, 4] }, looks = { 0: 0.9 }, note = 0.8 }) {
  return {
    note: (position) => (position === 0 ? 0 : note),
    weight: (state, query, key) => {
      const w = looks[state] ?? looks[state & ~OFF.finder] ?? 0.1;
      if (TOKENS[key - 1] === TOKENS[query] && key > 0) return w;
      return key === 0 ? 1 - w : 0;
    },
    guess: (state, position) => ({
      token: (right[state] ?? []).includes(position) ? TOKENS[position + 1] : 3,
      probability: 0.1 * (position + 1),
    }),
  };
}

/** @type {(more: Partial<Situation>) => Situation} */
const situation = (more) => ({
  line: new Line(TOKENS, [0, 0, 0, 1, 1, 1], 3),
  frame: frameOf({}),
  state: 0,
  query: null,
  text,
  touched: true,
  dragged: true,
  begun: true,
  own: false,
  ...more,
});
/** @type {MinuteData} */
const MINUTE = {
  tokens: TOKENS,
  predictable: [0, 0, 0, 1, 1, 1],
  ask: 3,
  note_writers: [1],
  finders: [4, 7],
  control: [2],
  lines: 150,
  shortest: 3,
  shares: [0.99, 0.31, 0.12, 0.05, 0.98, 0.07, 0.11, 0.02, 0.33],
  others: { heads: [3], weights: [0.4], share: 0.06 },
  steps: [0, 10],
  frames: "",
};
/** @param {number} head */
const code = (head) => "L" + Math.floor(head / 4) + "H" + (head % 4);

test("a frame reads each number from its place", () => {
  const bytes = counted();
  const frame = new Frame(bytes, N);
  const triangle = (N * (N + 1)) / 2;
  for (let i = 0; i < N; ++i) assert.equal(frame.note(i), bytes[i] / 255);
  /** @type {[number, number][]} */
  const places = [
    [0, 0],
    [2, 0],
    [1, 1],
    [3, 1],
    [4, 2],
    [6, 2],
    [5, 3],
    [7, 3],
    [8, 4],
  ];
  for (const [state, place] of places)
    assert.equal(frame.weight(state, 4, 2), bytes[N + place * triangle + 10 + 2] / 255, "state " + state);
  for (let state = 0; state < 9; ++state) {
    const at = N + 5 * triangle + (state * N + 3) * 4;
    const guess = frame.guess(state, 3);
    assert.equal(guess.token, bytes[at] + 256 * bytes[at + 1]);
    assert.equal(guess.probability, (bytes[at + 2] + 256 * bytes[at + 3]) / 65535);
  }
  assert.equal(Frame.size(N), SIZE);
});

test("a line knows its boxes, its followers and what is right", () => {
  const { line } = situation({});
  assert.deepEqual(line.asked, [3, 4]); // after the last letter nothing is known
  assert.equal(line.first, 3);
  assert.equal(line.gap, 3);
  assert.equal(new Line([0, 1, 0, 2, 1], [0, 0, 1, 0, 1], 2).gap, 0);
  assert.deepEqual(line.followers(4), [2]);
  assert.deepEqual(line.followers(0), []);
  const frame = frameOf({ right: { 0: [3], 1: [3, 4], 2: [] }, looks: { 0: 0.7, 1: 0.2 } });
  assert.deepEqual(
    [0, 1, 2].map((state) => line.right(frame, state)),
    [1, 2, 0],
  );
  assert.equal(line.looks(frame, 0), 0.7);
  assert.equal(line.looks(frame, 1), 0.2);
  assert.ok(Math.abs(line.notes(frame) - 0.8) < 1e-9);
  assert.deepEqual(line.looksFrom(frame, 1, 3)[0], [0, 0.8]);
});

test("the captions say what the numbers are", () => {
  const some = { 0: [3, 4], 1: [4], 2: [], 3: [], 4: [3, 4], 8: [3] };
  const frame = frameOf({ right: some, looks: { 0: 0.9, 1: 0.2, 4: 0.9, 8: 0.3 } });
  const steady = frameOf({ right: { ...some, 1: [3, 4] }, looks: { 0: 0.9, 1: 0.81, 8: 0.81 } });
  const fainter = frameOf({ right: { 0: [3, 4], 1: [4], 8: [3, 4] }, looks: { 0: 0.7, 1: 0.5, 8: 0.85 } });
  const weak = frameOf({ right: { 0: [3] }, looks: { 0: 0.05 }, note: 0.1 });
  const half = frameOf({ right: { 0: [3] }, looks: { 0: 0.3 }, note: 0.6 });
  /** @type {[number, Partial<Situation>, string][]} */
  const table = [
    [GUESS, {}, "What comes after the second a?"],
    [NOTE, {}, "First, the note-writer *note:notes* under each letter which one came before."],
    [LOOK, {}, "At a, the finder *look:looks* for the *note:note* a: under b."],
    [COPY, {}, "b came after a last time, so it is *copy:copied*."],
    [GO_ON, {}, "The next letters come the same way: *look:look*, then *copy:copy*."],
    [CUT, { touched: false }, "Now switch the note-writer off."],
    [CUT, {}, "All on again: 2 of 2 right."],
    [CUT, { own: true }, "Your own line: 2 of 2 right."],
    [CUT, { state: 1 }, "Without *note:notes* the finder *look:looks* mostly elsewhere: 1 of 2 right."],
    [
      CUT,
      { state: 1, frame: steady },
      "The finder *look:looks* as before, without *note:notes*: still 2 of 2 right.",
    ],
    [CUT, { state: 1, frame: fainter }, "Without *note:notes* the *look:looks* are fainter: 1 of 2 right."],
    [CUT, { state: 8, frame: fainter }, "The wire cut, the *look:looks* are stronger: still 2 of 2 right."],
    [CUT, { state: 2 }, "*note:Notes* stand; the finder *look:looks* no more: 0 of 2 right."],
    [CUT, { state: 3 }, "Note-writer and finder off: 0 of 2 right."],
    [CUT, { state: 4 }, "Another head of the note-writer’s layer off: still 2 of 2 right."],
    [CUT, { state: 7 }, "Note-writer, finder and other head off: 0 of 2 right."],
    [CUT, { state: 8 }, "The *note:notes* stand; the finder cannot search them: 1 of 2 right."],
    [CUT, { state: 8, frame: steady }, "The finder *look:looks* as before, the wire cut: 1 of 2 right."],
    [TRAIN, { dragged: false }, "This is the network untrained: drag it through its training."],
    [TRAIN, { dragged: false, begins: 700 }, "The first weights kept are of step 700: drag on from there."],
    [TRAIN, {}, "Strong *note:notes*, strong *look:looks*: 2 of 2 right."],
    [TRAIN, { frame: weak }, "Hardly any *note:notes*, hardly any *look:looks*: 1 of 2 right."],
    [TRAIN, { frame: half }, "Strong *note:notes*, faint *look:looks*: 1 of 2 right."],
    [
      TRAIN,
      { frame: weak, untrained: 0.1 },
      "Hardly any *note:notes*, hardly any *look:looks*: 1 of 2 right.",
    ],
    [TRAIN, { frame: half, untrained: 0.5 }, "Hardly any *note:notes*, faint *look:looks*: 1 of 2 right."],
    [TRAIN, { state: 1 }, "Note-writer off, at this step: 1 of 2 right."],
  ];
  for (const [step, more, words] of table) {
    const said = caption(step, situation({ frame, ...more }));
    assert.equal(said, words);
    assert.ok(said.replaceAll(/\*|note:|look:|copy:/g, "").split(" ").length <= 12, said);
  }
  assert.deepEqual([0, 1, 6, 7].map(offWords), [
    "",
    "Note-writer off",
    "Finder and other head off",
    "Note-writer, finder and other head off",
  ]);
});

/** @type {any} */
const FOOLED = {
  ...MINUTE,
  tokens: [0, 1, 1, 2, 3, 0, 2],
  fool: { tokens: [0, 1, 0, 2, 3, 0, 2], place: 2 },
};

test("a line that fools says where the finder looked and whether the guess is right", () => {
  const tokens = [0, 1, 0, 2, 3, 0, 2];
  const line = new Line(tokens, [0, 0, 0, 0, 0, 1, 0], 5);
  /** @type {(looks: Record<number, number>, token: number) => import("./frames.js").AnyFrame} */
  const made = (looks, token) => ({
    note: () => 1,
    weight: (_, query, key) => (query === 5 ? (looks[key] ?? 0) : 0),
    guess: () => ({ token, probability: 0.53 }),
  });
  /** @type {(looks: Record<number, number>, token: number, more?: Partial<Situation>) => string} */
  const said = (looks, token, more = {}) =>
    caption(FOOL, situation({ line, frame: made(looks, token), ...more }));
  assert.equal(
    said({ 1: 0.6, 3: 0.4 }, 1),
    "Two earlier *note:notes* say a; *look:looks* go mostly there; b is *copy:guessed*, wrongly.",
  );
  assert.equal(
    said({ 1: 0.1, 3: 0.9 }, 2),
    "Two earlier *note:notes* say a; *look:looks* go mostly there; c is *copy:guessed*, rightly.",
  );
  assert.equal(
    said({ 1: 1 }, 1, { begun: false }),
    "One letter changed, in both copies: now a has two different followers.",
  );
  assert.equal(
    detail(FOOL, situation({ line, frame: made({ 1: 0.6, 3: 0.4 }, 1) }), FOOLED, code),
    "Letter 3 was b and is a now. It looks at b (60 %), c (40 %), a (0 %), and is 53 % sure of b. " +
      "Right is c.",
  );
  const more = new Line(tokens, [0, 0, 1, 0, 0, 1, 0], 5, 2); // asked after place 2 too
  assert.match(
    detail(FOOL, situation({ line: more, frame: made({ 1: 0.6, 3: 0.4 }, 3) }), FOOLED, code),
    /Right is c\. Wrong too: d after a \(53 % sure\)\.$/,
  );
});

test("the smaller sentence has the shares over many lines, of the lamps that are off", () => {
  const frame = frameOf({ right: { 0: [3, 4], 1: [4] }, looks: { 0: 0.9, 1: 0.2 } });
  /** @type {(step: number, state: number, more?: Partial<Situation>) => string} */
  const said = (step, state, more = {}) => detail(step, situation({ frame, state, ...more }), MINUTE, code);
  assert.match(said(CUT, 0, { touched: false }), /^Press its lamp, or the wire. Over 150/);
  assert.equal(said(CUT, 0), "Over 150 such lines, 99 % are right.");
  assert.equal(
    said(CUT, 1),
    "Over 150 such lines 31 % are right; with all on, 99 %. L0H3 looks one back too " +
      "(0.40 on the first line, not drawn): with it off as well, 6 % are right.",
  );
  [2, 3, 4, 5, 6, 7, 8].forEach((state) =>
    assert.equal(
      said(CUT, state),
      `Over 150 such lines ${Math.round(100 * MINUTE.shares[state])} % are right; with all on, 99 %.`,
    ),
  );
  const counted = "Counted are the guesses after letters that stood before, in this line alone.";
  assert.equal(said(CUT, 1, { own: true }), counted);
  assert.equal(said(CUT, 0, { own: true }), counted); // its letters come back after 3, as in the lines
  assert.equal(
    detail(CUT, situation({ frame, state: 0, own: true }), { ...MINUTE, shortest: 4 }, code),
    counted +
      " In 150 lines like those of training no letter came back sooner than after 4. Here one does: " +
      "the network is 40 % sure.",
  );
  assert.equal(said(COPY, 0), "The finder gives 90 % of its attention to b; the network is 40 % sure.");
  assert.equal(said(LOOK, 0), "The finder is 2 attention heads, L1H0 and L1H3; the picture is their mean.");
  const noise = { ...MINUTE, others: { heads: [3], weights: [0.4], share: 0.3 } };
  assert.equal(
    detail(CUT, situation({ frame, state: 1 }), noise, code),
    "Over 150 such lines 31 % are right; with all on, 99 %.",
  );
  assert.equal(
    detail(NOTE, situation({ frame }), { ...MINUTE, note_writers: [0, 2, 3] }, code),
    "The note-writer is 3 attention heads, L0H0, L0H2 and L0H3. The colour shows the strongest note of them.",
  );
  assert.equal(said(NOTE, 0), "The note-writer is the attention head L0H1. Strong colour: strong note.");
});

test("how strong a note is, of one head and of the largest of several", () => {
  const said = (note_writers, finders) => about({ ...MINUTE, note_writers, finders }, 6, "").join(" ");
  assert.match(said([1], [4]), /strong as the weight that the note-writer gives to/);
  assert.match(said([1], [4]), /a look, as the weight that the finder gives to/);
  assert.match(said([1, 2], [4]), /the largest of the weights that the heads of the note-writer give to/);
  assert.match(said([1], [4, 7]), /a look, as the mean of the weights that the heads of the finder give to/);
});

test("the picture stands in words too", () => {
  const frame = frameOf({ right: { 0: [3], 1: [4] }, looks: { 0: 0.9, 1: 0.2 } });
  const said = (/** @type {number} */ step, /** @type {number} */ state) =>
    described(step, situation({ frame, state }));
  assert.equal(said(GUESS, 0), "The line: a b c a.");
  assert.equal(
    said(LOOK, 0),
    "From a, place 4, the finder looks at b, place 2, 90 %; a, place 1, 10 %. " +
      "Under each letter is a note, the letter before it, with a mean strength of 0.80. The line: a b c a.",
  );
  assert.equal(
    said(CUT, 1),
    "1 of 2 right. From a, place 4, the finder looks at a, place 1, 80 %; b, place 2, 20 %. " +
      "The note-writer is off: no notes. The guesses: d instead of b; c. The line: a b c a b c.",
  );
  assert.match(
    said(CUT, 2),
    /^0 of 2 right\. The finder is off\..* The guesses: d instead of b; d instead of c\./,
  );
});

test("each step ends with what the data say", () => {
  const frame = frameOf({ right: { 0: [3], 1: [4] }, looks: { 0: 0.9, 1: 0.2 } });
  const s = situation({ frame });
  const { line } = s;
  const at = (/** @type {number} */ step) => sceneAt(step, MOTION[step], s);
  assert.deepEqual(at(GUESS).notes, Array(N).fill(0));
  assert.equal(at(GUESS).known, 4);
  assert.deepEqual(at(NOTE).notes, [0, 0.8, 0.8, 0.8, 0, 0]);
  assert.deepEqual(at(NOTE).drop.slice(1, 4), [1, 1, 1]);
  const looked = at(LOOK);
  assert.equal(looked.query, 3);
  assert.deepEqual(
    looked.looks,
    [0, 1, 2, 3, 4, 5].map((key) => (key <= 3 ? frame.weight(0, 3, key) : 0)),
  );
  assert.deepEqual(looked.glow, [0, 1, 0, 0, 0, 0]);
  assert.equal(looked.lookGrown, 1);
  assert.deepEqual(at(COPY).guesses[4], { token: 1, probability: 0.4, right: true, after: 3 });
  assert.equal(at(COPY).right, 1);
  assert.equal(at(COPY).known, 5);
  const all = at(GO_ON);
  assert.deepEqual(all.guesses[5], { token: 3, probability: 0.5, right: false, after: 4 });
  assert.equal(all.right, 1);
  assert.equal(all.known, N);
  assert.deepEqual(all.notes, [0, 0.8, 0.8, 0.8, 0.8, 0.8]);
  const cut = stillScene({ ...s, state: 1, query: 4 });
  assert.deepEqual(cut.notes, Array(N).fill(0));
  assert.deepEqual(
    cut.guesses.map((guess) => guess?.right),
    [undefined, undefined, undefined, undefined, false, true],
  );
  assert.equal(cut.right, line.right(frame, 1));
  assert.equal(cut.weight(4, 2), 0.2);
  assert.equal(stillScene({ ...s, state: 2 }).weight(4, 2), 0); // nobody looks
  assert.equal(stillScene({ ...s, state: 2 }).notes[2], 0.8);
  assert.equal(stillScene({ ...s, state: 8 }).notes[2], 0.8); // the notes stand, the wire is cut
});

test("a switch passes from one still picture to the other", () => {
  const frame = frameOf({ right: { 0: [3, 4], 1: [] }, looks: { 0: 0.8, 1: 0.2 } });
  const from = stillScene(situation({ frame }));
  const to = stillScene(situation({ frame, state: 1 }));
  const half = between(from, to, 0.5);
  assert.ok(Math.abs(half.notes[1] - 0.4) < 1e-9);
  assert.ok(Math.abs(half.weight(4, 2) - 0.5) < 1e-9);
  assert.equal(half.right, 0); // as the caption says at once
});

test("a line of one's own is read, or refused in a sentence", () => {
  assert.deepEqual(readLine("abcab", LETTERS, 9).tokens, [0, 1, 2, 0, 1]);
  assert.equal(readLine("abcab", LETTERS, 9).ask, 3);
  assert.throws(() => readLine("axa", LETTERS, 9), /^Error: The network does not know ‘x’, only a-d\.$/);
  assert.throws(() => readLine("abcabc", LETTERS, 5), /^Error: A line has at most 5 tokens\.$/);
  assert.throws(() => readLine("abcd", LETTERS, 9), /Write something twice/);
  assert.deepEqual(readLine("k1 v1  k1 v1", ["k1", "v1"], 9).tokens, [0, 1, 0, 1]);
});

test("a caption that says something of the model has its kind of evidence", () => {
  /** @type {[number, Partial<Situation>, string][]} */
  const table = [
    [GUESS, {}, ""],
    [NOTE, {}, "composition"],
    [LOOK, {}, "composition"],
    [COPY, {}, "copying"],
    [GO_ON, {}, "circuit"],
    [CUT, { touched: false }, ""],
    [CUT, { touched: true }, "accuracy"],
    [CUT, { state: 1 }, "minute"],
    [FOOL, { begun: false }, ""],
    [FOOL, { begun: true }, "accuracy"],
    [TRAIN, { dragged: false }, ""],
    [TRAIN, { dragged: true }, "role"],
    [TRAIN, { dragged: true, state: 1 }, "minute"],
  ];
  for (const [step, more, kind] of table) assert.equal(captionKind(step, situation(more)), kind);
});
