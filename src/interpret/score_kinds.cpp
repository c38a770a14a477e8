#include "headlight/interpret/score_kinds.h"

#include <string>

#include "headlight/core/check.h"
#include "headlight/core/names.h"

namespace headlight::inline HEADLIGHT_PRECISION::interpret {
namespace {

void add_previous_token(const QueryRow& row, Mean& mean) {
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

}  // namespace

const std::vector<ScoreKind>& score_kinds() {
  static const std::vector<ScoreKind> kinds{
      {kPreviousToken, "previous token", "previous", "previous token head",
       "mean attention to the token before, over all tokens but the first",
       "draws a line just below the diagonal: each token looks at the one before it. Its score is the mean "
       "of "
       "that weight.",
       true, add_previous_token},
      {kDuplicateToken, "duplicate token", "duplicate", "duplicate token head",
       "mean attention to earlier copies of a token, over tokens that have one",
       "draws a stripe parallel to the diagonal, that begins where the sequence begins to repeat: each token "
       "looks at its earlier copy itself.",
       false, add_duplicate_token},
      {kInduction, "induction", "induction", "induction head",
       "mean attention to what followed earlier copies of a token, over tokens that have one",
       "draws the stripe one column further right: each token looks at the one that followed its earlier "
       "copy. "
       "Its score is the mean of that weight, over tokens that have an earlier copy.",
       true, add_induction}};
  return kinds;
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

}  // namespace headlight::inline HEADLIGHT_PRECISION::interpret
