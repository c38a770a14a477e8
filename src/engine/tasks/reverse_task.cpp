#include <numeric>

#include "rearranging.h"

namespace headlight::tasks {

Task reverse_task(const TaskConfig& config) {
  return rearranging_task(
      config,
      [](const std::vector<std::int32_t>& segment) {
        std::vector<std::size_t> order(segment.size());
        std::iota(order.rbegin(), order.rend(), std::size_t{0});
        return order;
      },
      {"write the segment from its end to its beginning.",
       "The first token of the answer is the last of the segment; each next one stands one place further "
       "left.",
       "Success is an *accuracy* of at least 90 % on *predictable* tokens, also on segments of other "
       "lengths.",
       "Some head draws a stripe against the diagonal, from top right to bottom left: the further the "
       "answer has come, the further left in the segment it looks.",
       "write a segment backwards"});
}

}  // namespace headlight::tasks
