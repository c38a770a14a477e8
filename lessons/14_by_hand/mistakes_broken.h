// What people get wrong in part 5 of exercise 14, the broken models: claim by claim, as each call asks for
// one.
#pragma once

#include <string>
#include <vector>

#include "examined.h"
#include "grader/part.h"
#include "mistakes.h"

namespace mistakes {

using grader::Mistake;
using interpret::kMatching, interpret::kCopying, interpret::kComposition, interpret::kNecessity;

inline void nothing(Weights&) {}
inline void no_copying(Weights& w) { solution::break_one(w, "copying"); }
inline void no_matching(Weights& w) { solution::break_one(w, "matching"); }
inline void fainter(Weights& w) { put(w.layer_1[0].W_V, w.stream.token, w.layer_1[0].tokens, 0.5); }
inline void second_note(Weights& w) { w.layer_0[1] = w.layer_0[0]; }
inline void through_queries(Weights& w) {
  solution::break_one(w, "composition");
  no_matching(w);
}
// The pointer of the solution, with the second term where the copy stands, and not one place further.
inline void pointer_unshifted(Weights& w) {
  solution::break_one(w, "composition");
  Head& reader = w.layer_1[0];
  const Stream& s = w.stream;
  put(reader.W_Q, s.pointer.part(0, s.pointer.size - 1), reader.positions.part(1, s.pointer.size - 1), 0);
  put(reader.W_Q, s.pointer, reader.positions, solution::factor_of(reader));
}
inline void second_induction_head(Weights& w) { w.layer_1[1] = w.layer_1[0]; }
inline void period_back(Weights& w) {
  solution::look_back(w.layer_1[1], w.stream, kPeriod);
  solution::copy_token(w.layer_1[1], w.stream, w.stream.output);
}
// The induction head looks kPeriod - 1 back beside what it does.
inline void distance_on_top(Weights& w) { solution::look_back(w.layer_1[0], w.stream, kPeriod - 1); }
inline void distance_in_its_place(Weights& w) {
  w.layer_1[0] = Head(w.stream);
  distance_on_top(w);
  solution::copy_token(w.layer_1[0], w.stream, w.stream.output);
}

// The solution, with another change where this claim is asked.
template <const auto& claim, void (*change)(Weights&)>
void with_change(Weights& w, const std::string& asked) {
  asked == claim ? change(w) : solution::break_one(w, asked);
}

inline const std::vector<Mistake<BreakOne>> kOfBreakOne = {
    {"matching-untouched",
     "For \"matching\" your function changes nothing. Change where the induction head looks: W_Q or W_K.",
     kFinds, with_change<kMatching, nothing>},
    {"matching-still-holds",
     "For \"matching\" you change something, and w.layer_1[0] still looks at followers. Change "
     "where it looks: its W_Q or W_K. What it writes is the claim \"copying\".",
     kFinds, with_change<kMatching, no_copying>},
    {"matching-with-a-distance-on-top",
     "For \"matching\" the induction head now looks kPeriod - 1 back too, but it still "
     "compares tokens. Where segments come back at other distances, it still looks at "
     "followers, so the claim holds. Take the comparison of tokens out of W_Q or W_K.",
     kFinds, with_change<kMatching, distance_on_top>},
    {"copying-untouched",
     "For \"copying\" your function changes nothing. Let the induction head look as it does, and change what "
     "it writes: W_V or W_O.",
     kFinds, with_change<kCopying, nothing>},
    {"copying-without-matching",
     "For \"copying\" your change takes the matching away, and that claim comes first. Let "
     "w.layer_1[0] look as it does, and change what it writes: W_V or W_O.",
     kFinds, with_change<kCopying, no_matching>},
    {"copying-still-holds",
     "For \"copying\" you change something, and w.layer_1[0] still raises the token that it "
     "looks at most. It must write nothing, or another token: change W_V or W_O.",
     kFinds, with_change<kCopying, fainter>},
    {"composition-untouched",
     "For \"composition\" your function changes nothing. Give the induction head a second way to the "
     "followers, which runs through the queries.",
     kFinds, with_change<kComposition, nothing>},
    {"composition-without-matching",
     "For \"composition\" the matching is gone after your change, and that claim comes first. The head must "
     "still find the followers. Leave the way through the keys, and give the head a second one.",
     kFinds, with_change<kComposition, no_matching>},
    {"composition-without-copying",
     "For \"composition\" the copying is gone after your change, and that claim comes first. Leave what "
     "w.layer_1[0] writes.",
     kFinds, with_change<kComposition, no_copying>},
    {"composition-by-a-second-note",
     "For \"composition\" the keys are still the only way: the matching is lost without what earlier heads "
     "write there. A second previous-token head does not help. It writes to the keys too, so the certificate "
     "takes both for previous-token heads and cuts both. The second way must run through the queries.",
     kFinds, with_change<kComposition, second_note>},
    {"composition-by-a-weak-way",
     "For \"composition\" the keys are still the only way, although you changed something: when the path to "
     "them is cut, the head loses the followers. The second way must find them alone. If it is a pointer: it "
     "names the place of the earlier copy, and the follower stands one place further.",
     kFinds, with_change<kComposition, pointer_unshifted>},
    {"composition-through-the-queries-alone",
     "For \"composition\" you exchanged one way for another: now the queries are the only one, "
     "and the matching is lost when their path is cut. Section 7 counts such a model as "
     "composed. Keep the way through the keys too, so that either is enough.",
     kFinds, with_change<kComposition, through_queries>},
    {"necessity-untouched",
     "For \"necessity\" your function changes nothing. Let the circuit be, and solve the task a second time "
     "by something that is not the circuit.",
     kFinds, with_change<kNecessity, nothing>},
    {"necessity-without-matching",
     "For \"necessity\" your change takes the matching away, and that claim comes first. To "
     "refute that the task is lost without the circuit, leave the circuit whole, and solve the "
     "task a second time by something else.",
     kFinds, with_change<kNecessity, no_matching>},
    {"necessity-by-another-head-in-its-place",
     "For \"necessity\" you replaced the induction head, so the matching is gone, and that "
     "claim comes first. The claim asks for a second way beside the circuit: leave "
     "w.layer_1[0] as it is, and put the head that looks kPeriod - 1 back into w.layer_1[1].",
     kFinds, with_change<kNecessity, distance_in_its_place>},
    {"necessity-without-copying",
     "For \"necessity\" your change takes the copying away, and that claim comes first. Leave "
     "the circuit whole, and solve the task a second time by something that is not the "
     "circuit.",
     kFinds, with_change<kNecessity, no_copying>},
    {"necessity-still-holds",
     "For \"necessity\" the claim still holds: without the induction head the task is lost. A second induction head "
     "would not help: it looks at followers too, so it belongs to the circuit and is ablated with it. The "
     "second way must be of another kind, and write into s.output. All periods are kPeriod: use that.",
     kFinds, with_change<kNecessity, second_induction_head>},
    {"necessity-with-two-answers",
     "For \"necessity\" the model no longer solves the task: what you added says another token than the "
     "follower. The follower is kPeriod - 1 back. kPeriod back stands the query's own token.",
     kFinds, with_change<kNecessity, period_back>},
    {"changes-nothing", "No claim is refuted: for no claim does your function change what the model does.",
     kFinds, [](Weights&, const std::string&) {}}};

}  // namespace mistakes
