// What people get wrong in parts 1 and 2 of exercise 14: where a head looks, and what it copies.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "circuit.h"
#include "grader/slips.h"

namespace mistakes {

using grader::Made, grader::Slip;
using LookMirrored = std::function<void(Head&, const Stream&)>;
using CopyPartner = std::function<void(Head&, const Stream&, const Subspace&)>;

inline constexpr const char *kStream = "A stream of subspaces", *kBack = "A previous-token head",
                            *kCopy = "A copy into another subspace", *kFollow = "An induction head",
                            *kSay = "The logits", *kSharp = "Sharpness",
                            *kFinds = "Detectors and certificate";

// W_Q and W_K between two subspaces of the stream and one of the head.
inline void meet(Head& head, const Subspace& query, const Subspace& key, const Subspace& in_head,
                 double factor) {
  put(head.W_Q, query, in_head, factor);
  put(head.W_K, key, in_head, 1);
}

// ---- Part 1 ----

inline void look_mirrored(const Made& made, Head& head, const Stream& s) {
  const std::size_t T = s.position.size;
  const double factor = made("too-small") ? 1 : solution::factor_of(head);
  if (made("reads-the-tokens")) return meet(head, s.token, s.token, head.tokens, factor);
  if (made("compares-tokens-too")) meet(head, s.token, s.token, head.tokens, factor);
  const auto key_of = [&](std::size_t i) {  // T and more where there is none
    if (made("looks-at-its-own-copy")) return T - 1 - i;
    if (made("right-of-the-copy")) return T - i;
    if (made("one-too-far")) return T - 3 - i;
    if (made("one-back")) return i - 1;
    if (made("two-back")) return i - 2;
    if (made("forwards")) return i - (T / 2 - 1);
    return made("looks-at-itself") ? i : T - 2 - i;
  };
  const std::size_t begin = made("first-query-left-out") ? T / 2 + 1 : 0,
                    end = made("first-half-only") ? T / 2 : T;
  for (std::size_t i = begin; i < end; ++i)
    if (key_of(i) < T && !(made("last-query-left-out") && i == T - 2))
      put(head.W_Q, s.position.part(i, 1), head.positions.part(key_of(i), 1), factor);
  if (!made("no-score-at-all")) put(head.W_K, s.position, head.positions, 1);
}

inline const std::vector<Slip> kOfLookMirrored = {
    {"looks-at-its-own-copy",
     "Your query looks at the first copy of its own token, which the model has just read. It must look at "
     "what comes next. In the first half that stands one position before the copy.",
     kBack},
    {"right-of-the-copy",
     "Your query looks one position to the right of its token's first copy. The second half is the first one "
     "backwards, so the token that comes next stands one position to the left of the copy.",
     kBack},
    {"one-too-far", "Your query looks one position too far to the left: at the token after the next one.",
     kBack},
    {"one-back",
     "Your head looks one position back, as the lesson's does. Here the distance differs from query to "
     "query: one step on with the query is one step back with the key.",
     kBack},
    {"two-back",
     "Your head looks two positions back, as the query 4 of the example does. The distance differs from "
     "query to query: one step on with the query is one step back with the key.",
     kBack},
    {"forwards",
     "Your queries look at the first half from left to right, so the segment would come again forwards. It "
     "comes backwards: a query one position later looks one position earlier.",
     kBack},
    {"looks-at-itself",
     "Query i and key i fit, so each position looks at itself. W_Q and W_K must not treat positions alike.",
     kBack},
    {"too-small",
     "The weights of the keys with the largest scores stay below 0.99. The softmax needs a larger difference "
     "of scores: put factor_of(head) into W_Q. The √d_head in it is divided out again.",
     kSharp},
    {"first-query-left-out",
     "You leave out the query T/2, the first one of the second half. Positions count from 0, so the first "
     "half ends at T/2 - 1.",
     kBack},
    {"last-query-left-out",
     "You leave out the query T - 2. It still has a next token: only the query T - 1 has none.", kBack},
    {"first-half-only",
     "You set the queries of the first half, 0 … T/2 - 1. Set those of the second half, T/2 … T - 2.", kBack},
    {"reads-the-tokens",
     "Your head compares tokens, not positions: W_Q and W_K read s.token. Here the place decides, whatever "
     "the tokens are: read s.position.",
     kStream},
    {"compares-tokens-too",
     "Your head compares tokens beside positions. The query itself and the first copy of its token then get "
     "the same score as the right key. Leave that term out: here the place alone decides.",
     kStream},
    {"no-score-at-all",
     "For the queries T/2 … T - 2 all scores are equal, so each shares its weight among all keys. W_Q or W_K "
     "is empty for them, or the two write into different coordinates of the head.",
     kBack}};

// ---- Part 2 ----

inline std::size_t partner(const Made& made, std::size_t v, std::size_t V) {
  if (made("the-token-itself")) return v;
  if (made("mirrored-vocabulary")) return V - 1 - v;
  return made("the-next-token") ? (v + 1) % V : v ^ 1;
}

inline void copy_partner(const Made& made, Head& head, const Stream& s, const Subspace& asked) {
  const Subspace to = made("over-the-token")       ? s.token
                      : made("always-into-before") ? s.before
                      : made("always-into-output") ? s.output
                                                   : asked;
  const Subspace from = made("copies-the-token-before") ? s.before : s.token;
  const Subspace in_head = made("W_V-straight-into-the-stream") ? to : head.tokens;
  const double factor = made("sharp-values") ? solution::factor_of(head) : 1;
  const auto add = [&](std::size_t v, std::size_t column) {
    put(head.W_V, from.part(v, 1), in_head.part(column, 1), factor);
  };
  for (std::size_t v = 0; v < from.size; v += made("openings-only") ? 2 : 1) {
    add(v, partner(made, v, from.size));
    if (made("the-token-too")) add(v, v);
  }
  if (made("positions-too")) {
    put(head.W_V, s.position, head.positions, 1);
    put(head.W_O, head.positions, s.position, 1);
  }
  if (made("W_O-transposed")) return put(head.W_O, to, head.tokens, 1);
  put(head.W_O, made("different-coordinates") ? head.positions.part(0, to.size) : head.tokens, to, 1);
}

inline const std::vector<Slip> kOfCopyPartner = {
    {"the-token-itself",
     "Your head copies the token that it looks at. It must add the partner: row 0 of W_V goes into column 1, "
     "row 1 into column 0, and so on. If you exchange them in W_V and in W_O, they are back in place.",
     kCopy},
    {"the-next-token",
     "Your head adds the next token of the vocabulary. That is the partner of 0, and not that of 1: the "
     "partner of 1 is 0.",
     kCopy},
    {"mirrored-vocabulary",
     "Your head adds the token V - 1 - v for the token v, which exchanges the first token with the last. "
     "Partners are neighbours: 0 and 1, 2 and 3, and so on.",
     kCopy},
    {"the-token-too",
     "Your head adds the token that it looks at beside the partner. Only the partner belongs there.", kCopy},
    {"openings-only",
     "Your head adds the partner of 0, 2, …, and nothing for 1, 3, … Each of the two is the other's partner.",
     kCopy},
    {"over-the-token",
     "You write into s.token. There stands the query's own token: now it holds two, and no later head can "
     "separate them. Write into `to`.",
     kCopy},
    {"always-into-before", "You write into s.before, whatever `to` is.", kCopy},
    {"always-into-output", "You write into s.output, whatever `to` is.", kCopy},
    {"copies-the-token-before",
     "W_V reads s.before: the head adds the partner of the token before the one that it looks at. W_V must "
     "read s.token.",
     kCopy},
    {"W_O-transposed",
     "W_O is written the wrong way round. Its rows are the head's coordinates and its columns the stream's: "
     "put(head.W_O, head.tokens, to, …).",
     kCopy},
    {"W_V-straight-into-the-stream",
     "W_V writes into the columns of `to`. Those are coordinates of the stream, and W_V has the columns of "
     "the head. W_V moves the token into head.tokens, and W_O moves it from there into `to`.",
     kCopy},
    {"different-coordinates",
     "The head adds nothing: W_V or W_O is empty, or W_V puts the token into other coordinates of the head "
     "than W_O reads. Both must use head.tokens.",
     kCopy},
    {"sharp-values",
     "You put factor_of(head) into W_V or W_O. This factor makes scores differ; a value is passed on as it "
     "is. Put 1, so that the copy is a one-hot row.",
     kCopy},
    {"positions-too",
     "The head also copies the position that it looks at, into s.position. There the query's own position "
     "must stay alone.",
     kCopy}};

}  // namespace mistakes
