// The interventions of the certificate on one draw of sequences.
#pragma once

#include <map>

#include "headlight/interpret/certificate.h"
#include "headlight/interpret/repeated_sequences.h"
#include "headlight/interpret/subsets.h"

namespace headlight::interpret {

// The weight on followers of each head, and on the same places of sequences without repeats. A head that
// looks at answers, and at followers only where these are the answers, has little weight `beside` the
// answers.
struct Looks {
  std::vector<double> followers, control;  // in the order of the heads asked for
  std::vector<double> beside = {};         // where no follower is the answer; empty where this is rare
  std::vector<double> after_one = {};      // where one token alone has come again; empty where this is rare

  bool lower_beside(std::size_t i) const { return !beside.empty() && beside[i] < followers[i]; }
  double weight(std::size_t i) const { return lower_beside(i) ? beside[i] : followers[i]; }
  double lift(std::size_t i) const { return weight(i) - control[i]; }
  // Whether the head needs several equal tokens: without them it looks less than a third as much.
  bool several(std::size_t i) const { return !after_one.empty() && after_one[i] < weight(i) / 3; }
};

// The queries that a weight is a mean over.
enum class Over {
  all,
  beside,     // where no follower is the answer
  after_one,  // where one token alone has come again
};

// The weight of one head on followers, and on the same places of sequences without repeats.
struct Look {
  double weight = 0, control = 0;
  Over over = Over::all;
};

// At each predictable position heads are made to look at one random earlier token, and in a second run at
// another, both of them tokens that are answers somewhere. The part of the positions at which the first
// token's logit gains on the second's (a tie counts half); the same of two tokens that they were made to look
// at elsewhere: half, by chance; and the part at which the model answers with the first token.
struct Preference {
  double seen = 0, unseen = 0, answered = 0;
};

// What senders write into patched paths instead.
enum class Written {
  on_renamed,    // what they write on other tokens, with the same repeats in the same places
  on_unrelated,  // what they write on tokens without repeats: what is said of places changes too
  mean,          // their mean, which says nothing
};

class CertificateMeasurements {
 public:
  // With `by`, followers are the tokens so many places after them (see shifted_induction.h).
  CertificateMeasurements(const nn::Transformer& model, const tasks::Task& task, std::size_t sequences,
                          const Rng& rng, std::size_t by = 0);

  CertificateMeasurements(const CertificateMeasurements&) = delete;  // parts refer to others
  CertificateMeasurements& operator=(const CertificateMeasurements&) = delete;

  const nn::TransformerConfig& config() const { return model_.config(); }
  const tasks::Task& task() const { return task_; }
  const HeadSet& heads() const { return heads_; }
  const RepeatedSequences& random() const { return random_; }
  // The task's own sequences, or random repeats where its answers are no followers.
  const RepeatedSequences& own() const { return own_ ? *own_ : random_; }
  // The sequences that accuracy is measured on: the task's own, if it has predictable tokens.
  const tasks::Batch& asked() const { return asked_ ? *asked_ : own().repeated; }
  bool asks_the_task() const { return own_ || asked_; }
  // Whether nearly all answers of asked() follow earlier copies of the query's token.
  bool answers_follow() const { return answers_follow_; }

  double accuracy() const { return intact_; }
  double accuracy_at_random() const;  // where followers can be the answers, of random repeats
  double accuracy_without(const HeadSet& heads) const;  // mean-ablated
  double loss_without(const HeadSet& heads) const;      // on predictable tokens
  Subsets subsets(ThreadPool& pool) const;              // the same of all sets of heads that can be kept
  double accuracy_with_only(const HeadSet& heads) const { return accuracy_without(without(heads_, heads)); }

  // On random repeats, and on the task's own sequences.
  Looks looks_at_random(const HeadSet& heads) const { return looks_on(random_, heads); }
  Looks looks_at_own(const HeadSet& heads) const { return looks_on(own(), heads); }

  // Over queries of which a draw may have few: on as many further sequences, random repeats or the task's
  // own, as it takes for a standard error below 0.02. Only for those that Looks has of this draw.
  Look look_over(Over over, const HeadAt& head, bool random) const;

  // What making these heads look at one token instead of another does for the first against the second.
  Preference preference_of(const HeadSet& heads) const;

  // The part of the induction heads' matching on own() that is lost when the senders' paths into these inputs
  // of theirs carry something else.
  double lost(const HeadSet& senders, const HeadSet& induction_heads, const HeadInputs& inputs,
              Written instead) const;

  // The accuracy when these paths carry what they carry on other tokens.
  double accuracy_with_paths(const HeadSet& senders, const HeadSet& induction_heads, HeadInput input) const;

  // The weight of each head on the tokens `by` places after the followers, above its control.
  std::vector<double> lifts_after(std::size_t by) const;

  // The same when the induction heads' keys are not smeared.
  double lost_without_smear(const HeadSet& induction_heads) const;
  // Whether the matching on the sequences of lost() differs from its control. If not, no share of it exists.
  bool matches_repeats(const HeadSet& induction_heads) const;

 private:
  Looks looks_on(const RepeatedSequences& repeats, const HeadSet& heads) const;
  double matching(const ActivationCache& patterns, const HeadSet& induction_heads) const;
  double share_lost(const ActivationCache& patterns, const HeadSet& induction_heads) const;

  const nn::Transformer& model_;
  const tasks::Task& task_;
  std::size_t sequences_;
  HeadSet heads_;
  RepeatedSequences random_;
  std::optional<RepeatedSequences> own_;
  std::optional<RepeatedSequences> own_beside_;  // what own() has of this, if that is enough
  std::optional<tasks::Batch> asked_;            // empty where own() has them
  tasks::Batch renamed_;
  ActivationCache means_, asked_means_, renamed_outputs_, unrelated_outputs_;
  ActivationCache random_patterns_, random_control_, own_patterns_, own_control_;
  std::optional<PathPatching> renamed_paths_, unrelated_paths_, mean_paths_;
  Rng rng_;
  double intact_ = 0;
  bool answers_follow_ = false;
};

}  // namespace headlight::interpret
