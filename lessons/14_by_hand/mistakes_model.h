// What people get wrong in part 4 of exercise 14, the model.
#pragma once

#include <string>
#include <vector>

#include "mistakes.h"

namespace mistakes {

using InductionModel = void (*)(Weights&);

inline void previous_token_head(Head& head, const Stream& s, const Subspace& to) {
  solution::look_back(head, s, 1);
  solution::copy_token(head, s, to);
}
inline void induction_head(Head& head, const Stream& s, const Subspace& to) {
  solution::look_at_followers(head, s);
  solution::copy_token(head, s, to);
}
inline void say_from(Weights& w, const Subspace& from, double factor = 20) {
  put(w.W_U, from, {0, from.size}, factor);
}

inline const std::vector<Mistake<InductionModel>> kOfInductionModel = {
    {"says-its-own-token",
     "W_U reads s.token: the model says the token that it has just read. The answer stands in s.output.",
     kSay, [](Weights& w) { solution::induction_model(w), w.W_U.fill(0), say_from(w, w.stream.token); }},
    {"says-the-token-before",
     "W_U reads s.before: the model says the token before. The answer stands in s.output.", kSay,
     [](Weights& w) { solution::induction_model(w), w.W_U.fill(0), say_from(w, w.stream.before); }},
    {"says-nothing", "The answer stands in s.output, and W_U does not read it. All logits are 0.", kSay,
     [](Weights& w) { solution::induction_model(w), w.W_U.fill(0); }},
    {"flat",
     "The model says the right token, but with a probability below 0.99. Its logit is not far enough above "
     "the others: put 20 into W_U.",
     kSay, [](Weights& w) { solution::induction_model(w), w.W_U.fill(0), say_from(w, w.stream.output, 1); }},
    {"induction-head-writes-to-before",
     "The induction head writes to s.before, where the token before stands. Nothing comes into s.output, "
     "which "
     "W_U reads.",
     kCopy,
     [](Weights& w) {
       previous_token_head(w.layer_0[0], w.stream, w.stream.before);
       induction_head(w.layer_1[0], w.stream, w.stream.before);
       say_from(w, w.stream.output);
     }},
    {"previous-token-head-writes-to-output",
     "The previous-token head writes to s.output. The keys of layer 1 read s.before, which is empty, so "
     "nothing matches; and W_U says the token before.",
     kCopy,
     [](Weights& w) {
       previous_token_head(w.layer_0[0], w.stream, w.stream.output);
       induction_head(w.layer_1[0], w.stream, w.stream.output);
       say_from(w, w.stream.output);
     }},
    {"layers-exchanged",
     "The induction head is in layer 0 and the previous-token head in layer 1. When the induction head looks "
     "for the token before, nobody has noted it yet.",
     kFollow,
     [](Weights& w) {
       induction_head(w.layer_0[0], w.stream, w.stream.output);
       previous_token_head(w.layer_1[0], w.stream, w.stream.before);
       say_from(w, w.stream.output);
     }},
    {"nothing-noted",
     "The head of layer 0 looks at the token before and writes nothing. It needs copy_token into s.before.",
     kCopy,
     [](Weights& w) {
       solution::look_back(w.layer_0[0], w.stream, 1);
       induction_head(w.layer_1[0], w.stream, w.stream.output);
       say_from(w, w.stream.output);
     }},
    {"no-positions-in-the-copy",
     "The head of layer 0 looks at no place in particular: it has copy_token and no look_back. So s.before "
     "holds a mean of all tokens so far.",
     kBack, [](Weights& w) {
       solution::copy_token(w.layer_0[0], w.stream, w.stream.before);
       induction_head(w.layer_1[0], w.stream, w.stream.output);
       say_from(w, w.stream.output);
     }}};

}  // namespace mistakes
