// The learning rate at the corners of a schedule.
#include "headlight/optim/schedule.h"

#include "catch.h"

using namespace headlight;

namespace {

constexpr double kPeak = 8;

double constant(std::int64_t warmup, std::int64_t step) {
  return optim::constant_schedule({.peak = kPeak, .warmup = warmup, .total = 50, .final_fraction = 0.1},
                                  step);
}

// Down to a tenth of the peak.
double cosine(std::int64_t warmup, std::int64_t total, std::int64_t step) {
  return optim::cosine_schedule({.peak = kPeak, .warmup = warmup, .total = total, .final_fraction = 0.1},
                                step);
}

auto is(double rate) { return Catch::Matchers::WithinAbs(rate, 1e-12); }

}  // namespace

TEST_CASE("the warm-up rises by equal parts and reaches the peak at its last step", "[optim]") {
  for (std::int64_t step = 1; step <= 4; ++step) {
    CHECK_THAT(constant(4, step), is(2.0 * static_cast<double>(step)));
    CHECK_THAT(cosine(4, 104, step), is(2.0 * static_cast<double>(step)));
  }
}

TEST_CASE("a warm-up of none or one step starts at the peak", "[optim]") {
  CHECK(constant(0, 1) == kPeak);
  CHECK(constant(1, 1) == kPeak);
  CHECK(cosine(1, 101, 1) == kPeak);
  CHECK_THAT(cosine(0, 100, 0), is(kPeak));
  CHECK(cosine(0, 100, 1) < kPeak);
  CHECK_THAT(cosine(0, 100, 1), is(kPeak * (0.1 + 0.45 * (1 + std::cos(std::acos(-1.0) / 100)))));
}

TEST_CASE("a constant schedule stays at its peak", "[optim]") {
  for (const std::int64_t step : {4, 5, 50, 100, 1000000}) CHECK(constant(4, step) == kPeak);
}

TEST_CASE("the cosine falls from the end of the warm-up to a tenth at the last step", "[optim]") {
  CHECK_THAT(cosine(20, 120, 20), is(8));
  CHECK_THAT(cosine(20, 120, 45), is(8 * (0.1 + 0.45 * (1 + std::sqrt(0.5)))));  // a quarter of the way
  CHECK_THAT(cosine(20, 120, 70), is(8 * 0.55));                                 // half
  CHECK_THAT(cosine(20, 120, 95), is(8 * (0.1 + 0.45 * (1 - std::sqrt(0.5)))));
  CHECK(cosine(20, 120, 119) > 0.8);
  CHECK_THAT(cosine(20, 120, 120), is(0.8));
  for (std::int64_t step = 21; step <= 120; ++step) CHECK(cosine(20, 120, step) < cosine(20, 120, step - 1));
}

TEST_CASE("after its last step a cosine stays at its end", "[optim]") {
  for (const std::int64_t step : {121, 170, 220, 100000}) CHECK_THAT(cosine(20, 120, step), is(0.8));
}

TEST_CASE("a cosine with no steps left after the warm-up stays at the peak", "[optim]") {
  for (const std::int64_t total : {5, 10}) {
    CHECK_THAT(cosine(10, total, 5), is(4));
    CHECK(cosine(10, total, 10) == kPeak);
    CHECK(cosine(10, total, 11) == kPeak);
  }
  CHECK_THAT(cosine(10, 11, 11), is(0.8));
}

TEST_CASE("the line falls by equal parts, and stays at its end", "[optim]") {
  const optim::ScheduleConfig config{.peak = kPeak, .warmup = 20, .total = 120, .final_fraction = 0.1};
  CHECK_THAT(optim::linear_schedule(config, 10), is(4));
  CHECK_THAT(optim::linear_schedule(config, 20), is(8));
  CHECK_THAT(optim::linear_schedule(config, 45), is(8 - 7.2 / 4));
  CHECK_THAT(optim::linear_schedule(config, 120), is(0.8));
  CHECK_THAT(optim::linear_schedule(config, 1000), is(0.8));
  CHECK(optim::linear_schedule({.peak = kPeak, .warmup = 20, .total = 20}, 30) == kPeak);
}

TEST_CASE("warm-up, stable, decay: the last part alone comes down", "[optim]") {
  const auto wsd = [](double part, std::int64_t step) {
    return optim::wsd_schedule(
        {.peak = kPeak, .warmup = 20, .total = 120, .final_fraction = 0.1, .decay_part = part}, step);
  };
  CHECK_THAT(wsd(0.25, 10), is(4));
  for (const std::int64_t step : {20, 50, 90}) CHECK(wsd(0.25, step) == kPeak);
  CHECK(wsd(0.25, 91) < kPeak);
  CHECK_THAT(wsd(0.25, 105), is(4.4));
  CHECK_THAT(wsd(0.25, 120), is(0.8));
  CHECK_THAT(wsd(0.25, 200), is(0.8));
  CHECK(wsd(0, 120) == kPeak);       // no decay
  CHECK_THAT(wsd(0.99, 10), is(4));  // longer than what the warm-up leaves
  CHECK_THAT(wsd(0.99, 70), is(4.4));
}
