// The first screen of a model set by hand, with noise on all weights so that no two of its numbers agree,
// against forward passes with hooks written here.
#include "page/minute.h"

#include "catch.h"
#include "headlight/nn/by_hand.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/experiment.h"
#include "headlight/train/weights.h"
#include "page/minute_line.h"
#include "unpacked.h"

using namespace headlight;
using interpret::HeadAt;

namespace {

constexpr std::size_t kSide = 32;

run::Run noisy_run() {
  run::RunConfig config;
  config.task = {.d_vocab = kSide, .n_ctx = kSide};
  config.train.seed = 5;
  run::Run run{config, tasks::make_task(config.task)};
  run.model = std::make_unique<nn::Transformer>(
      nn::induction_by_hand({.d_vocab = kSide, .n_ctx = kSide, .n_heads = 2}));
  Rng rng(11);
  for (Tensor& w : nn::parameters(*run.model))
    for (Real& x : w.mutable_array()) x += static_cast<Real>(0.03 * rng.normal());
  run.results.heads = {
      {0, 0, {.9, 0, 0, 0, 0}}, {0, 1, {.3, 0, 0, 0, 0}}, {1, 0, {0, 0, .9, 0, 0}}, {1, 1, {}}};
  auto& c = run.results.certificate.emplace();
  c.verdict = interpret::Verdict::circuit;
  c.previous_token_heads = {{0, 0}};
  c.induction_heads = {{1, 0}, {1, 1}};
  return run;
}

std::vector<train::Snapshot> two_snapshots(const run::Run& run) {
  std::vector<train::Snapshot> snapshots{{0, train::weights_of(*run.model)},
                                         {7, train::weights_of(*run.model)}};
  for (auto& [name, array] : snapshots[0].weights) array *= Real(0.5);
  return snapshots;
}

// The z of these heads as it is, or replaced by its mean over `others`, summed here.
nn::Hooks off(const nn::Transformer& model, const interpret::HeadSet& heads, const IntArray& others) {
  nn::Hooks hooks;
  for (const HeadAt& head : heads) {
    const std::string name = fmt::format("blocks.{}.attn.hook_z", head.layer);
    const Array z = interpret::run_with_cache(model, others, interpret::hooks_named(name)).cache[name];
    hooks.add(name, [z, head](const Tensor& x) {
      Array now = x.array();  // (B,n,H,d_head)
      for (std::size_t t = 0; t < now.shape()[1]; ++t)
        for (std::size_t i = 0; i < now.shape()[3]; ++i) {
          double sum = 0;
          for (std::size_t b = 0; b < z.shape()[0]; ++b) sum += static_cast<double>(z(b, t, head.head, i));
          for (std::size_t b = 0; b < now.shape()[0]; ++b)
            now(b, t, head.head, i) = static_cast<Real>(sum / static_cast<double>(z.shape()[0]));
        }
      return Tensor(std::move(now));
    });
  }
  return hooks;
}

interpret::HeadSet heads_off(std::size_t state) {
  interpret::HeadSet heads;
  for (const auto& [bit, group] :
       {std::pair{1, interpret::HeadSet{{0, 0}}}, {2, {{1, 0}, {1, 1}}}, {4, {{0, 1}}}})
    if (state & bit) heads.insert(heads.end(), group.begin(), group.end());
  return heads;
}

}  // namespace

TEST_CASE("the first screen holds what forward passes with hooks give", "[page]") {
  const run::Run run = noisy_run();
  nn::Transformer model = nn::clone(*run.model);
  const auto snapshots = two_snapshots(run);
  const nlohmann::json minute = page::minute_json(run, model, snapshots);
  REQUIRE(minute.is_object());
  CHECK(minute["note_writers"] == nlohmann::json({0}));
  CHECK(minute["finders"] == nlohmann::json({2, 3}));
  CHECK(minute["control"] == nlohmann::json({1}));
  CHECK(minute["steps"] == nlohmann::json({0, 7}));
  CHECK(minute["others"]["heads"] == nlohmann::json({1}));
  run::Run helped = noisy_run();
  helped.results.certificate->helpers = {{0, 1}};  // then no head is left for the control
  CHECK(page::minute_json(helped, model, snapshots)["control"].empty());
  train::set_weights(model, train::Weights(snapshots.back().weights), "here");

  const auto tokens = minute["tokens"].get<std::vector<std::int32_t>>();
  const std::size_t n = tokens.size(), triangle = n * (n + 1) / 2;
  const std::string bytes = page::expanded(nlohmann::ordered_json(minute["frames"]));
  const std::size_t size = n + 5 * triangle + 9 * n * 4;
  REQUIRE(bytes.size() == 2 * size);
  const IntArray others = page::minute_lines(run.task, 64, Rng(5).stream("first minute, means")).tokens;
  const IntArray line = nn::one_sequence(tokens);
  for (std::size_t frame = 0; frame < 2; ++frame) {
    train::set_weights(model, train::Weights(snapshots[frame].weights), "here");
    const auto byte = [&](std::size_t at) {
      return static_cast<double>(static_cast<unsigned char>(bytes[frame * size + at]));
    };
    std::size_t pattern = 0;
    for (std::size_t state = 0; state < 9; ++state) {
      nn::Hooks hooks;
      if (state == 8) {  // the keys of the finders come from a pass without the note-writer
        const Array k = interpret::run_with_cache(model, line, interpret::hooks_named("blocks.1.attn.hook_k"),
                                                  off(model, heads_off(1), others))
                            .cache["blocks.1.attn.hook_k"];
        hooks.add("blocks.1.attn.hook_k", [k](const Tensor&) { return Tensor(Array(k)); });
      } else {
        hooks = off(model, heads_off(state), others);
      }
      const auto passed = interpret::run_with_cache(model, line, interpret::hooks_named("attn.hook_pattern"),
                                                    std::move(hooks));
      const Array &first = passed.cache["blocks.0.attn.hook_pattern"],
                  &second = passed.cache["blocks.1.attn.hook_pattern"];
      if (state == 0 && frame == 1) {  // the trained model
        double other = 0;
        for (std::size_t t = 1; t < n; ++t)
          other += static_cast<double>(first(0, 1, t, t - 1)) / static_cast<double>(n - 1);
        CHECK(minute["others"]["weights"][0].get<double>() == Approx(other));
      }
      if (state == 0)
        for (std::size_t t = 1; t < n; ++t)
          CHECK(std::abs(byte(t) - 255 * static_cast<double>(first(0, 0, t, t - 1))) <= 0.501);
      if (state != 2 && state != 3 && state != 6 && state != 7) {
        for (std::size_t q = 0, i = 0; q < n; ++q)
          for (std::size_t k = 0; k <= q; ++k, ++i)
            CHECK(std::abs(byte(n + pattern * triangle + i) -
                           255 * static_cast<double>(second(0, 0, q, k) + second(0, 1, q, k)) / 2) <= 0.51);
        ++pattern;
      }
      for (std::size_t t = 0; t < n; ++t) {
        const std::size_t at = n + 5 * triangle + (state * n + t) * 4;
        const auto best = static_cast<std::size_t>(byte(at) + 256 * byte(at + 1));
        double sum = 0;
        for (std::size_t v = 0; v < kSide; ++v) {
          CHECK(passed.logits(0, t, v) <= passed.logits(0, t, best));
          sum += std::exp(static_cast<double>(passed.logits(0, t, v) - passed.logits(0, t, best)));
        }
        CHECK(std::abs(byte(at + 2) + 256 * byte(at + 3) - 65535 / sum) <= 2);
      }
    }
  }
}

TEST_CASE("the control looks least at the token before, of the heads that the certificate does not name",
          "[page]") {
  interpret::Certificate c;
  c.previous_token_heads = {{1, 0}}, c.induction_heads = {{2, 0}};
  std::vector<interpret::HeadScores> scores;
  const auto add = [&](std::size_t layer, std::size_t head, double previous) {
    interpret::HeadScores one;
    one.layer = layer, one.head = head;
    one.values.assign(interpret::score_kinds().size(), previous);
    scores.push_back(one);
  };
  add(0, 0, 0.01), add(1, 0, 0.9), add(1, 1, 0.3), add(1, 2, 0.1), add(1, 3, 0.2), add(2, 0, 0.0);
  CHECK(page::control_of(c, scores) == interpret::HeadSet{{1, 2}});
  c.helpers = {{1, 2}};
  CHECK(page::control_of(c, scores) == interpret::HeadSet{{1, 3}});
  c.helpers = {{1, 1}, {1, 2}, {1, 3}};
  CHECK(page::control_of(c, scores).empty());
}

TEST_CASE("the shares of the first screen are of the tokens that lines ask for", "[page]") {
  const run::Run run = noisy_run();
  nn::Transformer model = nn::clone(*run.model);
  const nlohmann::json minute = page::minute_json(run, model, two_snapshots(run));
  const tasks::Batch lines = page::minute_lines(run.task, 150, Rng(5).stream("first minute"));
  const IntArray others = page::minute_lines(run.task, 64, Rng(5).stream("first minute, means")).tokens;
  // Counted as in the line that is shown: after as many that could be known.
  const auto asked = minute["predictable"].begin();
  const auto before =
      static_cast<std::size_t>(std::count(asked, asked + minute["ask"].get<std::ptrdiff_t>(), 1));
  REQUIRE(before > 0);
  for (std::size_t state = 0; state < 8; ++state) {
    const Array logits = (*run.model)(lines.tokens, off(*run.model, heads_off(state), others)).array();
    double right = 0, all = 0;
    for (std::size_t b = 0; b < 150; ++b)
      for (std::size_t t = 0, passed = 0; t + 1 < kSide; ++t)
        if (lines.predictable(b, t) && ++passed > before)
          ++all, right += page::best_token(logits, b, t) == lines.tokens(b, t + 1) ? 1 : 0;
    CHECK(std::abs(minute["shares"][state].get<double>() - right / all) < 1e-9);
  }
}

TEST_CASE("the line of the first screen is right, and wrong without the note-writer", "[page]") {
  const run::Run run = noisy_run();
  nn::Transformer model = nn::clone(*run.model);
  const nlohmann::json minute = page::minute_json(run, model, two_snapshots(run));
  const auto tokens = minute["tokens"].get<std::vector<std::int32_t>>();
  const std::size_t ask = minute["ask"];
  CHECK(tokens.size() == kSide);
  CHECK(tokens[ask] == tokens[ask - 16]);  // segments of 16 fit twice
  CHECK(minute["predictable"][ask] == 1);
  CHECK(minute["shares"][0].get<double>() > 0.95);
  CHECK(minute["shares"][1].get<double>() < 0.6);
  CHECK(minute["lines"] == 150);
  if (minute.contains("fool")) {
    const auto fooled = minute["fool"]["tokens"].get<std::vector<std::int32_t>>();
    const std::size_t place = minute["fool"]["place"];
    CHECK(fooled[place] == tokens[ask]);
    CHECK(fooled[minute["fool"]["ask"].get<std::size_t>()] == tokens[ask]);
  }
}

TEST_CASE("only a circuit of notes in the keys has a first minute", "[page]") {
  const auto minute_of = [](auto change) {
    run::Run run = noisy_run();
    change(run.results);
    nn::Transformer model = nn::clone(*run.model);
    return page::minute_json(run, model, two_snapshots(run));
  };
  using Results = run::Results;
  CHECK(minute_of([](Results&) {}).is_object());
  CHECK(minute_of([](Results& r) { r.certificate.reset(); }).is_null());
  CHECK(minute_of([](Results& r) { r.certificate->verdict = interpret::Verdict::another_way; }).is_null());
  CHECK(minute_of([](Results& r) { r.certificate->through = {interpret::HeadInput::queries}; }).is_null());
  CHECK(minute_of([](Results& r) { r.certificate->previous_token_heads.clear(); }).is_null());
}
