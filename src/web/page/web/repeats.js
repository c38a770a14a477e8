// Which copy of the segment each token belongs to, where that is known.

/**
 * Runs of tokens of one copy: [{ repeat, tokens: [positions] }]. `repeat` is -1 for tokens of none, and null
 * where nothing is known of any.
 *
 * @param {View} sequence
 * @param {number} length
 */
export function repeatsOf(sequence, length = sequence.tokens.length) {
  /** @type {Copy[]} */
  const groups = [];
  for (let position = 0; position < length; ++position) {
    const repeat = sequence.repeats?.[position] ?? null;
    if (groups.at(-1)?.repeat !== repeat || position === 0) groups.push({ repeat, tokens: [] });
    groups.at(-1).tokens.push(position);
  }
  return groups;
}

/**
 * The two looks of copies take turns: "even", "odd"; "" for a token of none.
 *
 * @param {number | null} repeat
 */
export function turn(repeat) {
  return repeat === null || repeat < 0 ? "" : repeat % 2 === 0 ? "even" : "odd";
}
