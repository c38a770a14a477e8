#include "headlight/interpret/score_kinds.h"

#include <string>

#include "headlight/core/check.h"
#include "headlight/core/names.h"

namespace headlight::interpret {
namespace {

void add_previous_token(const QueryRow& row, Mean& mean) {
  if (row.query == 0) return;
  mean.sum += static_cast<double>(row.weights[row.query - 1]);
  ++mean.count;
}

void add_duplicate_token(const QueryRow& row, Mean& mean) {
  for (std::size_t same : row.earlier) mean.sum += static_cast<double>(row.weights[same]);
  if (!row.earlier.empty()) ++mean.count;
}

void add_induction(const QueryRow& row, Mean& mean) {
  for (std::size_t same : row.earlier) mean.sum += static_cast<double>(row.weights[same + 1]);
  if (!row.earlier.empty()) ++mean.count;
}

void add_self(const QueryRow& row, Mean& mean) {
  if (row.query == 0) return;
  mean.sum += static_cast<double>(row.weights[row.query]);
  ++mean.count;
}

void add_first_token(const QueryRow& row, Mean& mean) {
  if (row.query == 0) return;
  mean.sum += static_cast<double>(row.weights[0]);
  ++mean.count;
}

void add_answer(const QueryRow& row, Mean& mean) {
  if (row.answer < 0) return;
  mean.sum += static_cast<double>(row.weights[static_cast<std::size_t>(row.answer)]);
  ++mean.count;
}

void add_same_place(const QueryRow& row, Mean& mean) {
  if (row.query >= row.weights.size()) return;
  mean.sum += static_cast<double>(row.weights[row.query]);
  ++mean.count;
}

std::vector<ScoreKind>& all_kinds() {
  static std::vector<ScoreKind> kinds{
      {kPreviousToken, "previous token", "previous", "previous-token head",
       "looks, from each token, at the token before it",
       "mean attention to the token before, over all tokens but the first",
       "draws a line just below the diagonal: each token looks at the token before it.", true,
       Scored::one_sequence, add_previous_token},
      {kDuplicateToken, "duplicate token", "duplicate", "duplicate-token head",
       "looks, from each token, at earlier copies of the same token",
       "mean attention to earlier copies of a token, over tokens that have one",
       "is bright where each token looks at its earlier copy: in a sequence that repeats, on a stripe parallel "
       "to the diagonal.",
       false, Scored::earlier_tokens, add_duplicate_token},
      {kInduction, "induction", "induction", "induction head",
       "looks, from each token, at the token that followed an earlier copy of it: [A][B] … [A] → [B]",
       "mean attention to what followed earlier copies of a token, over tokens that have one",
       "draws the same stripe one column further right: each token looks at the token that followed its "
       "earlier copy.",
       true, Scored::earlier_tokens, add_induction},
      {kSelf, "self", "self", "self-attention head", "looks, from each token, at that token itself",
       "mean attention to the token itself, over all tokens but the first",
       "draws the diagonal: each token looks at itself.", false, Scored::one_sequence, add_self},
      {kFirstToken, "first token", "first", "first-token head",
       "looks, from each token, at the first token of the sequence",
       "mean attention to the first token, over all tokens but the first",
       "draws the first column. Without a sink the attention weights of a row must add up to 1, so a head that "
       "finds nothing has to look somewhere, and often looks there.",
       false, Scored::one_sequence, add_first_token},
      {kAnswer, "answer", "answer", "answer head",
       "looks, from each token, at the token that the answer is copied from, the last one of several",
       "mean attention to the token that the target is copied from, over tokens whose target is a copy",
       "is bright where the answers stand: on a diagonal for a copy, on an anti-diagonal for a reversed one, at "
       "single places for a question.",
       true, Scored::answers, add_answer},
      {kSamePlace, "same place", "same", "same-place head",
       "looks, from each token, at the token of the source at the same position",
       "mean attention to the source's token at the query's own position, over positions that the source has",
       "draws the diagonal from the tokens to the source.", false, Scored::two_sequences, add_same_place}};
  return kinds;
}

}  // namespace

const std::vector<ScoreKind>& score_kinds() { return all_kinds(); }

void add_score_kind(const ScoreKind& kind) {
  for (const ScoreKind& known : all_kinds())
    check(std::string_view(known.key) != kind.key, "there is a score '{}' already.", kind.key);
  check(kind.add != nullptr, "the score '{}' needs a function that adds up its rows.", kind.key);
  all_kinds().push_back(kind);
}

std::size_t score_index(std::string_view key) {
  const std::vector<ScoreKind>& kinds = score_kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].key == key) return i;
  std::vector<std::string> keys;
  for (const ScoreKind& kind : kinds) keys.emplace_back(kind.key);
  const std::string asked(key);
  fail("[scores] expected {}, got '{}'.{}", listed(keys), asked, did_you_mean(asked, keys));
}

}  // namespace headlight::interpret
