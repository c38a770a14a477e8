// What is shown at each moment of the first screen, as numbers: no pixel, no element.

import { CUT, COPY, FOOL, GO_ON, GUESS, LOOK, NOTE, TRAIN } from "./captions.js";

// Seconds of motion of each step, and of rest after it before the next one begins by itself.
export const MOTION = [0, 2, 2, 1.4, 4.2, 0, 2.6, 0];
export const REST = [0, 2.6, 2.4, 2.8, 1.6, 0, 0, 0];

/** @type {(x: number) => number} */
const clamp = (x) => Math.min(1, Math.max(0, x));
/** @type {(time: number, from: number, to: number) => number} */
const part = (time, from, to) => clamp((time - from) / (to - from));
/** @type {(x: number) => number} */
export const eased = (x) => x * x * (3 - 2 * x);

/**
 * When the letters of "Go on" come, in shares of its time: the first ones slower.
 *
 * @param {number} count
 */
function beats(count) {
  const lengths = Array.from({ length: count }, (_, i) => 0.26 + 0.5 * Math.exp(-i / 2));
  const all = lengths.reduce((sum, length) => sum + length, 0);
  let at = 0;
  return lengths.map((length) => {
    const from = at / all;
    at += length;
    return [from, at / all];
  });
}

/**
 * Nothing but the line, up to the asked letter.
 *
 * @param {Line} line
 * @returns {Scene}
 */
function blank(line) {
  const n = line.tokens.length;
  return {
    known: line.ask + 1,
    guesses: Array(n).fill(null),
    notes: Array(n).fill(0),
    drop: Array(n).fill(1),
    noteArcs: Array(n).fill(0),
    glow: Array(n).fill(0),
    query: -1,
    looks: Array(n).fill(0),
    lookGrown: 1,
    asking: 0,
    fly: null,
    rows: Array(n).fill(0),
    guessed: null,
    right: 0,
    weight: () => 0,
  };
}

/**
 * @param {Scene} scene
 * @param {Situation} s
 * @param {number} query
 */
function lookFrom(scene, { line, frame, state }, query) {
  scene.query = query;
  scene.looks = line.tokens.map((_, key) => (key <= query ? frame.weight(state, query, key) : 0));
}

/**
 * @param {Situation} s
 * @param {number} position
 */
function guessAt({ line, frame, state }, position) {
  return { ...frame.guess(state, position), right: line.isRight(frame, state, position), after: position };
}

/**
 * All of it at rest, with the lamps as they are.
 *
 * @param {Situation} s
 * @returns {Scene}
 */
export function stillScene(s) {
  const { line, frame, state } = s;
  const scene = blank(line);
  scene.known = line.tokens.length;
  scene.notes = line.tokens.map((_, i) => (i === 0 || state & 1 ? 0 : frame.note(i)));
  for (const position of line.asked) {
    scene.guesses[position + 1] = guessAt(s, position);
  }
  lookFrom(scene, s, s.query ?? line.ask);
  scene.looking = state & 2 ? 0 : 1;
  scene.rows = scene.rows.fill(1);
  scene.weight = (query, key) => frame.weight(state, query, key) * (state & 2 ? 0 : 1);
  scene.guessed = guessAt(s, scene.query);
  scene.right = line.right(frame, state);
  return scene;
}

/**
 * @param {number} step
 * @param {number} time seconds since the step began
 * @param {Situation} s
 * @returns {Scene}
 */
export function sceneAt(step, time, s) {
  const { line, frame } = s;
  const { ask } = line;
  if (step === CUT || step === TRAIN || (step === FOOL && time >= MOTION[FOOL])) return stillScene(s);
  const scene = blank(line);
  if (step === GUESS) return scene;
  scene.weight = (query, key) => frame.weight(0, query, key);
  for (let i = 1; i <= ask; ++i) {
    scene.notes[i] = frame.note(i);
  }
  const [[key]] = line.looksFrom(frame, 0, ask);
  if (step === NOTE) {
    for (let i = 1; i <= ask; ++i) {
      const from = 0.1 + (1.1 * i) / ask;
      scene.noteArcs[i] = part(time, from, from + 0.25);
      scene.drop[i] = eased(part(time, from + 0.2, from + 0.6));
      if (scene.drop[i] === 0) scene.notes[i] = 0;
    }
  } else if (step === LOOK) {
    lookFrom(scene, s, ask);
    scene.asking = part(time, 0, 0.2) * (1 - part(time, 1.5, 1.8));
    for (let i = 1; i <= ask; ++i) {
      scene.noteArcs[i] = 1 - part(time, 0, 0.4);
      scene.glow[i] = part(time, 0.3, 0.6) * (i === key ? 1 : 1 - part(time, 0.9, 1.2));
    }
    scene.lookGrown = eased(part(time, 1.2, 1.8));
    scene.rows[ask] = part(time, 1.4, 1.9);
  } else if (step === COPY) {
    lookFrom(scene, s, ask);
    scene.glow[key] = 1;
    scene.rows[ask] = 1;
    const moved = eased(part(time, 0.05, 0.95));
    scene.fly = moved < 1 ? { token: line.tokens[key], from: key, to: ask + 1, part: moved } : null;
    if (moved === 1) show(scene, s, ask);
  } else if (step === FOOL) {
    lookFrom(scene, s, ask);
    scene.lookGrown = eased(part(time, 1.2, 1.8));
    for (const position of line.asked) {
      scene.rows[position] = part(time, 1.2, 1.8);
    }
    for (const follower of line.followers(ask)) {
      scene.glow[follower] = part(time, 0.4, 0.8);
    }
    if (time >= 2.2) show(scene, s, ask);
  } else if (step === GO_ON) {
    scene.rows[ask] = 1;
    show(scene, s, ask);
    lookFrom(scene, s, ask);
    const later = line.asked.slice(1);
    const share = time / MOTION[GO_ON];
    beats(later.length).forEach(([from, to], i) => {
      const query = later[i];
      if (share < from) return;
      const progress = part(share, from, to);
      for (let j = later[i - 1] ?? ask; j <= query; ++j) {
        scene.notes[j] = frame.note(j);
      }
      scene.known = Math.max(scene.known, query + 1);
      scene.rows[query] = part(progress, 0, 0.4);
      lookFrom(scene, s, query);
      const [[source]] = line.looksFrom(frame, 0, query);
      const moved = eased(part(progress, 0.15, 0.85));
      scene.fly = moved < 1 ? { token: line.tokens[source], from: source, to: query + 1, part: moved } : null;
      if (moved === 1) show(scene, s, query);
    });
    if (time >= MOTION[GO_ON]) {
      scene.notes = line.tokens.map((_, i) => (i === 0 ? 0 : frame.note(i)));
      lookFrom(scene, s, ask);
      scene.guessed = guessAt(s, ask);
      scene.known = line.tokens.length;
    }
  }
  return scene;
}

/**
 * The guess after `position`, and the letter that comes there.
 *
 * @param {Scene} scene
 * @param {Situation} s
 * @param {number} position
 */
function show(scene, s, position) {
  scene.guesses[position + 1] = scene.guessed = guessAt(s, position);
  scene.known = Math.max(scene.known, position + 2);
  if (scene.guessed.right) ++scene.right;
}

/**
 * Between two still scenes.
 *
 * @param {Scene} from
 * @param {Scene} to
 * @param {number} share
 * @returns {Scene}
 */
export function between(from, to, share) {
  /** @type {(one: number, other: number) => number} */
  const mix = (one, other) => one + (other - one) * share;
  return {
    ...to,
    notes: to.notes.map((note, i) => mix(from.notes[i], note)),
    looks: to.looks.map((weight, i) => mix(from.looks[i], weight)),
    looking: mix(from.looking ?? 1, to.looking ?? 1),
    weight: (query, key) => mix(from.weight(query, key), to.weight(query, key)),
  };
}
