// Which snapshots a history keeps, and what it writes of them.
#include <set>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/train/history.h"
#include "headlight/train/safetensors.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::train;
using run::make_model;
using run::small_config;

namespace {

using Steps = std::vector<std::int64_t>;
struct Offer {
  std::int64_t step;
  std::vector<double> progress;
};

nn::Transformer& any_model() {
  static const auto model = make_model(small_config());
  return *model;
}

Steps kept(std::size_t capacity, const std::vector<Offer>& offers) {
  History history(capacity);
  for (const auto& [step, progress] : offers) history.offer(step, any_model(), progress);
  return history.steps();
}

std::size_t bytes_of_model() {
  std::size_t numbers = 0;
  for (const auto& [name, array] : weights_of(any_model())) numbers += array.size();
  return numbers * sizeof(Real);
}

// A model all of whose numbers are `value`, so that snapshots can be told apart.
void fill(nn::Transformer& model, double value) {
  for (Tensor& p : nn::parameters(model)) p.mutable_array().fill(static_cast<Real>(value));
}

std::vector<Snapshot> snapshots_in(const std::filesystem::path& file) {
  return snapshots_from(load_safetensors(file), file.string());
}

}  // namespace

TEST_CASE("as many snapshots as the capacity are kept as they are", "[history]") {
  CHECK(kept(4, {{0, {0}}, {1, {0}}, {2, {0}}, {50, {0}}}) == Steps{0, 1, 2, 50});
}

TEST_CASE("the snapshot whose neighbours are closest in time goes", "[history]") {
  CHECK(kept(4, {{0, {0}}, {30, {0}}, {40, {0}}, {50, {0}}, {100, {0}}}) == Steps{0, 30, 50, 100});
  CHECK(kept(4, {{0, {0}}, {50, {0}}, {60, {0}}, {65, {0}}, {100, {0}}}) == Steps{0, 50, 65, 100});
}

TEST_CASE("of snapshots that are missed equally the earliest goes", "[history]") {
  CHECK(kept(3, {{0, {0}}, {10, {0}}, {20, {0}}, {30, {0}}}) == Steps{0, 20, 30});
}

TEST_CASE("the snapshot whose neighbours differ least in their progress goes", "[history]") {
  CHECK(kept(3, {{0, {0}}, {10, {.5}}, {20, {.5}}, {30, {.5}}}) == Steps{0, 10, 30});
  CHECK(kept(3, {{0, {0}}, {10, {0}}, {20, {0}}, {30, {.5}}}) == Steps{0, 20, 30});
}

TEST_CASE("progress that falls counts as progress that rises", "[history]") {
  CHECK(kept(3, {{0, {.9}}, {10, {.9}}, {20, {.2}}, {30, {.4}}}) == Steps{0, 10, 30});
}

TEST_CASE("the largest change of a measure counts, not their sum", "[history]") {
  // Without step 10: both change by 0.3. Without step 20: one changes by 0.4.
  CHECK(kept(3, {{0, {0, 0}}, {10, {0, .3}}, {20, {.3, .3}}, {30, {.4, .3}}}) == Steps{0, 20, 30});
}

TEST_CASE("every measure is looked at, the last too", "[history]") {
  CHECK(kept(3, {{0, {0, 0, 0}}, {10, {0, 0, .8}}, {20, {0, 0, .8}}, {30, {0, 0, .8}}}) == Steps{0, 10, 30});
}

TEST_CASE("time counts as its part of the training so far", "[history]") {
  // Without 10: 0.1 of the progress and 20/100 of the time. Without 20: 90/100 of the time.
  CHECK(kept(3, {{0, {0}}, {10, {0}}, {20, {.1}}, {100, {.1}}}) == Steps{0, 20, 100});
  // Without 10: 0.1 and 20/100. Without 20: 0 and 90/100: the time outweighs the progress.
  CHECK(kept(3, {{0, {0}}, {10, {.1}}, {20, {.1}}, {100, {.1}}}) == Steps{0, 20, 100});
  // 20/100 and 0.8 against 90/100 and 0: the progress outweighs the time.
  CHECK(kept(3, {{0, {0}}, {10, {.8}}, {20, {.8}}, {100, {.8}}}) == Steps{0, 10, 100});
}

TEST_CASE("the first and the last snapshot are always kept", "[history]") {
  for (const std::size_t capacity : {2, 3, 7}) {
    History history(capacity);
    for (std::int64_t step = 5; step <= 60; ++step) {
      history.offer(step, any_model(), {step % 2 == 0 ? 1.0 : 0.0});
      const Steps steps = history.steps();
      CHECK(steps.front() == 5);
      CHECK(steps.back() == step);
      CHECK(steps.size() == std::min<std::size_t>(capacity, static_cast<std::size_t>(step - 4)));
      CHECK(std::is_sorted(steps.begin(), steps.end()));
    }
  }
}

TEST_CASE("a history takes no more bytes than it may", "[history]") {
  const auto kept_in = [](std::size_t bytes) {
    History history(10, bytes);
    for (std::int64_t step = 0; step < 12; ++step) history.offer(step, any_model(), {0});
    return history.steps().size();
  };
  const std::size_t one = bytes_of_model();
  CHECK(kept_in(4 * one) == 4);
  CHECK(kept_in(4 * one - 1) == 3);
  CHECK(kept_in(5 * one - 1) == 4);
  CHECK(kept_in(100 * one) == 10);
  CHECK(kept_in(0) == 2);
  CHECK(History::most_kept(10, static_cast<double>(one), 4 * one) == 4);
  CHECK(History::most_kept(10, 1e300) == 2);
  CHECK(History::most_kept(0, 1) == 0);
}

TEST_CASE("snapshots come in order, with as many measures each", "[history]") {
  History history(5);
  history.offer(10, any_model(), {0, 0});
  for (const std::int64_t step : {10, 9, -1})
    CHECK(contains(error_of([&] { history.offer(step, any_model(), {0, 0}); }), "offered out of order"));
  CHECK(contains(error_of([&] { history.offer(11, any_model(), {0}); }), "with other measures of progress"));
  CHECK(history.steps() == Steps{10});
}

TEST_CASE("a saved history comes back with the weights that each step had", "[history]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "snapshots.safetensors";
  const auto model = make_model(small_config());
  History history(4);
  for (const std::int64_t step : {0, 9, 10, 100}) {  // "10" comes before "9" as a text
    fill(*model, static_cast<double>(step) + 0.5);
    history.offer(step, *model, {0});
  }
  fill(*model, -1);
  write_file(file, to_safetensors(history.snapshots()));

  Steps steps;
  for (const Snapshot& snapshot : snapshots_in(file)) {
    steps.push_back(snapshot.step);
    CHECK(snapshot.weights.size() == nn::parameters(*model).size());
    for (auto& [name, parameter] : nn::named_parameters(*model)) {
      INFO(name);
      REQUIRE(snapshot.weights.contains(name));
      CHECK(snapshot.weights.at(name).shape() == parameter.shape());
      for (Real x : snapshot.weights.at(name)) REQUIRE(x == static_cast<Real>(snapshot.step) + Real{0.5});
    }
  }
  CHECK(steps == Steps{0, 9, 10, 100});
}

TEST_CASE("a history's file names each array by its step and parameter", "[history]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "snapshots.safetensors";
  History history(3);
  for (const std::int64_t step : {0, 20, 250}) history.offer(step, any_model(), {0});
  write_file(file, to_safetensors(history.snapshots()));
  std::set<std::string> expected, found;
  for (const char* step : {"step_0/", "step_20/", "step_250/"})
    for (const auto& [name, parameter] : nn::named_parameters(any_model())) expected.insert(step + name);
  for (const auto& [name, array] : load_safetensors(file).arrays) found.insert(name);
  CHECK(found == expected);
}

TEST_CASE("names that are no step's are refused, each for itself", "[history]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "snapshots.safetensors";
  const Array two = full_array({2}, 1);
  for (const char* name : {"step_/embed.W_E", "step_-1/embed.W_E", "step_5", "stop_5/embed.W_E",
                           "5/embed.W_E", "step_5x/embed.W_E", "step_99999999999999999999/embed.W_E", ""}) {
    INFO(name);
    save_safetensors(file, {{name, &two}});
    CHECK(contains(error_of([&] { snapshots_in(file); }), "expected names such as 'step_250/"));
  }
  save_safetensors(file, {});
  CHECK(contains(error_of([&] { snapshots_in(file); }), "holds no snapshots"));
}
