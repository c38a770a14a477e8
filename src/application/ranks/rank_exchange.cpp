#include "headlight/ranks/rank_exchange.h"

#include "headlight/core/check.h"
#include "headlight/system/sha256.h"

namespace headlight::ranks {
namespace {

using train::ShardSum;

std::string_view bytes_of(const Array& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Real)};
}

}  // namespace

std::string short_hash(std::string_view bytes) { return sha256(bytes).substr(0, 12); }
std::string short_hash(const Array& numbers) { return short_hash(bytes_of(numbers)); }

RankExchange::RankExchange(Group& group, std::function<bool()> wants_stop)
    : group_(group), wants_stop_(std::move(wants_stop)) {}

void RankExchange::begin(std::int64_t steps_done, const std::vector<Fact>& facts) {
  steps_done_ = steps_done;
  group_.agree(facts, "before the first step");
}

train::Exchange::Range RankExchange::mine(std::size_t shards) const {
  const std::size_t ranks = group_.size(), rank = group_.rank();
  check(ranks <= shards, "{} ranks cannot divide the {} shards of a batch. Hint: mpirun -n {}.", ranks,
        shards, shards);
  return {rank * shards / ranks, (rank + 1) * shards / ranks};
}

void RankExchange::share(std::vector<ShardSum>& sums) {
  std::string bytes = train::to_bytes(sums);
  bytes += static_cast<char>(wants_stop_ && wants_stop_());
  const std::vector<std::string> all =
      group_.gather(bytes, fmt::format("the gradients of step {}", steps_done_ + 1));
  sums.clear();
  stopping_ = false;
  for (std::string_view of_rank : all) {
    check(!of_rank.empty(), "a message between ranks is empty.");
    stopping_ = stopping_ || of_rank.back() != 0;
    of_rank.remove_suffix(1);
    for (ShardSum& sum : train::sums_from(of_rank)) sums.push_back(std::move(sum));
  }
}

void RankExchange::after_step(std::int64_t step, const std::vector<Tensor>& parameters) {
  steps_done_ = step;
  if (step % kStepsBetweenChecks != 0) return;
  std::vector<Fact> facts;
  for (const Tensor& p : parameters) facts.push_back({p.name() + " with hash", short_hash(p.array())});
  group_.agree(facts, fmt::format("after step {}", step));
}

}  // namespace headlight::ranks
