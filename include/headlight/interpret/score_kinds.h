// The kinds of head scores (Olsson et al. 2022). The terminal, JSON, CSV, charts and the page read this
// table, so a new score is one new row; that of another program is added by add_score_kind().
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::interpret {

// The keys that code uses.
inline constexpr const char* kPreviousToken = "previous_token";
inline constexpr const char* kDuplicateToken = "duplicate_token";
inline constexpr const char* kInduction = "induction";
inline constexpr const char* kSelf = "self";
inline constexpr const char* kFirstToken = "first_token";
inline constexpr const char* kAnswer = "answer";
inline constexpr const char* kSamePlace = "same_place";

// One row of a pattern (n,m).
struct QueryRow {
  std::size_t query;
  std::span<const Real> weights;  // (m)
  std::span<const std::size_t> earlier =
      {};                    // positions before the query that hold the same token, ascending
  std::int32_t answer = -1;  // the key that the query's target is copied from; -1: none
  std::span<const std::int32_t> tokens = {};  // (n) of the sequence that the query is in
};

// A mean, as a sum and a count.
struct Mean {
  double sum = 0;
  std::size_t count = 0;
};

// The patterns that a score is defined for.
enum class Scored {
  one_sequence,    // queries and keys are the same tokens
  earlier_tokens,  // the same, where a query sees only the tokens before it
  two_sequences,   // the keys are another sequence
  answers,         // any, if the task says from where each target is copied
};

struct ScoreKind {
  const char* key;      // in JSON, CSV and code: "previous_token"
  const char* name;     // in sentences: "previous token"
  const char* column;   // the heading of its column in a table: "previous"
  const char* role;     // the name of a head with a high score: "previous-token head"
  const char* looks;    // what such a head does: what follows "A head that": "looks at the token before"
  const char* help;     // its formula, in a sentence
  const char* drawing;  // the look of such a head's pattern, as the rest of "A previous-token head …"
  bool charted;         // whether charts show it along training
  Scored on;            // the patterns that it is defined for
  // Adds a row's weights to the sum, one after the other, and counts the row if the mean is over it. The
  // first query of a causal pattern sees only itself, so the means over one sequence leave it out.
  void (*add)(const QueryRow&, Mean&);
};

// All kinds, each with a value in 0 … 1.
const std::vector<ScoreKind>& score_kinds();

// A score of your own, for every run of the program: in `heads`, `curves` if it is charted, `sweep` and the
// page. A task of your own is scored where it sets `scored`, or `answers` in its sequences. Call it at the
// beginning of main(). Its texts must outlive the program, as literals do. Throws Error
// for a key that is taken.
//   add_score_kind({"two_back", "two back", "two back", "two-back head", "looks two tokens back",
//                   "mean attention to the token before the last, over all tokens but the first two",
//                   "draws a line two below the diagonal.", true, Scored::one_sequence, add_two_back});
void add_score_kind(const ScoreKind& kind);

// The index of a key in the table. Throws Error for an unknown key, and suggests the nearest one.
std::size_t score_index(std::string_view key);

}  // namespace headlight::interpret
