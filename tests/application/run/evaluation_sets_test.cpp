// What a model is measured on, drawn again by hand.
#include "headlight/run/evaluation_sets.h"

#include <map>

#include "catch.h"
#include "headlight/tasks/text.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::run;

namespace {

constexpr std::uint64_t kSeed = 5;

struct Measured {
  tasks::Task task = tasks::make_task(small_config().task);
  std::unique_ptr<nn::Transformer> model = make_model(small_config());
  ThreadPool pool = ThreadPool(1);

  // Of the held-out sequences, which are long here, and so have few predictable targets.
  std::size_t rows_of_256_targets() const {
    const auto all = tasks::draw_batch(task, task.held_out, 256, Rng(kSeed).stream("held out")).predictable;
    std::size_t rows = 0;
    for (std::ptrdiff_t targets = 0; targets < 256; ++rows)
      targets += std::count(all.data() + rows * 16, all.data() + (rows + 1) * 16, true);
    REQUIRE(rows > 32);
    return rows;
  }

  train::Evaluation on(const tasks::Generator& generator, const char* stream, std::size_t count) {
    return train::evaluate(*model, tasks::draw_batch(task, generator, count, Rng(kSeed).stream(stream)),
                           pool);
  }
};

}  // namespace

TEST_CASE("a model is evaluated on sequences of their own stream, few along the way", "[run]") {
  Measured m;
  const EvaluationSets evaluation_sets(m.task, kSeed);
  CHECK(evaluation_sets.evaluate(*m.model, m.pool, Extent::full).loss ==
        m.on(m.task.training, "evaluation", 256).loss);
  CHECK(evaluation_sets.evaluate(*m.model, m.pool, Extent::along_the_way).loss ==
        m.on(m.task.training, "evaluation", 32).loss);
}

TEST_CASE("what is held out is evaluated on sequences never trained on", "[run]") {
  Measured m;
  const EvaluationSets sets(m.task, kSeed);
  const auto held_out = sets.evaluate_held_out(*m.model, m.pool, Extent::full);
  REQUIRE(held_out);
  CHECK(sets.evaluate_held_out(*m.model, m.pool, Extent::along_the_way)->loss ==
        m.on(m.task.held_out, "held out", m.rows_of_256_targets()).loss);
  CHECK(held_out->loss == m.on(m.task.held_out, "held out", 256).loss);
  CHECK(held_out->loss != m.on(m.task.training, "held out", 256).loss);
  m.task.held_out = {};
  CHECK_FALSE(EvaluationSets(m.task, kSeed).evaluate_held_out(*m.model, m.pool, Extent::full));
}

TEST_CASE("where a sequence has few targets, more sequences are evaluated along the way", "[run]") {
  for (const std::size_t targets : {1, 2, 4, 8}) {
    Measured m;
    m.task.training = [targets](Rng& rng) {
      tasks::Sequence s{{}, std::vector<std::int32_t>(8, tasks::kNoTarget)};
      for (std::size_t t = 0; t < 8; ++t) s.tokens.push_back(static_cast<std::int32_t>(rng.below(12)));
      for (std::size_t t = 0; t < targets; ++t) s.targets[t] = s.tokens[t];
      return s;
    };
    CHECK(EvaluationSets(m.task, kSeed).evaluate(*m.model, m.pool, Extent::along_the_way).loss ==
          m.on(m.task.training, "evaluation", std::min<std::size_t>(256, 256 / targets)).loss);
  }
}

TEST_CASE("where one answer is right half the time, half is no sign of learning", "[run]") {
  const tasks::Task parity = tasks::make_task({.name = "parity"}), khop = tasks::make_task({.name = "khop"});
  CHECK(EvaluationSets(parity, kSeed).guessing() == Approx(.5).margin(.1));
  CHECK(EvaluationSets(parity, kSeed).guessing() >= .5);
  const tasks::Batch batch = tasks::draw_batch(khop, khop.training, 256, Rng(kSeed).stream("evaluation"));
  std::map<std::int32_t, double> counts;
  double all = 0, most = 0;
  for (std::size_t b = 0; b < 256; ++b)
    for (std::size_t t = 0; t < batch.targets.shape()[1]; ++t)
      if (batch.predictable(b, t)) ++all, ++counts[batch.targets(b, t)];
  for (const auto& [token, count] : counts) most = std::max(most, count / all);
  CHECK(EvaluationSets(khop, kSeed).guessing() == Approx(most));
  CHECK(most < .5);
}

TEST_CASE("heads are scored on more sequences at the end than along the way", "[run]") {
  Measured m;
  const EvaluationSets evaluation_sets(m.task, kSeed);
  const auto scores_on = [&](std::size_t count) {
    return interpret::score_heads(
        *m.model, tasks::draw_batch(m.task, m.task.scored, count, Rng(kSeed).stream("scores")).tokens);
  };
  CHECK(evaluation_sets.score_heads(*m.model, m.pool, Extent::full).at(1).values ==
        scores_on(32).at(1).values);
  CHECK(evaluation_sets.score_heads(*m.model, m.pool, Extent::along_the_way).at(1).values ==
        scores_on(16).at(1).values);
}

TEST_CASE("where heads are scored on other sequences, the answer score is that on the task's own", "[run]") {
  RunConfig config = small_config();
  config.task.name = "copy";
  const tasks::Task task = tasks::make_task(config.task);
  const auto model = make_model(config);
  const EvaluationSets sets(task, kSeed);
  ThreadPool pool;
  for (const auto& [extent, count] : {std::pair{Extent::full, 32U}, {Extent::along_the_way, 16U}}) {
    const auto on = [&, count = count](const tasks::Generator& generator, const char* stream) {
      return tasks::draw_batch(task, generator, count, Rng(kSeed).stream(stream));
    };
    const auto scores = sets.score_heads(*model, pool, extent),
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

TEST_CASE("heads have no scores on a text of two characters", "[run]") {
  const tasks::Task task =
      tasks::text_task({.name = "text", .n_ctx = 16}, std::string(1000, 'a') + "\n", "the text");
  Rng rng(1);
  const nn::Transformer model({.n_layers = 1, .d_model = 8, .n_heads = 2, .d_vocab = 2, .n_ctx = 16}, rng);
  ThreadPool pool(1);
  CHECK(EvaluationSets(task, kSeed).score_heads(model, pool, Extent::full).empty());
}

TEST_CASE("without sequences for scoring, heads are scored on the task's own, if it says where answers are",
          "[run]") {
  RunConfig config = small_config();
  config.task.name = "reverse";
  const tasks::Task task = tasks::make_task(config.task);
  const auto model = make_model(config);
  ThreadPool pool;
  const auto scores = EvaluationSets(task, kSeed).score_heads(*model, pool, Extent::full),
             own = interpret::score_heads(
                 *model, tasks::draw_batch(task, task.training, 32, Rng(kSeed).stream("scores")));
  REQUIRE(scores.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(scores[i].values == own[i].values);
  config.task.name = "parity";
  const tasks::Task labels = tasks::make_task(config.task);
  CHECK(EvaluationSets(labels, kSeed).score_heads(*make_model(config), pool, Extent::full).empty());
}
