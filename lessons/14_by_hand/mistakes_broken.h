// What people get wrong in part 5 of exercise 14, the broken models. Most go claim by claim. So each mistake
// stands here twice: with the other claims right, and with nothing done yet for the claims after it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "examined.h"
#include "mistakes.h"

namespace mistakes {

using Change = void (*)(Weights&);

// `change` where `claim` is asked. Before it all is right, and after it too, or nothing is done there.
inline void in_place_of(const std::string& claim, bool later, Change change, Weights& w,
                        const std::string& asked) {
  const auto at = [](const std::string& c) { return std::find(kClaims.begin(), kClaims.end(), c); };
  if (asked == claim) return change(w);
  if (later || at(asked) < at(claim)) solution::break_one(w, asked);
}

inline void nothing(Weights&) {}
inline void no_copying(Weights& w) { solution::break_one(w, "copying"); }
inline void no_matching(Weights& w) { solution::break_one(w, "matching"); }
inline void no_previous_token_head(Weights& w) { w.layer_0[0] = Head(w.stream); }
inline void no_reader(Weights& w) { w.layer_1[0] = Head(w.stream); }
inline void second_note(Weights& w) { w.layer_0[1] = w.layer_0[0]; }
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

inline constexpr const char* kMatchingByTheValues =
    "For \"matching\" you change what the induction head writes. It still looks at followers. Change where "
    "it looks: W_Q or W_K.";
inline constexpr const char* kCopyingUntouched =
    "For \"copying\" your function changes nothing. Let the induction head look as it does, and change what "
    "it writes: W_V or W_O.";
inline constexpr const char* kCopyingByTheKeys =
    "For \"copying\" you change where the induction head looks, so matching fails first. Leave W_Q and W_K "
    "and change what it writes: W_V or W_O.";
inline constexpr const char* kCompositionUntouched =
    "For \"composition\" your function changes nothing. Give the induction head a second way to the "
    "followers, which runs through the queries.";
inline constexpr const char* kCompositionWithoutThePreviousTokenHead =
    "For \"composition\" you take the previous-token head away, or what it writes. Then the matching is "
    "gone, and that claim comes first. The head must still find the followers when this path is cut: give it "
    "a second way.";
inline constexpr const char* kCompositionStillHolds =
    "For \"composition\" the keys are still the only way: the matching is lost without what earlier heads "
    "write there. A second previous-token head does not help. It writes to the keys too, so the certificate "
    "takes both for previous-token heads and cuts both. The second way must run through the queries.";
inline constexpr const char* kCompositionByAWeakWay =
    "For \"composition\" the keys are still the only way, although you added something: when the path to "
    "them is cut, the head loses the followers. The second way must find them alone. If it is a pointer: it "
    "names "
    "the place of the earlier copy, and the follower stands one place further.";
inline constexpr const char* kNecessityUntouched =
    "For \"necessity\" your function changes nothing. Let the circuit be, and solve the task a second time "
    "by something that is not the circuit.";
inline constexpr const char* kNecessityWithoutTheHeads =
    "For \"necessity\" you take the circuit's heads away. The claim says that the task is lost without them. "
    "To refute it, leave them, and solve the task a second time by something that is not the circuit.";
inline constexpr const char* kNecessityWithoutThePreviousTokenHead =
    "For \"necessity\" you empty the previous-token head. Then the matching fails first. Leave the circuit "
    "whole, and solve the task a second time by something that is not the circuit.";
inline constexpr const char* kNecessityStillHolds =
    "For \"necessity\" the claim still holds: without the circuit the task is lost. A second induction head "
    "does not help. It looks at followers too, so it belongs to the circuit and is ablated with it. The "
    "second way must be of another kind. All periods are kPeriod: use that.";
inline constexpr const char* kNecessityAtTheWrongDistance =
    "For \"necessity\" your new head looks kPeriod back. There stands the query's own token, and not its "
    "follower, so the model says two tokens at once. The follower is kPeriod - 1 back.";

inline const std::vector<Mistake<BreakOne>> kOfBreakOne = {
    {"changes-nothing", "No claim is refuted: for no claim does your function change what the model does.",
     kFinds, [](Weights&, const std::string&) {}},
    {"breaks-matching-for-all",
     "For every claim you break the matching. Then it fails first, and claims that build on it are not even "
     "asked. Each claim needs a change of its own.",
     kFinds, [](Weights& w, const std::string&) { no_previous_token_head(w); }},
    {"matching-by-the-values", kMatchingByTheValues, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("matching", true, no_copying, w, asked); }},
    {"matching-by-the-values-so-far", kMatchingByTheValues, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("matching", false, no_copying, w, asked); }},
    {"copying-untouched", kCopyingUntouched, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("copying", true, nothing, w, asked); }},
    {"copying-untouched-so-far", kCopyingUntouched, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("copying", false, nothing, w, asked); }},
    {"copying-by-the-keys", kCopyingByTheKeys, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("copying", true, no_matching, w, asked); }},
    {"copying-by-the-keys-so-far", kCopyingByTheKeys, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("copying", false, no_matching, w, asked); }},
    {"composition-untouched", kCompositionUntouched, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("composition", true, nothing, w, asked); }},
    {"composition-untouched-so-far", kCompositionUntouched, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("composition", false, nothing, w, asked); }},
    {"composition-without-the-previous-token-head", kCompositionWithoutThePreviousTokenHead, kFinds,
     [](Weights& w, const std::string& asked) {
       in_place_of("composition", true, no_previous_token_head, w, asked);
     }},
    {"composition-without-the-previous-token-head-so-far", kCompositionWithoutThePreviousTokenHead, kFinds,
     [](Weights& w, const std::string& asked) {
       in_place_of("composition", false, no_previous_token_head, w, asked);
     }},
    {"composition-still-holds", kCompositionStillHolds, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("composition", true, second_note, w, asked); }},
    {"composition-still-holds-so-far", kCompositionStillHolds, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("composition", false, second_note, w, asked); }},
    {"composition-by-a-weak-way", kCompositionByAWeakWay, kFinds,
     [](Weights& w, const std::string& asked) {
       in_place_of("composition", true, pointer_unshifted, w, asked);
     }},
    {"composition-by-a-weak-way-so-far", kCompositionByAWeakWay, kFinds,
     [](Weights& w, const std::string& asked) {
       in_place_of("composition", false, pointer_unshifted, w, asked);
     }},
    {"necessity-untouched", kNecessityUntouched, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("necessity", true, nothing, w, asked); }},
    {"necessity-without-the-heads", kNecessityWithoutTheHeads, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("necessity", true, no_reader, w, asked); }},
    {"necessity-without-the-previous-token-head", kNecessityWithoutThePreviousTokenHead, kFinds,
     [](Weights& w, const std::string& asked) {
       in_place_of("necessity", true, no_previous_token_head, w, asked);
     }},
    {"necessity-still-holds", kNecessityStillHolds, kFinds,
     [](Weights& w, const std::string& asked) {
       in_place_of("necessity", true, second_induction_head, w, asked);
     }},
    {"necessity-at-the-wrong-distance", kNecessityAtTheWrongDistance, kFinds,
     [](Weights& w, const std::string& asked) { in_place_of("necessity", true, period_back, w, asked); }}};

}  // namespace mistakes
