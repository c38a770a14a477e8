// The laboratory's engine, against the library that it is made of.
#include "headlight/lab/lab.h"

#include <fmt/core.h>

#include "catch.h"
#include "headlight/interpret/attribution.h"
#include "headlight/interpret/hooks.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::lab;

namespace {

run::RunConfig four_steps() {
  run::RunConfig config = run::small_config();
  config.train.steps = 4;
  config.train.shards = 4;
  return config;
}

bool same(const Array& a, const Array& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace

TEST_CASE("labs that share a step take the steps of a run, bit for bit", "[lab]") {
  const run::RunConfig config = four_steps();
  run::Experiment trained(config, {.threads = 1, .record = false});
  trained.run_until(4);
  Lab alone(config), first(config, {0, 1}), second(config, {1, 4});
  for (int i = 0; i < 4; ++i) {
    CHECK(alone.gradients().empty());
    const train::StepReport step = alone.apply({});
    const std::string of_first = first.gradients(), of_second = second.gradients();
    CHECK(first.apply({of_second}).loss == step.loss);
    CHECK(second.apply({of_first}).gradient_norm == step.gradient_norm);
  }
  CHECK(alone.steps_done() == 4);
  const std::string bytes = run::files_of(trained.measure()).at(run::files::kModel);
  for (const Lab* lab : {&alone, &first, &second}) CHECK(lab->weights() == bytes);
  Lab again(config);
  CHECK(again.weights() != bytes);
  again.set_weights(bytes);
  CHECK(again.weights() == bytes);
  CHECK(again.steps_done() == 0);
  CHECK_THROWS_WITH(second.apply({"short"}), "[sums_from] the sums of another process are cut short.");
}

TEST_CASE("a silenced head writes nothing through further steps, until there are new weights", "[lab]") {
  Lab lab(four_steps()), whole(four_steps());
  const std::string begun = lab.weights();
  const auto norm_of_head = [](const Lab& of, std::size_t head) {
    const Array& w = of.model().blocks[0].attn.W_O.array();  // (H*d_head,d_model)
    const std::size_t size = w.size() / of.model().config().n_heads;
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += std::abs(w.data()[head * size + i]);
    return sum;
  };
  lab.silence({{0, 1}});
  double loss[2][2];
  for (int i = 0; i < 2; ++i) {
    lab.gradients(), whole.gradients();
    loss[i][0] = lab.apply({}).loss, loss[i][1] = whole.apply({}).loss;
  }
  CHECK(loss[0][0] != loss[0][1]);
  CHECK(norm_of_head(lab, 1) == 0);
  CHECK(norm_of_head(lab, 0) > 0);
  CHECK(norm_of_head(whole, 1) > 0);
  lab.set_weights(begun);
  lab.gradients(), lab.apply({});
  CHECK(norm_of_head(lab, 1) > 0);
}

TEST_CASE("what a lab keeps is the run of an experiment, measured as it is", "[lab]") {
  run::RunConfig config = four_steps();
  config.task.n_ctx = 20;
  config.train.evaluate_every = 2;
  run::Experiment trained(config, {.threads = 1});
  Lab lab(config), later(config);
  CHECK_THROWS_WITH(lab.run(), "[lab] a run was asked for before anything was kept.");
  lab.keep(0, 0, 0), later.keep(0, 0, 0);
  CHECK(Lab(lab.run().config).weights() == lab.weights());  // a page of an untrained model opens again
  while (!trained.done()) {
    trained.step();
    lab.gradients();
    const train::StepReport step = lab.apply({});
    if (step.step != 3) lab.keep(step.step, static_cast<double>(step.step), step.loss);
    if (step.step % 2 != 0) continue;
    later.set_weights(lab.weights());  // in another lab, which does not train
    later.keep(step.step, 0.5, step.loss);
  }
  run::Run wanted = trained.measure(), kept = lab.run();
  REQUIRE(wanted.results.certificate);
  CHECK(kept.results.loss_first == wanted.results.loss_first);
  CHECK(kept.results.train_seconds == 4);
  CHECK(kept.metrics.size() == 4);  // that of step 1 too
  kept = later.run();
  CHECK(kept.results.loss_last == wanted.results.loss_last);
  CHECK_FALSE(kept.results.interrupted);
  for (run::Run* run : {&wanted, &kept}) {
    run->results.train_seconds = run->results.tokens_per_second = run->results.loss_first = 1;
    for (run::Metrics& metrics : run->metrics) metrics.report.reset();
  }
  CHECK(run::to_json(kept.results) == run::to_json(wanted.results));
  const Files files = run::files_of(kept), of_trained = run::files_of(wanted);
  for (const char* file : {run::files::kModel, run::files::kMetrics, run::files::kHistory})
    CHECK(files.at(file) == of_trained.at(file));
}

TEST_CASE("a lab looks at a sequence as the model does, with heads off and edges cut", "[lab]") {
  const Lab lab(four_steps());
  const nn::TransformerConfig& c = lab.model().config();
  const tasks::Sequence s = lab.sequence(0);
  CHECK(s.tokens != lab.sequence(1).tokens);
  CHECK(s.tokens == lab.sequence(0).tokens);
  const IntArray tokens = nn::one_sequence(s.tokens);
  const std::size_t n = s.tokens.size();
  const Look look = lab.look(s.tokens, {});
  const interpret::CachedRun run = interpret::run_with_cache(lab.model(), tokens);
  REQUIRE(look.patterns.shape() == Shape{c.n_layers, c.n_heads, n, n});
  for (std::size_t layer = 0; layer < c.n_layers; ++layer)
    for (std::size_t head = 0; head < c.n_heads; ++head)
      for (std::size_t t = 0; t < n; ++t)
        CHECK(look.patterns(layer, head, n - 1, t) ==
              run.cache[interpret::pattern_name(layer)](0, head, n - 1, t));
  double sum = 0;
  for (std::size_t v = 0; v < c.d_vocab; ++v) sum += static_cast<double>(look.probabilities(n - 1, v));
  CHECK(sum == Approx(1).margin(1e-5));
  CHECK(look.probabilities(n - 1, 3) / look.probabilities(n - 1, 2) ==
        Approx(std::exp(run.logits(0, n - 1, 3) - run.logits(0, n - 1, 2))).epsilon(1e-3));

  const Changes off{.off = {{0, 1}}, .way = interpret::Ablation::zero}, cut{.cut = {{{1, 0}, n - 1, 2}}};
  const interpret::ActivationCache nothing = interpret::no_outputs(lab.model());
  const interpret::CachedRun without =
      interpret::run_with_cache(lab.model(), tokens, {}, interpret::replace_outputs(c, off.off, nothing));
  const Array lens =
      interpret::logit_lens(lab.model(), tokens, {}, interpret::replace_outputs(c, off.off, nothing));
  const auto after = lab.look(s.tokens, off).lens;
  REQUIRE(after.shape() == Shape{c.n_layers, n, c.d_vocab});
  for (std::size_t layer = 0; layer < c.n_layers; ++layer)
    CHECK(after(layer, n - 1, 3) / after(layer, n - 1, 2) ==
          Approx(std::exp(lens(layer, 0, n - 1, 3) - lens(layer, 0, n - 1, 2))).epsilon(1e-3));
  CHECK(lab.look(s.tokens, off).patterns(1, 0, n - 1, 0) ==
        without.cache[interpret::pattern_name(1)](0, 0, n - 1, 0));
  CHECK(lab.look(s.tokens, cut).patterns(1, 0, n - 1, 2) == 0);
  CHECK(lab.look(s.tokens, cut).patterns(1, 0, n - 1, 1) == look.patterns(1, 0, n - 1, 1));
  for (const interpret::Ablation way :
       {interpret::Ablation::zero, interpret::Ablation::mean, interpret::Ablation::resample}) {
    const Changes all{.off = interpret::all_heads(c), .way = way};
    CHECK(lab.evaluate(all, 8).loss != lab.evaluate({}, 8).loss);
    CHECK(lab.look({1, 2, 3}, all).patterns.shape()[2] == 3);
  }
}

TEST_CASE("a lab without an MLP, and with a head of another sequence", "[lab]") {
  run::RunConfig config = four_steps();
  config.model.d_mlp = 16;
  const Lab lab(config);
  const std::vector<std::int32_t> tokens = lab.sequence(0).tokens, other = lab.sequence(1).tokens;
  const auto probabilities = [&](const Changes& changes) { return lab.look(tokens, changes).probabilities; };
  const Tensor logits = interpret::run_with_hooks(
      lab.model(), nn::one_sequence(tokens),
      {{"blocks.1.hook_mlp_out", [](const Tensor& x) { return Tensor(full_array(x.shape(), 0)); }}});
  const Array without = probabilities({.way = interpret::Ablation::zero, .mlps_off = {1}});
  CHECK(without(3, 2) / without(3, 1) ==
        Approx(std::exp(logits.array()(0, 3, 2) - logits.array()(0, 3, 1))).epsilon(1e-3));
  for (const interpret::Ablation way : {interpret::Ablation::mean, interpret::Ablation::resample})
    CHECK_FALSE(same(probabilities({.way = way, .mlps_off = {1}}), probabilities({})));
  CHECK(same(probabilities({.patch = {{{0, 1}}, tokens}}), probabilities({})));
  CHECK_FALSE(same(probabilities({.patch = {{{0, 1}}, other}}), probabilities({})));
}

TEST_CASE("the hand-set model of the lab solves its task until a number is turned", "[lab]") {
  CHECK(by_hand(nn::Broken::nothing, 1, 1, 1)->evaluate({}, 2).accuracy_predictable == 1);
  CHECK(*by_hand(nn::Broken::nothing, 1, 0.01, 1)->evaluate({}, 2).accuracy_predictable < 0.5);
}

TEST_CASE("what a laboratory cannot take is refused before it is made", "[lab]") {
  run::RunConfig config = four_steps();
  config.model.d_model = 64, config.model.n_layers = 8;
  config.task.n_ctx = 1024, config.task.d_vocab = 40, config.task.distinct = false;
  config.train.batch = 16, config.train.shards = 2;
  std::size_t numbers = 0;
  for (const auto& [name, p] : nn::named_parameters(*run::make_model(config, run::make_task(config))))
    numbers += p.size();
  const std::size_t rows = 8 * 1024,  // of a shard
      kept = numbers * (4 + 2) + rows * (8 * (16 * 64 + 4 * 24) + 4 * 40) + 4 * (8 * 2 * 1024 * 1024);
  CHECK(contains(error_of([&] { Lab lab(config); }),
                 fmt::format("about {:.0f} MB, and the laboratory may take 512 MB. Hint: train it in the "
                             "terminal.",
                             static_cast<double>(sizeof(Real) * kept) / (1 << 20))));
  config = four_steps();
  config.task.name = "reverse";
  config.task.n_ctx = 16;
  config.model.architecture = nn::Architecture::encoder_decoder;
  CHECK_THROWS_WITH(Lab(config), "[lab] the laboratory takes decoders only.");
  config = four_steps();
  config.train.batch = 0;
  CHECK_THROWS_WITH(Lab(config), "train.batch must be at least 1, got 0.");
  config.train.batch = 8, config.train.shards = 0;
  CHECK_THROWS_WITH(Lab(config), "train.shards must be at least 1, got 0.");
  const Lab lab(four_steps());
  CHECK(contains(error_of([&] { lab.look({}, {}); }), "expected 1 to"));
  CHECK(contains(error_of([&] { lab.look({1000}, {}); }), "the vocabulary has no token 1000."));
}
