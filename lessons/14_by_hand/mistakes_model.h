// What people get wrong in parts 4 and 5 of exercise 14: the model, and the broken ones.
#pragma once

#include <string>
#include <vector>

#include "examined.h"
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

inline const std::vector<Mistake<BreakOne>> kOfBreakOne = {
    {"changes-nothing", "No claim fails: for no claim does your function change what the model does.", kFinds,
     [](Weights&, const std::string&) {}},
    {"breaks-matching-for-all",
     "For every claim you break the matching. Then it fails first, and claims that build on it are not even "
     "asked. Each claim needs a change of its own.",
     kFinds, [](Weights& w, const std::string&) { w.layer_0[0] = Head(w.stream); }},
    {"matching-by-the-values",
     "For \"matching\" you change what the induction head writes. It still looks at followers. Change where "
     "it "
     "looks: W_Q or W_K.",
     kFinds,
     [](Weights& w, const std::string& claim) {
       solution::break_one(w, claim == "matching" ? "copying" : claim);
     }},
    {"copying-by-the-keys",
     "For \"copying\" you change where the induction head looks, so matching fails first. Leave W_Q and W_K "
     "and change what it writes: W_V or W_O.",
     kFinds,
     [](Weights& w, const std::string& claim) {
       solution::break_one(w, claim == "copying" ? "matching" : claim);
     }},
    {"composition-without-the-sender",
     "For \"composition\" you take the previous-token head away, or what it writes. Then the matching is "
     "gone, "
     "and that claim comes first. The head must still find the followers when this path is cut: give it a "
     "second way.",
     kFinds,
     [](Weights& w, const std::string& claim) {
       if (claim == "composition")
         w.layer_0[0] = Head(w.stream);
       else
         solution::break_one(w, claim);
     }},
    {"composition-still-holds",
     "For \"composition\" the claim still holds: the keys of your induction head need what earlier heads "
     "write. A "
     "second previous-token head does not help. It writes to the keys too, so the certificate takes both for "
     "senders and cuts both. The second way must run through the queries.",
     kFinds,
     [](Weights& w, const std::string& claim) {
       if (claim == "composition")
         w.layer_0[1] = w.layer_0[0];
       else
         solution::break_one(w, claim);
     }},
    {"necessity-without-the-heads",
     "For \"necessity\" you take the circuit's heads away. The claim says that the task is lost without "
     "them. To "
     "refute it, leave them, and solve the task a second time by something that is not the circuit.",
     kFinds,
     [](Weights& w, const std::string& claim) {
       if (claim == "necessity")
         w.layer_1[0] = Head(w.stream);
       else
         solution::break_one(w, claim);
     }},
    {"necessity-still-holds",
     "For \"necessity\" the claim still holds: without the circuit the task is lost. A second induction head "
     "does "
     "not help. It looks at followers too, so it belongs to the circuit and is ablated with it. The second "
     "way "
     "must be of another kind. All periods are kPeriod: use that.",
     kFinds,
     [](Weights& w, const std::string& claim) {
       if (claim == "necessity")
         w.layer_1[1] = w.layer_1[0];
       else
         solution::break_one(w, claim);
     }},
    {"necessity-at-the-wrong-distance",
     "For \"necessity\" your new head looks kPeriod back. There stands the query's own token, and not its "
     "follower, so the model says two tokens at once. The follower is kPeriod - 1 back.",
     kFinds, [](Weights& w, const std::string& claim) {
       if (claim != "necessity") return solution::break_one(w, claim);
       solution::look_back(w.layer_1[1], w.stream, kPeriod);
       solution::copy_token(w.layer_1[1], w.stream, w.stream.output);
     }}};

}  // namespace mistakes
