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

TEST_CASE("where heads are scored on other sequences, the answer score is that on the task's own",
          "[experiment]") {
  RunConfig config = small_config();
  config.task.name = "copy";
  const tasks::Task task = tasks::make_task(config.task);
  const auto model = make_model(config);
  const EvaluationSets sets(task, kSeed);
  for (const auto& [extent, count] : {std::pair{Extent::full, 32U}, {Extent::along_the_way, 16U}}) {
    const auto on = [&, count = count](const tasks::Generator& generator, const char* stream) {
      return tasks::draw_batch(task, generator, count, Rng(kSeed).stream(stream));
    };
    const auto scores = sets.score_heads(*model, extent),
               own = interpret::score_heads(*model, on(task.training, "answers")),
               others = interpret::score_heads(*model, on(task.scored, "scores").tokens);
    REQUIRE(scores.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(scores[i][interpret::kAnswer] == own[i][interpret::kAnswer]);
      CHECK(scores[i][interpret::kAnswer] != others[i][interpret::kInduction]);
      for (const char* key : {interpret::kPreviousToken, interpret::kInduction})
        CHECK(scores[i][key] == others[i][key]);
    }
  }
}

TEST_CASE("without sequences for scoring, heads are scored on the task's own, if it says where answers are",
          "[experiment]") {
  RunConfig config = small_config();
  config.task.name = "reverse";
  const tasks::Task task = tasks::make_task(config.task);
  const auto model = make_model(config);
  const auto scores = EvaluationSets(task, kSeed).score_heads(*model, Extent::full),
             own = interpret::score_heads(
                 *model, tasks::draw_batch(task, task.training, 32, Rng(kSeed).stream("scores")));
  REQUIRE(scores.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(scores[i].values == own[i].values);
  config.task.name = "parity";
  const tasks::Task labels = tasks::make_task(config.task);
  CHECK(EvaluationSets(labels, kSeed).score_heads(*make_model(config), Extent::full).empty());
}
