// Scores that show the kind of a head (Olsson et al. 2022).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/interpret/attention_layers.h"
#include "headlight/interpret/score_kinds.h"
#include "headlight/nn/transformer.h"
#include "headlight/tasks/batch.h"

namespace headlight::interpret {

struct HeadScores {
  std::size_t layer = 0, head = 0;
  // In the order of score_kinds(); absent where a score is not defined. Of an old run the first of them.
  std::vector<std::optional<double>> values;
  Stack stack = Stack::self;

  HeadAt at() const { return {layer, head, stack}; }

  // scores[kInduction]. Throws Error for a key that is not in the table, and for a score that is absent.
  double operator[](std::string_view key) const;

  // Whether the score is there. Throws Error for a key that is not in the table.
  bool has(std::string_view key) const;
};

// The threshold: a head with at least this induction score counts as an induction head, and with at least
// this previous-token score as a previous-token head.
inline constexpr double kFoundScore = 0.5;

// The longest context whose patterns (n,n) a run scores, certifies and draws. Beyond it, they would take more
// memory and time than training: at 16,384 tokens a pattern has 268 million numbers.
inline constexpr std::size_t kLongestPattern = 1024;

// Scores of one head's patterns: pattern (B,n,n) with one row per query, tokens (B,n). Throws Error when no
// position has an earlier equal token, because duplicate and induction scores are then undefined.
HeadScores score_pattern(const Array& pattern, const IntArray& tokens);

// Scores of every head of the model on these tokens (B,n), in the order of attention_layers(). Throws Error
// as score_pattern does.
std::vector<HeadScores> score_heads(const nn::Transformer& model, const IntArray& tokens);

// The same on sequences of a task, with their source and answers. Queries without a target do not count, so
// that equal tokens that fill up a sequence look like no repetition; an encoder's all count. A score is
// absent where no position counts: the induction score where no token occurs twice, the answer score where no
// target is a copy. The number of threads does not change the bits.
std::vector<HeadScores> score_heads(const nn::Transformer& model, const tasks::Batch& batch);
std::vector<HeadScores> score_heads(const nn::Transformer& model, const tasks::Batch& batch,
                                    ThreadPool& pool);

// The kind of a head's largest score.
const ScoreKind& strongest(const HeadScores& scores);

// The same, or null when the largest score is below kFoundScore: a head of no known kind.
const ScoreKind* known_kind(const HeadScores& scores);

// What a head is by its scores: "induction head, score 0.98", or "no known kind (induction 0.33)".
std::string head_role(const HeadScores& scores);

// The head with the largest value of a score: best_head(scores, kInduction). Throws Error if no head has it.
const HeadScores& best_head(const std::vector<HeadScores>& scores, std::string_view key);

// Whether some head has this score.
bool is_scored(const std::vector<HeadScores>& scores, std::string_view key);

// The scores that some head has, in the order of the table.
std::vector<const ScoreKind*> measured_kinds(const std::vector<HeadScores>& scores);

// The heads of each stack, in their order.
std::vector<std::vector<HeadScores>> by_stack(const std::vector<HeadScores>& scores);

// The score whose best head a reader wants to see first: induction, or the answer if its best head is better.
const char* score_to_show_first(const std::vector<HeadScores>& scores);

}  // namespace headlight::interpret
