// All subsets of heads, against one forward pass for each; sets and Shapley values, against their
// definitions.
#include "headlight/interpret/subsets.h"

#include <bit>
#include <limits>
#include <numeric>

#include "interpret/subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

tasks::Batch random_batch(const nn::TransformerConfig& c, std::uint64_t seed) {
  constexpr std::size_t rows = 11, length = 7, source = 4;  // two shards
  Rng rng(seed);
  tasks::Batch batch{empty_int_array({rows, length}), empty_int_array({rows, length}),
                     BoolArray(Shape{rows, length}, false),
                     c.n_source > 0 ? empty_int_array({rows, source}) : empty_int_array({0})};
  const auto draw = [&] { return static_cast<std::int32_t>(rng.below(c.d_vocab)); };
  for (std::int32_t& token : batch.tokens) token = draw();
  for (std::int32_t& token : batch.source) token = draw();
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    batch.targets.data()[i] = i % 5 == 0 ? tasks::kNoTarget : draw();
    batch.predictable.data()[i] = i % 5 != 0 && i % 3 == 0;
  }
  return batch;
}

// The value of each subset of three parts, in which {0, 1} and {2} are enough for 1 and no others are.
Subsets two_ways() {
  Subsets s{{{0, 0}, {0, 1}, {1, 0}}, {}, {}};
  for (HeadBits set = 0; set < 8; ++set) {
    s.accuracy.push_back((set & 3) == 3 || (set & 4) != 0 ? 1 : 0);
    s.loss.push_back(0);
  }
  return s;
}

}  // namespace

TEST_CASE("each subset has the numbers of its own forward pass, in every kind of model",
          "[interpret][subsets]") {
  for (const KnownModel& subject : subjects()) {
    INFO(subject.name);
    if (all_heads(subject.config).size() > 8) continue;  // the same ways, with more heads
    const nn::Transformer model = subject_model(subject.config);
    const tasks::Batch batch = random_batch(subject.config, 1), other = random_batch(subject.config, 2);
    ThreadPool one(1), two(2);
    for (const auto& kind : ablations().entries()) {
      INFO(kind.name);
      const ActivationCache outputs = outputs_for(kind.thing, model, other);
      const Subsets subsets = all_subsets(model, batch, outputs, two);
      REQUIRE(subsets.size() == std::size_t{1} << all_heads(subject.config).size());
      CHECK(all_subsets(model, batch, outputs, one).loss == subsets.loss);
      const AblationStudy study(model, batch, outputs, one);
      double furthest = 0, accuracy = 0;
      for (HeadBits kept = 0; kept < subsets.size(); ++kept) {
        const train::Evaluation e = study.of(without(subsets.heads, subsets.set(kept))).after;
        furthest = std::max(furthest, std::abs(*e.loss_predictable - subsets.loss[kept]));
        accuracy = std::max(accuracy, std::abs(*e.accuracy_predictable - subsets.accuracy[kept]));
      }
      CHECK(furthest < kExact);
      CHECK(accuracy < 1e-12);
    }
  }
}

TEST_CASE("without predictable tokens the loss on all tokens is what a subset is worth",
          "[interpret][subsets]") {
  const nn::TransformerConfig config = subjects().front().config;
  const nn::Transformer model = subject_model(config);
  tasks::Batch batch = random_batch(config, 1);
  batch.predictable = BoolArray(batch.tokens.shape(), false);
  ThreadPool pool(1);
  const Subsets subsets = all_subsets(model, batch, no_outputs(model), pool);
  CHECK(!subsets.predictable);
  CHECK(subsets.loss[subsets.all()] == Approx(train::evaluate(model, batch, nn::Hooks()).loss));
  CHECK(subsets.value(3) == -subsets.loss[3]);
}

TEST_CASE("minimal sets are those of the definition", "[interpret][subsets]") {
  const SufficientSets found = sufficient_sets(two_ways(), 0.9);
  CHECK(found.minimal == std::vector<HeadBits>{4, 3});
  CHECK(found.destroying == std::vector<HeadBits>{5, 6});
  CHECK(found.sufficient == 5);
  CHECK(found.in_every == 0);

  Rng rng(3);  // and of values at random, by comparing each pair of sets
  for (int trial = 0; trial < 50; ++trial) {
    Subsets s{{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}}, std::vector<double>(32, 0), {}};
    for (HeadBits set = 0; set < 32; ++set) s.accuracy.push_back(rng.uniform());
    s.accuracy[0] = 0, s.accuracy[31] = 1;
    const double share = 0.5 + 0.4 * rng.uniform();
    const auto enough = [&](HeadBits set) { return s.accuracy[set] >= share; };
    const auto destroys = [&](HeadBits removed) {
      for (HeadBits set = 0; set < 32; ++set)
        if ((set & removed) == 0 && enough(set)) return false;
      return true;
    };
    const auto is_minimal = [](HeadBits set, const auto& has) {
      if (!has(set)) return false;
      for (HeadBits part = 0; part < 32; ++part)
        if ((part & set) == part && part != set && has(part)) return false;
      return true;
    };
    const SufficientSets sets = sufficient_sets(s, share);
    const auto has = [](const std::vector<HeadBits>& all, HeadBits set) {
      return std::find(all.begin(), all.end(), set) != all.end();
    };
    for (HeadBits set = 0; set < 32; ++set) {
      CHECK(has(sets.minimal, set) == is_minimal(set, enough));
      CHECK(has(sets.destroying, set) == is_minimal(set, destroys));
    }
    HeadBits in_every = 31;
    for (HeadBits set = 0; set < 32; ++set)
      if (enough(set)) in_every &= set;
    CHECK(sets.in_every == in_every);
  }
}

TEST_CASE("Shapley values are means over all orders", "[interpret][subsets]") {
  // Shapley's values of two_ways: a part of the pair is decisive in the order (other part, it, third) alone.
  const std::vector<double> known = shapley_values(two_ways().accuracy);
  CHECK(known[0] == Approx(1.0 / 6));
  CHECK(known[1] == Approx(1.0 / 6));
  CHECK(known[2] == Approx(4.0 / 6));

  Rng rng(5);
  std::vector<double> v(32);
  for (double& x : v) x = rng.normal();
  std::vector<double> by_orders(5, 0);
  std::vector<int> order(5);
  std::iota(order.begin(), order.end(), 0);
  int orders = 0;
  do {
    std::size_t set = 0;
    for (const int i : order) {
      const std::size_t next = set | std::size_t{1} << i;
      by_orders[static_cast<std::size_t>(i)] += v[next] - v[set];
      set = next;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  const std::vector<double> values = shapley_values(v);
  for (std::size_t i = 0; i < 5; ++i) CHECK(values[i] == Approx(by_orders[i] / orders));
  CHECK(std::accumulate(values.begin(), values.end(), 0.0) == Approx(v[31] - v[0]));
  CHECK(error_of([] {
          shapley_values({1, 2, 3});
        }) == "[shapley_values] expected a number for each subset, 2^n of them, got 3.");
}

TEST_CASE("subsets refuse too many heads, heads that are not there and numbers that are none",
          "[interpret][subsets]") {
  nn::TransformerConfig config = subjects().front().config;
  const tasks::Batch batch = random_batch(config, 1);
  ThreadPool pool(1);
  const nn::Transformer small = subject_model(config);
  CHECK(error_of([] { (void)two_ways().bits({{2, 0}}); }) == "[subsets] the model has no head L2H0.");
  config.n_layers = 3, config.d_model = 24, config.n_heads = 8, config.d_head = 4;
  const nn::Transformer large = subject_model(config);
  CHECK(
      error_of([&] { all_subsets(large, batch, no_outputs(large), pool); }) ==
      "[subsets] expected a model of at most 14 heads, got one of 24: it would have to be tried 16777216 times. "
      "Hint: ablate --pairs or --greedy.");
  nn::Transformer broken = subject_model(subjects().front().config);
  broken.unembed.W.mutable_array()(0, 0) = std::numeric_limits<Real>::infinity();
  CHECK(contains(error_of([&] { all_subsets(broken, batch, no_outputs(broken), pool); }),
                 "the loss is not finite"));
}
