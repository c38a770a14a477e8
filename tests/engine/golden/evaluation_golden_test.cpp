// Evaluation and head scores, computed in another way from the same weights.
#include "golden/golden.h"
#include "headlight/core/thread_pool.h"
#include "headlight/interpret/scores.h"
#include "headlight/train/evaluate.h"

using namespace headlight;
using golden::Case;
using interpret::HeadScores;

namespace {

using Size = std::size_t;

nn::Transformer model_of(Case& c) {
  Rng rng(1);
  nn::Transformer model({.n_layers = c.setting<Size>("n_layers"),
                         .d_model = c.setting<Size>("d_model"),
                         .n_heads = c.setting<Size>("n_heads"),
                         .d_vocab = c.setting<Size>("d_vocab"),
                         .n_ctx = c.setting<Size>("n_ctx"),
                         .positions = c.setting<std::string>("positions")},
                        rng);
  c.load(model);
  return model;
}

tasks::Batch batch_of(Case& c) {
  const IntArray tokens = c.integers("tokens"), targets = c.integers("targets"),
                 predictable = c.integers("predictable");
  tasks::Batch batch{tokens, targets, BoolArray({tokens.shape()[0], tokens.shape()[1]}, false),
                     IntArray::from_shape({0})};
  for (Size i = 0; i < predictable.size(); ++i) batch.predictable.data()[i] = predictable.data()[i] != 0;
  return batch;
}

Array score_of_each_head(const std::vector<HeadScores>& heads, const char* score) {
  Array numbers = empty_array({heads.size()});
  for (Size i = 0; i < heads.size(); ++i) numbers(i) = static_cast<Real>(heads[i][score]);
  return numbers;
}

}  // namespace

TEST_CASE("evaluation agrees with PyTorch on every sequence of a batch", "[golden]") {
  golden::each_case("evaluation.json", 3, [](Case& c) {
    const nn::Transformer model = model_of(c);
    ThreadPool pool(2);
    const train::Evaluation computed = train::evaluate(model, batch_of(c), pool);
    c.agrees("accuracy_predictable", Tensor(computed.accuracy_predictable.value()).array());
    c.agrees("loss", Tensor(computed.loss).array());
    c.agrees("loss_predictable", Tensor(computed.loss_predictable.value()).array());
    if (c.has("outputs", "loss_unpredictable"))
      c.agrees("loss_unpredictable", Tensor(computed.loss_unpredictable.value()).array());
    else
      CHECK_FALSE(computed.loss_unpredictable);
  });
}

TEST_CASE("head scores agree with their definition on tokens that repeat at once", "[golden]") {
  golden::each_case("head_scores.json", 3, [](Case& c) {
    nn::Transformer model = model_of(c);
    const auto heads = interpret::score_heads(model, c.integers("tokens"));
    c.agrees("previous_token", score_of_each_head(heads, interpret::kPreviousToken));
    c.agrees("duplicate_token", score_of_each_head(heads, interpret::kDuplicateToken));
    c.agrees("induction", score_of_each_head(heads, interpret::kInduction));
  });
}
