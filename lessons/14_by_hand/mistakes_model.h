// What people get wrong in part 4 of exercise 14, the model.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <utility>
#include <vector>

#include "mistakes.h"

namespace mistakes {

using PairModel = std::function<void(Weights&)>;

// The two notes of layer 0.
inline void take_notes(const Made& made, Head& first, Head& second, const Stream& s) {
  const bool exchanged = made("distances-exchanged");
  if (!made("first-note-without-a-place"))
    solution::look_back(first, s,
                        made("first-note-three-back")              ? 3
                        : made("first-note-of-itself")             ? 0
                        : exchanged || made("both-notes-two-back") ? 2
                                                                   : 1);
  if (!made("nothing-noted")) solution::copy_token(first, s, s.before);
  if (made("no-second-note")) return;
  const bool reads_before = made("reads-before-in-its-own-layer");
  if (!made("second-note-without-a-place"))
    solution::look_back(second, s,
                        made("second-note-three-back")                             ? 3
                        : made("second-note-of-itself")                            ? 0
                        : exchanged || reads_before || made("both-notes-one-back") ? 1
                                                                                   : 2);
  if (made("nothing-noted")) return;
  put(second.W_V, reads_before ? s.before : s.token, second.tokens, 1);
  put(second.W_O, second.tokens,
      made("both-notes-in-before")      ? s.before
      : made("second-note-into-output") ? s.output
                                        : s.two_before,
      1);
}

inline void pair_model(const Made& made, Weights& w) {
  const Stream& s = w.stream;
  auto *notes = &w.layer_0, *answers = &w.layer_1;
  if (made("layers-exchanged")) std::swap(notes, answers);
  take_notes(made, (*notes)[0], (*notes)[made("one-head-for-both-notes") ? 0 : 1], s);
  Head& answer = (*answers)[0];
  if (made("answer-looks-back"))
    solution::look_back(answer, s, 1);
  else if (made("answer-matches-one-token"))
    meet(answer, s.token, s.before, answer.tokens, solution::factor_of(answer));
  else if (!made("answer-without-a-place"))
    solution::match_pairs(answer, s);
  if (!made("no-answer")) {
    put(answer.W_V, made("answer-from-before") ? s.before : s.token, answer.tokens, 1);
    put(answer.W_O, answer.tokens, made("answer-into-before") ? s.before : s.output, 1);
  }
  if (made("says-nothing")) return;
  const Subspace& said = made("says-its-own-token")      ? s.token
                         : made("says-the-token-before") ? s.before
                         : made("says-two-before")       ? s.two_before
                                                         : s.output;
  put(w.W_U, said, {0, said.size}, made("flat") ? 1 : 20);
}

// A note of layer 0 from a wrong place.
inline Slip note_from(const char* name, const char* head, const char* looks, const char* note,
                      const char* right) {
  return {name,
          fmt::format("{} {}, so {} holds the token from there. Give look_back the distance {}.", head, looks,
                      note, right),
          kBack};
}

inline const std::vector<Slip> kOfPairModel = {
    note_from("first-note-three-back", "w.layer_0[0]", "looks three positions back", "s.before", "1"),
    note_from("first-note-of-itself", "w.layer_0[0]", "looks at the query itself", "s.before", "1"),
    note_from("second-note-three-back", "w.layer_0[1]", "looks three positions back", "s.two_before", "2"),
    note_from("second-note-of-itself", "w.layer_0[1]", "looks at the query itself", "s.two_before", "2"),
    {"says-its-own-token",
     "W_U reads s.token: the model says the token that it has just read. The answer stands in s.output.",
     kSay},
    {"says-the-token-before",
     "W_U reads s.before: the model says the token before. The answer stands in s.output.", kSay},
    {"says-two-before",
     "W_U reads s.two_before: the model says the token two positions before. The answer stands in s.output.",
     kSay},
    {"second-note-into-output",
     "w.layer_0[1] writes its note into s.output. There the answer of layer 1 belongs: write into s.two_before.",
     kCopy},
    {"answer-looks-back",
     "The head of layer 1 looks one position back, or copies s.two_before, which comes to the same. "
     "It must find the place after the last two tokens: "
     "match_pairs.",
     kFollow},
    {"answer-matches-one-token",
     "The head of layer 1 compares one token, as the lesson's does, and so looks at all its followers. It must "
     "compare two: match_pairs.",
     kFollow},
    {"says-nothing", "All logits are 0. W_U must read s.output, where the answer stands.", kSay},
    {"flat",
     "What the model says has a probability below 0.99. Its logit is not far enough above the others: put 20 "
     "into W_U.",
     kSay},
    {"no-second-note",
     "Nothing stands in s.two_before. w.layer_0[1] must write there which token came two positions before.",
     kFollow},
    {"distances-exchanged",
     "The two distances are exchanged: s.before holds the token two positions before, and s.two_before the "
     "one right before.",
     kBack},
    {"both-notes-one-back",
     "s.two_before holds the token before, as s.before does. The head w.layer_0[1] must look two positions "
     "back.",
     kBack},
    {"both-notes-two-back",
     "s.before holds the token two positions before, as s.two_before does. The head w.layer_0[0] must look "
     "one position back.",
     kBack},
    {"one-head-for-both-notes",
     "One head of layer 0 looks one and two positions back, so both notes hold half of each token. A head "
     "has one pattern: each note needs a head of its own.",
     kBack},
    {"both-notes-in-before",
     "Both heads of layer 0 write to s.before. There the two tokens add up, and no later head can tell which "
     "came first. The second note belongs into s.two_before.",
     kCopy},
    {"reads-before-in-its-own-layer",
     "w.layer_0[1] copies s.before, which w.layer_0[0] fills. Both heads read the stream in front of layer "
     "0, where s.before is still empty. Copy s.token from two positions back.",
     kCopy},
    {"first-note-without-a-place",
     "w.layer_0[0] looks at no place in particular: it has copy_token and no look_back. So s.before holds a "
     "mean of all tokens so far.",
     kBack},
    {"second-note-without-a-place",
     "w.layer_0[1] looks at no place in particular: it has copy_token and no look_back. So s.two_before "
     "holds a mean of all tokens so far.",
     kBack},
    {"answer-without-a-place",
     "The head of layer 1 looks at no place in particular: it has copy_token and no match_pairs. So s.output "
     "holds a mean of all tokens so far.",
     kFollow},
    {"no-answer",
     "The head of layer 1 writes nothing into s.output: it needs copy_token. W_U reads there what the model "
     "says.",
     kCopy},
    {"answer-from-before",
     "The head of layer 1 copies s.before of its key. There stands the token before the key, which is the "
     "query's own. The answer is the key's token: W_V must read s.token.",
     kCopy},
    {"answer-into-before",
     "The head of layer 1 writes to s.before, where the token before stands. Nothing comes into s.output, "
     "where the answer belongs.",
     kCopy},
    {"layers-exchanged",
     "The notes are made in layer 1, and read in layer 0. When the head of layer 0 looks for them, nothing "
     "stands there yet.",
     kFollow},
    {"nothing-noted",
     "The heads of layer 0 look at the right places and write nothing. They need copy_token into s.before "
     "and s.two_before.",
     kCopy}};

}  // namespace mistakes
