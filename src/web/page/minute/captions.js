// What the first screen says: one sentence for each step, by the numbers that are shown, and a smaller one
// below it. A word with a mark stands as "*note:notes*".

import { fixed, percent } from "../../kit/text.js";
import { OFF } from "./frames.js";

export const STEPS = ["Guess", "Note", "Look", "Copy", "Go on", "Cut", "Fool it", "Train"];
export const [GUESS, NOTE, LOOK, COPY, GO_ON, CUT, FOOL, TRAIN] = STEPS.keys();

const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five"];
const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
const STRONG = 0.4;
const FAINT = 0.15;
const SAME = 0.1; // mean looks that differ by no more are as before

/** @param {number} strength */
const amount = (strength) => (strength >= STRONG ? "strong" : strength >= FAINT ? "faint" : "hardly any");

/** @param {number} part */
const rough = (part) => percent(part, 0);

/**
 * "a, b and c"
 *
 * @param {string[]} names
 */
const listed = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

/**
 * What is off, as a clause: "Note-writer off".
 *
 * @param {number} state
 */
export function offWords(state) {
  if (state === OFF.wire) return "Wire cut";
  /** @type {string[]} */
  const names = [];
  if (state & OFF.noteWriter) names.push("note-writer");
  if (state & OFF.finder) names.push("finder");
  if (state & OFF.control) names.push("other head");
  const list = listed(names);
  return list === "" ? "" : list[0].toUpperCase() + list.slice(1) + " off";
}

/** @param {Situation} s */
function cut({ line, frame, state, touched, own }) {
  const right = line.right(frame, state);
  const count = `${right} of ${line.asked.length} right.`;
  const whole = line.right(frame, 0);
  const still = right >= whole ? "still " : "";
  if (own && state === 0) return `Your own line: ${count}`;
  if (state === 0) return touched ? `All on again: ${count}` : "Now switch the note-writer off.";
  const [before, now] = [line.looks(frame, 0), line.looks(frame, state)];
  const astray = now < before / 2;
  const same = Math.abs(now - before) <= SAME;
  const changed = `*look:looks* are ${now < before ? "fainter" : "stronger"}`;
  if (state === OFF.noteWriter)
    return astray
      ? `Without *note:notes* the finder *look:looks* mostly elsewhere: ${count}`
      : same
        ? `The finder *look:looks* as before, without *note:notes*: ${still}${count}`
        : `Without *note:notes* the ${changed}: ${still}${count}`;
  if (state === OFF.wire)
    return astray
      ? `The *note:notes* stand; the finder cannot search them: ${count}`
      : same
        ? `The finder *look:looks* as before, the wire cut: ${still}${count}`
        : `The wire cut, the ${changed}: ${still}${count}`;
  if (state === OFF.finder) return `*note:Notes* stand; the finder *look:looks* no more: ${still}${count}`;
  if (state === OFF.control) return `Another head of the note-writer’s layer off: ${still}${count}`;
  return `${offWords(state)}: ${still}${count}`;
}

/** @param {Situation} s */
function fool({ line, frame, state, text, begun }) {
  const asked = text(line.tokens[line.ask]);
  if (state !== 0) return cut({ line, frame, state, text, touched: true, begun });
  if (!begun) return `One letter changed, in both copies: now ${asked} has two different followers.`;
  const noted = line.followers(line.ask);
  const there = noted.reduce((sum, key) => sum + frame.weight(state, line.ask, key), 0);
  const how = line.isRight(frame, state, line.ask) ? "rightly" : "wrongly";
  return (
    `${NUMBERS[noted.length] ?? "Many"} earlier *note:notes* say ${asked}; ` +
    `${there > 0.5 ? "*look:looks* go mostly there" : "*look:looks* go mostly elsewhere"}; ` +
    `${text(frame.guess(state, line.ask).token)} is *copy:guessed*, ${how}.`
  );
}

/** @param {Situation} s */
function train({ line, frame, state, dragged, untrained = 0, begins = 0 }) {
  const count = `${line.right(frame, state)} of ${line.asked.length} right.`;
  if (!dragged)
    return begins === 0
      ? "This is the network untrained: drag it through its training."
      : `The first weights kept are of step ${begins}: drag on from there.`;
  if (state !== 0) return `${offWords(state)}, at this step: ${count}`;
  // An untrained head gives the token before some of its weight too.
  const [notes, looks] = [amount(line.notes(frame) - untrained), amount(line.looks(frame, state))];
  return `${notes[0].toUpperCase() + notes.slice(1)} *note:notes*, ${looks} *look:looks*: ${count}`;
}

/**
 * The sentence of a step.
 *
 * @param {number} step
 * @param {Situation} s
 */
export function caption(step, s) {
  const { line, frame, text } = s;
  const asked = text(line.tokens[line.ask]);
  const [[key]] = line.looksFrom(frame, 0, line.ask);
  const answer = text(frame.guess(0, line.ask).token);
  const count = line.tokens.slice(0, line.ask + 1).filter((token) => token === line.tokens[line.ask]).length;
  switch (step) {
    case GUESS:
      return `What comes after the ${ORDINALS[count - 1] ?? "last"} ${asked}?`;
    case NOTE:
      return "First, the note-writer *note:notes* under each letter which one came before.";
    case LOOK:
      return (
        `At ${asked}, the finder *look:looks* for the *note:note* ${asked}: ` +
        `under ${text(line.tokens[key])}.`
      );
    case COPY:
      return `${answer} came after ${asked} last time, so it is *copy:copied*.`;
    case GO_ON:
      return "The next letters come the same way: *look:look*, then *copy:copy*.";
    case CUT:
      return cut(s);
    case FOOL:
      return fool(s);
    default:
      return train(s);
  }
}

/**
 * The kind of evidence for what a step says; none for a question and for what the reader is to do.
 *
 * @param {number} step
 * @param {Situation} s
 */
export function captionKind(step, { state, touched, dragged, begun }) {
  if (step === GUESS || (step === CUT && state === 0 && !touched)) return "";
  if ((step === FOOL && !begun) || (step === TRAIN && !dragged)) return "";
  if (state !== 0) return "minute"; // heads are off
  /** @type {Record<number, string>} */
  const kinds = { [NOTE]: "composition", [LOOK]: "composition", [COPY]: "copying", [GO_ON]: "circuit" };
  return kinds[step] ?? (step === TRAIN ? "role" : "accuracy");
}

/**
 * Of the lamps that are off: how many are right over many lines.
 *
 * @param {Situation} s
 * @param {MinuteData} minute
 * @param {(heads: number[]) => string} codes
 * @param {string} lines
 */
function overMany({ line, frame, state }, { shares, others }, codes, lines) {
  /** @type {(of: number) => string} */
  const share = (of) => rough(shares[of]);
  if (state === 0) return `Over ${lines}, ${share(0)} are right.`;
  const over = `Over ${lines} ${share(state)} are right; with all on, ${share(0)}.`;
  const explained = others && shares[state] - others.share > SAME;
  if (state !== OFF.noteWriter || !explained || line.right(frame, state) === 0) return over;
  const [look, it] = others.heads.length === 1 ? ["looks", "it"] : ["look", "them"];
  const weights = others.weights.map((weight) => fixed(weight)).join(", ");
  return (
    `${over} ${codes(others.heads)} ${look} one back too ` +
    `(${weights} on the first line, not drawn): ` +
    `with ${it} off as well, ${rough(others.share)} are right.`
  );
}

/**
 * Which letter of the first line is another one.
 *
 * @param {MinuteData} minute
 * @param {(token: number) => string} text
 */
function changed({ tokens, fool }, text) {
  const { place } = fool;
  return `Letter ${place + 1} was ${text(tokens[place])} and is ${text(fool.tokens[place])} now.`;
}

/**
 * The other wrong guesses, which the caption does not name.
 *
 * @param {Situation} s
 */
function wrongToo({ line, frame, state, text }) {
  const others = line.asked.filter((at) => at !== line.ask && !line.isRight(frame, state, at));
  const words = others.map((at) => {
    const { token, probability } = frame.guess(state, at);
    return `${text(token)} after ${text(line.tokens[at])} (${rough(probability)} sure)`;
  });
  return words.length === 0 ? "" : ` Wrong too: ${words.join(", ")}.`;
}

/**
 * Where a letter comes back sooner than in the lines of training.
 *
 * @param {Situation} s
 * @param {MinuteData} minute
 */
function sooner({ line, frame, state }, { lines, shortest }) {
  const at = line.asked.find((place) => line.gapAt(place) < shortest);
  if (at === undefined || state !== 0) return "";
  return (
    ` In ${lines} lines like those of training no letter came back sooner than after ${shortest}. ` +
    `Here one does: the network is ${rough(frame.guess(state, at).probability)} sure.`
  );
}

/**
 * The smaller sentence: what the numbers are, and what the picture does not show.
 *
 * @param {number} step
 * @param {Situation} s
 * @param {MinuteData} minute
 * @param {(head: number) => string} code
 */
export function detail(step, s, minute, code) {
  const { line, frame, state, own, text } = s;
  /** @type {(heads: number[]) => string} */
  const codes = (heads) => listed(heads.map(code));
  const looked = line
    .looksFrom(frame, state, line.ask)
    .map(([key, weight]) => ({ letter: text(line.tokens[key]), weight: rough(weight) }));
  const { token, probability } = frame.guess(state, line.ask);
  const sure = rough(probability);
  const { finders, note_writers } = minute;
  const places = looked
    .slice(0, 3)
    .map(({ letter, weight }) => `${letter} (${weight})`)
    .join(", ");
  switch (step) {
    case GUESS:
      return "A small neural network answers this too. Guess, then watch how it does it.";
    case NOTE:
      return note_writers.length === 1
        ? `The note-writer is the attention head ${codes(note_writers)}. Strong colour: strong note.`
        : `The note-writer is ${note_writers.length} attention heads, ${codes(note_writers)}. ` +
            "The colour shows the strongest note of them.";
    case LOOK:
      return finders.length === 1
        ? `The finder is the attention head ${codes(finders)}. It compares all notes at once.`
        : `The finder is ${finders.length} attention heads, ${codes(finders)}; the picture is their mean.`;
    case COPY:
      return (
        `The finder gives ${looked[0].weight} of its attention to ${looked[0].letter}; ` +
        `the network is ${sure} sure.`
      );
    case GO_ON:
      return (
        "Above each letter stands the network’s guess; the network reads the line as it is. " +
        `The ${line.asked.length} guesses from here on are counted.`
      );
    case CUT:
      return own
        ? "Counted are the guesses after letters that stood before, in this line alone." + sooner(s, minute)
        : (state === 0 && !s.touched ? "Press its lamp, or the wire. " : "") +
            overMany(s, minute, codes, `${minute.lines} such lines`);
    case FOOL:
      return state === 0
        ? `${changed(minute, text)} It looks at ${places}, and is ${sure} sure of ${text(token)}. ` +
            `Right is ${text(line.tokens[line.ask + 1])}.${wrongToo(s)}`
        : overMany(s, minute, codes, `${minute.lines} lines without such a change`);
    default:
      return (
        "The slider stands at true steps of training. Heads that work together like these were found in " +
        "large language models too (Olsson et al., 2022)."
      );
  }
}

/**
 * The picture in words, for who does not see it.
 *
 * @param {number} step
 * @param {Situation} s
 */
export function described(step, { line, frame, state, query, text }) {
  const asked = query ?? line.ask;
  /** @type {string[]} */
  const words = [];
  if (step >= GO_ON) words.push(`${line.right(frame, state)} of ${line.asked.length} right.`);
  if (step >= LOOK) {
    const looks = line
      .looksFrom(frame, state, asked)
      .slice(0, 3)
      .filter(([, weight]) => weight >= FAINT / 2)
      .map(([key, weight]) => `${text(line.tokens[key])}, place ${key + 1}, ${rough(weight)}`);
    words.push(
      state & OFF.finder
        ? "The finder is off."
        : `From ${text(line.tokens[asked])}, place ${asked + 1}, the finder looks at ${looks.join("; ")}.`,
    );
  }
  if (step >= NOTE)
    words.push(
      state & OFF.noteWriter
        ? "The note-writer is off: no notes."
        : "Under each letter is a note, the letter before it, with a mean strength of " +
            `${fixed(line.notes(frame))}.`,
    );
  if (step >= GO_ON) {
    const guesses = line.asked.map((at) => {
      const guess = text(frame.guess(state, at).token);
      return line.isRight(frame, state, at) ? guess : `${guess} instead of ${text(line.tokens[at + 1])}`;
    });
    words.push(`The guesses: ${guesses.join("; ")}.`);
  }
  const seen = line.tokens.slice(0, step < GO_ON ? line.ask + 1 : undefined);
  words.push(`The line: ${seen.map(text).join(" ")}.`);
  return words.join(" ");
}

/**
 * What is to be known about the line and the numbers.
 *
 * @param {MinuteData} minute
 * @param {number} tokens of the vocabulary
 * @param {string} helpers "L0H0 and L0H2"
 */
export function about({ lines, predictable, ask, control, note_writers, finders }, tokens, helpers) {
  const before = predictable.slice(0, ask).filter(Boolean).length;
  const noted = note_writers.length > 1 ? "largest of the weights that the heads of the" : "weight that the";
  const looked = finders.length > 1 ? "mean of the weights that the heads of the" : "weight that the";
  /** @type {(heads: number[]) => string} */
  const give = (heads) => (heads.length > 1 ? "give" : "gives");
  return [
    `The first line was chosen among ${lines} of its kind: there is a place where the network is right ` +
      "and, without the note-writer, wrong; and its counts come nearest to their means over all lines. " +
      "Lines without letters that look alike come first. The certificate’s numbers are of other sequences.",
    `Of every line the guesses are counted that come after its first ${before} that can be known.`,
    "A head that is off writes its mean over 64 other lines. A cut wire: the finder’s keys get that mean " +
      "from the note-writer, and everything else stays.",
    `There are ${tokens} different tokens, so a blind guess is right once in as many.`,
    `A note is as strong as the ${noted} note-writer ${give(note_writers)} to the letter before; a look, ` +
      `as the ${looked} finder ${give(finders)} to what followed. ` +
      "The curves are their means over the first line.",
    ...(control.length === 0
      ? []
      : [
          "The other head is of the note-writer’s layer and outside of the circuit and its helpers: of " +
            "several, the one with the lowest previous-token score.",
        ]),
    ...(helpers === ""
      ? []
      : [`The certificate names helpers of these heads too: ${helpers}. They have no lamp here.`]),
  ];
}
