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

TEST_CASE("batches made by hand are checked at each door", "[interpret][refusals]") {
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
