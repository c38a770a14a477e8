// What people get wrong in part 4 of exercise 14, the model.
#pragma once

#include <string>
#include <vector>

#include "mistakes.h"

namespace mistakes {

using PairModel = void (*)(Weights&);

inline void note(Head& head, const Stream& s, std::size_t distance, const Subspace& to) {
  solution::look_back(head, s, distance);
  solution::copy_token(head, s, to);
}
inline void answer(Head& head, const Stream& s, const Subspace& to) {
  solution::match_pairs(head, s);
  solution::copy_token(head, s, to);
}
inline void say_from(Weights& w, const Subspace& from, double factor = 20) {
  put(w.W_U, from, {0, from.size}, factor);
}
// The solution, with another W_U.
inline void saying(Weights& w, const Subspace& from, double factor) {
  solution::pair_model(w);
  w.W_U.fill(0);
  say_from(w, from, factor);
}
// The solution, with another note of w.layer_0[1].
inline void with_second(Weights& w, void (*second)(Head&, const Stream&)) {
  solution::pair_model(w);
  w.layer_0[1] = Head(w.stream);
  second(w.layer_0[1], w.stream);
}

inline const std::vector<Mistake<PairModel>> kOfPairModel = {
    {"says-its-own-token",
     "W_U reads s.token: the model says the token that it has just read. The answer stands in s.output.",
     kSay, [](Weights& w) { saying(w, w.stream.token, 20); }},
    {"says-the-token-before",
     "W_U reads s.before: the model says the token before. The answer stands in s.output.", kSay,
     [](Weights& w) { saying(w, w.stream.before, 20); }},
    {"says-nothing", "The answer stands in s.output, and W_U does not read it. All logits are 0.", kSay,
     [](Weights& w) { solution::pair_model(w), w.W_U.fill(0); }},
    {"flat",
     "The model says the right token, but with a probability below 0.99. Its logit is not far enough above "
     "the others: put 20 into W_U.",
     kSay, [](Weights& w) { saying(w, w.stream.output, 1); }},
    {"no-second-note",
     "The model says what came after one token, as the lesson's does: nothing stands in s.two_before. "
     "w.layer_0[1] must write there which token came two positions before.",
     kFollow, [](Weights& w) { with_second(w, [](Head&, const Stream&) {}); }},
    {"both-notes-one-back",
     "s.two_before holds the token before, as s.before does. The head w.layer_0[1] must look two positions "
     "back.",
     kBack,
     [](Weights& w) { with_second(w, [](Head& head, const Stream& s) { note(head, s, 1, s.two_before); }); }},
    {"both-notes-in-before",
     "Both heads of layer 0 write to s.before. There the two tokens add up, and no later head can tell which "
     "came first. The second note belongs into s.two_before.",
     kCopy,
     [](Weights& w) { with_second(w, [](Head& head, const Stream& s) { note(head, s, 2, s.before); }); }},
    {"second-note-without-a-place",
     "w.layer_0[1] looks at no place in particular: it has copy_token and no look_back. So s.two_before "
     "holds a mean of all tokens so far.",
     kBack,
     [](Weights& w) {
       with_second(w, [](Head& head, const Stream& s) { solution::copy_token(head, s, s.two_before); });
     }},
    {"answer-into-before",
     "The head of layer 1 writes to s.before, where the token before stands. Nothing comes into s.output, "
     "which W_U reads.",
     kCopy,
     [](Weights& w) {
       solution::pair_model(w);
       w.layer_1[0] = Head(w.stream);
       answer(w.layer_1[0], w.stream, w.stream.before);
     }},
    {"layers-exchanged",
     "The notes are made in layer 1, and read in layer 0. When the head of layer 0 looks for them, nothing "
     "stands there yet.",
     kFollow,
     [](Weights& w) {
       answer(w.layer_0[0], w.stream, w.stream.output);
       note(w.layer_1[0], w.stream, 1, w.stream.before);
       note(w.layer_1[1], w.stream, 2, w.stream.two_before);
       say_from(w, w.stream.output);
     }},
    {"nothing-noted",
     "The heads of layer 0 look at the right places and write nothing. They need copy_token into s.before "
     "and s.two_before.",
     kCopy, [](Weights& w) {
       solution::look_back(w.layer_0[0], w.stream, 1);
       solution::look_back(w.layer_0[1], w.stream, 2);
       answer(w.layer_1[0], w.stream, w.stream.output);
       say_from(w, w.stream.output);
     }}};

}  // namespace mistakes
