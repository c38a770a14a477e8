// What exercise 12 asks to predict.
#pragma once

namespace headlight {

enum class Change {
  no_positions,  // no position information anywhere
  one_head,      // one head in a layer, as wide as all together were
  repeats        // tokens may occur twice in a segment
};

enum class Outcome {
  no_head,     // no head has an induction score of 0.5
  some_wrong,  // there is one, and fewer than 90 % of the predictable tokens are right
  most_right   // there is one, and 90 % or more are right
};

}  // namespace headlight
