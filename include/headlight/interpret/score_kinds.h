// The kinds of scores that heads get (Olsson et al. 2022). The terminal, JSON, CSV, charts and the page read
// this table: a new score is one row of it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::inline HEADLIGHT_PRECISION::interpret {

// The keys that code uses.
inline constexpr const char* kPreviousToken = "previous_token";
inline constexpr const char* kDuplicateToken = "duplicate_token";
inline constexpr const char* kInduction = "induction";
inline constexpr const char* kSelf = "self";
inline constexpr const char* kFirstToken = "first_token";

// One row of a pattern (n,n).
struct QueryRow {
  std::size_t query;                     // at least 1
  const Real* weights;                   // (n)
  std::span<const std::size_t> earlier;  // positions before the query that hold the same token, ascending
};

// A mean that grows weight by weight.
struct Mean {
  double sum = 0;
  std::size_t count = 0;
};

struct ScoreKind {
  const char* key;      // in JSON, CSV and code: "previous_token"
  const char* name;     // in sentences: "previous token"
  const char* column;   // the heading of its column in a table: "previous"
  const char* role;     // what a head with a high score is: "previous-token head"
  const char* looks;    // what such a head does: what follows "A head that": "looks at the token before"
  const char* help;     // its formula, in a sentence
  const char* drawing;  // how the pattern of such a head looks: what follows "A previous token head"
  bool charted;         // whether charts show it along training
  // Adds a row's weights to the sum, one after the other, and counts the row if the mean is over it.
  void (*add)(const QueryRow&, Mean&);
};

// All kinds, each with a value in 0 … 1.
const std::vector<ScoreKind>& score_kinds();

// The place of a key in the table. Throws Error for a key that is not there, with the nearest one.
std::size_t score_index(std::string_view key);

}  // namespace headlight::inline HEADLIGHT_PRECISION::interpret
