#include <algorithm>
#include <numeric>

#include "rearranging.h"

namespace headlight::tasks {

Task sort_task(const TaskConfig& config) {
  return rearranging_task(
      config,
      [](const std::vector<std::int32_t>& segment) {
        std::vector<std::size_t> order(segment.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return segment[a] < segment[b]; });
        return order;
      },
      {"write the same tokens in the order of the vocabulary.",
       "Each next token is the smallest one of the segment that is not smaller than the token before, and "
       "not yet written.",
       "Success is an *accuracy* of at least 90 % on *predictable* tokens, also on segments of other "
       "lengths.",
       "Some head looks from each token of the answer at the tokens of the segment that come next in the "
       "order; its pattern differs from sequence to sequence.",
       "sort a segment"});
}

}  // namespace headlight::tasks
