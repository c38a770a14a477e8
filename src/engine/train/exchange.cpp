#include "headlight/train/exchange.h"

#include <algorithm>
#include <cstring>

#include "headlight/core/check.h"

namespace headlight::train {
namespace {

// Stands before the numbers of a gradient.
struct SumHeader {
  std::uint64_t first, last, targets, numbers;
  double loss;
};

}  // namespace

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

std::string to_bytes(const std::vector<ShardSum>& sums) {
  std::string bytes;
  for (const ShardSum& sum : sums) {
    const SumHeader header{sum.first, sum.last, sum.targets, sum.gradient.size(), sum.loss};
    bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
    bytes.append(reinterpret_cast<const char*>(sum.gradient.data()), sum.gradient.size() * sizeof(Real));
  }
  return bytes;
}

std::vector<ShardSum> sums_from(std::string_view bytes) {
  std::vector<ShardSum> sums;
  while (!bytes.empty()) {
    SumHeader header;
    check(bytes.size() >= sizeof header, "[sums_from] the sums of another process are cut short.");
    std::memcpy(&header, bytes.data(), sizeof header);
    bytes.remove_prefix(sizeof header);
    check(bytes.size() / sizeof(Real) >= header.numbers,
          "[sums_from] the sums of another process are cut short.");
    ShardSum& sum = sums.emplace_back();
    sum.first = header.first, sum.last = header.last, sum.targets = header.targets, sum.loss = header.loss;
    sum.gradient = empty_array({static_cast<std::size_t>(header.numbers)});
    std::memcpy(sum.gradient.data(), bytes.data(), sum.gradient.size() * sizeof(Real));
    bytes.remove_prefix(sum.gradient.size() * sizeof(Real));
  }
  return sums;
}

}  // namespace headlight::train
