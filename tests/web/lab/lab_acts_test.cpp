// A lab after any sequence of acts answers as a fresh lab with the same weights does, bit for bit.
#include "headlight/lab/lab.h"

#include <functional>
#include <optional>
#include <set>

#include "headlight/train/safetensors.h"
#include "headlight/train/weights.h"
#include "property.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::lab;
using interpret::Ablation;

namespace {

using Answer = std::vector<double>;
using Question = std::function<Answer(const Lab&)>;

// Small models that differ in every part that a lab changes.
run::RunConfig some_config(Rng& rng) {
  run::RunConfig c = run::small_config();
  c.model.n_heads = std::size_t{2} << rng.below(2);
  c.model.n_layers = 1 + rng.below(2);
  c.model.smeared_keys = rng.below(2) == 1;
  c.model.dropout = rng.below(2) == 1 ? 0.25 : 0;
  c.train.average = rng.below(2) == 1 ? 0.5 : 0;
  c.train.learning_rate = 0.05, c.train.warmup = 1;
  c.train.seed = rng.next();
  return c;
}

std::vector<std::int32_t> some_tokens(Rng& rng, std::size_t count) {
  std::vector<std::int32_t> tokens(count);
  for (std::int32_t& token : tokens) token = static_cast<std::int32_t>(rng.below(12));
  return tokens;
}

std::string some_weights(Rng& rng, const Lab& lab) {
  train::Weights weights = train::weights_of(lab.model());
  train::NamedArrays arrays;
  for (auto& [name, array] : weights) {
    for (Real& x : array) x += static_cast<Real>(0.3 * rng.normal());
    arrays.emplace_back(name, &array);
  }
  return train::to_safetensors(arrays);
}

// Heads off, MLPs off, edges cut: each with a chance, and one of them at least.
Changes some_changes(Rng& rng, const nn::TransformerConfig& c) {
  Changes changes;
  changes.way = static_cast<Ablation>(rng.below(3));
  const auto some_head = [&] { return interpret::HeadAt{rng.below(c.n_layers), rng.below(c.n_heads)}; };
  const std::uint64_t kinds = 1 + rng.below(7);
  if ((kinds & 1U) != 0) changes.off.push_back(some_head());
  if ((kinds & 2U) != 0) changes.mlps_off.push_back(rng.below(c.n_layers));
  if ((kinds & 4U) != 0) changes.cut.push_back({some_head(), 3, rng.below(4)});
  return changes;
}

Answer numbers_of(const Look& look) {
  Answer answer(look.patterns.begin(), look.patterns.end());
  answer.insert(answer.end(), look.probabilities.begin(), look.probabilities.end());
  return answer;
}

Answer numbers_of(const train::Evaluation& e) {
  return {e.loss, e.accuracy_predictable.value_or(-1), e.loss_predictable.value_or(-1),
          e.loss_unpredictable.value_or(-1)};
}

constexpr std::size_t kDiffering = 12;  // of the questions, the first: no two have the same answer

// Everything that the lab says of its model, asked of one sequence, or of so many.
std::vector<Question> some_questions(Rng& rng, const nn::TransformerConfig& c) {
  std::vector<Question> questions{[](const Lab& lab) { return numbers_of(lab.evaluate({}, 5)); }};
  const std::vector<std::int32_t> tokens = some_tokens(rng, 5 + rng.below(12)), other = some_tokens(rng, 16);
  questions.push_back([=](const Lab& lab) { return numbers_of(lab.look(tokens, {})); });
  const interpret::HeadAt patched{rng.below(c.n_layers), rng.below(c.n_heads)};
  questions.push_back([=](const Lab& lab) {
    return numbers_of(lab.look(tokens, {.patch = {{patched}, other}}));
  });
  for (const Ablation way : {Ablation::zero, Ablation::mean, Ablation::resample}) {
    const Changes off{.off = {{c.n_layers - 1, 0}}, .way = way};
    questions.push_back([=](const Lab& lab) { return numbers_of(lab.look(tokens, off)); });
    for (const std::size_t sequences : {3, 5})
      questions.push_back([=](const Lab& lab) { return numbers_of(lab.evaluate(off, sequences)); });
  }
  for (int i = 0; i < 4; ++i) {
    const Changes changes = some_changes(rng, c);
    questions.push_back([=](const Lab& lab) { return numbers_of(lab.look(tokens, changes)); });
    questions.push_back([=](const Lab& lab) { return numbers_of(lab.evaluate(changes, 4)); });
  }
  return questions;
}

// In any order, so that what one answer leaves behind would change another.
std::vector<Answer> answers(const Lab& lab, const std::vector<Question>& questions, Rng& rng) {
  std::vector<Answer> all(questions.size());
  for (const std::int32_t i : rng.distinct(all.size(), all.size()))
    all[static_cast<std::size_t>(i)] = questions[static_cast<std::size_t>(i)](lab);
  return all;
}

// A lab, and a second one that computes the rest of its shards, if there is a rest.
struct Shared {
  Lab first;
  std::optional<Lab> second;

  train::StepReport step() {
    const std::string mine = first.gradients(), others = second ? second->gradients() : "";
    if (second) (void)second->apply({mine});
    return first.apply({others});
  }
  void set_weights(const std::string& bytes) {
    first.set_weights(bytes);
    if (second) second->set_weights(bytes);
  }
};

void act(Rng& rng, Shared& labs, std::vector<std::string>& kept) {
  const nn::TransformerConfig& c = labs.first.model().config();
  const std::vector<std::int32_t> tokens = some_tokens(rng, 1 + rng.below(16));
  switch (rng.below(9)) {
    case 0:
      kept.push_back(labs.first.weights());
      return;
    case 1:
      return labs.set_weights(kept[rng.below(kept.size())]);
    case 2:
      return labs.set_weights(some_weights(rng, labs.first));
    case 3:
      (void)labs.first.look(tokens, some_changes(rng, c));
      return;
    case 4:
      (void)labs.first.look(tokens, {.patch = {{{0, 1}}, some_tokens(rng, 16)}});
      return;
    case 5:
      (void)labs.first.evaluate(some_changes(rng, c), 1 + rng.below(6));
      return;
    case 6: {  // what is refused leaves nothing behind
      CHECK_THROWS(labs.first.look(tokens, {.patch = {{{0, 0}}, {99}}}));
      CHECK_THROWS(labs.first.evaluate({.off = {{0, 1}}, .mlps_off = {9}}, 3));
      CHECK_THROWS(labs.first.set_weights("none"));
      return;
    }
    default:
      (void)labs.step();
  }
}

Shared some_labs(Rng& rng, const run::RunConfig& config) {
  const std::size_t shared = rng.below(3);
  if (shared == 0) return {Lab(config), std::nullopt};
  return {Lab(config, {0, shared}),
          std::optional<Lab>(std::in_place, config, train::Exchange::Range{shared, config.train.shards})};
}

}  // namespace

TEST_CASE("a lab after any acts answers as a fresh one with its weights, and trains on as that does",
          "[lab]") {
  for_all(
      16,
      [](Rng& rng, std::size_t size) {
        const run::RunConfig config = some_config(rng);
        Shared labs = some_labs(rng, config);
        const std::vector<Question> questions = some_questions(rng, labs.first.model().config());
        std::vector<std::string> kept{some_weights(rng, labs.first)};
        const auto check_answers = [&] {
          Lab fresh(config);
          fresh.set_weights(labs.first.weights());
          const std::vector<Answer> found = answers(labs.first, questions, rng);
          REQUIRE(found == answers(fresh, questions, rng));
          return std::set<Answer>(found.data(), found.data() + kDiffering).size() == kDiffering;
        };
        for (std::size_t i = 0; i < 4 * size; ++i) {
          act(rng, labs, kept);
          if (i % 3 == 0) check_answers();
        }
        labs.set_weights(some_weights(rng, labs.first));
        REQUIRE(check_answers());  // they differ, so none stands for another
        REQUIRE(labs.first.sequence(size).tokens == Lab(config).sequence(size).tokens);
        Lab fresh(config);
        fresh.set_weights(labs.first.weights());
        for (int i = 0; i < 2; ++i) {
          (void)fresh.gradients();
          const train::StepReport expected = fresh.apply({}), step = labs.step();
          REQUIRE((step.step == expected.step && step.loss == expected.loss));
          REQUIRE(
              (step.gradient_norm == expected.gradient_norm && step.learning_rate == expected.learning_rate));
        }
        REQUIRE(labs.first.weights() == fresh.weights());
        if (labs.second) REQUIRE(labs.second->weights() == fresh.weights());
        REQUIRE(check_answers());
      },
      5, 3);
}
