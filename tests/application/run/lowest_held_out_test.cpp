// Where the loss on held-out sequences was lowest, of losses given by hand.
#include "run/lowest_held_out.h"

#include "catch.h"

using namespace headlight;
using namespace headlight::run;

namespace {

// The loss on sequences as in training, measured every 10 steps: 3, 2.9, 2.8 …
std::vector<Metrics> falling(std::size_t count) {
  std::vector<Metrics> metrics(count);
  for (std::size_t i = 0; i < count; ++i) {
    metrics[i].step = static_cast<std::int64_t>(10 * i);
    metrics[i].evaluation.loss = 3 - 0.1 * static_cast<double>(i);
  }
  return metrics;
}

}  // namespace

TEST_CASE("about ten snapshots along training are measured, none of them the first", "[run]") {
  using Indices = std::vector<std::size_t>;
  CHECK(snapshots_to_measure(0).empty());
  CHECK(snapshots_to_measure(1).empty());
  CHECK(snapshots_to_measure(4) == Indices{1, 2, 3});
  CHECK(snapshots_to_measure(19).size() == 18);
  CHECK(snapshots_to_measure(25) == Indices{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24});
  CHECK(snapshots_to_measure(40) == Indices{4, 8, 12, 16, 20, 24, 28, 32, 36});
}

TEST_CASE("the lowest held-out loss is told when it has risen since by more than noise", "[run]") {
  const std::vector<LowestHeldOut> along{{15, 2.5}, {30, 2.1}, {45, 2.1}, {60, 2.3}};
  const auto lowest = [&](double at_the_end, double loss_now) {
    return lowest_before(along, {70, at_the_end}, falling(8), loss_now);
  };
  const auto found = lowest(2.2, 2.3);
  REQUIRE(found);
  CHECK((found->step == 30 && found->loss == 2.1));  // the first of two equal ones
  CHECK(lowest(2.121, 2.3));
  CHECK_FALSE(lowest(2.119, 2.3));
  CHECK_FALSE(lowest(2.05, 2.3));  // it is lowest at the end
  CHECK(lowest(2.2, 2.69));        // at step 30 the loss as in training was 2.7
  CHECK_FALSE(lowest(2.2, 2.71));
  CHECK(lowest_before({{35, 2}}, {70, 2.2}, falling(8), 2.59));  // the next measured step is 40, with 2.6
  CHECK_FALSE(lowest_before({{35, 2}}, {70, 2.2}, falling(8), 2.61));
  CHECK_FALSE(lowest_before({{35, 2}}, {70, 2.2}, falling(4), 1));  // nothing was measured since
}
