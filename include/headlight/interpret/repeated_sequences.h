// Sequences that ask one question of a head: does it look at what followed the same token before?
#pragma once

#include <optional>
#include <vector>

#include "headlight/interpret/ablation.h"
#include "headlight/tasks/batch.h"

namespace headlight::interpret {

// A query, and a key that followed an earlier copy of the query's token.
struct Follower {
  std::size_t sequence, query, key;
  bool answers = true;  // the token at the key is the query's target
};

// Sequences with repeats, and the same places without: a head that looks at a place because of its position
// gives the same weight in both, a head that looks there because of the tokens does not.
struct RepeatedSequences {
  tasks::Batch repeated;            // (B,n)
  tasks::Batch control;             // (B,n): other tokens at random, none twice if the vocabulary allows it
  std::vector<Follower> followers;  // of predictable queries; those of one query stand together, in order
  std::size_t queries = 0;          // how many different queries these are
};

// Random segments that come back after random gaps: filling, segment, filling, segment …, with each gap drawn
// anew, so that no distance is right twice. A segment and its gap together take n/8 … 5n/8 tokens, n being
// the task's context. Special tokens of the task do not occur. Throws Error when the context or the
// vocabulary is too small.
RepeatedSequences random_repeats(const tasks::Task& task, std::size_t sequences, const Rng& rng);

// The task's tokens without its special ones.
std::vector<std::int32_t> plain_tokens(const tasks::Task& task);

// Whether context and vocabulary are large enough for random_repeats: 16 tokens, and 8 that are not special.
bool has_room_for_repeats(const tasks::Task& task);

// The task's own sequences of the kind used in training, with all followers of the queries whose answer the
// task says is in the sequence: followers that are no answers, too. Nothing if none of them is an answer.
std::optional<RepeatedSequences> own_repeats(const tasks::Task& task, std::size_t sequences, const Rng& rng);

// The task's own sequences of the kind used in training, whatever their answers follow; nothing if no token
// is predictable.
std::optional<tasks::Batch> own_questions(const tasks::Task& task, std::size_t sequences, const Rng& rng);

// The same sequences, with each key so many places later; without those beyond their query.
RepeatedSequences moved(RepeatedSequences repeats, std::size_t by);

// The followers of the queries of which no follower is the answer.
RepeatedSequences beside_the_answer(const RepeatedSequences& repeats);

// The followers of the queries that share one token with the earlier copy: no follower stands behind a copy
// of the query's token and of the token before it.
RepeatedSequences after_one_token(const RepeatedSequences& repeats);

// Of each query the follower that stands nearest before it.
std::vector<Follower> nearest_followers(const std::vector<Follower>& followers);

// The weight that each head gives to the followers, summed over the keys of a query, mean over the queries.
// `patterns` has the hook_pattern (B,H,n,n) of the heads' layers on `repeated` or on `control`.
std::vector<double> weight_on_followers(const RepeatedSequences& repeats, const ActivationCache& patterns,
                                        const nn::TransformerConfig& config, const HeadSet& heads);

}  // namespace headlight::interpret
