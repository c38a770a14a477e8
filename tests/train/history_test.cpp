// The weights along training: which moments are kept, and that they come back.
#include "headlight/train/history.h"

#include "catch.h"
#include "headlight/core/files.h"
#include "headlight/train/safetensors.h"
#include "temporary_folder.h"
#include "train/small_config.h"

using namespace headlight;
using namespace headlight::train;

namespace {

// A figure that stays at 0, rises from 0 to 1 between the steps 50 and 60, and stays there.
double jump(std::int64_t step) { return std::clamp(static_cast<double>(step - 50) / 10, 0.0, 1.0); }

History history_of_a_jump(nn::Transformer& model, std::size_t capacity, std::size_t max_bytes = 1 << 30) {
  History history(capacity, max_bytes);
  for (std::int64_t step = 0; step <= 100; ++step) history.offer(step, model, {jump(step)});
  return history;
}

}  // namespace

TEST_CASE("a history keeps the ends, and most where the figures change", "[history]") {
  const auto model = make_model(small_config());
  const auto steps = history_of_a_jump(*model, 16).steps();
  REQUIRE(steps.size() == 16);
  CHECK(steps.front() == 0);
  CHECK(steps.back() == 100);
  const auto in_the_jump =
      std::count_if(steps.begin(), steps.end(), [](auto s) { return s >= 50 && s <= 60; });
  CHECK(in_the_jump >= 6);  // a tenth of the time
  for (std::size_t i = 1; i < steps.size(); ++i) CHECK(steps[i] - steps[i - 1] <= 25);
}

TEST_CASE("a history keeps fewer moments of a large model", "[history]") {
  const auto model = make_model(small_config());
  std::size_t bytes = 0;
  for (const auto& [name, array] : weights_of(*model)) bytes += array.size() * sizeof(Real);
  CHECK(history_of_a_jump(*model, 16, 5 * bytes).steps().size() == 5);
  CHECK(history_of_a_jump(*model, 16, 1).steps() == std::vector<std::int64_t>{0, 100});
  CHECK(history_of_a_jump(*model, 0).steps().empty());
  CHECK(contains(error_of([] { History(1); }), "expected 0 or 2 and more"));
}

TEST_CASE("the weights of a kept step come back, of another step not", "[history]") {
  const TemporaryFolder folder;
  const RunConfig config = small_config();
  const auto model = make_model(config);
  History history(3);
  history.offer(0, *model, {0});
  const Array before = model->embed.W.array();
  Tensor(model->embed.W).mutable_array().fill(0.25);
  history.offer(10, *model, {1});
  save_checkpoint(folder.path(), config, *model);
  CHECK(contains(error_of([&] { load_history(folder.path()); }), "has no history.safetensors"));
  history.save(folder.path());

  CHECK(load_history(folder.path()).size() == 2);
  CHECK(difference(load_checkpoint_at(folder.path(), 0).model->embed.W.array(), before) == 0);
  CHECK(load_checkpoint_at(folder.path(), 10).model->embed.W.array()(0, 0) == Real{0.25});
  CHECK(contains(error_of([&] { load_checkpoint_at(folder.path(), 4); }),
                 "the weights of step 4 were not kept; the nearest kept: 0 and 10."));
  CHECK(contains(error_of([&] { load_checkpoint_at(folder.path(), 11); }), "the nearest kept: 10."));

  History(0).save(folder.path());
  CHECK_FALSE(std::filesystem::exists(folder.path() / "history.safetensors"));
}

TEST_CASE("a damaged history is refused with its file's name", "[history]") {
  const TemporaryFolder folder;
  save_safetensors(folder.path() / "history.safetensors", {{"embed.W_E", full_array({2}, 1)}});
  CHECK(contains(error_of([&] { load_history(folder.path()); }), "has an array 'embed.W_E'"));
  save_safetensors(folder.path() / "history.safetensors", {{"step_1x/embed.W_E", full_array({2}, 1)}});
  CHECK(contains(error_of([&] { load_history(folder.path()); }), "expected names such as"));
  write_file(folder.path() / "history.safetensors", "short");
  CHECK(contains(error_of([&] { load_history(folder.path()); }), "history.safetensors"));
}
