// What each puzzle's model does, and what one might believe instead.
#pragma once

#include <vector>

#include "puzzle_score.h"

namespace headlight::puzzles {

struct KnownClaims {
  Claim right;
  std::vector<Claim> wrong;  // they give the model's answers, and explain nothing of the head
};

KnownClaims claims_on(int puzzle);

}  // namespace headlight::puzzles
