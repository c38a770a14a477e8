// What the interpretation of a model refuses: batches, outputs, tasks and matrices that do not fit.
#include <cstdint>
#include <limits>

#include "catch.h"
#include "headlight/interpret/certificate.h"
#include "headlight/interpret/circuits.h"
#include "headlight/interpret/patching.h"
#include "headlight/interpret/scores.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

nn::Transformer refusing_model() {
  Rng rng(1);
  return nn::Transformer({.n_layers = 2, .d_model = 8, .n_heads = 2, .d_vocab = 16, .n_ctx = 8}, rng);
}

tasks::Batch counting_batch(std::size_t rows = 2, std::size_t n = 8) {
  tasks::Batch batch{IntArray::from_shape({rows, n}), IntArray::from_shape({rows, n}),
                     BoolArray({rows, n}, true), IntArray::from_shape({0})};
  for (std::size_t i = 0; i < rows * n; ++i) {
    batch.tokens.data()[i] = static_cast<std::int32_t>(i * 5 % 4);
    batch.targets.data()[i] = static_cast<std::int32_t>((i * 5 + 1) % 4);
  }
  return batch;
}

const HeadAt kFirst{0, 0};

}  // namespace

TEST_CASE("batches made by hand are checked by each function that takes them", "[interpret][refusals]") {
  const nn::Transformer model = refusing_model();
  tasks::Batch far = counting_batch();
  far.answers = IntArray(far.tokens.shape(), 5000);
  CHECK(error_of([&] { score_heads(model, far); }) == "[batch] expected each answer in -1 … 7, got 5000.");
  CHECK(error_of([] { renamed(counting_batch(), 2, {}, Rng()); }) ==
        "[batch] expected each token in 0 … 1, got 2.");
}

TEST_CASE("patching needs two batches of one shape", "[interpret][refusals]") {
  const nn::Transformer model = refusing_model();
  ThreadPool pool(1);
  const tasks::Batch clean = counting_batch();
  for (const tasks::Batch& other : {counting_batch(1, 8), counting_batch(2, 5)}) {
    const std::string part =
        fmt::format("got tokens (2,8) and ({},{})", other.tokens.shape()[0], other.tokens.shape()[1]);
    CHECK(contains(error_of([&] { patch_streams(model, clean, other, pool); }), part));
    CHECK(contains(error_of([&] { patch_heads(model, clean, other, pool); }), part));
  }
  tasks::Batch far = clean;
  far.targets.fill(99999999);
  CHECK(contains(error_of([&] { patch_heads(model, clean, far, pool); }), "expected each target in -1 … 15"));
}

TEST_CASE("a certificate needs a task that the model can read", "[interpret][refusals]") {
  ThreadPool pool(1);
  const tasks::Task task = tasks::make_task({});
  CHECK(error_of([&] { certify(refusing_model(), task, Rng(), pool); }) ==
        "[certify] expected a task of at most 16 tokens and a context of at most 8, as the model has, got 64 "
        "and 64.");
}

TEST_CASE("outputs must have the shape of what they replace", "[interpret][refusals]") {
  const nn::Transformer model = refusing_model();
  const NoGrad no_grad;
  const auto message = [&](const ActivationCache& outputs, const tasks::Batch& batch) {
    return error_of([&] { model(batch.tokens, replace_outputs(model.config(), {{0, 1}}, outputs)); });
  };
  const ActivationCache outputs = outputs_of(model, counting_batch());
  for (const auto& [rows, n] : {std::pair{2U, 3U}, {1U, 8U}, {3U, 8U}})
    CHECK(
        message(outputs, counting_batch(rows, n)) ==
        fmt::format("[ablation] expected outputs for {} sequences of {} tokens with 2 heads of width 4, got "
                    "shape (2,8,2,4).",
                    rows, n));
  for (const Shape& shape : {Shape{3}, Shape{1, 1, 2, 99}, Shape{1, 1, 1, 4}}) {
    ActivationCache wrong;
    wrong.put("blocks.0.attn.hook_z", full_array(shape, 1));
    CHECK(contains(message(wrong, counting_batch()), fmt::format("got shape {}.", shape)));
  }
  const ActivationCache means = mean_outputs(model, counting_batch());
  CHECK_NOTHROW(model(counting_batch(3, 5).tokens, replace_outputs(model.config(), {kFirst}, means)));
}

TEST_CASE("streams of another run do not fit into the logits", "[interpret][refusals]") {
  const nn::Transformer model = refusing_model();
  const tasks::Batch batch = counting_batch();
  const ActivationCache outputs = outputs_of(model, batch);
  const PathPatching paths(model, batch, outputs);
  const CachedRun other = run_with_cache(model, counting_batch(1, 3).tokens);
  const nn::Hooks hooks = paths.into({}, true, other.cache);
  CHECK(contains(
      error_of([&] { model(batch.tokens, hooks); }),
      "expected streams of shape (2,8,8) for the logits, got (1,3,8), and (2,8,8) of the clean run"));
  CHECK(
      contains(error_of([&] { model(counting_batch(1, 3).tokens, hooks); }), "and (2,8,8) of the clean run"));
}

TEST_CASE("a batch of no sequences is patched to itself", "[interpret][refusals]") {
  const nn::Transformer model = refusing_model();
  ActivationCache empty;
  empty.put("hook_embed", full_array({0, 8, 8}, 1));
  CHECK(model(IntArray::from_shape({0, 8}), patch_activation("hook_embed", empty, {1})).shape() ==
        Shape{0, 8, 16});
}

TEST_CASE("circuits have factors of two axes that fit", "[interpret][refusals]") {
  const Factored flat{full_array({4}, 1), full_array({2, 2}, 1)};
  CHECK(contains(error_of([&] { flat.product(); }), "[Factored] expected an array of two axes, got 1."));
  const Factored unfit{full_array({2, 2}, 1), full_array({3, 2}, 1)};
  CHECK(contains(error_of([&] { copying_score(unfit); }), "(V,r) x (r,V), got (2,2) x (3,2)"));
  CHECK(contains(error_of([&] { eigenvalues(unfit); }), "(V,r) x (r,V), got (2,2) x (3,2)"));
}
