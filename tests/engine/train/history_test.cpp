// The weights along training: which snapshots are kept, and that they come back.
#include "headlight/train/history.h"

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/train/safetensors.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::train;
using run::make_model;
using run::small_config;

namespace {

// Progress that stays at 0, rises from 0 to 1 between the steps 50 and 60, and stays there.
double jump(std::int64_t step) { return std::clamp(static_cast<double>(step - 50) / 10, 0.0, 1.0); }

History history_of_a_jump(nn::Transformer& model, std::size_t capacity, std::size_t max_bytes = 1 << 30) {
  History history(capacity, max_bytes);
  for (std::int64_t step = 0; step <= 100; ++step) history.offer(step, model, {jump(step)});
  return history;
}

std::vector<Snapshot> kept_in(const std::filesystem::path& file) {
  return snapshots_from(load_safetensors(file), file.string());
}

}  // namespace

TEST_CASE("a history keeps the ends, and most where the progress changes", "[history]") {
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

TEST_CASE("a history keeps fewer snapshots of a large model", "[history]") {
  const auto model = make_model(small_config());
  std::size_t bytes = 0;
  for (const auto& [name, array] : weights_of(*model)) bytes += array.size() * sizeof(Real);
  CHECK(history_of_a_jump(*model, 16, 5 * bytes).steps().size() == 5);
  CHECK(history_of_a_jump(*model, 16, 1).steps() == std::vector<std::int64_t>{0, 100});
  CHECK(history_of_a_jump(*model, 0).steps().empty());
  CHECK(contains(error_of([] { History(1); }), "expected 0 or at least 2"));
}

TEST_CASE("the weights of kept steps come back", "[history]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "snapshots.safetensors";
  const auto model = make_model(small_config());
  History history(3);
  history.offer(0, *model, {0});
  const Array before = model->embed.W.array();
  Tensor(model->embed.W).mutable_array().fill(0.25);
  history.offer(10, *model, {1});
  write_file(file, to_safetensors(history.snapshots()));

  const auto snapshots = kept_in(file);
  REQUIRE(snapshots.size() == 2);
  CHECK(snapshots[0].step == 0);
  CHECK(difference(snapshots[0].weights.at("embed.W_E"), before) == 0);
  CHECK(snapshots[1].step == 10);
  CHECK(snapshots[1].weights.at("embed.W_E")(0, 0) == Real{0.25});
  CHECK(History(0).snapshots().empty());
}

TEST_CASE("a history that goes on keeps the snapshots that it would have kept", "[history]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "snapshots.safetensors";
  const auto model = make_model(small_config());
  History first(8);
  for (std::int64_t step = 0; step <= 57; ++step) first.offer(step, *model, {jump(step)});
  write_file(file, to_safetensors(first.snapshots()));
  std::vector<std::vector<double>> progress;
  for (const std::int64_t step : first.steps()) progress.push_back({jump(step)});
  History second(8);
  second.restore(kept_in(file), progress);
  for (std::int64_t step = 58; step <= 100; ++step) second.offer(step, *model, {jump(step)});
  CHECK(second.steps() == history_of_a_jump(*model, 8).steps());
  CHECK(contains(error_of([&] { second.restore({}, {{1}}); }), "0 snapshots with 1 measures"));
  CHECK(contains(error_of([&] {
                   second.restore({{0, {}}, {1, {}}}, {{1, 2}, {1}});
                 }),
                 "snapshots with 2 and 1 measures of progress cannot be compared"));
}

TEST_CASE("a damaged history is refused with its file's name", "[history]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "snapshots.safetensors";
  const Array two = full_array({2}, 1);
  save_safetensors(file, {{"embed.W_E", &two}});
  CHECK(contains(error_of([&] { kept_in(file); }), "has an array 'embed.W_E'"));
  save_safetensors(file, {{"step_1x/embed.W_E", &two}});
  CHECK(contains(error_of([&] { kept_in(file); }), "expected names such as"));
  write_file(file, "short");
  CHECK(contains(error_of([&] { kept_in(file); }), "snapshots.safetensors"));
}
