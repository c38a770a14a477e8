// What people get wrong in part 3 of exercise 14, the head that follows two tokens.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <vector>

#include "mistakes.h"

namespace mistakes {

using MatchPairs = std::function<void(Head&, const Stream&)>;

// What the query's two subspaces meet at the key.
struct Compared {
  Subspace query_1, key_1, query_2, key_2;
};
inline Compared compared(const Made& made, const Stream& s) {
  if (made("tokens-exchanged")) return {s.token, s.two_before, s.before, s.before};
  if (made("Q-and-K-swapped")) return {s.before, s.token, s.two_before, s.before};
  if (made("matches-the-two-tokens-themselves")) return {s.token, s.token, s.before, s.before};
  if (made("nothing-matches")) return {s.token, s.output, s.before, s.output};
  Compared c{s.token, s.before, s.before, s.two_before};
  if (made("own-token-from-before")) c.query_1 = s.before;
  if (made("own-token-from-two_before")) c.query_1 = s.two_before;
  if (made("own-token-at-the-key-itself")) c.key_1 = s.token;
  if (made("own-token-two-before-the-key")) c.key_1 = s.two_before;
  if (made("token-before-from-token")) c.query_2 = s.token;
  if (made("token-before-from-two_before")) c.query_2 = s.two_before;
  if (made("token-before-at-the-key-itself")) c.key_2 = s.token;
  if (made("token-before-one-before-the-key")) c.key_2 = s.before;
  return c;
}

inline void match_pairs(const Made& made, Head& head, const Stream& s) {
  const double S = solution::factor_of(head);
  const Compared c = compared(made, s);
  const Subspace second = head.positions.part(0, s.token.size),
                 shared = made("one-sum-for-both") ? head.tokens : second;
  if (!made("token-before-only"))
    meet(head, c.query_1, c.key_1, head.tokens, made("too-small") || made("first-term-small") ? 1 : S);
  if (!made("one-token-only"))
    meet(head, c.query_2, c.key_2, shared, made("too-small") || made("second-term-small") ? 1 : S);
  const Subspace own = head.positions.part(made("hidden-in-the-second-term") ? 0 : s.token.size, 1);
  const double hides = made("positions-0-and-1-win")  ? 3 * S
                       : made("hidden-with-a-plus")   ? 2 * S
                       : made("hidden-with-a-plus-S") ? S
                       : made("hidden-too-little")    ? -2
                                                      : -2 * S;
  for (std::size_t i = 0; i < s.position.size; ++i) put(head.W_Q, s.position.part(i, 1), own, hides);
  if (made("positions-0-and-1-not-hidden")) return;
  if (!made("position-0-not-hidden")) put(head.W_K, s.position.part(0, 1), own, 1);
  if (made("position-2-hidden-too")) put(head.W_K, s.position.part(2, 1), own, 1);
  if (!made("position-1-not-hidden")) put(head.W_K, s.position.part(1, 1), own, 1);
}

// A comparison in which one matrix reads another subspace than is meant.
inline Slip reads_another(const char* name, const char* matrix, const char* read, const char* meant,
                          bool own_token) {
  return {
      name,
      fmt::format("In your comparison with {}, {} reads {} where {} is meant. Write down for each of the "
                  "two terms what the query holds and what stands at the key: the key comes right after "
                  "an earlier copy of both tokens.",
                  own_token ? "the query's own token" : "the token before the query", matrix, read, meant),
      kFollow};
}

inline const std::vector<Slip> kOfMatchPairs = {
    reads_another("own-token-from-before", "W_Q", "s.before", "s.token", true),
    reads_another("own-token-from-two_before", "W_Q", "s.two_before", "s.token", true),
    reads_another("own-token-at-the-key-itself", "W_K", "s.token", "s.before", true),
    reads_another("own-token-two-before-the-key", "W_K", "s.two_before", "s.before", true),
    reads_another("token-before-from-token", "W_Q", "s.token", "s.before", false),
    reads_another("token-before-from-two_before", "W_Q", "s.two_before", "s.before", false),
    reads_another("token-before-at-the-key-itself", "W_K", "s.token", "s.two_before", false),
    reads_another("token-before-one-before-the-key", "W_K", "s.before", "s.two_before", false),
    {"one-token-only",
     "Your head compares one token, as the lesson's does, so a query looks at all followers of its token. A "
     "second term of the score must compare the tokens before.",
     kFollow},
    {"token-before-only",
     "Your head compares s.before with s.two_before only. A second term must compare the query's own token "
     "with s.before.",
     kFollow},
    {"one-sum-for-both",
     "You put both comparisons into the same coordinates of the head. There the tokens add up, and each of "
     "the query's two tokens meets each of the key's. A score can have several terms, as long as each has "
     "coordinates of its own: head.positions has V for the second one.",
     kFollow},
    {"tokens-exchanged",
     "Your head compares the query's token with s.two_before, and the token before it with s.before. So it "
     "looks for the two tokens in the other order.",
     kFollow},
    {"Q-and-K-swapped",
     "Your queries show s.before and s.two_before, and the keys s.token and s.before. So a query looks at "
     "the position before it. It is the other way round: the key shows what stands before it.",
     kFollow},
    {"matches-the-two-tokens-themselves",
     "You compare the query's two tokens with the key's own two tokens, so the head looks at the end of an "
     "earlier copy, and at itself. The key that you look for comes right after it: compare with s.before and "
     "s.two_before.",
     kFollow},
    {"positions-0-and-1-not-hidden",
     "At the positions 0 and 1 the notes are wrong: no two tokens come before them. When the first token "
     "comes twice in a row, key 0 fits as well as the right key. Give all queries, the last ones too, a "
     "negative score for the keys 0 and 1.",
     kFollow},
    {"position-0-not-hidden",
     "Key 1 is hidden, key 0 is not. No tokens come before it: when the first token comes twice in a row, "
     "its notes fit. Hide it too.",
     kFollow},
    {"position-1-not-hidden",
     "Key 0 is hidden, key 1 is not. No two tokens come before it either: when the first two tokens are "
     "equal, its notes say that they did. Hide it too.",
     kFollow},
    {"position-2-hidden-too",
     "You hide position 2 too. Two tokens come before it, so it can be a right key: hide 0 and 1 alone.",
     kFollow},
    {"hidden-in-the-second-term",
     "The term that hides the positions 0 and 1 shares a coordinate of the head with your second comparison, "
     "so keys whose s.two_before is the first token of the vocabulary are hidden too. Each term needs "
     "coordinates of its own: the second one takes V of head.positions, and T is larger than V.",
     kFollow},
    {"positions-0-and-1-win",
     "All queries look at the positions 0 and 1: you gave them a large positive score. It must be negative.",
     kFollow},
    {"hidden-with-a-plus",
     "The term that should hide the positions 0 and 1 has a plus: it raises their scores. It must be negative.",
     kFollow},
    {"hidden-with-a-plus-S",
     "The term that should hide the positions 0 and 1 has a plus: it raises their scores. It must be negative.",
     kFollow},
    {"hidden-too-little",
     "The negative score of the positions 0 and 1 is too small beside the others: it needs factor_of(head) "
     "too, and more than a match adds.",
     kFollow},
    {"too-small",
     "The right keys do not get a weight of 0.99. The softmax needs a larger difference of scores: put "
     "factor_of(head) into W_Q. The √d_head in it is divided out again.",
     kSharp},
    {"first-term-small",
     "The comparison of the query's own token lacks the factor: put factor_of(head) into W_Q for both terms.",
     kSharp},
    {"second-term-small",
     "The comparison of the token before the query lacks the factor, so it hardly counts: put "
     "factor_of(head) into W_Q for both terms.",
     kSharp},
    {"nothing-matches",
     "No token matches: right keys and others have equal scores. W_Q and W_K must write into the same "
     "coordinates of the head, and W_K must read s.before and s.two_before, where something stands.",
     kFollow}};

}  // namespace mistakes
