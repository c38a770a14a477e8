// The words on the mistakes of mistakes_blocks.h.
#pragma once

#include "mistakes.h"

namespace mistakes {

inline constexpr const char
    *kMaskBelow0 =
        "You subtract the window from a position. That falls below 0 for the first "
        "queries, and a std::size_t then becomes huge: their keys are all hidden. Compare "
        "p with j + window.",
    *kSkipBelow0 =
        "To skip tiles, you subtract the window from a position. That falls below 0 for "
        "the first queries, and a std::size_t then becomes huge. Add the window on the "
        "other side.";

inline const std::vector<Slip> kSlipsOfWindowed = {
    {"unscaled", "You left 1/√d_k out of the scores.", kRows},
    {"root-of-n", "You divided by √n, the root of the number of queries. The scale is 1/√d_k.", kRows},
    {"divided-by-d_k", "You divided the scores by d_k. The scale is 1/√d_k.", kRows},
    {"root-of-d_v",
     "You divided by √d_v, from the width of the values. The products are those of Q and K: √d_k.", kRows},
    {"multiplied-by-root", "You multiplied the scores by √d_k. Divide by it.", kRows},
    {"queries-from-the-start",
     "You let query 0 stand at position 0. The queries are the last n of m positions: query i "
     "stands at i + m - n.",
     kHidden},
    {"queries-from-the-start-in-the-mask",
     "Your mask lets query 0 stand at position 0. The queries are the last n of m positions: "
     "query i stands at i + m - n.",
     kHidden},
    {"queries-from-the-start-in-the-skip",
     "To skip tiles, you let query 0 stand at position 0. The queries are the last n of m positions: query i "
     "stands at i + m - n.",
     kHidden},
    {"window-below-0", kMaskBelow0, kHidden},
    {"window-below-0-by-one", kMaskBelow0, kHidden},
    {"window-below-0-in-the-skip", kSkipBelow0, kHidden},
    {"window-below-0-by-one-in-the-skip", kSkipBelow0, kHidden},
    {"hidden-left-out",
     "You leave hidden keys out of the scores, and not out of the values, so the rows of "
     "values belong to other keys. Give a hidden key the score -INFINITY.",
     kHidden},
    {"position-in-the-tile",
     "You count the position of a query from the start of its block. Its position is that in "
     "the whole sequence: start of the block + row + m - n.",
     kHidden},
    {"key-position-in-the-tile",
     "You count the position of a key from the start of its tile. The mask needs its place among all m keys.",
     kHidden},
    {"window-ignored", "You left the window out. A query sees only the last `window` keys up to its own.",
     kHidden},
    {"window-too-wide",
     "Your window has one key too many. p - window < j: with window = 1 a query sees only itself.", kHidden},
    {"window-too-narrow",
     "Your window has one key too few. p - window < j ≤ p are `window` keys: with window = 1 a query sees "
     "itself.",
     kHidden},
    {"window-too-wide-in-both",
     "Your window has one key too many, in the mask and where you skip tiles. p - window < j: "
     "with window = 1 a query sees only itself.",
     kHidden},
    {"window-too-narrow-in-both",
     "Your window has one key too few, in the mask and where you skip tiles. p - window < j ≤ p are `window` "
     "keys: with window = 1 a query sees itself.",
     kHidden},
    {"looks-ahead", "You let a query see keys after its own position: j ≤ p.", kHidden},
    {"one-ahead", "You let a query see one key after its own position: j ≤ p.", kHidden},
    {"without-itself", "You hide the query's own position. j ≤ p includes it.", kHidden},
    {"nothing-skipped",
     "You compute all tiles, or count those that you skip. A tile in which no query sees a key "
     "is not computed and not counted. This includes tiles before the window.",
     kHidden},
    {"later-not-skipped",
     "You skip the tiles before the window, and not those after the last query of the block: they are hidden "
     "too.",
     kHidden},
    {"earlier-not-skipped",
     "You skip the tiles after the last query of the block, and not those before the window of "
     "its first query: they are hidden too.",
     kHidden},
    {"one-late-tile-too-many",
     "You compute a tile that starts one key after the last query's position. That query sees "
     "keys up to its own position, and not the next one.",
     kHidden},
    {"one-early-tile-too-many",
     "You compute a tile that ends just before the window of the first query. The first key "
     "that it sees is p - window + 1.",
     kHidden},
    {"one-late-tile-too-few",
     "You skip a tile that starts at the position of the block's last query. That query sees itself.",
     kHidden},
    {"one-early-tile-too-few",
     "You skip a tile that ends with the first key that the block's first query sees, p - window + 1.",
     kHidden},
    {"late-for-the-first-query",
     "You skip a tile when the first query of the block does not see it. Later queries of the "
     "block see further: ask the last one.",
     kHidden},
    {"early-for-the-last-query",
     "You skip a tile when it lies before the window of the last query of the block. The "
     "window of the first query begins earlier: ask the first one.",
     kHidden},
    {"whole-tiles-only",
     "You compute only tiles in which every query sees every key. A tile of which a part is "
     "visible is needed, too, with -∞ for the hidden part.",
     kHidden},
    {"short-queries-dropped", "You leave out the last block of queries when it is smaller than `rows`.",
     kRows},
    {"short-keys-dropped", "You leave out the last block of keys when it is smaller than `columns`.", kRows},
    {"rows-and-columns-exchanged",
     "You exchanged `rows` and `columns`: `rows` counts the queries of a tile, `columns` its keys.", kRows},
    {"state-not-reset",
     "You go on with the m, l and o of the block of queries before. Each query starts with nothing known.",
     kRows},
    {"not-divided", "You returned o. The result is o / l, once all tiles of the query are done.", kRows},
    {"divided-at-each-tile",
     "You divide o by l after each tile. The next tile adds to the undivided sum: divide once, at the end.",
     kRow},
    {"not-rescaled",
     "You do not rescale l and o when a tile brings a larger maximum. Part 2 does it: add_block.", kRow},
    {"no-maximum",
     "You take e^score without subtracting a maximum. For large scores that overflows. Part 2 "
     "keeps the maximum: add_block.",
     kRow},
    {"hidden-row",
     "You get NaN where a query sees no key of its first tiles: -∞ - (-∞). The first query of "
     "a block can see a tile that the last one does not see. Part 2 handles that case: "
     "add_block.",
     kHidden},
    {"hidden-as-0", "Hidden keys have the score 0 in your code, and so a weight. Their score is -INFINITY.",
     kHidden},
    {"last-tile-only",
     "Your result is that of the last tile that a query sees. Pass m, l and o from tile to tile.", kRow},
    {"softmax-of-each-tile",
     "You divide each tile by its own sum and add the results. The weights of a row add up to 1 over all "
     "tiles.",
     kRow},
    {"log-of-l",
     "Your log_sums are log l. l is relative to the maximum, so Σ e^S is e^m · l, and its logarithm m + log "
     "l.",
     kRow},
    {"log-of-the-sum", "Your log_sums are log(m + l). Σ e^S is e^m · l, and its logarithm m + log l.", kRow},
    {"maximum-only", "Your log_sums are the maxima. Σ e^S is e^m · l, and its logarithm m + log l.", kRow},
    {"l-itself", "Your log_sums are l. Σ e^S is e^m · l, and its logarithm m + log l.", kRow},
    {"m-plus-l", "Your log_sums are m + l. Σ e^S is e^m · l, and its logarithm m + log l.", kRow},
    {"log-subtracted", "Your log_sums are m - log l. Σ e^S is e^m · l, and its logarithm m + log l.", kRow},
    {"sum-not-logarithm",
     "Your log_sums are Σ e^S itself, which overflows for large scores. Its logarithm is m + log l.", kRow},
    {"log-sums-lie-down", "Your log_sums have the shape (n). They are a column, (n,1).", kRows},
    {"scores-counted", "You counted the scores of the tiles that you compute. Count the tiles.", kHidden},
    {"visible-counted", "You counted the visible pairs of a query and a key. Count the tiles.", kHidden},
    {"skipped-counted", "You counted the tiles that you skip. Count those that you compute.", kHidden}};

}  // namespace mistakes
