// What the study of the logit lens says, and where its numbers come from.
#include "headlight/interpret/attribution.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/run/examples.h"
#include "headlight/studies/head_studies.h"
#include "studies/studied.h"

using namespace headlight;
using namespace headlight::studies;

namespace {

// The evaluation of the model whose blocks from `layer` on write nothing.
train::Evaluation ending_before(const run::Run& run, std::size_t layer) {
  nn::Hooks hooks;
  for (std::size_t l = layer; l < 2; ++l)
    hooks.add(fmt::format("blocks.{}.hook_attn_out", l), [](const Tensor& x) { return x * Real{0}; });
  return train::evaluate(*run.model, study_batch(run), hooks);
}

}  // namespace

TEST_CASE("the study of the logit lens", "[studies][words]") {
  const run::Run& run = small_run();
  const Study study = lens_study(run, {});
  const StudyTable &layers = study.tables[0], &sequence = study.tables[1];
  double gains[2];
  for (std::size_t layer = 0; layer <= 2; ++layer) {
    const train::Evaluation e = ending_before(run, layer);
    CHECK(number(layers.rows[layer][1]) == Approx(*e.accuracy_predictable));
    CHECK(number(layers.rows[layer][2]) == Approx(*e.loss_predictable).epsilon(1e-4));
    CHECK(number(layers.rows[layer][3]) == Approx(*e.loss_unpredictable).epsilon(1e-4));
    if (layer > 0) gains[layer - 1] = number(layers.rows[layer][1]) - number(layers.rows[layer - 1][1]);
  }
  const std::size_t best = gains[0] >= gains[1] ? 0 : 1;
  REQUIRE(gains[best] > 0.05);
  CHECK(outline(study) ==
        "lens\nsequences = 32\n"
        "After each layer the final norm and the unembedding read the residual stream, as if the model ended "
        "there.\n"
        "Measured on 32 sequences as in training, drawn anew, on predictable tokens.\n"
        "[layers] What would be predicted after each layer:\n"
        "  after: \"after\" 3\n  accuracy: \"accuracy\" 3\n  loss: \"loss\" 3\n"
        "  loss_unpredictable: \"loss on others\" 3\n" +
            fmt::format("The largest gain is in layer {}: the accuracy is {:.3f} before and {:.3f} after.\n",
                        best, number(layers.rows[best][1]), number(layers.rows[best + 1][1])) +
            "[sequence] The guess after each layer, with its probability:\n"
            "  position: \"position\" 3\n  token: \"token\" 3\n  target: \"target\" 3\n"
            "  guess_embedding: \"the embedding\" 3\n  probability_embedding: \"p\" 2\n"
            "  guess_layer_0: \"layer 0\" 3\n  probability_layer_0: \"p\" 2\n"
            "  guess_layer_1: \"layer 1\" 3\n  probability_layer_1: \"p\" 2\n  the first 64 rows\n"
            "map What would be predicted after each layer: last layer that is read x token of the sequence, "
            "probability of the guess 2 numbers magnitudes\n");
  const run::Example example = run::first_example(run.task, run.config.train.seed);
  const Array lens = interpret::logit_lens(*run.model, nn::one_sequence(example.tokens));
  const auto& map = std::get<draw::SignedMap>(study.picture);
  for (std::size_t layer = 0; layer <= 2; ++layer)
    for (std::size_t i = 0; i < example.tokens.size(); ++i) {
      std::size_t guess = 0;
      double sum = 0;
      for (std::size_t v = 0; v < 12; ++v) {
        if (lens(layer, 0, i, v) > lens(layer, 0, i, guess)) guess = v;
        sum += std::exp(static_cast<double>(lens(layer, 0, i, v)));
      }
      const std::string word = run.task.vocabulary.text(static_cast<std::int32_t>(guess));
      CHECK(text(sequence.rows[i][3 + 2 * layer]) == word);
      CHECK(number(sequence.rows[i][4 + 2 * layer]) ==
            Approx(std::exp(static_cast<double>(lens(layer, 0, i, guess))) / sum));
      CHECK(map.texts[layer][i] == word);
      CHECK(*map.values[layer][i] == number(sequence.rows[i][4 + 2 * layer]));
    }
}

TEST_CASE("a lens on a model that learned nothing", "[studies][words]") {
  run::RunConfig config = run::small_config();
  config.train.steps = 1, config.train.history = 0, config.model.n_layers = 5;
  run::Experiment experiment(config, {.threads = 1});
  experiment.run_until(1);
  const Study study = lens_study(experiment.measure(), {.tokens = "AB"});
  CHECK(study.tables[0].sentences[0] == "No layer raises the accuracy by 0.05 or more.");
  CHECK(study.tables[1].rows.size() == 2);
  CHECK_FALSE(study.tables[1].columns[4].shown);  // the probabilities of six rows of guesses
}
