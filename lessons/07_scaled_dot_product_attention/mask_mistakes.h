// What people write in the place of the parts about masks.
#pragma once

#include "mistakes.h"

namespace mistakes {

using CausalMask = std::function<Tensor(std::size_t, std::size_t)>;

// The position at which query i of n stands, of m keys.
inline int position_of(const Made& made, int i, int n, int m) {
  const int p = made("wrong-corner")            ? i
                : made("shifted-the-wrong-way") ? i - (m - n)
                : made("shifted-by-n")          ? i + n
                                                : i + (m - n);
  return made("one-ahead") ? p + 1 : p;
}

// Whether a query at position p sees key j.
inline bool is_past(const Made& made, int p, int j) {
  if (j == p) return !made("not-itself");
  return made("the-future") ? j > p : j < p;
}

// What the mask holds where a query may look, or may not.
inline Real entry(const Made& made, Real allowed) {
  if (made("inverted")) allowed = 1 - allowed;
  if (!made("minus-infinity")) return allowed;
  return allowed > 0 ? 0 : -std::numeric_limits<Real>::infinity();
}

// Whether a loop does not come to this place of n by m, which keeps its 0.
inline bool left_out(const Made& made, int i, int n, int j, int m) {
  return (made("first-query-left-out") && i == 0) || (made("last-query-left-out") && i == n - 1) ||
         (made("key-0-left-out") && j == 0) || (made("last-key-left-out") && j == m - 1);
}
inline const std::vector<Slip> kSlipsOfLoops = {
    {"first-query-left-out", "Your row of query 0 is empty. Queries count from 0.", kMasks},
    {"last-query-left-out", "Your row of the last query is empty. Queries go up to n - 1.", kMasks},
    {"key-0-left-out", "Nobody sees key 0 in your mask. Keys count from 0.", kMasks},
    {"last-key-left-out", "Nobody sees the last key in your mask. Keys go up to m - 1.", kMasks}};
inline std::vector<Slip> with_loops(std::vector<Slip> slips) {
  slips.insert(slips.end(), kSlipsOfLoops.begin(), kSlipsOfLoops.end());
  return slips;
}

inline Tensor causal_mask(const Made& made, std::size_t n, std::size_t m) {
  if (made("square")) n = m;
  const int queries = static_cast<int>(n), keys = static_cast<int>(m), first = keys - queries;
  Array mask = full_array(made("transposed") ? Shape{m, n} : Shape{n, m}, 0);
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j) {
      if (left_out(made, i, queries, j, keys)) continue;
      const int p = position_of(made, i, queries, keys);
      const bool allowed = made("all-of-them")                ? true
                           : made("itself-only")              ? j == p
                           : made("every-query-as-the-first") ? is_past(made, first, j)
                           : made("last-query-first")         ? is_past(made, keys - 1 - i, j)
                           : made("earlier-keys-hidden")      ? j >= first && is_past(made, p, j)
                           : made("last-keys-only")           ? j >= i && is_past(made, p, j)
                                                              : is_past(made, p, j);
      (made("transposed") ? mask(j, i) : mask(i, j)) = entry(made, allowed);
    }
  return Tensor(mask);
}

inline const std::vector<Slip> kSlipsOfCausalMask = with_loops(
    {{"wrong-corner",
      "You let query i see the keys up to i. With n < m the queries are the last n of the m positions: "
      "query i stands at position i + (m - n). As you have it, the last query does not see the last key.",
      kMasks},
     {"one-ahead",
      "Your queries see one key too many: the token after their own. That is what a model must predict, "
      "and its loss falls to nearly 0 for nothing.",
      kMasks},
     {"not-itself",
      "Your queries do not see their own position. A query sees itself and all earlier ones: j ≤ i + (m - "
      "n).",
      kMasks},
     {"inverted",
      "You wrote 0 where a query may look and 1 where it may not. Here 1 means \"may look\". Libraries "
      "differ in this, so read what their mask means.",
      kMasks},
     {"the-future",
      "Your queries see themselves and what follows. Exchange the sides: the key's position is at most the "
      "query's.",
      kMasks},
     {"minus-infinity",
      "You wrote 0 and -∞, to be added to the scores. Some libraries do so. Here a mask holds 1 and 0.",
      kMasks},
     {"itself-only",
      "Your queries see their own position only. They see all earlier ones too: j ≤ i + (m - n), not equal "
      "to it.",
      kMasks},
     {"shifted-the-wrong-way",
      "You subtracted m - n from the query's position. There are m - n keys before the first query, so "
      "query i stands at i + (m - n).",
      kMasks},
     {"shifted-by-n",
      "You added n to the query's position. There are m - n keys before the first query, so query i stands "
      "at i + (m - n).",
      kMasks},
     {"every-query-as-the-first",
      "Every query of yours sees the keys of the first one. Query i sees i keys more: j ≤ i + (m - n).",
      kMasks},
     {"last-query-first",
      "Your first query sees most keys, and your last one fewest. The queries stand in order: the last one "
      "stands at the last key.",
      kMasks},
     {"earlier-keys-hidden",
      "You hid the m - n keys before the first query. All queries see these keys. With numbers "
      "without a sign, j - (m - n) is huge for such a key, so j - (m - n) ≤ i is false.",
      kMasks},
     {"last-keys-only",
      "Your queries see their last m - n + 1 keys only. A query sees all earlier ones: its keys begin with "
      "key 0.",
      kMasks},
     {"all-of-them", "You hid nothing. A query must not see the keys after its own position.", kMasks},
     {"transposed",
      "Your mask has a row for each key. Rows are queries, columns are keys: the shape is (n,m).", kMasks},
     {"square", "Your mask is square. It has n rows, one for each query, and m columns, one for each key.",
      kMasks}});

inline std::vector<Mistake<CausalMask>> of_causal_mask() {
  return slips_of<CausalMask>(causal_mask, kSlipsOfCausalMask);
}

using BatchMask = std::function<Tensor(const IntArray&, std::size_t, std::size_t)>;

// Whether the key (or query) at this place is a token of a sequence of this length.
inline bool is_token(const Made& made, int place, int length, int n, int m) {
  if (made("length-of-the-padding")) length = m - length;
  if (made("one-too-many")) ++length;
  if (made("one-too-few")) --length;
  const bool wraps = made("n-for-m-without-a-sign") && length > n;  // n - length is huge
  const int all = made("n-for-m") || made("n-for-m-without-a-sign") ? n : m;
  return (made("padding-last") ? place < length : place >= all - length && !wraps) != made("padding-allowed");
}

inline Tensor batch_mask(const Made& made, const IntArray& lengths, std::size_t n, std::size_t m) {
  const std::size_t batch = lengths.size();
  if (made("one-row-for-all-queries")) return batch_mask({{"padding-only"}}, lengths, 1, m);
  if (made("no-axis-for-the-queries"))
    return reshape_to(batch_mask({{"padding-only"}}, lengths, 1, m), {batch, m}) * causal_mask(made, n, m);
  const int queries = static_cast<int>(n), keys = static_cast<int>(m);
  Array mask = full_array(made("transposed") ? Shape{batch, m, n} : Shape{batch, n, m}, 0);
  for (std::size_t b = 0; b < batch; ++b)
    for (int i = 0; i < queries; ++i)
      for (int j = 0; j < keys; ++j) {
        if (left_out(made, i, queries, j, keys) || (made("first-sequence-left-out") && b == 0) ||
            (made("last-sequence-left-out") && b == batch - 1))
          continue;
        const int length = lengths(made("one-length-for-all") ? 0 : b);
        const int p = made("counted-from-the-first-token") ? i + keys - length
                      : made("length-for-m")               ? position_of(made, i, queries, length)
                                                           : position_of(made, i, queries, keys);
        const Real token = is_token(made, made("queries-padded") ? p : j, length, queries, keys),
                   past = is_past(made, p, j);
        const Real allowed = made("padding-only")  ? token
                             : made("causal-only") ? past
                             : made("either")      ? std::max(token, past)
                             : made("added")       ? token + past
                                                   : token * past;
        (made("transposed") ? mask(b, j, i) : mask(b, i, j)) = entry(made, allowed);
      }
  return Tensor(mask);
}

inline const std::vector<Slip> kSlipsOfBatchMask = with_loops(
    {{"first-sequence-left-out", "Your mask of sequence 0 is empty. Sequences count from 0.", kMasks},
     {"last-sequence-left-out", "Your mask of the last sequence is empty. Loop over all lengths.size().",
      kMasks},
     {"padding-only", "You hid the padding, but not the future. Both rules hold at once.", kMasks},
     {"causal-only", "You hid the future, but not the padding. Both rules hold at once.", kMasks},
     {"either",
      "You allow a key when one of the rules does. A query may look only where both do: multiply the "
      "masks.",
      kMasks},
     {"added",
      "You added the two masks, so there are 2s, and 1 where only one rule allows it. Multiply them: 1 "
      "only where both are 1.",
      kMasks},
     {"queries-padded",
      "You hid the rows of padding, so it is queries on padding that see nothing, and the tokens still "
      "look at padding. Padding must not be looked *at*: hide its columns, those of the keys.",
      kMasks},
     {"one-too-many",
      "You take one key too many for a token. A sequence has lengths(b) tokens, and the first is key m - "
      "lengths(b).",
      kMasks},
     {"one-too-few",
      "You take one key too few for a token. A sequence has lengths(b) tokens, and the first is key m - "
      "lengths(b).",
      kMasks},
     {"padding-last",
      "You took the first keys for the tokens. Here padding comes first, so that all sequences end at the "
      "last key.",
      kMasks},
     {"length-of-the-padding",
      "You took lengths(b) for the number of keys that are padding. lengths(b) counts the tokens; the "
      "padding has m - lengths(b) keys.",
      kMasks},
     {"n-for-m",
      "You counted the tokens of a sequence from n, the number of queries. They are the last of the m "
      "keys: the first is key m - lengths(b).",
      kMasks},
     {"n-for-m-without-a-sign",
      "You counted the tokens of a sequence from n, the number of queries. They are the last of the m "
      "keys: the first is key m - lengths(b). Besides, n - lengths(b) of numbers without a sign is huge if "
      "there are more tokens than queries.",
      kMasks},
     {"padding-allowed", "You allow the padding and hide the tokens.", kMasks},
     {"inverted", "You wrote 1 where a key is hidden. Here 1 means \"may look\".", kMasks},
     {"minus-infinity",
      "You wrote 0 and -∞, to be added to the scores. Some libraries do so. Here a mask holds 1 and 0.",
      kMasks},
     {"wrong-corner",
      "You let query i see the keys up to i. With n < m query i stands at position i + (m - n), as in part "
      "2.",
      kMasks},
     {"counted-from-the-first-token",
      "You counted the positions of the queries from the first token of a sequence. The queries are the "
      "last n of the m positions: query i stands at i + (m - n), however long the sequence is.",
      kMasks},
     {"length-for-m",
      "You counted the positions of the queries without the padding. Keys are counted with it: query i "
      "stands at position i + (m - n), however long the sequence is.",
      kMasks},
     {"one-ahead",
      "Your queries see one key too many at the end: the token after their own. Query i sees the keys up "
      "to its own position, i + (m - n).",
      kMasks},
     {"not-itself", "Your queries do not see their own position. Key i + (m - n) is visible to query i.",
      kMasks},
     {"the-future",
      "Your queries see themselves and what follows. Exchange the sides: the key's position is at most the "
      "query's.",
      kMasks},
     {"one-length-for-all", "You used the first length for all sequences. Sequence b has lengths(b) tokens.",
      kMasks},
     {"no-axis-for-the-queries",
      "You multiplied masks of the shapes (B,m) and (n,m). Axes are compared from the last, so B meets n. "
      "Give the mask of the padding an axis for the queries: (B,1,m).",
      kMasks},
     {"one-row-for-all-queries",
      "Your mask has one row for all queries, the shape (B,1,m). The queries see different keys, so each "
      "has a row: (B,n,m).",
      kMasks},
     {"transposed",
      "Your mask has a row for each key. Rows are queries, columns are keys: the shape is (B,n,m).",
      kMasks}});

inline std::vector<Mistake<BatchMask>> of_batch_mask() {
  return slips_of<BatchMask>(batch_mask, kSlipsOfBatchMask);
}

}  // namespace mistakes
