#include <set>

#include "catch.h"
#include "headlight/core/rng.h"

using namespace headlight;

// Numbers computed once and kept: another platform or compiler must give the same.
TEST_CASE("the same seed gives the same numbers everywhere", "[core]") {
  Rng rng(42);
  CHECK(rng.next() == 15021278609987233951ULL);
  CHECK(rng.next() == 5881210131331364753ULL);
  Rng normal(42);
  CHECK(normal.normal() == 0x1.f679d98b6ab7bp-1);
  CHECK(normal.normal() == 0x1.571f94d19c30ap+0);
  Rng named = Rng(42).stream("data", 3);
  CHECK(named.next() == 15869143189217990839ULL);
}

TEST_CASE("streams depend on name and index, not on what was drawn", "[core]") {
  Rng a(1), b(1);
  b.next();
  CHECK(a.stream("data", 5).next() == b.stream("data", 5).next());
  std::set<std::uint64_t> first;
  for (const char* name : {"init", "data", "dropout"})
    for (std::uint64_t i = 0; i < 100; ++i) first.insert(a.stream(name, i).next());
  CHECK(first.size() == 300);
  CHECK(Rng(1).stream("data").next() != Rng(2).stream("data").next());
}

TEST_CASE("a generator continues from its state", "[core]") {
  Rng a(9);
  a.normal();
  Rng b(a.state());
  CHECK(a.next() == b.next());
  CHECK(a.stream("x").next() == b.stream("x").next());
}

TEST_CASE("moments of uniform and normal numbers are right", "[core]") {
  Rng rng(7);
  constexpr int n = 200000;
  double mean = 0, square = 0, fourth = 0, uniform = 0;
  for (int i = 0; i < n; ++i) {
    const double x = rng.normal(), u = rng.uniform();
    REQUIRE((u >= 0 && u < 1));
    mean += x / n;
    square += x * x / n;
    fourth += x * x * x * x / n;
    uniform += u / n;
  }
  CHECK(std::abs(mean) < 0.01);
  CHECK(std::abs(square - 1) < 0.015);
  CHECK(std::abs(fourth - 3) < 0.1);
  CHECK(std::abs(uniform - 0.5) < 0.003);
}

TEST_CASE("distinct numbers are distinct and evenly chosen", "[core]") {
  Rng rng(5);
  std::vector<int> counts(10, 0);
  for (int i = 0; i < 5000; ++i) {
    const auto chosen = rng.distinct(4, 10);
    REQUIRE(std::set<std::int32_t>(chosen.begin(), chosen.end()).size() == 4);
    for (auto x : chosen) ++counts[static_cast<std::size_t>(x)];
  }
  for (int count : counts) CHECK(std::abs(count - 2000) < 150);
  CHECK(contains(error_of([&] { rng.distinct(5, 4); }), "cannot choose 5 different numbers out of 4"));
}
