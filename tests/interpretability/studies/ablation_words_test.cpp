// What a study of ablations says, and where its numbers stand.
#include <set>

#include "headlight/interpret/ablation.h"
#include "headlight/studies/head_studies.h"
#include "studies/studied.h"

using namespace headlight;
using namespace headlight::studies;
using interpret::Damage;

namespace {

const std::string kDamageColumns =
    "  accuracy: \"accuracy\" 3\n"
    "  accuracy_change: \"change\" 3 signed\n"
    "  loss: \"loss\" 3\n"
    "  loss_rise: \"rise\" 3 signed\n";

const std::string kByMean =
    "Ablation by mean: the heads write their mean over the sequences, position by position.\n";

// The damage of each head, of sets and of none, on the sequences of the study.
struct Measured {
  explicit Measured(interpret::Ablation way = interpret::Ablation::mean)
      : batch(study_batch(small_run())),
        outputs(study_outputs(small_run(), way)),
        pool(1),
        heads(*small_run().model, batch, outputs, pool) {}

  double accuracy() const { return *heads.intact().accuracy_predictable; }
  double loss() const { return *heads.intact().loss_predictable; }
  std::string facts() const {
    return fmt::format("ablation\nsequences = 32\nintact_accuracy = {:.4f}\nintact_loss = {:.4f}\n",
                       accuracy(), loss());
  }
  std::string sequences() const {
    return fmt::format(
        "Measured on 32 sequences as in training, drawn anew, on predictable tokens. Intact: accuracy "
        "{:.3f}, loss {:.3f} nats.\n",
        accuracy(), loss());
  }

  tasks::Batch batch;
  interpret::ActivationCache outputs;
  ThreadPool pool;
  interpret::AblationStudy heads;
};

std::string backup(const Measured& m, const Damage& set) {
  double rise = 0, drop = 0;
  for (const interpret::HeadAt& head : set.heads) {
    const Damage alone = m.heads.of({head});
    rise += alone.loss_rise, drop += alone.accuracy_drop;
  }
  std::string text = fmt::format(
      "{}: ablated one at a time, the heads raise the loss by {:.3f} nats in sum; together, by {:.3f}. They "
      "cost {:.3f} of the accuracy in sum; together, {:.3f}.",
      interpret::codes_of(set.heads), rise, set.loss_rise, drop, set.accuracy_drop);
  if (set.loss_rise > rise)
    text += fmt::format(" The set costs {:.3f} nats more than the sum.", set.loss_rise - rise);
  return text + "\n";
}

// The row of a table of damages, after its first cells.
void check_row(const std::vector<StudyCell>& row, std::size_t first, const Damage& d) {
  CHECK(number(row[first]) == *d.after.accuracy_predictable);
  CHECK(number(row[first + 1]) == Approx(-d.accuracy_drop));
  CHECK(number(row[first + 2]) == *d.after.loss_predictable);
  CHECK(number(row[first + 3]) == Approx(d.loss_rise));
}

}  // namespace

TEST_CASE("the study of single heads and of the greedy set", "[studies][words]") {
  const Measured m;
  ThreadPool pool(1);
  const Study study = ablation_study(small_run(), {}, pool);
  const std::vector<Damage> greedy = m.heads.greedy(m.accuracy() / 4);
  const double left = *greedy.back().after.accuracy_predictable;
  CHECK(outline(study) ==
        m.facts() + kByMean + m.sequences() + "[singles] Each head alone:\n  head: \"head\" 3\n" +
            kDamageColumns +
            "[greedy] The set that grows by the head whose loss adds the most damage, one a row:\n"
            "  size: \"heads\" 3\n  added: \"added\" 3\n" +
            kDamageColumns +
            fmt::format("Without {} of 4 heads the accuracy is {:.3f}, {} a quarter of the intact {:.3f}.\n",
                        greedy.size(), left, left <= m.accuracy() / 4 ? "at most" : "still above",
                        m.accuracy()) +
            backup(m, greedy.back()) + "bars Rise of the loss without heads: nats 3\n");
  const auto& bars = std::get<draw::Bars>(study.picture);
  CHECK(bars.labels == std::vector<std::string>{"L0H0", "L0H1", "L1H0", "L1H1"});
  for (std::size_t i = 0; i < 4; ++i) {
    const Damage alone = m.heads.of({{i / 2, i % 2}});
    check_row(study.tables[0].rows[i], 1, alone);
    CHECK(bars.values[i] == Approx(alone.loss_rise));
  }
  for (std::size_t i = 0; i < greedy.size(); ++i) {
    CHECK(std::get<std::int64_t>(study.tables[1].rows[i][0]) == static_cast<std::int64_t>(i) + 1);
    CHECK(text(study.tables[1].rows[i][1]) == interpret::head_code(greedy[i].heads.back()));
    check_row(study.tables[1].rows[i], 2, greedy[i]);
  }
  const Study alone = ablation_study(small_run(), {.greedy = true}, pool);
  REQUIRE(alone.tables.size() == 1);
  const auto& growing = std::get<draw::Bars>(alone.picture);
  CHECK(growing.labels[0] == interpret::head_code(greedy[0].heads[0]));
  CHECK(growing.labels[1] == "and " + interpret::head_code(greedy[1].heads[1]));
  CHECK(growing.values[1] == Approx(greedy[1].loss_rise));
}

TEST_CASE("the study of pairs", "[studies][words]") {
  const Measured m;
  ThreadPool pool(1);
  const Study study = ablation_study(small_run(), {.pairs = true}, pool);
  std::vector<Damage> pairs = m.heads.pairs();
  const auto excess = [&](const Damage& d) {
    return d.loss_rise - m.heads.of({d.heads[0]}).loss_rise - m.heads.of({d.heads[1]}).loss_rise;
  };
  std::sort(pairs.begin(), pairs.end(),
            [&](const Damage& a, const Damage& b) { return excess(a) > excess(b); });
  CHECK(outline(study) ==
        m.facts() + kByMean + m.sequences() +
            "[pairs] Pairs, by what they cost beyond the sum of the two alone; rises of the loss in nats:\n"
            "  heads: \"heads\" 3\n  accuracy: \"accuracy\" 3\n  loss_rise: \"together\" 3 signed\n"
            "  loss_rise_apart: \"sum of alone\" 3 signed\n  excess: \"beyond the sum\" 3 signed\n"
            "  the first 20 rows\n" +
            backup(m, pairs.front()) +
            "bars Pairs: rise of the loss beyond the sum of the two alone: nats 3\n");
  const auto& bars = std::get<draw::Bars>(study.picture);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& row = study.tables[0].rows[i];
    CHECK(text(row[0]) == interpret::codes_of(pairs[i].heads));
    CHECK(bars.labels[i] == interpret::codes_of(pairs[i].heads));
    CHECK(number(row[1]) == *pairs[i].after.accuracy_predictable);
    CHECK(number(row[2]) == Approx(pairs[i].loss_rise));
    CHECK(number(row[4]) == Approx(excess(pairs[i])));
    CHECK(bars.values[i] == Approx(excess(pairs[i])));
  }
}

TEST_CASE("the study of named heads", "[studies][words]") {
  const Measured m(interpret::Ablation::zero);
  ThreadPool pool(1);
  const Study study =
      ablation_study(small_run(), {.ablation = interpret::Ablation::zero, .heads = "1.0"}, pool);
  const Damage named = m.heads.of({{1, 0}});
  std::vector<Damage> others = m.heads.of_each({{{0, 0}}, {{0, 1}}, {{1, 1}}});
  std::sort(others.begin(), others.end(),
            [](const Damage& a, const Damage& b) { return a.loss_rise > b.loss_rise; });
  const double mean = (others[0].loss_rise + others[1].loss_rise + others[2].loss_rise) / 3;
  const std::string expected =
      m.facts() + "Ablation by zero: the heads write nothing.\n" + m.sequences() +
      "[sets] The named heads, and sets of other heads:\n  heads: \"heads\" 3\n" + kDamageColumns +
      "  the first 12 rows\n" +
      fmt::format(
          "Without L1H0 the loss rises by {:.3f} nats. Without 1 other head it rises by {:.3f} in the "
          "mean of 3 sets, and by at most {:.3f} ({}).\n",
          named.loss_rise, mean, others[0].loss_rise, interpret::codes_of(others[0].heads));
  CHECK(outline(study).starts_with(expected));
  check_row(study.tables[0].rows[0], 1, named);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(text(study.tables[0].rows[i + 1][0]) == interpret::codes_of(others[i].heads));
    check_row(study.tables[0].rows[i + 1], 1, others[i]);
  }
}

TEST_CASE("a study of named heads says which others are helpers", "[studies][words]") {
  run::Run run{small_run().config, small_run().task};
  run.model = std::make_unique<nn::Transformer>(nn::clone(*small_run().model));
  ThreadPool pool(1);
  const auto last = [&](const std::string& heads) {
    return ablation_study(run, {.heads = heads}, pool).tables[0].sentences.back();
  };
  CHECK(last("1.0").starts_with("Without L1H0 the loss"));
  run.results.certificate.emplace().helpers = {{0, 1}, {1, 0}};
  CHECK(last("1.0") ==
        "Among the other heads L0H1 is a helper, which the certificate adds to the circuit until this solves "
        "the task. Its control leaves it out.");
  CHECK(last("1.1") ==
        "Among the other heads L0H1, L1H0 are helpers, which the certificate adds to the circuit until this "
        "solves the task. Its control leaves them out.");
  CHECK(last("0.1,1.0,1.1") == "The model has only 1 other heads.");
  CHECK(last("0.0,0.1,1.0,1.1") == "These are all heads of the model: there are no others to compare with.");
}

TEST_CASE("of many sets of other heads 24 are measured, all different", "[studies][words]") {
  run::RunConfig config = run::small_config();
  config.model.n_heads = 6, config.model.d_model = 12, config.model.d_mlp = 0;
  run::Run run{config, run::make_task(config)};
  Rng rng(4);
  run.model = std::make_unique<nn::Transformer>(
      nn::TransformerConfig{.n_layers = 2, .d_model = 12, .n_heads = 6, .d_vocab = 12, .n_ctx = 16}, rng);
  ThreadPool pool(1);
  const Study study = ablation_study(run, {.heads = "0.0,1.5", .sequences = 2}, pool);
  std::set<std::string> sets;
  for (const auto& row : study.tables[0].rows) {
    sets.insert(text(row[0]));
    CHECK(text(row[0]).size() == std::string("L0H0, L1H5").size());
    CHECK((text(row[0]) == "L0H0, L1H5" ||
           (!contains(text(row[0]), "L0H0") && !contains(text(row[0]), "L1H5"))));
  }
  CHECK(sets.size() == 25);
  CHECK(study.tables[0].rows.size() == 25);
  CHECK(contains(study.tables[0].sentences[0], "Without 2 other heads it rises by"));
  CHECK(contains(study.tables[0].sentences[0], "in the mean of 24 sets, and"));
}

TEST_CASE("ablation on a task without predictable tokens measures all", "[studies][words]") {
  run::RunConfig config = run::small_config();
  config.task.name = "markov", config.task.states = 3;
  run::Run run{config, run::make_task(config)};
  run.model = run::make_model(run.config, run.task);
  REQUIRE_FALSE(train::evaluate(*run.model, study_batch(run), nn::Hooks()).accuracy_predictable);
  ThreadPool pool(1);
  const Study study = ablation_study(run, {}, pool);
  const double loss = train::evaluate(*run.model, study_batch(run), nn::Hooks()).loss;
  CHECK(study.sentences[1] ==
        fmt::format("Measured on 32 sequences as in training, drawn anew, on all tokens. Intact: loss {:.3f} "
                    "nats.",
                    loss));
  CHECK(study.tables[1].sentences ==
        std::vector<std::string>{fmt::format("No token of this task is {}, so accuracy has no chance level "
                                             "to fall to.",
                                             run.task.kinds.predictable)});
  CHECK(study.tables[1].rows.empty());
  for (const auto& row : study.tables[0].rows) {
    CHECK(std::holds_alternative<std::monostate>(row[1]));
    CHECK(std::holds_alternative<std::monostate>(row[2]));
    CHECK(number(row[3]) - number(row[4]) == Approx(loss));
  }
}
