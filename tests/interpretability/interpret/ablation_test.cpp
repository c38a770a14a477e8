// Ablation against a forward pass in simple loops.
#include "headlight/interpret/ablation.h"

#include <limits>

#include "interpret/plain_forward.h"
#include "interpret/subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

constexpr std::size_t kBatch = 3, kLength = 7;

tasks::Batch small_batch(std::uint64_t seed, std::size_t vocab = 9) {
  Rng rng(seed);
  tasks::Batch batch{IntArray::from_shape({kBatch, kLength}), IntArray::from_shape({kBatch, kLength}),
                     BoolArray({kBatch, kLength}, false), IntArray::from_shape({0})};
  for (std::size_t b = 0; b < kBatch; ++b)
    for (std::size_t i = 0; i < kLength; ++i) {
      batch.tokens(b, i) = static_cast<std::int32_t>(rng.below(vocab));
      batch.targets(b, i) = static_cast<std::int32_t>(rng.below(vocab));
      batch.predictable(b, i) = (b + i) % 3 == 0;
    }
  return batch;
}

std::vector<KnownModel> decoders() {
  std::vector<KnownModel> all;
  for (const KnownModel& subject : subjects())
    if (subject.config.architecture == nn::Architecture::decoder) all.push_back(subject);
  return all;
}

// The mean of -ln p(target) over the predictable positions.
double plain_loss(const nn::Transformer& model, const tasks::Batch& batch,
                  const std::function<PlainEdits(std::size_t b)>& edits) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t b = 0; b < kBatch; ++b) {
    const Plain run = plain_forward(model, plain_tokens(batch.tokens, b), edits(b));
    for (std::size_t i = 0; i < kLength; ++i) {
      if (!batch.predictable(b, i)) continue;
      double total = 0;
      for (const double logit : run.logits[i]) total += std::exp(logit);
      sum += std::log(total) - run.logits[i][static_cast<std::size_t>(batch.targets(b, i))];
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

bool is_in(const HeadSet& heads, std::size_t layer, std::size_t head) {
  return std::find(heads.begin(), heads.end(), HeadAt{layer, head}) != heads.end();
}

// z [sequence][layer][head] of a batch.
std::vector<std::vector<PlainHeads>> plain_outputs(const nn::Transformer& model, const tasks::Batch& batch) {
  std::vector<std::vector<PlainHeads>> all;
  for (std::size_t b = 0; b < kBatch; ++b)
    all.push_back(plain_forward(model, plain_tokens(batch.tokens, b)).z);
  return all;
}

}  // namespace

TEST_CASE("each kind of ablation is that of the simple loops, for every kind of model",
          "[interpret][ablation]") {
  const tasks::Batch batch = small_batch(1), other = small_batch(2);
  ThreadPool pool(2);
  for (const KnownModel& subject : decoders()) {
    INFO(subject.name);
    const nn::Transformer model = subject_model(subject.config);
    const HeadSet heads{{0, 1}, {1, 0}};
    const auto z = plain_outputs(model, other);
    for (const auto& kind : ablations().entries()) {
      INFO(kind.name);
      const ActivationCache outputs = outputs_for(kind.thing, model, other);
      const AblationStudy study(model, batch, outputs, pool);
      const double expected = plain_loss(model, batch, [&](std::size_t b) {
        return PlainEdits{.z = [&, b](std::size_t layer, std::size_t head, PlainTable& rows) {
          if (!is_in(heads, layer, head)) return;
          for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t c = 0; c < rows[i].size(); ++c) {
              double mean = 0;
              for (std::size_t s = 0; s < kBatch; ++s) mean += z[s][layer][head][i][c] / kBatch;
              rows[i][c] = kind.thing == Ablation::zero   ? 0
                           : kind.thing == Ablation::mean ? mean
                                                          : z[b][layer][head][i][c];
            }
        }};
      });
      const double intact = plain_loss(model, batch, [](std::size_t) { return PlainEdits(); });
      const Damage damage = study.of(heads);
      CHECK(std::abs(*damage.after.loss_predictable - expected) < kPlain);
      CHECK(std::abs(damage.loss_rise - (expected - intact)) < kPlain);
    }
  }
}

TEST_CASE("only the asked positions are replaced", "[interpret][ablation]") {
  const tasks::Batch batch = small_batch(1);
  const nn::Transformer model = subject_model(subjects()[0].config);
  const ActivationCache outputs = no_outputs(model);
  const nn::Hooks hooks = replace_outputs(model.config(), {{0, 1}}, outputs, {2, 5});
  const double expected = plain_loss(model, batch, [](std::size_t) {
    return PlainEdits{.z = [](std::size_t layer, std::size_t head, PlainTable& rows) {
      if (layer != 0 || head != 1) return;
      for (const std::size_t i : {2, 5})
        for (double& value : rows[i]) value = 0;
    }};
  });
  CHECK(std::abs(*train::evaluate(model, batch, hooks).loss_predictable - expected) < kPlain);
  CHECK(
      contains(error_of([&] {
                 (void)train::evaluate(model, batch, replace_outputs(model.config(), {{0, 1}}, outputs, {7}));
               }),
               "[ablation] position 7 is outside a sequence of 7 tokens"));
}

TEST_CASE("cut edges get no weight, and the rest of the row stays", "[interpret][ablation]") {
  const tasks::Batch batch = small_batch(1);
  const nn::Transformer model = subject_model(subjects()[0].config);
  const nn::Hooks hooks =
      cut_edges(model.config(), {{1, 1}}, [](auto query, auto key) { return query == key + 1; });
  const double expected = plain_loss(model, batch, [](std::size_t) {
    return PlainEdits{.pattern = [](std::size_t layer, std::size_t head, PlainTable& rows) {
      if (layer == 1 && head == 1)
        for (std::size_t i = 1; i < rows.size(); ++i) rows[i][i - 1] = 0;
    }};
  });
  CHECK(std::abs(*train::evaluate(model, batch, hooks).loss_predictable - expected) < kPlain);
}

TEST_CASE("singles, pairs and greedy sets are what they say, on any number of threads",
          "[interpret][ablation]") {
  const tasks::Batch batch = small_batch(1);
  const nn::Transformer model = subject_model(subjects()[1].config);  // three layers of two heads
  const ActivationCache outputs = mean_outputs(model, small_batch(2));
  ThreadPool one(1), three(3);
  const AblationStudy study(model, batch, outputs, one), again(model, batch, outputs, three);
  const auto singles = study.singles(), pairs = study.pairs(), greedy = study.greedy(-1);
  REQUIRE(singles.size() == 6);
  REQUIRE(pairs.size() == 15);
  REQUIRE(greedy.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(singles[i].heads == HeadSet{all_heads(model.config())[i]});
    CHECK(singles[i].loss_rise == again.singles()[i].loss_rise);
    CHECK(greedy[i].heads.size() == i + 1);
    CHECK(greedy[i].loss_rise == study.of(greedy[i].heads).loss_rise);
  }
  const auto worst = std::max_element(singles.begin(), singles.end(),
                                      [](const auto& a, const auto& b) { return a.loss_rise < b.loss_rise; });
  CHECK(greedy[0].heads == worst->heads);
  CHECK(pairs[0].heads == HeadSet{{0, 0}, {0, 1}});
  CHECK(pairs[14].loss_rise == study.of(pairs[14].heads).loss_rise);
  CHECK(study.greedy(1).size() == 1);  // no accuracy is above 1
}

TEST_CASE("heads are read as they are typed", "[interpret][ablation]") {
  const nn::TransformerConfig config{.n_layers = 2, .n_heads = 4};
  CHECK(read_heads("1.0,1.3", config) == HeadSet{{1, 0}, {1, 3}});
  CHECK(read_heads("L0H2, 1.1", config) == HeadSet{{0, 2}, {1, 1}});
  CHECK(codes_of(read_heads("1.0,0.3", config)) == "L1H0, L0H3");
  CHECK(codes_of({}) == "none");
  CHECK(without(all_heads(config), {{0, 0}, {1, 3}}).size() == 6);
  CHECK(contains(error_of([&] { read_heads("1", config); }),
                 "'1' is no head: expected layer and head such as 1.3"));
  CHECK(contains(error_of([&] { read_heads("1.x", config); }), "'1.x' is no head"));
  CHECK(contains(error_of([&] { read_heads("1.0,1.0", config); }), "head '1.0' is named twice"));
  CHECK(contains(error_of([&] { read_heads("2.0", config); }), "layer"));
  CHECK(contains(error_of([&] { read_heads("", config); }), "'' is no head"));
  CHECK(contains(error_of([&] { read_heads("1.0,", config); }), "'' is no head"));
}

TEST_CASE("a model whose loss is not finite has no damage to measure", "[interpret]") {
  const nn::Transformer model = subject_model(decoders().front().config);
  for (auto& [name, parameter] : nn::named_parameters(model))
    for (Real& x : Tensor(parameter).mutable_array()) x *= std::numeric_limits<Real>::max() / 1000;
  const tasks::Batch batch = small_batch(1);
  ThreadPool pool(1);
  const ActivationCache outputs;
  CHECK(error_of([&] { AblationStudy(model, batch, outputs, pool); }) ==
        "[ablation] the loss is not finite: the model's parameters are too large or damaged.");
}
