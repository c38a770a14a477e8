// What a model is measured on, drawn again by hand.
#include "headlight/run/evaluation_sets.h"

#include "catch.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::run;

namespace {

constexpr std::uint64_t kSeed = 5;

struct Measured {
  tasks::Task task = tasks::make_task(small_config().task);
  std::unique_ptr<nn::Transformer> model = make_model(small_config());
  ThreadPool pool = ThreadPool(1);

  train::Evaluation on(const tasks::Generator& generator, const char* stream, std::size_t count) {
    return train::evaluate(*model, tasks::draw_batch(task, generator, count, Rng(kSeed).stream(stream)),
                           pool);
  }
};

}  // namespace

TEST_CASE("a model is evaluated on sequences of their own stream, few along the way", "[experiment]") {
  Measured m;
  const EvaluationSets evaluation_sets(m.task, kSeed);
  CHECK(evaluation_sets.evaluate(*m.model, m.pool, Extent::full).loss ==
        m.on(m.task.training, "evaluation", 256).loss);
  CHECK(evaluation_sets.evaluate(*m.model, m.pool, Extent::along_the_way).loss ==
        m.on(m.task.training, "evaluation", 32).loss);
}

TEST_CASE("what is held out is evaluated on sequences never trained on", "[experiment]") {
  Measured m;
  const auto held_out = EvaluationSets(m.task, kSeed).evaluate_held_out(*m.model, m.pool);
  REQUIRE(held_out);
  CHECK(held_out->loss == m.on(m.task.held_out, "held out", 256).loss);
  CHECK(held_out->loss != m.on(m.task.training, "held out", 256).loss);
  m.task.held_out = {};
  CHECK_FALSE(EvaluationSets(m.task, kSeed).evaluate_held_out(*m.model, m.pool));
}

TEST_CASE("heads are scored on more sequences at the end than along the way", "[experiment]") {
  Measured m;
  const EvaluationSets evaluation_sets(m.task, kSeed);
  const auto scores_on = [&](std::size_t count) {
    return interpret::score_heads(
        *m.model, tasks::draw_batch(m.task, m.task.scored, count, Rng(kSeed).stream("scores")).tokens);
  };
  CHECK(evaluation_sets.score_heads(*m.model, Extent::full).at(1).values == scores_on(32).at(1).values);
  CHECK(evaluation_sets.score_heads(*m.model, Extent::along_the_way).at(1).values ==
        scores_on(16).at(1).values);
}
