// Bounds for all inputs of a case at once: some tokens are known, the others free.
#pragma once

#include <optional>
#include <vector>

#include "two_head_tables.h"

namespace headlight::interpret {

// Inputs … A B … A: their tokens but the last, which is A again. No two are equal.
struct InputCase {
  std::vector<std::optional<std::size_t>> tokens;  // none: free
  std::size_t place;                               // of A; B stands after it

  std::size_t a() const { return *tokens[place]; }
  std::size_t b() const { return *tokens[place + 1]; }
  std::size_t known() const;
  // The tokens that may stand at a position, the last one included.
  std::vector<std::size_t> candidates(std::size_t position, const std::vector<std::size_t>& plain) const;
};

// What holds for every input of the case.
struct CaseBound {
  double previous;  // at least the first head's weight on A from B's position
  double lead;      // at least the second head's score on B's position, less that on any other
  double weight;    // at least its weight on B's position
  double margin;    // at least the logit of B less any other
};
CaseBound bound_case(const TwoHeadTables& tables, const std::vector<std::size_t>& plain, const InputCase& c);

}  // namespace headlight::interpret
