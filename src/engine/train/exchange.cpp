#include "headlight/train/exchange.h"

#include <algorithm>

namespace headlight::train {

std::vector<Addition> plan_additions(std::vector<ShardSum>& sums, std::size_t shards) {
  std::vector<std::size_t> present;
  for (std::size_t i = 0; i < sums.size(); ++i) present.push_back(i);
  std::vector<Addition> additions;
  for (std::size_t width = 1; width < shards; width *= 2) {  // adds subtrees of `width` shards
    std::vector<std::size_t> left;
    for (const std::size_t i : present) {
      const ShardSum& sum = sums[i];
      const bool second = sum.first % (2 * width) == width;
      const bool whole = sum.last == std::min(sum.first + width, shards);
      if (second && whole && !left.empty()) {
        ShardSum& before = sums[left.back()];
        if (before.first + width == sum.first && before.last == sum.first) {
          additions.push_back({left.back(), i});
          before.last = sum.last;
          continue;
        }
      }
      left.push_back(i);
    }
    present = std::move(left);
  }
  return additions;
}

}  // namespace headlight::train
