#include "train/part_rows.h"

#include <algorithm>
#include <utility>

#include "headlight/core/check.h"
#include "headlight/nn/sequence_part.h"

namespace headlight::train {
namespace {

std::size_t block_of(std::size_t part, std::size_t parts) { return nn::SequencePart{part, parts}.block(); }

Array piece(const Array& x, std::size_t first, std::size_t last) {
  Array copy = empty_array({last - first});
  std::copy(x.data() + first, x.data() + last, copy.data());
  return copy;
}

// Leaves the sums that no addition of the tree can take further.
void add_up(std::vector<ShardSum>& sums, std::size_t parts) {
  for (const auto& [to, from] : plan_additions(sums, parts)) {
    Real* sum = sums[to].gradient.data();
    const Real* part = sums[from].gradient.data();
    for (std::size_t i = 0; i < sums[to].gradient.size(); ++i) sum[i] += part[i];
  }
  std::vector<ShardSum> left;
  for (ShardSum& sum : sums)
    if (left.empty() || sum.first >= left.back().last) left.push_back(std::move(sum));
  sums = std::move(left);
}

// How far up the tree the sums of these parts come.
std::vector<ShardSum> planned_sums(Exchange::Range of, std::size_t parts) {
  std::vector<ShardSum> sums;
  for (std::size_t part = of.first; part < of.last; ++part) sums.push_back({part, part + 1, {}, 0, 0});
  add_up(sums, parts);
  return sums;
}

}  // namespace

PartRows::PartRows(Exchange& exchange, std::size_t shards, std::size_t parts, Exchange::Range mine)
    : exchange_(&exchange), parts_(parts) {
  const std::size_t first = mine.first / parts * parts, last = first + parts;
  mine_ = {mine.first - first, mine.last - first};
  const std::vector<Exchange::Range> ranges = exchange.ranges(shards);
  std::size_t known = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::size_t from = std::max(ranges[i].first, first), to = std::min(ranges[i].last, last);
    if (from >= to) continue;
    known += to - from;
    if (from != mine.first) others_.push_back({i, {from - first, to - first}});
  }
  check(known == parts, "an exchange names the processes of {} of the {} parts of a sequence.", known, parts);
}

void PartRows::read_shapes(const std::vector<Tensor>& tensors, std::size_t parts) {
  shapes_.clear(), numbers_ = 0;
  for (const Tensor& x : tensors) {
    shapes_.push_back({1, x.length(1) / parts, x.length(2)});
    numbers_ += size_of(shapes_.back());
  }
}

std::vector<Tensor> PartRows::gathered(const std::vector<std::vector<Tensor>>& rows) {
  read_shapes(rows[0], 1);
  Array packed = empty_array({parts_ * numbers_});
  Real* to = packed.data() + mine_.first * numbers_;
  for (const std::vector<Tensor>& part : rows)
    for (const Tensor& x : part) to = std::copy_n(x.array().data(), x.size(), to);

  std::vector<Swap> swaps;
  for (const Owner& other : others_)
    swaps.push_back({other.process, piece(packed, mine_.first * numbers_, mine_.last * numbers_),
                     empty_array({(other.parts.last - other.parts.first) * numbers_})});
  exchange_->swap(swaps);
  for (std::size_t i = 0; i < swaps.size(); ++i)
    std::copy_n(swaps[i].received.data(), swaps[i].received.size(),
                packed.data() + others_[i].parts.first * numbers_);

  std::vector<Tensor> all;
  for (std::size_t i = 0, before = 0; i < shapes_.size(); ++i) {
    const std::size_t size = size_of(shapes_[i]);
    Array x = empty_array({1, parts_ * shapes_[i][1], shapes_[i][2]});
    for (std::size_t part = 0; part < parts_; ++part)
      std::copy_n(packed.data() + part * numbers_ + before, size, x.data() + block_of(part, parts_) * size);
    all.push_back(parameter(std::move(x)));
    before += size;
  }
  return all;
}

void PartRows::add(std::size_t part, std::vector<Tensor> of_all) {
  read_shapes(of_all, parts_);
  ShardSum sum{part, part + 1, empty_array({parts_ * numbers_}), 0, 0};
  Real* to = sum.gradient.data();
  for (std::size_t p = 0; p < parts_; ++p)
    for (std::size_t i = 0; i < of_all.size(); ++i) {
      const std::size_t size = size_of(shapes_[i]);
      to = std::copy_n(of_all[i].array().data() + block_of(p, parts_) * size, size, to);
    }
  of_all.clear();
  const auto behind =
      std::find_if(sums_.begin(), sums_.end(), [&](const ShardSum& s) { return s.first > part; });
  sums_.insert(behind, std::move(sum));
  add_up(sums_, parts_);
}

// This process's rows of its own sums and of those of the other processes.
std::vector<ShardSum> PartRows::swapped_sums() {
  const std::size_t rows = (mine_.last - mine_.first) * numbers_;
  std::vector<ShardSum> all;
  for (const ShardSum& sum : sums_)
    all.push_back(
        {sum.first, sum.last, piece(sum.gradient, mine_.first * numbers_, mine_.last * numbers_), 0, 0});
  std::vector<std::vector<ShardSum>> theirs;
  std::vector<Swap> swaps;
  for (const auto& [process, parts] : others_) {
    theirs.push_back(planned_sums(parts, parts_));
    const std::size_t size = (parts.last - parts.first) * numbers_;
    Array sent = empty_array({sums_.size() * size});
    for (std::size_t i = 0; i < sums_.size(); ++i)
      std::copy_n(sums_[i].gradient.data() + parts.first * numbers_, size, sent.data() + i * size);
    swaps.push_back({process, std::move(sent), empty_array({theirs.back().size() * rows})});
  }
  sums_.clear();
  exchange_->swap(swaps);
  for (std::size_t i = 0; i < swaps.size(); ++i)
    for (std::size_t k = 0; k < theirs[i].size(); ++k)
      all.push_back(
          {theirs[i][k].first, theirs[i][k].last, piece(swaps[i].received, k * rows, (k + 1) * rows), 0, 0});
  std::sort(all.begin(), all.end(), [](const ShardSum& a, const ShardSum& b) { return a.first < b.first; });
  return all;
}

std::vector<std::vector<Tensor>> PartRows::take_sums() {
  std::vector<ShardSum> all = swapped_sums();
  add_up(all, parts_);
  const Real* from = all.front().gradient.data();
  std::vector<std::vector<Tensor>> of_parts(mine_.last - mine_.first);
  for (std::vector<Tensor>& tensors : of_parts)
    for (const Shape& shape : shapes_) {
      Array rows = empty_array(shape);
      std::copy_n(from, rows.size(), rows.data());
      from += rows.size();
      tensors.push_back(Tensor(std::move(rows)));
    }
  return of_parts;
}

}  // namespace headlight::train
