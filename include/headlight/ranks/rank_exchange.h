// RankExchange: shards of a batch divided among ranks, which exchange their sums.
#pragma once

#include <functional>

#include "headlight/ranks/group.h"
#include "headlight/train/exchange.h"

namespace headlight::ranks {

// Every rank trains the whole model on its shards. In a step each rank sends its sums to all others, and each
// adds up all sums in the tree of exchange.h. So the weights are the same in all ranks, and for any number of
// ranks.
class RankExchange : public train::Exchange {
 public:
  // After so many steps the ranks compare their weights.
  static constexpr std::int64_t kStepsBetweenChecks = 50;

  // The group must outlive the exchange. `wants_stop` is asked in every step.
  explicit RankExchange(Group& group, std::function<bool()> wants_stop = {});

  // To be called in every rank before its first step, with what must be the same in all. Throws GroupError
  // that names what differs and in which rank.
  void begin(std::int64_t steps_done, const std::vector<Fact>& facts);

  // Rank r of R has the shards floor(r S / R) … floor((r + 1) S / R) - 1 of S. Throws Error for more ranks
  // than shards.
  Range mine(std::size_t shards) const override;

  void share(std::vector<train::ShardSum>& sums) override;
  void after_step(std::int64_t step, const std::vector<Tensor>& parameters) override;

  // Whether some rank wanted to stop in the last step. All ranks get the same answer after the same step.
  bool stopping() const { return stopping_; }

 private:
  Group& group_;
  std::function<bool()> wants_stop_;
  std::int64_t steps_done_ = 0;
  bool stopping_ = false;
};

// The hash of the numbers, short enough to read.
std::string short_hash(const Array& numbers);
std::string short_hash(std::string_view bytes);

}  // namespace headlight::ranks
