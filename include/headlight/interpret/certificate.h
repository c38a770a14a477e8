// The certificate: whether a model has an induction circuit. Each claim is a number from an intervention,
// with its control and its threshold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headlight/interpret/patching.h"
#include "headlight/train/history.h"

namespace headlight::interpret {

enum class Verdict {
  circuit,      // it has an induction circuit, and solves the task by it
  another_way,  // it solves the task, but not by an induction circuit
  unsolved,     // it does not solve the task
};

// "induction circuit", "solves the task another way", "does not solve the task".
std::string to_string(Verdict verdict);

enum class Standing { holds, fails, not_asked };

// "holds", "fails", "not asked".
std::string to_string(Standing standing);

// The keys that code uses.
inline constexpr const char* kMatching = "matching";
inline constexpr const char* kCopying = "copying";
inline constexpr const char* kComposition = "composition";
inline constexpr const char* kNecessity = "necessity";
inline constexpr const char* kSufficiency = "sufficiency";
inline constexpr const char* kOrder = "order";

// One claim. It holds when `number` reaches `threshold` and `control` is within its own limit: at least, or
// at most, as `bounds` of the claim's kind say.
struct Claim {
  std::string key, name;  // "matching", "Matching: …"
  Standing standing = Standing::not_asked;
  std::optional<double> number, control;
  double threshold = 0, control_limit = 0;
  bool number_at_most = false, control_at_most = true;  // which side is good
  std::string says;       // what was done and seen, in sentences; why it was not asked, if it was not
  std::string more = {};  // what was seen beside it
};

// A number of the certificate at one step of training.
struct Formation {
  std::int64_t step = 0;
  double matching = 0;  // attention weight on followers of the named heads, above its control
  double previous = 0;  // attention weight of the previous-token heads on the token before
  double accuracy = 0;  // on predictable tokens
};

// A head of a set that is enough, found by adding one at a time, of a model that solves the task another way.
struct Needed {
  HeadAt head;
  double accuracy_without = 0;  // on predictable tokens, with this head alone mean-ablated
  std::string looks;            // where: "13 tokens back", "at the token after the follower"
  double weight = 0;            // its mean attention weight there
};

// A head outside of a circuit with which it is enough too, in place of any one of these helpers.
struct StandIn {
  HeadAt head;
  HeadSet replaces;
  double accuracy = 0;  // of the circuit then; of several, the lowest
};

// Shifted induction: a circuit that does the work of an induction circuit `by` places after the follower. No
// head looks at the follower, so none has an induction score.
struct ShiftedInduction {
  std::size_t by = 0;
  HeadSet induction_heads;             // look `by` places after the follower
  HeadSet key_heads;                   // earlier ones, which carry the query's token there, into the keys
  HeadSet value_heads;                 // earlier ones, which carry the answer there, into the values
  double weight = 0, control = 0;      // of the best induction head there; at the same place without repeats
  double lost_by_keys = 0;             // of this matching, when the key heads write of other tokens
  double accuracy_without_values = 0;  // when the value heads write of other tokens
};

// What trying every set of heads shows of the named ones. A set is enough if, with all other heads
// mean-ablated, it keeps what the claim of sufficiency asks.
struct AllSets {
  std::size_t sets = 0;     // of heads: 2ⁿ
  std::size_t enough = 0;   // of them, so many are enough,
  std::size_t smaller = 0;  // so many with fewer heads than circuit(),
  std::size_t minimal = 0;  // and so many of which no part is
  HeadSet smallest = {};    // one of those with the fewest heads
};

// Of larger models not every set is tried.
inline constexpr std::size_t kMostCertifiedHeads = 8;

using HeadInputs = std::vector<HeadInput>;

// "the keys", "the keys and the queries".
std::string words_of(const HeadInputs& inputs, const char* whose = "the");

struct Certificate {
  Verdict verdict = Verdict::unsolved;
  HeadSet induction_heads;  // the heads that look at followers
  HeadSet weak;  // those of them that give a follower less than the claim of matching asks of the best
  // The earlier heads that tell the induction heads where followers are. Through the queries they tell
  // positions; then they need not look at the token before.
  HeadSet previous_token_heads;
  // Where they write: the keys or the queries of the induction heads. Both, where either path alone is
  // enough.
  HeadInputs through{HeadInput::keys};
  HeadSet helpers;                 // other heads that suffice with them, found by adding one at a time
  std::vector<StandIn> stand_ins;  // where other helpers would suffice too
  bool whole = false;              // whether circuit() has all heads of the model
  bool several_tokens = false;     // the best induction head looks only after several tokens that come again
  bool by_smear = false;           // smeared keys do what previous-token heads do elsewhere
  double accuracy = 0;             // on predictable tokens, intact
  std::string predictable = "predictable";                           // what the task calls them
  std::optional<double> accuracy_without_previous_token_heads = {};  // of a model that solves the task
  std::optional<AllSets> all_sets = {};  // of a model that solves the task, if CertifyOptions ask for it
  // How often the token that the induction heads are made to look at becomes the model's answer.
  std::optional<double> interchange = {};
  // From predictable tokens back to the earlier copy of the token before them: the shortest and the longest.
  std::optional<std::pair<std::size_t, std::size_t>> distances = {};
  // On segments that come back at random distances: the accuracy, and these distances.
  std::optional<double> accuracy_at_random = {};
  std::optional<std::pair<std::size_t, std::size_t>> random_distances = {};
  // The part of the matching that is lost when the previous-token heads write on these paths what they write
  // on other sequences; and when they write their mean into `through`.
  double by_keys = 0, by_queries = 0, by_removal = 0;
  std::vector<Claim> claims;                          // the six, in order
  std::vector<Formation> formation;                   // empty unless snapshots of training were given
  std::vector<Needed> needed;                         // of Verdict::another_way
  std::optional<ShiftedInduction> shifted_induction;  // of Verdict::another_way, if that is what was found

  HeadSet circuit() const;                         // induction heads, previous-token heads and helpers
  const Claim& claim(std::string_view key) const;  // throws Error for an unknown key
};

// What the numbers of a claim that was asked come to. Throws Error for one without a number.
Standing standing_of(const Claim& claim);

// What its accuracy and its claims come to.
Verdict verdict_of(const Certificate& certificate);

struct CertifyOptions {
  std::size_t sequences = 0;  // in each draw; 0: as many as ask 256 questions, and 32 at least
  const std::vector<train::Snapshot>* snapshots = nullptr;  // along training, for the claim of order
  bool all_sets = false;  // try every set of heads, of models with at most kMostCertifiedHeads
};

// Whether certify() can examine such a model on such a task: a decoder, with a context of 16 …
// kLongestPattern tokens and a vocabulary of at least 8 that are not special.
bool can_be_certified(const nn::TransformerConfig& config, const tasks::Task& task);

// Examines a decoder on a task whose answers can be copied from the sequence, or on random repeats if the
// task does not say where its answers stand. The heads are chosen on one draw of sequences, and all numbers
// come from another.
//
//   matching     The induction heads look at what followed the same token before, whether or not this is the
//                answer, in segments that come back at random distances or in the task's own sequences; and
//                not at the same places of sequences without repeats. A head that looks there less than
//                a third as much where one token alone has come again is judged by its weight there.
//   copying      Made to look at one answer instead of another, they raise the first against the second.
//   composition  When the paths from the previous-token heads into the induction heads' keys (or queries, or
//                both) carry what they carry on other tokens, the matching is gone; the paths of all other
//                earlier heads do not matter so.
//   necessity    With the induction heads mean-ablated the accuracy is at chance, as without any head; with
//                as many others it is not.
//   sufficiency  With all heads but the named ones mean-ablated, at least 90 % of what is above the accuracy
//                without any head is left.
//   order        Along training the previous-token heads had begun when the matching was half formed.
//
// Claims that presuppose another are not asked when that one fails. Composition is not asked either when the
// induction heads look at the followers of the task's own sequences as much without repeats. Throws Error for
// an encoder or an encoder–decoder, for a task with more tokens or a longer context than the model has, and
// for a context or a vocabulary that is too small for repeats.
Certificate certify(const nn::Transformer& model, const tasks::Task& task, const Rng& rng, ThreadPool& pool,
                    const CertifyOptions& options = {});

// "L0H3 can replace one of L0H0, L0H2"; empty without stand-ins.
std::string words_of(const std::vector<StandIn>& stand_ins);

// A part of a sentence, the kind of sentence that it is (evidence.h), and the numbers behind it: "0.96,
// control 0.03"; empty where the text has them.
struct Said {
  std::string text, kind, numbers = {};
};

// The key of the verdict's kind of evidence (interpret/evidence.h).
const char* verdict_kind(const Certificate& certificate);

// The verdict and its heads in one or two sentences, part by part: their texts follow each other.
std::vector<Said> said(const Certificate& certificate);

// The same as one text.
std::string sentence(const Certificate& certificate);

}  // namespace headlight::interpret
