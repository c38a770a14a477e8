// Predictions without heads, as they travel.
#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "page/switched_off.h"
#include "page/unpacked.h"

using namespace headlight;
using Catch::Matchers::WithinAbs;
using namespace headlight::page;

namespace {

unsigned byte_at(const std::string& bytes, std::size_t i) { return static_cast<unsigned char>(bytes.at(i)); }

}  // namespace

TEST_CASE("every set of heads stands at the number that its bits make", "[report][pagea]") {
  const auto all = switched_sets(3, 3);
  REQUIRE(all.size() == 8);
  CHECK(all[0].empty());
  CHECK(all[5] == std::vector<std::size_t>{0, 2});
  CHECK(all[7] == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("of many heads there are the single ones, then pairs", "[report][pagea]") {
  CHECK(switched_sets(5, 0) == std::vector<std::vector<std::size_t>>{{}});
  const auto singles = switched_sets(5, 1), pairs = switched_sets(5, 2);
  REQUIRE(singles.size() == 6);
  CHECK(singles[5] == std::vector<std::size_t>{4});
  REQUIRE(pairs.size() == 16);
  CHECK(pairs[6] == std::vector<std::size_t>{0, 1});
  CHECK(pairs[10] == std::vector<std::size_t>{1, 2});
  CHECK(pairs[15] == std::vector<std::size_t>{3, 4});
  CHECK(contains(error_of([] { (void)switched_sets(5, 3); }),
                 "expected sets of at most 1, 2 or all 5 heads, got 3."));
  CHECK(contains(error_of([] { (void)switched_sets(17, 17); }), "every set of 17 heads would be too many."));
}

TEST_CASE("predictions without heads are a token, two probabilities, and a loss", "[report][pagea]") {
  // Rows of logits whose softmax is known: (1/4, 3/4, 0 …), then (.52, .1, .38, 0 …).
  for (const std::size_t vocab : {3, 300}) {
    Array logits = full_array({1, 3, vocab}, -100);
    const double p[3][3] = {{.25, .75, 1e-30}, {.52, .1, .38}, {.2, .2, .6}};
    for (std::size_t t = 0; t < 3; ++t)
      for (std::size_t v = 0; v < 3; ++v) logits(0, t, vocab - 3 + v) = static_cast<Real>(std::log(p[t][v]));
    const auto last = static_cast<std::int32_t>(vocab) - 1;
    SwitchedOff off;
    off.add(logits, {last - 2, last, tasks::kNoTarget}, {false, true, false});
    off.add(logits, {last - 2, last, tasks::kNoTarget}, {});
    const std::size_t wide = vocab > 256 ? 2 : 1;
    REQUIRE(off.tokens.size() == 6 * wide);
    for (std::size_t i = 0; i < 3; ++i) {
      const unsigned best = static_cast<unsigned>(vocab) - 3 + (i == 0 ? 1 : i == 1 ? 0 : 2);
      CHECK(byte_at(off.tokens, wide * i) + (wide == 2 ? 256 * byte_at(off.tokens, 2 * i + 1) : 0) == best);
    }
    for (std::size_t i = 0; i < 6; ++i) {
      const double best[3] = {.75, .52, .6}, target[3] = {.25, .38, 0};
      CHECK(byte_at(off.likeliest, i) == static_cast<unsigned>(std::lround(255 * best[i % 3])));
      CHECK(byte_at(off.targets, i) == static_cast<unsigned>(std::lround(255 * target[i % 3])));
    }
    REQUIRE(off.losses.size() == 2);
    const double tolerance = kDouble ? 1e-12 : 1e-5;
    CHECK_THAT(off.losses[0], WithinAbs(-std::log(.38), tolerance));
    CHECK_THAT(off.losses[1], WithinAbs(-(std::log(.38) + std::log(.25)) / 2, tolerance));
    SwitchedOff blind;
    blind.add(logits, {-1, -1, -1}, {});
    CHECK(blind.losses.empty());
    logits(0, 1, 0) = std::numeric_limits<Real>::quiet_NaN();
    CHECK(contains(error_of([&] { off.add(logits, {0, 0, 0}, {}); }), "are not finite"));
  }
}

TEST_CASE("predictions without heads travel set by set, without targets that are the likeliest token",
          "[report][pagea]") {
  constexpr std::size_t n = 16;
  run::Example example;
  SwitchedOff off;  // of every set of 4 heads, with numbers that show their places
  for (std::size_t i = 0; i < n; ++i) {
    example.tokens.push_back(static_cast<std::int32_t>(i));
    example.targets.push_back(i + 1 < n ? static_cast<std::int32_t>(i + 1) : tasks::kNoTarget);
  }
  for (std::size_t i = 0; i < 16 * n; ++i) {
    off.tokens += static_cast<char>((i + i / n) % 16);
    off.likeliest += static_cast<char>(i % 251);
    off.targets += static_cast<char>(i % 253);
  }
  for (std::size_t s = 0; s < 16; ++s) off.losses.push_back(1.0 / (1 + static_cast<double>(s)));
  const nlohmann::ordered_json page = switched_off_json(off, example, 4, 4);
  std::string others = off.targets;
  for (std::size_t i = 0; i < others.size(); ++i)
    if (static_cast<std::int32_t>((i + i / n) % 16) == example.targets[i % n]) others[i] = 0;
  CHECK(others != off.targets);
  CHECK(page["tokens"] == compressed_json(off.tokens, 4 * n));
  CHECK(page["likeliest"] == compressed_json(off.likeliest, 4 * n));
  CHECK(page["targets"] == compressed_json(others, 4 * n));
  CHECK(expanded(page["targets"]) == others);
  CHECK(page["losses"][2] == 0.3333);
}
