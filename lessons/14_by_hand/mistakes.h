// What people get wrong in parts 1 to 3 of exercise 14: where a head looks, and what it copies.
#pragma once

#include <vector>

#include "circuit.h"
#include "grader/part.h"

namespace mistakes {

using grader::Mistake;
using LookBack = void (*)(Head&, const Stream&, std::size_t);
using CopyToken = void (*)(Head&, const Stream&, const Subspace&);
using LookAtFollowers = void (*)(Head&, const Stream&);

inline constexpr const char *kStream = "A stream of subspaces", *kBack = "A previous-token head",
                            *kCopy = "A copy into another subspace", *kFollow = "An induction head",
                            *kSay = "The logits", *kFinds = "Detectors and certificate";

// W_Q and W_K between two subspaces of the stream and one of the head.
inline void meet(Head& head, const Subspace& query, const Subspace& key, const Subspace& in_head,
                 double factor) {
  put(head.W_Q, query, in_head, factor);
  put(head.W_K, key, in_head, 1);
}

inline void back_by(Head& head, const Stream& s, std::size_t distance, double factor) {
  const std::size_t reached = s.position.size - distance;
  meet(head, s.position.part(distance, reached), s.position.part(0, reached), head.positions.part(0, reached),
       factor);
}

inline const std::vector<Mistake<LookBack>> kOfLookBack = {
    {"looks-ahead",
     "You shift the wrong way: query i fits key i + distance. That key comes later and is masked, so the "
     "visible keys have equal scores and share the weight. Query i must have the number of position i - "
     "distance: rows from `distance` on go into columns from 0 on.",
     kBack,
     [](Head& head, const Stream& s, std::size_t distance) {
       const std::size_t reached = s.position.size - distance;
       meet(head, s.position.part(0, reached), s.position.part(distance, reached),
            head.positions.part(distance, reached), solution::factor_of(head));
     }},
    {"looks-at-itself",
     "Query i and key i fit, so each position looks at itself. W_Q and W_K must not treat positions alike: "
     "shift one of them by `distance`.",
     kBack,
     [](Head& head, const Stream& s, std::size_t) {
       meet(head, s.position, s.position, head.positions, solution::factor_of(head));
     }},
    {"always-one-back", "Your head looks one back, whatever `distance` is. The shift must be `distance`.",
     kBack, [](Head& head, const Stream& s, std::size_t) { solution::look_back(head, s, 1); }},
    {"one-too-far", "Your head looks one position too far back: distance + 1.", kBack,
     [](Head& head, const Stream& s, std::size_t distance) { solution::look_back(head, s, distance + 1); }},
    {"shifted-twice",
     "Your head looks 2 · distance back: W_Q shifts the queries down and W_K shifts the keys up. One shift "
     "is "
     "enough.",
     kBack,
     [](Head& head, const Stream& s, std::size_t distance) {
       if (2 * distance < s.position.size) solution::look_back(head, s, 2 * distance);
     }},
    {"too-small",
     "Your head prefers the right keys, but their weights stay below 0.99. The softmax needs a larger "
     "difference of scores: put 40 · √d_head into W_Q. The √d_head is divided out again.",
     "Sharpness", [](Head& head, const Stream& s, std::size_t distance) { back_by(head, s, distance, 1); }},
    {"reads-the-tokens",
     "Your head compares tokens, not positions: W_Q and W_K read s.token. They must read s.position.",
     kStream,
     [](Head& head, const Stream& s, std::size_t) {
       meet(head, s.token, s.token, head.tokens, solution::factor_of(head));
     }},
    {"no-score-at-all",
     "All scores are equal, so each query shares its weight among all keys. One of W_Q and W_K is empty, or "
     "they write into different coordinates of the head.",
     kBack, [](Head& head, const Stream& s, std::size_t) { put(head.W_K, s.position, head.positions, 1); }}};

inline void copy(Head& head, const Subspace& from, const Subspace& to, double factor = 1) {
  put(head.W_V, from, head.tokens, factor);
  put(head.W_O, head.tokens, to, 1);
}

inline const std::vector<Mistake<CopyToken>> kOfCopyToken = {
    {"over-the-token",
     "You write into s.token. There stands the query's own token: now it holds two, and nobody can tell "
     "which "
     "is which. Write into `to`.",
     kCopy, [](Head& head, const Stream& s, const Subspace&) { copy(head, s.token, s.token); }},
    {"always-into-before",
     "You write into s.before, whatever `to` is. The induction head needs the same copy into s.output.",
     kCopy, [](Head& head, const Stream& s, const Subspace&) { copy(head, s.token, s.before); }},
    {"into-the-positions",
     "You write the token into s.position. Then a later head takes it for a position. Write into `to`.",
     kCopy,
     [](Head& head, const Stream& s, const Subspace&) {
       copy(head, s.token, s.position.part(0, s.token.size));
     }},
    {"copies-the-token-before",
     "W_V reads s.before: the head copies the token before the one that it looks at. The induction head "
     "would "
     "say A where B must come. W_V must read s.token.",
     kCopy, [](Head& head, const Stream& s, const Subspace& to) { copy(head, s.before, to); }},
    {"W_O-transposed",
     "W_O is written the wrong way round. Its rows are the head's coordinates and its columns the stream's: "
     "put(head.W_O, head.tokens, to, …).",
     kCopy,
     [](Head& head, const Stream& s, const Subspace& to) {
       put(head.W_V, s.token, head.tokens, 1);
       put(head.W_O, to, head.tokens, 1);
     }},
    {"W_V-straight-into-the-stream",
     "W_V writes into the columns of `to`. Those are coordinates of the stream, and W_V has the columns of "
     "the head. W_V moves the token into head.tokens, and W_O moves it from there into `to`.",
     kCopy,
     [](Head& head, const Stream& s, const Subspace& to) {
       put(head.W_V, s.token, to, 1);
       put(head.W_O, head.tokens, to, 1);
     }},
    {"different-coordinates",
     "The head adds nothing. W_V puts the token into other coordinates of the head than W_O reads. Both must "
     "use head.tokens.",
     kCopy,
     [](Head& head, const Stream& s, const Subspace& to) {
       put(head.W_V, s.token, head.tokens, 1);
       put(head.W_O, head.positions.part(0, to.size), to, 1);
     }},
    {"sharp-values",
     "You put 40 · √d_head into W_V. This factor makes scores differ; a value is passed on as it is. Put 1, "
     "so "
     "that the copy is a one-hot row.",
     kCopy,
     [](Head& head, const Stream& s, const Subspace& to) {
       copy(head, s.token, to, solution::factor_of(head));
     }},
    {"positions-too",
     "The head also copies the position that it looks at, into s.position. There the query's own position "
     "must "
     "stay alone.",
     kCopy, [](Head& head, const Stream& s, const Subspace& to) {
       copy(head, s.token, to);
       put(head.W_V, s.position, head.positions, 1);
       put(head.W_O, head.positions, s.position, 1);
     }}};

// The key at position 0 gets a score of its own.
inline void score_position_0(Head& head, const Stream& s, double factor) {
  for (std::size_t i = 0; i < s.position.size; ++i)
    put(head.W_Q, s.position.part(i, 1), head.positions.part(0, 1), factor);
  put(head.W_K, s.position.part(0, 1), head.positions.part(0, 1), 1);
}

inline const std::vector<Mistake<LookAtFollowers>> kOfLookAtFollowers = {
    {"position-0-not-hidden",
     "The first token of the sequence goes wrong. Position 0 has no token before it, so "
     "s.before holds its own token there, and a later copy of this token looks at position 0 too. Give all "
     "queries a negative score for the key at position 0.",
     kFollow,
     [](Head& head, const Stream& s) {
       meet(head, s.token, s.before, head.tokens, solution::factor_of(head));
     }},
    {"matches-the-token-itself",
     "You compare the query's token with the key's token, so the head looks at copies of the token, and at "
     "itself. The follower is the key whose token BEFORE equals the query's token: W_K reads s.before.",
     kFollow,
     [](Head& head, const Stream& s) {
       meet(head, s.token, s.token, head.tokens, solution::factor_of(head));
       score_position_0(head, s, -2 * solution::factor_of(head));
     }},
    {"Q-and-K-swapped",
     "W_Q reads s.before and W_K reads s.token: the head looks at copies of the token before the query, and "
     "so at the token before. It is the other way round: the query shows its token, the key the token before "
     "it.",
     kFollow,
     [](Head& head, const Stream& s) {
       meet(head, s.before, s.token, head.tokens, solution::factor_of(head));
       score_position_0(head, s, -2 * solution::factor_of(head));
     }},
    {"before-with-before",
     "Both W_Q and W_K read s.before, so query and key have the same token before them. The query itself is "
     "such a key. W_Q must read s.token.",
     kFollow,
     [](Head& head, const Stream& s) {
       meet(head, s.before, s.before, head.tokens, solution::factor_of(head));
       score_position_0(head, s, -2 * solution::factor_of(head));
     }},
    {"position-0-wins",
     "All queries look at position 0: you gave it a large positive score. It must be negative, so that "
     "nobody "
     "looks there.",
     kFollow,
     [](Head& head, const Stream& s) {
       meet(head, s.token, s.before, head.tokens, solution::factor_of(head));
       score_position_0(head, s, 2 * solution::factor_of(head));
     }},
    {"too-small",
     "The followers get the largest weights, but not 0.99. The softmax needs a larger difference of scores: "
     "put 40 · √d_head into W_Q. The √d_head is divided out again.",
     "Sharpness",
     [](Head& head, const Stream& s) {
       meet(head, s.token, s.before, head.tokens, 1);
       score_position_0(head, s, -2);
     }},
    {"nothing-matches",
     "No token matches: followers and others have equal scores. W_Q and W_K must write into the same "
     "coordinates of the head, and W_K must read s.before, where something stands.",
     kFollow, [](Head& head, const Stream& s) {
       meet(head, s.token, s.output, head.tokens, solution::factor_of(head));
       score_position_0(head, s, -2 * solution::factor_of(head));
     }}};

}  // namespace mistakes
