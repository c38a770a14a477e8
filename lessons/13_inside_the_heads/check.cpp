// The checker of exercise 13.
#include <string>
#include <utility>
#include <vector>

#include "evidence.h"
#include "examined.h"
#include "exercise.h"
#include "grader/drawn.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "hand_made.h"
#include "headlight/interpret/hooks.h"
#include "headlight/nn/by_hand.h"
#include "headlight/tasks/batch.h"

// The learner's.
Tensor mean_ablated(const Tensor& z, const Tensor& reference, std::size_t head);
double loss_rise(const nn::Transformer& model, const tasks::Batch& batch,
                 const std::vector<interpret::HeadAt>& heads);
Tensor keys_patched(const nn::Transformer& model, const IntArray& tokens, const IntArray& others,
                    std::size_t sender, std::size_t receiver);
Tensor logit_parts(const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer);
Finding verdict(const Evidence& e);
std::vector<Trial> scaled_head();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes.h"
#include "mistakes_paths.h"
#include "mistakes_scaled.h"
#include "mistakes_verdict.h"

namespace {

using namespace grader;
using interpret::HeadAt;
using mistakes::KeysPatched, mistakes::LogitParts, mistakes::LossRise, mistakes::MeanAblated,
    mistakes::VerdictOf;

// Part 1

Case<MeanAblated> mean_case(const std::string& what, const Tensor& z, const Tensor& reference,
                            std::size_t head) {
  return {fmt::format("mean_ablated(z, reference, {})   {}", head, what),
          {shown("z", z), shown("reference", reference)},
          [=](MeanAblated function) { return Result{shown("result", function(z, reference, head))}; }};
}

Part mean_ablated_part() {
  Rng rng(131);
  const auto some = [&](const Shape& shape) { return drawn(rng, shape); };
  std::vector<Case<MeanAblated>> cases{
      mean_case("the example", tensor({{{{5}, {6}}}}), tensor({{{{1}, {2}}}, {{{3}, {4}}}}), 0)};
  for (const std::size_t head : {2u, 0u}) {
    const Tensor z = some({2, 3, 3, 2}), reference = some({4, 3, 3, 2});
    cases.push_back(mean_case("random numbers", z, reference, head));
  }
  return part<MeanAblated>("mean_ablated", 1, ::mean_ablated, solution::mean_ablated, std::move(cases),
                           slips_of<MeanAblated>(mistakes::mean_ablated, mistakes::kOfMeanAblated));
}

// Parts 2 and 3

// Tokens at random.
IntArray tokens_of(Rng& rng, std::size_t count, std::size_t n, std::size_t d_vocab) {
  IntArray tokens = IntArray::from_shape({count, n});
  for (auto& token : tokens) token = static_cast<std::int32_t>(rng.below(d_vocab));
  return tokens;
}
Shown tokens_shown(const std::string& name, const IntArray& tokens) {
  return {name, Shape(tokens.shape().begin(), tokens.shape().end()), {tokens.begin(), tokens.end()}};
}

// A model with random weights. They are larger than those that training starts from, so that heads matter.
nn::Transformer random_model(Rng& rng, std::size_t n_heads) {
  nn::Transformer model({.n_layers = 2,
                         .d_model = 6,
                         .n_heads = n_heads,
                         .d_head = 3,
                         .d_vocab = 5,
                         .n_ctx = 6,
                         .positions = "learned"},
                        rng);
  for (Tensor& p : nn::parameters(model))
    for (Real& x : p.mutable_array()) x += rng.normal();
  return model;
}

nn::Transformer by_hand() { return nn::induction_by_hand({.d_vocab = 4, .n_ctx = 4, .n_heads = 1}); }

using MadeBy = std::function<nn::Transformer()>;
MadeBy random(std::uint64_t seed, std::size_t n_heads) {
  return [=] {
    Rng rng(seed);
    return random_model(rng, n_heads);
  };
}

Case<LossRise> loss_case(const std::string& what, const MadeBy& make, const tasks::Batch& batch,
                         const std::vector<HeadAt>& heads) {
  std::vector<double> predictable(batch.predictable.data(),
                                  batch.predictable.data() + batch.predictable.size());
  std::string names;
  for (const HeadAt& head : heads)
    names += fmt::format("{}{{{}, {}}}", names.empty() ? "" : ", ", head.layer, head.head);
  const Shape shape(batch.tokens.shape().begin(), batch.tokens.shape().end());
  return {fmt::format("loss_rise(model, batch, {{{}}})   {}", names, what),
          {tokens_shown("batch.tokens", batch.tokens),
           tokens_shown("batch.targets", batch.targets),
           {"batch.predictable", shape, predictable}},
          [=](LossRise function) { return Result{shown("result", function(make(), batch, heads))}; }};
}

Part loss_rise_part() {
  const BoolArray last{{false, false, true}, {false, false, true}};
  const tasks::Batch example{.tokens = {{0, 1, 0}, {2, 3, 2}},
                             .targets = {{1, 0, 1}, {3, 2, 3}},
                             .predictable = last,
                             .source = IntArray::from_shape({0})};
  std::vector<Case<LossRise>> cases{
      loss_case("the model by hand, as in the example", by_hand, example, {{1, 0}})};
  const std::vector<std::vector<HeadAt>> sets{
      {{0, 1}}, {{0, 0}, {1, 1}}, {{1, 0}, {1, 1}}, {{0, 0}, {0, 1}, {1, 0}}};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    Rng rng(140 + i);
    const tasks::Batch batch{
        .tokens = tokens_of(rng, 3, 4, 5),
        .targets = tokens_of(rng, 3, 4, 5),
        .predictable = {{false, true, false, true}, {false, false, true, true}, {false, false, false, true}},
        .source = IntArray::from_shape({0})};
    cases.push_back(loss_case("a random model", random(150 + i, 2), batch, sets[i]));
  }
  return part<LossRise>("loss_rise", 2, ::loss_rise, solution::loss_rise, std::move(cases),
                        slips_of<LossRise>(mistakes::loss_rise, mistakes::kOfLossRise));
}

Case<KeysPatched> path_case(const std::string& what, const MadeBy& make, const IntArray& tokens,
                            const IntArray& others, std::size_t sender, std::size_t receiver) {
  return {fmt::format("keys_patched(model, tokens, others, {}, {})   {}", sender, receiver, what),
          {tokens_shown("tokens", tokens), tokens_shown("others", others)},
          [=](KeysPatched function) {
            return Result{shown("result", function(make(), tokens, others, sender, receiver))};
          }};
}

Part keys_patched_part() {
  std::vector<Case<KeysPatched>> cases{
      path_case("the model by hand, as in the example", by_hand, {{0, 1, 2, 0}}, {{3, 0, 1, 2}}, 0, 0)};
  for (const auto& [sender, receiver] : {std::pair<std::size_t, std::size_t>{1, 0}, {0, 2}}) {
    Rng rng(160 + sender);
    const IntArray tokens = tokens_of(rng, 2, 4, 5), others = tokens_of(rng, 2, 4, 5);
    cases.push_back(path_case("a random model", random(170 + sender, 3), tokens, others, sender, receiver));
  }
  return part<KeysPatched>("keys_patched", 3, ::keys_patched, solution::keys_patched, std::move(cases),
                           slips_of<KeysPatched>(mistakes::keys_patched, mistakes::kOfKeysPatched));
}

// Part 4

Case<LogitParts> logit_case(const std::string& what, const Tensor& parts, const Tensor& w, const Tensor& W_U,
                            std::size_t answer) {
  return {fmt::format("logit_parts(parts, w, W_U, {})   {}", answer, what),
          {shown("parts", parts), shown("w", w), shown("W_U", W_U)},
          [=](LogitParts function) { return Result{shown("result", function(parts, w, W_U, answer))}; }};
}

Part logit_parts_part() {
  Rng rng(133);
  const auto some = [&](const Shape& shape) { return drawn(rng, shape); };
  std::vector<Case<LogitParts>> cases{
      logit_case("the example", tensor({{3, 0}, {0, 1}}), tensor({1, 1}), tensor({{2, 0}, {0, 2}}), 0)};
  for (const std::size_t answer : {2u, 4u}) {
    const Tensor parts = some({3, 4}), w = some({4}), W_U = some({4, 5});
    cases.push_back(logit_case("random numbers", parts, w, W_U, answer));
  }
  return part<LogitParts>("logit_parts", 2, ::logit_parts, solution::logit_parts, std::move(cases),
                          slips_of<LogitParts>(mistakes::logit_parts, mistakes::kOfLogitParts));
}

// Part 5

Case<VerdictOf> verdict_case(const std::string& what, const Evidence& e) {
  return {
      fmt::format("verdict(e)   {}   (0 unsolved, 1 ordinary, 2 shifted, 3 another way)", what),
      {shown("accuracy", e.accuracy), shown("looks", e.looks), shown("control", e.control),
       shown("without_one", e.without_one), shown("without_all", e.without_all),
       shown("queries_patched", e.queries_patched), shown("keys_patched", e.keys_patched)},
      [=](VerdictOf function) {
        const Finding f = function(e);
        return Result{shown("kind and by", std::vector<std::size_t>{static_cast<std::size_t>(f.kind), f.by})};
      }};
}

Part verdict_part() {
  using namespace hand_made;
  const std::vector<double> flat(6, 0.1);
  const auto case_of = [](const std::string& what, const nn::Transformer& model, const tasks::Task& task) {
    return verdict_case(what, measured(model, task));
  };
  return part<VerdictOf>(
      "verdict", 3, ::verdict, solution::verdict,
      {verdict_case("accuracy 0.1", {0.1, flat, flat, 0.1, 0.1, 0.1, 0.1}),
       case_of("model A", hand_made::model(), task()),
       case_of("model B", hand_made::model(Broken::copying), task()),
       case_of("model C", hand_made::model(Broken::position_only, 8), task(9)),
       case_of("model D", shifted(2), task()), case_of("model E", doubled(), task()),
       case_of("model F", onlooker(7), task(8)),
       case_of("model G", hand_made::model(Broken::through_queries), task()),
       case_of("model H", distracted(4, 6), task(9)),
       case_of("model I", hand_made::model(Broken::matching), task()),
       case_of("model J", hand_made::model(Broken::position_only, 8), task()),
       verdict_case("numbers alone: a narrow difference",
                    {1, {0.5, 0.2, 0.1}, {0.25, 0.2, 0.1}, 0.1, 0.1, 1, 0.1}),
       verdict_case("numbers alone: a faint look", {1, {0.3, 0.2, 0.1}, {0.05, 0.2, 0.1}, 0.1, 0.1, 1, 0.1}),
       verdict_case("numbers alone: at the follower too",
                    {1, {0.6, 0.1, 0.9}, {0.1, 0.1, 0.1}, 0.1, 0.1, 0.1, 0.1}),
       verdict_case("numbers alone: layer 0 tells nothing",
                    {1, {0.1, 0.1, 0.9}, {0.1, 0.1, 0.1}, 0.1, 0.1, 1, 0.95}),
       verdict_case("numbers alone: ablation costs nothing",
                    {1, {0.9, 0.1, 0.1}, {0.1, 0.1, 0.1}, 1, 0.95, 1, 0.1}),
       verdict_case("numbers alone: a backup, and told through the queries",
                    {1, {0.8, 0.1, 0.1}, {0.1, 0.1, 0.1}, 0.9, 0.1, 0.2, 1}),
       // Just on the right side of each bound, or just on the wrong one.
       verdict_case("numbers alone: half of it right, and half of that lost",
                    {0.5, {0.9, 0.1, 0.1}, {0.1, 0.1, 0.1}, 0.25, 0.25, 0.5, 0.1}),
       verdict_case("numbers alone: a look that just counts",
                    {1, {0.55, 0.1, 0.1}, {0.1, 0.1, 0.1}, 0.1, 0.1, 1, 0.1}),
       verdict_case("numbers alone: a little more than half is left",
                    {0.8, {0.9, 0.1, 0.1}, {0.1, 0.1, 0.1}, 0.45, 0.45, 0.8, 0.1})},
      slips_of<VerdictOf>(mistakes::verdict, mistakes::kOfVerdict));
}

// Part 6

Part scaled_head_part() {
  Part made =
      experiment_part("scaled_head", 2, ::scaled_head, solution::scaled_head, solution::accuracy_scaled,
                      {.setting = "factor",
                       .measured = "accuracy",
                       .least = 0,
                       .most = 10,
                       .whole = false,
                       .wrong = mistakes::of_scaled_head()});
  made.seconds = 120;
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{"13_inside_the_heads",
                            {mean_ablated_part(), loss_rise_part(), keys_patched_part(), logit_parts_part(),
                             verdict_part(), scaled_head_part()}};
  });
}
