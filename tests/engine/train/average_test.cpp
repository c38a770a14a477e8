// The moving average of the weights, and the weights that are trained beside it.
#include "headlight/train/average.h"

#include "catch.h"
#include "headlight/train/weights.h"
#include "run/small_config.h"
#include "run/whole_run.h"

using namespace headlight;
using namespace headlight::train;
using run::flat_weights;
using run::RunConfig;
using run::WholeRun;

namespace {

constexpr double kDecay = 0.8;

RunConfig averaging(double decay = kDecay) {
  RunConfig config = run::small_config();
  config.train.average = decay;
  config.train.warmup = 0;
  return config;
}

// The weights that are trained, as the state has them.
Array flat_trained(const WholeRun& run) {
  std::vector<Real> numbers;
  const auto state = run.trainer.state();
  for (const Array& a : state.arrays.at("trained")) numbers.insert(numbers.end(), a.begin(), a.end());
  Array flat = empty_array({numbers.size()});
  std::copy(numbers.begin(), numbers.end(), flat.begin());
  return flat;
}

bool same(const Array& a, const Array& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace

TEST_CASE("the average leaves the trained weights and the reports as they are", "[train]") {
  WholeRun plain(averaging(0)), averaged(averaging());
  CHECK(plain.trainer.state().arrays.count("trained") == 0);
  for (int step = 1; step <= 6; ++step) {
    const StepReport a = plain.step(), b = averaged.step();
    CHECK(a.loss == b.loss);
    CHECK(a.gradient_norm == b.gradient_norm);
    REQUIRE(same(flat_weights(*plain.model), flat_trained(averaged)));
  }
}

TEST_CASE("between steps the model holds the weighted mean of all steps, without the initial weights",
          "[train]") {
  WholeRun plain(averaging(0)), averaged(averaging());
  const Array initial = flat_weights(*averaged.model);
  CHECK(same(initial, flat_weights(*plain.model)));
  std::vector<double> sum(initial.size(), 0.0);
  double weights = 0;
  for (int step = 1; step <= 6; ++step) {
    plain.step(), averaged.step();
    const Array trained = flat_weights(*plain.model), average = flat_weights(*averaged.model);
    if (step == 1) CHECK(same(average, trained));
    weights = kDecay * weights + 1;
    double largest = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] = kDecay * sum[i] + static_cast<double>(trained.data()[i]);
      largest = std::max(largest, std::abs(sum[i] / weights - static_cast<double>(average.data()[i])));
    }
    CHECK(largest < 1e-6);
    if (step > 1) CHECK_FALSE(same(average, trained));
  }
}

TEST_CASE("weights that are loaded before the first step are trained", "[train]") {
  WholeRun plain(averaging(0)), averaged(averaging());
  for (WholeRun* run : {&plain, &averaged})
    for (Tensor p : nn::parameters(*run->model))
      for (Real& x : p.mutable_array()) x *= static_cast<Real>(0.5);
  plain.step(), averaged.step();
  CHECK(same(flat_weights(*plain.model), flat_weights(*averaged.model)));
}

TEST_CASE("a trainer with an average goes on from a state", "[train]") {
  WholeRun whole(averaging()), first(averaging()), second(averaging());
  whole.steps(7);
  first.steps(4);
  set_weights(*second.model, weights_of(*first.model), "weights");
  second.trainer.set_state(4, first.trainer.state());
  second.steps(3);
  CHECK(same(flat_weights(*whole.model), flat_weights(*second.model)));
  CHECK(same(flat_trained(whole), flat_trained(second)));
  WholeRun plain(averaging(0));
  plain.steps(4);
  CHECK(contains(error_of([&] { second.trainer.set_state(4, plain.trainer.state()); }),
                 "the state lacks 'trained', the parameters beside their moving average"));
  auto state = first.trainer.state();
  state.arrays["trained"].pop_back();
  CHECK(contains(error_of([&] { second.trainer.set_state(4, state); }), "[set_trained] "));
}

TEST_CASE("an error in a step leaves the average in the model", "[train]") {
  WholeRun run(averaging());
  run.steps(3);
  const Array before = flat_weights(*run.model);
  Trainer halting(nn::parameters(*run.model), {[](const Examples&) -> SummedLoss { fail("halt"); }},
                  averaging().train, run.pool);
  CHECK(contains(error_of([&] { halting.step(); }), "training stopped at step 1: halt"));
  CHECK(same(before, flat_weights(*run.model)));
}

TEST_CASE("Muon leaves a transformer's embeddings and unembedding to AdamW", "[train]") {
  const auto trained = [](const char* optimizer) {
    RunConfig config = averaging(0);
    config.train.optimizer = optimizer;
    config.model.n_layers = 1;
    config.model.positions = "learned";
    WholeRun run(config);
    run.step();
    return nn::named_parameters(*run.model);
  };
  const auto muon = trained("muon"), adamw = trained("adamw");
  std::string matrices;
  for (std::size_t i = 0; i < muon.size(); ++i)
    if (difference(muon[i].second.array(), adamw[i].second.array()) != 0) matrices += muon[i].first + " ";
  CHECK(matrices ==
        "blocks.0.attn.W_Q blocks.0.attn.W_K blocks.0.attn.W_V blocks.0.attn.W_O blocks.0.mlp.W_in "
        "blocks.0.mlp.W_out ");
}

TEST_CASE("weights of another shape are not averaged", "[train]") {
  Tensor p = parameter(ones({2}));
  MovingAverage average({p}, kDecay);
  {
    const MovingAverage::TrainingWeights weights(average);
    p.mutable_array() = full_array({8}, 1);
    CHECK(contains(error_of([&] { average.add(1); }), "parameter 0 has shape (8), but the numbers kept"));
    p.mutable_array() = full_array({2}, 1);
  }
  p.mutable_array() = full_array({8}, 1);
  CHECK(contains(error_of([&] { const MovingAverage::TrainingWeights weights(average); }),
                 "[moving average] parameter 0 has shape (8), but the numbers kept beside it have (2)."));
}
