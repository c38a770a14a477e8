#include "headlight/interpret/subsets.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"
#include "headlight/ops/arithmetic.h"
#include "heads/shards.h"

namespace headlight::interpret {
namespace {

// The same rows of outputs that each sequence has for itself.
ActivationCache rows_of(const ActivationCache& outputs, std::size_t first, std::size_t count) {
  ActivationCache rows;
  for (const std::string& name : outputs.names()) {
    const Array& z = outputs[name];  // (B,n,H,d_value), or B = 1 for all
    if (z.shape()[0] == 1) {
      rows.put(name, z);
      continue;
    }
    Array some = empty_array({count, z.shape()[1], z.shape()[2], z.shape()[3]});
    std::copy_n(z.data() + first * (some.size() / count), some.size(), some.data());
    rows.put(name, std::move(some));
  }
  return rows;
}

// Whether the last layer's heads are only added to the stream before what follows them.
bool last_heads_are_added(const nn::TransformerConfig& c) {
  return c.architecture != nn::Architecture::encoder_decoder && c.norm_place == nn::NormPlace::pre;
}

// Sums over the counted tokens of a shard, for each subset.
struct Sums {
  std::vector<double> loss, right;
  double count = 0;
};

// The places in (B,n) of the tokens that count.
std::vector<std::size_t> counted_places(const tasks::Batch& batch, bool predictable) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < batch.targets.size(); ++i)
    if (batch.targets.data()[i] != tasks::kNoTarget && (!predictable || batch.predictable.data()[i]))
      places.push_back(i);
  return places;
}

// These tokens as one sequence.
tasks::Batch as_one_sequence(const tasks::Batch& batch, const std::vector<std::size_t>& places) {
  const Shape shape{1, places.size()};
  tasks::Batch one{empty_int_array(shape), empty_int_array(shape), BoolArray(shape, true),
                   empty_int_array({0})};
  for (std::size_t i = 0; i < places.size(); ++i) {
    one.tokens.data()[i] = batch.tokens.data()[places[i]];
    one.targets.data()[i] = batch.targets.data()[places[i]];
  }
  return one;
}

class ShardSums {
 public:
  ShardSums(const nn::Transformer& model, const tasks::Batch& batch, const ActivationCache& outputs,
            bool predictable)
      : model_(model),
        batch_(batch),
        outputs_(outputs),
        heads_(all_heads(model.config())),
        counted_(counted_places(batch, predictable)),
        asked_(as_one_sequence(batch, counted_)) {
    const std::size_t subsets = std::size_t{1} << heads_.size();
    sums_ = {std::vector<double>(subsets), std::vector<double>(subsets),
             static_cast<double>(counted_.size())};
  }

  Sums sums() {
    if (counted_.empty()) return sums_;
    const NoGrad no_grad;
    const std::size_t last = last_heads_are_added(model_.config()) ? model_.config().n_heads : 0;
    const std::size_t early = heads_.size() - last;
    const std::string layer = fmt::format("blocks.{}.", model_.config().n_layers - 1);
    const std::string stream = layer + (model_.config().d_mlp > 0 ? "hook_resid_mid" : "hook_resid_post"),
                      results = layer + "attn.hook_result";
    const auto wanted = [&](const std::string& name) { return name == stream || name == results; };
    const Array replaced =
        last == 0 ? Array()
                  : run(0, wanted).cache[results];  // (B,n,H,d_model), the same for each early subset
    for (HeadBits kept = 0; kept < (HeadBits{1} << early); ++kept) {
      if (last == 0) {
        count(kept, counted_rows(run(kept, [](const std::string&) { return false; }).logits));
        continue;
      }
      // The heads of the last layer are kept here, and replaced in add().
      const HeadBits with_last = kept | (((HeadBits{1} << last) - 1) << early);
      const CachedRun intact = run(with_last, wanted);
      std::vector<Array> changes;
      for (std::size_t h = 0; h < last; ++h) changes.push_back(change_of(h, intact.cache[results], replaced));
      add(with_last, early, changes, counted_rows(intact.cache[stream]));
    }
    return sums_;
  }

 private:
  CachedRun run(HeadBits kept, const WantedHooks& wanted) const {
    HeadSet removed;
    for (std::size_t i = 0; i < heads_.size(); ++i)
      if (!(kept >> i & 1)) removed.push_back(heads_[i]);
    return run_with_cache(model_, batch_.tokens, wanted, replace_outputs(model_.config(), removed, outputs_),
                          {batch_.source});
  }

  // (B,n,d) → (1,m,d), the rows of counted tokens.
  Array counted_rows(const Array& x) const {
    const std::size_t d = x.shape()[2];
    Array rows = empty_array({1, counted_.size(), d});
    for (std::size_t i = 0; i < counted_.size(); ++i)
      std::copy_n(x.data() + counted_[i] * d, d, rows.data() + i * d);
    return rows;
  }

  // What counted rows (1,m,d) change by when a head's result, in (B,n,H,d), is another.
  Array change_of(std::size_t head, const Array& from, const Array& to) const {
    const std::size_t heads = from.shape()[2], d = from.shape()[3];
    Array change = empty_array({1, counted_.size(), d});
    for (std::size_t i = 0; i < counted_.size(); ++i)
      for (std::size_t j = 0; j < d; ++j) {
        const std::size_t at = (counted_[i] * heads + head) * d + j;
        change.data()[i * d + j] = to.data()[at] - from.data()[at];
      }
    return change;
  }

  // Counts x, and x with each set of the heads from number `head` on replaced.
  void add(HeadBits kept, std::size_t head, const std::vector<Array>& changes, const Array& x) {
    if (head == heads_.size()) return count(kept, model_.logits_of(after_attention(x)).array());
    add(kept, head + 1, changes, x);
    Array changed = x;
    const Array& change = changes[head - (heads_.size() - changes.size())];
    for (std::size_t i = 0; i < changed.size(); ++i) changed.data()[i] += change.data()[i];
    add(kept & ~(HeadBits{1} << head), head + 1, changes, changed);
  }

  Tensor after_attention(const Array& x) const {
    const nn::Block& last = model_.blocks.back();
    const Tensor stream{Array(x)};
    return last.mlp ? stream + (*last.mlp)((*last.ln2)(stream)) : stream;
  }

  void count(HeadBits kept, const Array& logits) {
    const train::Evaluation e = train::evaluate(logits, asked_);
    check(std::isfinite(e.loss),
          "[subsets] the loss is not finite: the model's parameters are too large or damaged.");
    sums_.loss[kept] = *e.loss_predictable * sums_.count;
    sums_.right[kept] = *e.accuracy_predictable * sums_.count;
  }

  const nn::Transformer& model_;
  const tasks::Batch& batch_;
  const ActivationCache& outputs_;
  HeadSet heads_;
  std::vector<std::size_t> counted_;  // places in (B,n)
  tasks::Batch asked_;                // the counted tokens, as one sequence
  Sums sums_;
};

std::vector<HeadBits> smallest_first(std::vector<HeadBits> sets) {
  std::stable_sort(sets.begin(), sets.end(),
                   [](HeadBits a, HeadBits b) { return std::popcount(a) < std::popcount(b); });
  return sets;
}

}  // namespace

HeadSet Subsets::set(HeadBits bits) const {
  HeadSet some;
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (bits >> i & 1) some.push_back(heads[i]);
  return some;
}

HeadBits Subsets::bits(const HeadSet& set) const {
  HeadBits bits = 0;
  for (const HeadAt& head : set) {
    const auto at = std::find(heads.begin(), heads.end(), head);
    check(at != heads.end(), "[subsets] the model has no head {}.", head_code(head));
    bits |= HeadBits{1} << (at - heads.begin());
  }
  return bits;
}

Subsets all_subsets(const nn::Transformer& model, const tasks::Batch& batch, const ActivationCache& outputs,
                    ThreadPool& pool) {
  Subsets subsets{all_heads(model.config()), {}, {}};
  const std::size_t n = subsets.heads.size();
  check(n <= kMostSubsetHeads,
        "[subsets] expected a model of at most {} heads, got one of {}: it would have to be tried {:.0f} "
        "times. Hint: ablate --pairs or --greedy.",
        kMostSubsetHeads, n, std::ldexp(1.0, static_cast<int>(n)));
  const bool* predictable = batch.predictable.data();
  subsets.predictable =
      std::any_of(predictable, predictable + batch.predictable.size(), [](bool p) { return p; });
  const std::vector<Shard> shards = shards_of_rows(batch);
  std::vector<Sums> parts(shards.size());
  pool.run(parts.size(), [&](std::size_t i) {
    const Shard& shard = shards[i];
    const ActivationCache own = rows_of(outputs, shard.first, shard.batch.tokens.shape()[0]);
    parts[i] = ShardSums(model, shard.batch, own, subsets.predictable).sums();
  });
  subsets.loss.resize(std::size_t{1} << n);
  subsets.accuracy.resize(subsets.size());
  double count = 0;
  for (const Sums& part : parts) {
    count += part.count;
    for (std::size_t s = 0; s < subsets.size(); ++s)
      subsets.loss[s] += part.loss[s], subsets.accuracy[s] += part.right[s];
  }
  check(count > 0, "[subsets] the batch has no target.");
  for (std::size_t s = 0; s < subsets.size(); ++s) subsets.loss[s] /= count, subsets.accuracy[s] /= count;
  return subsets;
}

SufficientSets sufficient_sets(const Subsets& subsets, double share) {
  const std::size_t n = subsets.heads.size();
  const double enough = subsets.enough(share);
  SufficientSets found;
  std::vector<bool> is(subsets.size()),
      contains(subsets.size());  // a set that is enough; one that has such a part
  const auto part_is_enough = [&](HeadBits s) {
    for (std::size_t i = 0; i < n; ++i)
      if (s >> i & 1 && contains[s & ~(HeadBits{1} << i)]) return true;
    return false;
  };
  found.in_every = subsets.all();
  for (HeadBits s = 0; s <= subsets.all(); ++s) {
    is[s] = subsets.value(s) >= enough;
    found.sufficient += is[s];
    const bool part = part_is_enough(s);
    contains[s] = is[s] || part;
    if (!is[s] || part) continue;
    found.minimal.push_back(s);
    found.in_every &= s;
  }
  for (HeadBits removed = 0; removed <= subsets.all(); ++removed) {
    const HeadBits rest = subsets.all() & ~removed;
    bool every_part_fails = true;  // with any of the removed heads back, a set is enough again
    for (std::size_t i = 0; i < n; ++i)
      if (removed >> i & 1 && !contains[rest | HeadBits{1} << i]) every_part_fails = false;
    if (!contains[rest] && every_part_fails) found.destroying.push_back(removed);
  }
  found.minimal = smallest_first(std::move(found.minimal));
  found.destroying = smallest_first(std::move(found.destroying));
  return found;
}

std::vector<double> shapley_values(const std::vector<double>& v) {
  check(std::has_single_bit(v.size()),
        "[shapley_values] expected a number for each subset, 2^n of them, got {}.", v.size());
  const auto n = static_cast<std::size_t>(std::countr_zero(v.size()));
  // |S|! (n - |S| - 1)! / n! = 1 / (n · C(n - 1, |S|))
  std::vector<double> weight(n);
  double choose = 1;
  for (std::size_t size = 0; size < n; ++size) {
    weight[size] = 1 / (static_cast<double>(n) * choose);
    choose *= static_cast<double>(n - 1 - size) / static_cast<double>(size + 1);
  }
  std::vector<double> values(n);
  for (std::size_t s = 0; s < v.size(); ++s)
    for (std::size_t i = 0; i < n; ++i)
      if (!(s >> i & 1))
        values[i] += weight[static_cast<std::size_t>(std::popcount(s))] * (v[s | std::size_t{1} << i] - v[s]);
  return values;
}

}  // namespace headlight::interpret
