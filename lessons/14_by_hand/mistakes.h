// What people get wrong in parts 1 to 3 of exercise 14: where a head looks, and what it copies.
#pragma once

#include <vector>

#include "circuit.h"
#include "grader/part.h"

namespace mistakes {

using grader::Mistake;
using LookMirrored = void (*)(Head&, const Stream&);
using CopyPartner = void (*)(Head&, const Stream&, const Subspace&);
using MatchPairs = void (*)(Head&, const Stream&);

inline constexpr const char *kStream = "A stream of subspaces", *kBack = "A previous-token head",
                            *kCopy = "A copy into another subspace", *kFollow = "An induction head",
                            *kSay = "The logits", *kFinds = "Detectors and certificate";

// W_Q and W_K between two subspaces of the stream and one of the head.
inline void meet(Head& head, const Subspace& query, const Subspace& key, const Subspace& in_head,
                 double factor) {
  put(head.W_Q, query, in_head, factor);
  put(head.W_K, key, in_head, 1);
}

// Query i meets key `sum` - i, where there is one.
inline void mirror(Head& head, const Stream& s, std::size_t sum, double factor) {
  for (std::size_t i = 0; i < s.position.size; ++i)
    if (sum >= i && sum - i < s.position.size)
      put(head.W_Q, s.position.part(i, 1), head.positions.part(sum - i, 1), factor);
  put(head.W_K, s.position, head.positions, 1);
}

inline const std::vector<Mistake<LookMirrored>> kOfLookMirrored = {
    {"looks-at-its-own-copy",
     "Your query looks at the first copy of its own token, which the model has just read. It must look at "
     "what comes next. In the first half that stands one position before the copy.",
     kBack,
     [](Head& head, const Stream& s) { mirror(head, s, s.position.size - 1, solution::factor_of(head)); }},
    {"one-too-far", "Your query looks one position too far to the left: at the token after the next one.",
     kBack,
     [](Head& head, const Stream& s) { mirror(head, s, s.position.size - 3, solution::factor_of(head)); }},
    {"one-back",
     "Your head looks one position back, as the lesson's does. Here the distance differs from query to "
     "query: "
     "one step on with the query is one step back with the key.",
     kBack, [](Head& head, const Stream& s) { solution::look_back(head, s, 1); }},
    {"forwards",
     "Your queries look at the first half from left to right, so the segment would come again forwards. It "
     "comes backwards: a query one position later looks one position earlier.",
     kBack, [](Head& head, const Stream& s) { solution::look_back(head, s, s.position.size / 2 - 1); }},
    {"looks-at-itself",
     "Query i and key i fit, so each position looks at itself. W_Q and W_K must not treat positions alike.",
     kBack,
     [](Head& head, const Stream& s) {
       meet(head, s.position, s.position, head.positions, solution::factor_of(head));
     }},
    {"too-small",
     "Your head prefers the right keys, but their weights stay below 0.99. The softmax needs a larger "
     "difference of scores: put factor_of(head) into W_Q. The √d_head in it is divided out again.",
     "Sharpness", [](Head& head, const Stream& s) { mirror(head, s, s.position.size - 2, 1); }},
    {"reads-the-tokens",
     "Your head compares tokens, not positions: W_Q and W_K read s.token. Here the place decides, whatever "
     "the tokens are: read s.position.",
     kStream,
     [](Head& head, const Stream& s) {
       meet(head, s.token, s.token, head.tokens, solution::factor_of(head));
     }},
    {"no-score-at-all",
     "For the queries T/2 … T - 2 all scores are equal, so each shares its weight among all keys. W_Q or W_K "
     "is empty for them, or the two write into different coordinates of the head.",
     kBack, [](Head& head, const Stream& s) { put(head.W_K, s.position, head.positions, 1); }}};

// The partner of each token, from one subspace into another.
inline void swap_pairs(Array& W, const Subspace& from, const Subspace& to, double factor = 1) {
  for (std::size_t v = 0; v < from.size; ++v) put(W, from.part(v, 1), to.part(v ^ 1, 1), factor);
}
inline void copy(Head& head, const Subspace& from, const Subspace& to, double factor = 1) {
  swap_pairs(head.W_V, from, head.tokens, factor);
  put(head.W_O, head.tokens, to, 1);
}

inline const std::vector<Mistake<CopyPartner>> kOfCopyPartner = {
    {"the-token-itself",
     "Your head copies the token that it looks at. It must add the partner: row 0 of W_V goes into column 1, "
     "row 1 into column 0, and so on. If you exchange them in W_V and in W_O, they are back in place.",
     kCopy, [](Head& head, const Stream& s, const Subspace& to) { solution::copy_token(head, s, to); }},
    {"the-next-token",
     "Your head adds the next token of the vocabulary. That is the partner of 0, and not that of 1: the "
     "partner of 1 is 0.",
     kCopy,
     [](Head& head, const Stream& s, const Subspace& to) {
       for (std::size_t v = 0; v < s.token.size; ++v)
         put(head.W_V, s.token.part(v, 1), head.tokens.part((v + 1) % s.token.size, 1), 1);
       put(head.W_O, head.tokens, to, 1);
     }},
    {"openings-only",
     "Your head adds the partner of 0, 2, …, and nothing for 1, 3, … Each of the two is the other's partner.",
     kCopy,
     [](Head& head, const Stream& s, const Subspace& to) {
       for (std::size_t v = 0; v < s.token.size; v += 2)
         put(head.W_V, s.token.part(v, 1), head.tokens.part(v + 1, 1), 1);
       put(head.W_O, head.tokens, to, 1);
     }},
    {"over-the-token",
     "You write into s.token. There stands the query's own token: now it holds two, and no later head can "
     "separate them. Write into `to`.",
     kCopy, [](Head& head, const Stream& s, const Subspace&) { copy(head, s.token, s.token); }},
    {"always-into-before", "You write into s.before, whatever `to` is.", kCopy,
     [](Head& head, const Stream& s, const Subspace&) { copy(head, s.token, s.before); }},
    {"copies-the-token-before",
     "W_V reads s.before: the head adds the partner of the token before the one that it looks at. W_V must "
     "read s.token.",
     kCopy, [](Head& head, const Stream& s, const Subspace& to) { copy(head, s.before, to); }},
    {"W_O-transposed",
     "W_O is written the wrong way round. Its rows are the head's coordinates and its columns the stream's: "
     "put(head.W_O, head.tokens, to, …).",
     kCopy,
     [](Head& head, const Stream& s, const Subspace& to) {
       swap_pairs(head.W_V, s.token, head.tokens);
       put(head.W_O, to, head.tokens, 1);
     }},
    {"W_V-straight-into-the-stream",
     "W_V writes into the columns of `to`. Those are coordinates of the stream, and W_V has the columns of "
     "the head. W_V moves the token into head.tokens, and W_O moves it from there into `to`.",
     kCopy,
     [](Head& head, const Stream& s, const Subspace& to) {
       swap_pairs(head.W_V, s.token, to);
       put(head.W_O, head.tokens, to, 1);
     }},
    {"different-coordinates",
     "The head adds nothing. W_V puts the token into other coordinates of the head than W_O reads. Both must "
     "use head.tokens.",
     kCopy,
     [](Head& head, const Stream& s, const Subspace& to) {
       swap_pairs(head.W_V, s.token, head.tokens);
       put(head.W_O, head.positions.part(0, to.size), to, 1);
     }},
    {"sharp-values",
     "You put factor_of(head) into W_V or W_O. This factor makes scores differ; a value is passed on as it "
     "is. Put "
     "1, so that the copy is a one-hot row.",
     kCopy,
     [](Head& head, const Stream& s, const Subspace& to) {
       copy(head, s.token, to, solution::factor_of(head));
     }},
    {"positions-too",
     "The head also copies the position that it looks at, into s.position. There the query's own position "
     "must stay alone.",
     kCopy, [](Head& head, const Stream& s, const Subspace& to) {
       copy(head, s.token, to);
       put(head.W_V, s.position, head.positions, 1);
       put(head.W_O, head.positions, s.position, 1);
     }}};

// The keys at the first `count` positions get a score of their own.
inline void score_first(Head& head, const Stream& s, std::size_t count, double factor) {
  const Subspace own = head.positions.part(s.token.size, 1);
  for (std::size_t i = 0; i < s.position.size; ++i) put(head.W_Q, s.position.part(i, 1), own, factor);
  for (std::size_t j = 0; j < count; ++j) put(head.W_K, s.position.part(j, 1), own, 1);
}

// Two terms: what the query's two subspaces meet at the key, and the score of the first positions.
struct Terms {
  Subspace Stream::*query_1 = &Stream::token;
  Subspace Stream::*key_1 = &Stream::before;
  Subspace Stream::*query_2 = &Stream::before;
  Subspace Stream::*key_2 = &Stream::two_before;
  double S = 40;
  std::size_t hidden = 2;
  double hides = -2;
};
inline void look_with(Head& head, const Stream& s, const Terms& with) {
  const double factor = with.S == 1 ? 1 : solution::factor_of(head);
  meet(head, s.*with.query_1, s.*with.key_1, head.tokens, factor);
  if (with.query_2 != nullptr)
    meet(head, s.*with.query_2, s.*with.key_2, head.positions.part(0, s.token.size), factor);
  score_first(head, s, with.hidden, with.hides * factor);
}
inline constexpr Terms kOneToken{.query_2 = nullptr},
    kExchanged{.key_1 = &Stream::two_before, .key_2 = &Stream::before},
    kSwapped{.query_1 = &Stream::before,
             .key_1 = &Stream::token,
             .query_2 = &Stream::two_before,
             .key_2 = &Stream::before},
    kItself{.key_1 = &Stream::token, .key_2 = &Stream::before};

inline Terms with_hidden(Terms terms, std::size_t hidden) { return terms.hidden = hidden, terms; }
inline Terms with_small(Terms terms) { return terms.S = 1, terms; }

inline const std::vector<Mistake<MatchPairs>> kOfMatchPairs = {
    {"one-token-only",
     "Your head compares one token, as the lesson's does, so a query looks at all followers of its token. A "
     "second term of the score must compare the tokens before.",
     kFollow, [](Head& head, const Stream& s) { look_with(head, s, kOneToken); }},
    {"one-sum-for-both",
     "You put both comparisons into the same coordinates of the head. There the tokens add up, and each of "
     "the query's two tokens meets each of the key's. A score can have several terms, as long as each has "
     "coordinates of its own: head.positions has V for the second one.",
     kFollow,
     [](Head& head, const Stream& s) {
       look_with(head, s, kOneToken);
       meet(head, s.before, s.two_before, head.tokens, solution::factor_of(head));
     }},
    {"tokens-exchanged",
     "Your head compares the query's token with s.two_before, and the token before it with s.before. So it "
     "looks for the two tokens in the other order.",
     kFollow, [](Head& head, const Stream& s) { look_with(head, s, kExchanged); }},
    {"Q-and-K-swapped",
     "Your queries show s.before and s.two_before, and the keys s.token and s.before. So a query looks at "
     "the "
     "position before it. It is the other way round: the key shows what stands before it.",
     kFollow, [](Head& head, const Stream& s) { look_with(head, s, kSwapped); }},
    {"matches-the-two-tokens-themselves",
     "You compare the query's two tokens with the key's own two tokens, so the head looks at the end of an "
     "earlier copy, and at itself. The key that you look for comes right after it: compare with s.before and "
     "s.two_before.",
     kFollow, [](Head& head, const Stream& s) { look_with(head, s, kItself); }},
    {"positions-0-and-1-not-hidden",
     "At the positions 0 and 1 the notes are wrong: no two tokens come before them. When the first token "
     "comes twice in a row, key 0 fits as well as the right key. Give all queries a negative score for the "
     "keys 0 and 1.",
     kFollow, [](Head& head, const Stream& s) { look_with(head, s, with_hidden({}, 0)); }},
    {"position-1-not-hidden",
     "Key 0 is hidden, key 1 is not. No two tokens come before it either: when the first two tokens are "
     "equal, its notes say that they did. Hide it too.",
     kFollow, [](Head& head, const Stream& s) { look_with(head, s, with_hidden({}, 1)); }},
    {"hidden-in-the-second-term",
     "The term that hides the positions 0 and 1 shares a coordinate of the head with your second comparison, "
     "so keys whose s.two_before is the first token of the vocabulary are hidden too. Each term needs "
     "coordinates of its own: the second one takes V of head.positions, and T is larger than V.",
     kFollow,
     [](Head& head, const Stream& s) {
       look_with(head, s, with_hidden({}, 0));
       const Subspace shared = head.positions.part(0, 1);
       for (std::size_t i = 0; i < s.position.size; ++i)
         put(head.W_Q, s.position.part(i, 1), shared, -2 * solution::factor_of(head));
       for (const std::size_t j : {0, 1}) put(head.W_K, s.position.part(j, 1), shared, 1);
     }},
    {"positions-0-and-1-win",
     "All queries look at the positions 0 and 1: you gave them a large positive score. It must be negative.",
     kFollow, [](Head& head, const Stream& s) { look_with(head, s, {.hides = 3}); }},
    {"too-small",
     "The right keys get the largest weights, but not 0.99. The softmax needs a larger difference of scores: "
     "put factor_of(head) into W_Q. The √d_head in it is divided out again.",
     "Sharpness", [](Head& head, const Stream& s) { look_with(head, s, with_small({})); }},
    {"nothing-matches",
     "No token matches: right keys and others have equal scores. W_Q and W_K must write into the same "
     "coordinates of the head, and W_K must read s.before and s.two_before, where something stands.",
     kFollow, [](Head& head, const Stream& s) {
       look_with(head, s, {.key_1 = &Stream::output, .key_2 = &Stream::output});
     }}};

}  // namespace mistakes
