// What the studies of paths, of restored parts, and of circuits say, and where their numbers stand.
#include "headlight/interpret/circuits.h"
#include "headlight/studies/head_studies.h"
#include "studies/studied.h"

using namespace headlight;
using namespace headlight::studies;
using interpret::HeadInput;

namespace {

// A model with an MLP in each layer, so that what MLPs pass on has a part.
const run::Run& run_with_mlps() {
  static const run::Run run = [] {
    run::RunConfig config = run::small_config();
    config.train.steps = 60, config.train.history = 0;
    config.train.learning_rate = 0.03, config.train.warmup = 1;
    run::Experiment experiment(config, {.threads = 1});
    experiment.run_until(60);
    return experiment.measure();
  }();
  return run;
}

interpret::PathMatrix matrix_of(const run::Run& run, interpret::Through through) {
  ThreadPool pool(1);
  const tasks::Batch clean = study_batch(run);
  const auto written = interpret::outputs_of(
      *run.model,
      interpret::renamed(clean, 12, run.task.special, Rng(run.config.train.seed).stream("study, names")));
  const interpret::PathPatching paths(*run.model, clean, written, through);
  return interpret::path_matrix(paths, *run.model, clean, pool);
}

// "The largest rise into keys: …" of paths that the 2 × 2 heads of the small models have.
std::string largest_rise(const interpret::PathMatrix& m, std::size_t input, const char* name) {
  std::size_t from = 0, to = 0;
  const auto rise = [&](std::size_t s, std::size_t head) { return m.rises[s][(2 + head) * 3 + input]; };
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t head = 0; head < 2; ++head)
      if (rise(s, head) > rise(from, to)) from = s, to = head;
  return fmt::format("The largest rise into {}: {:+.3f} nats, from L0H{} to L1H{}.\n", name, rise(from, to),
                     from, to);
}

std::string largest_to_logits(const interpret::PathMatrix& m) {
  std::size_t best = 0;
  for (std::size_t s = 0; s < 4; ++s)
    if (m.to_logits[s] > m.to_logits[best]) best = s;
  return fmt::format("The largest rise into the logits: {:+.3f} nats, from L{}H{}.\n", m.to_logits[best],
                     best / 2, best % 2);
}

const std::string kPathColumns =
    "[paths] Rise of the loss by the path from sender to receiver, nats, the largest first:\n"
    "  sender: \"sender\" 3\n  receiver: \"receiver\" 3\n  input: \"input\" 3\n  loss_rise: \"rise\" 3 "
    "signed\n"
    "  the largest rows\n";

const std::string kSender =
    "The sender writes to the receiver what it writes on the same sequences with every token exchanged for "
    "another.\n";

std::string measured_on_32(double loss) {
  return fmt::format(
      "Measured on 32 sequences as in training, drawn anew, on predictable tokens. Intact: loss {:.3f} "
      "nats.\n",
      loss);
}

}  // namespace

TEST_CASE("the study of paths", "[studies][words]") {
  ThreadPool pool(1);
  const run::Run& run = small_run();
  const interpret::PathMatrix m = matrix_of(run, interpret::Through::residual_stream);
  const double loss = *train::evaluate(*run.model, study_batch(run), nn::Hooks()).loss_predictable;
  const Study study = path_study(run, {}, pool);
  CHECK(outline(study) ==
        fmt::format("paths\nsequences = 32\nintact_loss = {:.4f}\nthrough = residual_stream\n", loss) +
            kSender + "All other heads and MLPs write what they wrote.\n" + measured_on_32(loss) +
            kPathColumns + largest_rise(m, 0, "queries") + largest_rise(m, 1, "keys") +
            largest_rise(m, 2, "values") + largest_to_logits(m) +
            "map Rise of the loss by path: sender x receiver, nats 2 numbers\n");
  const auto& map = std::get<draw::SignedMap>(study.picture);
  CHECK(map.rows == std::vector<std::string>{"L0H0", "L0H1", "L1H0", "L1H1"});
  CHECK(map.columns ==
        std::vector<std::string>{"L1H0.q", "L1H1.q", "L1H0.k", "L1H1.k", "L1H0.v", "L1H1.v", "logits"});
  for (std::size_t s = 0; s < 4; ++s) {
    REQUIRE(map.values[s].size() == 7);
    CHECK(*map.values[s][6] == Approx(m.to_logits[s]));
    for (std::size_t c = 0; c < 6; ++c) {
      CHECK(map.values[s][c].has_value() == (s < 2));
      if (s < 2) CHECK(*map.values[s][c] == Approx(m.rises[s][(2 + c % 2) * 3 + c / 2]));
    }
  }
}

TEST_CASE("the study of paths into one input, through MLPs", "[studies][words]") {
  ThreadPool pool(1);
  const run::Run& run = run_with_mlps();
  const interpret::PathMatrix m = matrix_of(run, interpret::Through::mlps);
  REQUIRE(std::abs(m.rises[0][7] - matrix_of(run, interpret::Through::residual_stream).rises[0][7]) > 1e-6);
  const double loss = *train::evaluate(*run.model, study_batch(run), nn::Hooks()).loss_predictable;
  const Study study = path_study(run, {.to = HeadInput::keys, .through = interpret::Through::mlps}, pool);
  CHECK(outline(study) ==
        fmt::format("paths\nsequences = 32\nintact_loss = {:.4f}\nthrough = mlps\n", loss) + kSender +
            "All other heads write what they wrote; MLPs between sender and receiver are computed anew.\n" +
            measured_on_32(loss) + kPathColumns + largest_rise(m, 1, "keys") + largest_to_logits(m) +
            "map Rise of the loss by path, into keys: sender x receiver, nats 2 numbers\n");
  const auto& map = std::get<draw::SignedMap>(study.picture);
  CHECK(map.columns == std::vector<std::string>{"L1H0.k", "L1H1.k", "logits"});
  CHECK(*map.values[1][0] == Approx(m.rises[1][7]));
}

TEST_CASE("the studies of what streams and heads restore", "[studies][words]") {
  ThreadPool pool(1);
  const std::string begin =
      "restoration\nsequences = 32\n"
      "The model reads 32 sequences in which every token is exchanged for another, with one activation of "
      "the clean sequences put in.\n"
      "Restored: 1 if the model then prefers the clean targets as on the clean sequences, 0 if nothing "
      "changes.\n";
  const Study streams = restoration_study(small_run(), Restored::streams, pool);
  CHECK(outline(streams) ==
        begin +
            "[restored] Part restored by the stream before a layer, at one position, the largest first:\n"
            "  stream: \"stream\" 3\n  position: \"position\" 3\n  restored: \"restored\" 3 signed\n"
            "  the largest rows\n"
            "map Clean into renamed: part of the logit difference restored: stream before the layer x "
            "position,  2\n");
  const Study heads = restoration_study(small_run(), Restored::heads, pool);
  CHECK(outline(heads) == begin +
                              "[restored] Part restored by the output of a head, at all positions:\n"
                              "  head: \"head\" 3\n  restored: \"restored\" 3 signed\n"
                              "bars Clean into renamed: part restored by each head:  3\n");
  const auto& bars = std::get<draw::Bars>(heads.picture);
  CHECK(bars.labels == std::vector<std::string>{"L0H0", "L0H1", "L1H0", "L1H1"});
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(text(heads.tables[0].rows[i][0]) == bars.labels[i]);
    CHECK(number(heads.tables[0].rows[i][1]) == bars.values[i]);
  }
}

TEST_CASE("the study of circuits", "[studies][words]") {
  const Study study = circuit_study(small_run());
  const auto pairs = interpret::compositions(*small_run().model);
  const auto strongest = [&](const char* input, double interpret::ByInput::*part) {
    const interpret::Composition* best = &pairs[0];
    for (const interpret::Composition& pair : pairs)
      if (pair.score.*part > best->score.*part) best = &pair;
    return fmt::format("The strongest {}-composition is of L{}H{} with L{}H{}: {:+.3f}.\n", input,
                       best->to.layer, best->to.head, best->from.layer, best->from.head, best->score.*part);
  };
  const auto columns = [](const char* what, const char* hidden) {
    return fmt::format(
        "  q{0}: \"Q{0}\" 3 signed{1}\n  k{0}: \"K{0}\" 3 signed{1}\n  v{0}: \"V{0}\" 3 signed{1}\n", what,
        hidden);
  };
  const double by_chance = 8.0 / (2 + static_cast<double>(small_run().model->config().d_vocab)) - 1;
  CHECK(
      outline(study) ==
      "circuits\nFrom the parameters alone, with the norms folded in.\n" +
          fmt::format(
              "[heads] Copying, from -1 to 1 (by raised logits, a head that raises tokens at random has "
              "{:.2f}), and the largest singular values of OV and QK:\n",
              by_chance) +
          "  head: \"head\" 3\n  copying_eigenvalues: \"by eigenvalues\" 3 signed\n"
          "  copying_olsson: \"by raised logits\" 3 signed\n"
          "  ov_singular_1: \"ov 1\" 3\n  ov_singular_2: \"ov 2\" 3\n  ov_singular_3: \"ov 3\" 3\n"
          "  qk_singular_1: \"qk 1\" 3\n  qk_singular_2: \"qk 2\" 3\n  qk_singular_3: \"qk 3\" 3\n"
          "[compositions] How strongly a later head reads what an earlier one writes, less the mean of random "
          "matrices of these shapes, the largest first:\n"
          "  from: \"from\" 3\n  to: \"to\" 3\n" +
          columns("", "") + columns("_ratio", " hidden") + columns("_baseline", " hidden") +
          "  the largest rows\n" + strongest("Q", &interpret::ByInput::q) +
          strongest("K", &interpret::ByInput::k) + strongest("V", &interpret::ByInput::v) +
          "map Composition minus its baseline: earlier head x later head,  3 numbers\n");
  const auto& map = std::get<draw::SignedMap>(study.picture);
  CHECK(map.rows == std::vector<std::string>{"L0H0", "L0H1"});
  CHECK(map.columns == std::vector<std::string>{"L1H0.q", "L1H1.q", "L1H0.k", "L1H1.k", "L1H0.v", "L1H1.v"});
  for (const interpret::Composition& pair : pairs) {
    const auto& row = map.values[pair.from.head];
    CHECK(*row[pair.to.head] == pair.score.q);
    CHECK(*row[2 + pair.to.head] == pair.score.k);
    CHECK(*row[4 + pair.to.head] == pair.score.v);
    for (const auto& cells : study.tables[1].rows)
      if (text(cells[0]) == interpret::head_code(pair.from) &&
          text(cells[1]) == interpret::head_code(pair.to))
        for (std::size_t i = 0; i < 3; ++i) {
          const interpret::ByInput& by = i == 0 ? pair.score : i == 1 ? pair.ratio : pair.baseline;
          CHECK((number(cells[2 + 3 * i]) == by.q && number(cells[3 + 3 * i]) == by.k &&
                 number(cells[4 + 3 * i]) == by.v));
        }
  }
}

TEST_CASE("the studies of full circuits", "[studies][words]") {
  const auto tokens = interpret::CircuitInput::tokens;
  interpret::CircuitOptions behind;
  behind.distance = 2;
  const nn::Transformer& model = *small_run().model;
  for (const bool ov : {true, false}) {
    const Study study = ov ? full_circuit_study(small_run(), {1, 0}, FullCircuit::ov)
                           : full_circuit_study(small_run(), {1, 0}, FullCircuit::qk, 2);
    const Array matrix = ov ? interpret::full_ov(model, {1, 0}).product()
                            : interpret::full_qk(model, {1, 0}, tokens, tokens, behind).product();
    double own = 0, other = 0;
    std::size_t largest = 0;
    const auto& map = std::get<draw::SignedMap>(study.picture);
    for (std::size_t t = 0; t < 12; ++t) {
      bool is_largest = true;
      for (std::size_t u = 0; u < 12; ++u) {
        (t == u ? own : other) += static_cast<double>(matrix(t, u));
        is_largest = is_largest && matrix(t, u) <= matrix(t, t);
        CHECK(*map.values[t][u] == static_cast<double>(matrix(t, u)));
      }
      largest += is_largest ? 1 : 0;
      CHECK(map.rows[t] == std::string(1, static_cast<char>('A' + t)));
    }
    CHECK(map.columns == map.rows);
    const std::string title = ov ? "The full OV circuit of L1H0"
                                 : "The full QK circuit of L1H0, key 2 behind the query",
                      row = ov ? "attended" : "query", column = ov ? "raised" : "key",
                      unit = ov ? "logits, before norms scale" : "attention logits, before norms scale",
                      words = ov ? fmt::format(
                                       "Attended to, a token changes its own logit by {:.3f} in the "
                                       "mean, those of other tokens by {:.3f}.",
                                       own / 12, other / 132)
                                 : fmt::format(
                                       "A query gives its own token as a key the attention logit "
                                       "{:.3f} in the mean, other tokens {:.3f}.",
                                       own / 12, other / 132);
    CHECK(outline(study) ==
          fmt::format(
              "full_circuit\nhead = L1H0\ncircuit = {}\n{}[circuit] {}, the largest first:\n"
              "  {}: \"{}\" 3\n  {}: \"{}\" 3\n  value: \"{}\" 3 signed\n  the largest rows\n{} For {} of "
              "12 tokens its own number is the largest of its row.\nmap {}: {} x {}, {} 2\n",
              ov ? "ov" : "qk", ov ? "" : "distance = 2\n", title, row, row, column, column, unit, words,
              largest, title, ov ? "token attended to" : "token of the query",
              ov ? "token whose logit changes" : "token of the key", unit));
  }
}

TEST_CASE("paths into heads that share keys and values are said to be the same", "[studies][words]") {
  run::RunConfig config = run::small_config();
  config.model.n_kv_heads = 1, config.model.d_mlp = 0;
  run::Run run{config, run::make_task(config)};
  run.model = run::make_model(run::filled_in(config, run.task), run.task);
  ThreadPool pool(1);
  const Study study = path_study(run, {.sequences = 2}, pool);
  CHECK(study.tables[0].sentences.back() ==
        "Heads that share keys and values have one input of each, so paths into them show the same number.");
  for (std::size_t s = 0; s < 2; ++s)
    for (const std::size_t c : {2, 4}) {
      const auto& row = std::get<draw::SignedMap>(study.picture).values[s];
      CHECK(*row[c] == Approx(*row[c + 1]).margin(1e-9));
    }
}
