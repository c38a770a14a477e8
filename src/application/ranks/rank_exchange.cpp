#include "headlight/ranks/rank_exchange.h"

#include "bytes.h"
#include "headlight/core/check.h"
#include "headlight/system/sha256.h"

namespace headlight::ranks {
namespace {

using train::ShardSum;

std::string_view bytes_of(const Array& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Real)};
}

void write_sum(const ShardSum& sum, ByteWriter& out) {
  out.number(std::uint64_t{sum.first});
  out.number(std::uint64_t{sum.last});
  out.number(sum.loss);
  out.number(std::uint64_t{sum.targets});
  out.text(bytes_of(sum.gradient));
}

ShardSum read_sum(ByteReader& in) {
  ShardSum sum;
  sum.first = in.number<std::uint64_t>();
  sum.last = in.number<std::uint64_t>();
  sum.loss = in.number<double>();
  sum.targets = in.number<std::uint64_t>();
  const std::string_view gradient = in.text();
  sum.gradient = empty_array({gradient.size() / sizeof(Real)});
  std::memcpy(sum.gradient.data(), gradient.data(), sum.gradient.size() * sizeof(Real));
  return sum;
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

std::vector<train::Exchange::Range> RankExchange::ranges(std::size_t shards) const {
  const std::size_t ranks = group_.size();
  check(ranks <= shards, "{} ranks cannot divide the {} shards of a batch. Hint: mpirun -n {}.", ranks,
        shards, shards);
  std::vector<Range> all;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    all.push_back({rank * shards / ranks, (rank + 1) * shards / ranks});
  return all;
}

train::Exchange::Range RankExchange::mine(std::size_t shards) const { return ranges(shards)[group_.rank()]; }

void RankExchange::swap(std::vector<train::Swap>& with) {
  if (with.empty()) return;
  std::vector<std::optional<std::string>> sent(group_.size());
  for (const train::Swap& each : with) sent[each.process] = bytes_of(each.sent);
  const std::vector<std::string> came =
      group_.swap(sent, fmt::format("the rows of a sequence in step {}", steps_done_ + 1));
  for (train::Swap& each : with) {
    const std::string& bytes = came[each.process];
    check(bytes.size() == bytes_of(each.received).size(), "{} sent {} bytes of rows, and not {}.",
          group_.name(each.process), bytes.size(), bytes_of(each.received).size());
    std::memcpy(each.received.data(), bytes.data(), bytes.size());
  }
}

void RankExchange::share(std::vector<ShardSum>& sums) {
  ByteWriter out;
  out.number(static_cast<char>(wants_stop_ && wants_stop_()));
  for (const ShardSum& sum : sums) write_sum(sum, out);
  const std::vector<std::string> all =
      group_.gather(out.take(), fmt::format("the gradients of step {}", steps_done_ + 1));
  sums.clear();
  stopping_ = false;
  for (const std::string& of_rank : all) {
    ByteReader in(of_rank);
    if (in.number<char>() != 0) stopping_ = true;
    while (!in.empty()) sums.push_back(read_sum(in));
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
