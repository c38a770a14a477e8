// Numbers of the laboratory, computed again from the library that it is made of.
#include "catch.h"
#include "headlight/interpret/ablation.h"
#include "headlight/lab/lab.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/weights.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::lab;
using interpret::Ablation;

namespace {

run::RunConfig lab_config() {
  run::RunConfig config = run::small_config();
  config.train.seed = 7;
  return config;
}

// A lab whose parameters are all at random, so that no head is like another.
const Lab& random_lab() {
  static const std::unique_ptr<Lab> lab = [] {
    auto made = std::make_unique<Lab>(lab_config());
    train::Weights weights = train::weights_of(made->model());
    train::NamedArrays arrays;
    Rng rng(5);
    for (auto& [name, array] : weights) {
      for (Real& x : array) x += static_cast<Real>(0.3 * rng.normal());
      arrays.emplace_back(name, &array);
    }
    made->set_weights(train::to_safetensors(arrays));
    return made;
  }();
  return *lab;
}

tasks::Batch drawn(const char* stream, std::size_t count) {
  const tasks::Task& task = random_lab().task();
  return tasks::draw_batch(task, task.training, count, Rng(7).stream(stream));
}

// What an MLP writes, (B,n,d); and its mean over the sequences, as often.
Array mlp_outputs(const tasks::Batch& batch, bool mean, std::size_t times) {
  const std::string name = "blocks.1.hook_mlp_out";
  const Array all = interpret::run_with_cache(random_lab().model(), batch.tokens).cache[name];
  if (!mean) return all;
  const std::size_t rows = all.shape()[0], size = all.size() / rows;
  Array means = Array::from_shape({times, all.shape()[1], all.shape()[2]});
  for (std::size_t i = 0; i < size; ++i) {
    double sum = 0;
    for (std::size_t b = 0; b < rows; ++b) sum += static_cast<double>(all.data()[b * size + i]);
    for (std::size_t b = 0; b < times; ++b)
      means.data()[b * size + i] = static_cast<Real>(sum / static_cast<double>(rows));
  }
  return means;
}

}  // namespace

TEST_CASE("a lab measures fresh sequences of training, with heads and MLPs replaced", "[lab]") {
  const Lab& lab = random_lab();
  const nn::TransformerConfig& c = lab.model().config();
  const tasks::Batch batch = drawn("lab, evaluated", 8), many = drawn("mean outputs", 64),
                     few = drawn("mean outputs", 8);
  const auto loss = [&](const nn::Hooks& hooks) { return train::evaluate(lab.model(), batch, hooks).loss; };
  CHECK(lab.evaluate({}, 8).loss == loss({}));
  const interpret::HeadSet heads{{0, 1}};
  for (const Ablation way : {Ablation::zero, Ablation::mean, Ablation::resample}) {
    const auto outputs = interpret::outputs_for(way, lab.model(), way == Ablation::resample ? few : many);
    CHECK(lab.evaluate({.off = heads, .way = way}, 8).loss ==
          loss(interpret::replace_outputs(c, heads, outputs)));
    const Array instead = way == Ablation::zero
                              ? full_array({8, 16, 16}, 0)
                              : mlp_outputs(way == Ablation::mean ? many : few, way == Ablation::mean, 8);
    CHECK(lab.evaluate({.way = way, .mlps_off = {1}}, 8).loss ==
          Approx(loss({{"blocks.1.hook_mlp_out", [&](const Tensor&) { return Tensor(Array(instead)); }}}))
              .epsilon(1e-5));
  }
  const std::vector<std::int32_t> tokens = lab.sequence(0).tokens, other = lab.sequence(1).tokens;
  const auto written = interpret::run_with_cache(lab.model(), nn::one_sequence(other)).cache;
  const auto patched = interpret::run_with_cache(lab.model(), nn::one_sequence(tokens), {},
                                                 interpret::replace_outputs(c, heads, written));
  const Look look = lab.look(tokens, {.patch = {heads, other}});
  for (std::size_t t = 0; t < tokens.size(); ++t)
    CHECK(look.patterns(1, 0, tokens.size() - 1, t) ==
          patched.cache[interpret::pattern_name(1)](0, 0, tokens.size() - 1, t));
  CHECK(lab.sequence(3).tokens ==
        tasks::draw_sequence(lab.task(), lab.task().training, Rng(7).stream("lab, shown"), 3).tokens);
  CHECK(contains(error_of([&] { (void)lab.evaluate({.mlps_off = {2}}, 1); }), "[lab] layer 2 has no MLP."));
  CHECK(contains(error_of([&] { (void)lab.evaluate({}, 0); }), "[lab] expected at least 1 sequence."));
}

TEST_CASE("each scale of the hand-set model multiplies its own weights", "[lab]") {
  const auto weights = [](double first, double second, double output) {
    return train::weights_of(by_hand(nn::Broken::nothing, first, second, output)->model());
  };
  const train::Weights plain = train::weights_of(nn::induction_by_hand()), scaled = weights(2, 3, 5);
  for (const auto& [name, array] : plain) {
    const double by = name == "blocks.0.attn.W_Q"   ? 2
                      : name == "blocks.1.attn.W_Q" ? 3
                      : name == "unembed.W_U"       ? 5
                                                    : 1;
    INFO(name);
    double largest = 0;
    for (std::size_t i = 0; i < array.size(); ++i)
      largest = std::max(largest, std::abs(static_cast<double>(scaled.at(name).data()[i]) -
                                           by * static_cast<double>(array.data()[i])));
    CHECK(largest < 1e-3);
  }
}
