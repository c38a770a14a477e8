// Comparisons, masks and their logic.
#include <limits>

#include "catch.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

using Limits = std::numeric_limits<Real>;

}  // namespace

TEST_CASE("comparisons of tensors give masks, and broadcast", "[ops][compare]") {
  const Tensor x = tensor({{1, 2, 3}, {3, 2, 1}}), y = tensor({2, 2, 2});
  CHECK(to_string(x < y) == "[[true, false, false],\n [false, false, true]]");
  CHECK(to_string(x <= y) == "[[true, true, false],\n [false, true, true]]");
  CHECK(to_string(x > y) == "[[false, false, true],\n [true, false, false]]");
  CHECK(to_string(x >= y) == "[[false, true, true],\n [true, true, false]]");
  CHECK(to_string(x == y) == "[[false, true, false],\n [false, true, false]]");
  CHECK(to_string(x != y) == "[[true, false, true],\n [true, false, true]]");
  CHECK(to_string(2 < x) == to_string(x > 2));
  CHECK(error_of([&] { return x < zeros({4}); }) ==
        "[less] shapes (2,3) and (4) do not broadcast: lengths 3 and 4 meet at axis 1. Lengths "
        "must be equal, or one of them 1.");
}

TEST_CASE("a NaN differs from everything, and isnan finds it", "[ops][compare]") {
  const Tensor x = tensor({Limits::quiet_NaN(), 1, Limits::infinity()});
  CHECK(to_string(x == x) == "[false, true, true]");
  CHECK(to_string(x != x) == "[true, false, false]");
  CHECK(to_string(x <= 1) == "[false, true, false]");
  CHECK(to_string(x >= 1) == "[false, true, true]");
  CHECK(to_string(isnan(x)) == "[true, false, false]");
}

TEST_CASE("masks are joined by logic, and asked for any and all", "[ops][compare]") {
  const Tensor x = tensor({1, 2, 3, 4});
  CHECK(to_string(x > 1 && x < 4) == "[false, true, true, false]");
  CHECK(to_string(x < 2 || x > 3) == "[true, false, false, true]");
  CHECK(to_string(!(x < 2)) == "[false, true, true, true]");
  CHECK(to_string(BoolArray{true, false} && (tensor({{1}, {0}}) > 0)) == "[[true, false],\n [false, false]]");
  CHECK(error_of([&] { return x > 1 || BoolArray(Shape{3}, true); }) ==
        "[||] shapes (4) and (3) do not broadcast: lengths 4 and 3 meet at axis 0. Lengths must "
        "be equal, or one of them 1.");
  CHECK((any(x > 3) && !any(x > 4) && all(x > 0) && !all(x > 1)));
  CHECK((!any(zeros({0}) == 0) && all(zeros({0}) == 1)));
  CHECK(to_string(where(x > 2, x, 0), 0) == "[0, 0, 3, 4]");
}

TEST_CASE("allclose compares relative to the second, with infinities and NaN as they are", "[ops][compare]") {
  const Tensor x = tensor({1, 1000});
  CHECK(allclose(x, x + 1e-6));
  CHECK_FALSE(allclose(x, x + 0.1));
  CHECK(allclose(x, x + 0.1, 0, 0.2));
  CHECK(allclose(x, x * 1.01, 0.02, 0));
  CHECK(allclose(tensor({90}), tensor({100}), 0.1, 0));
  CHECK_FALSE(allclose(tensor({100}), tensor({90}), 0.1, 0));
  CHECK(allclose(tensor({Limits::infinity()}), tensor({Limits::infinity()})));
  CHECK_FALSE(allclose(tensor({Limits::infinity()}), tensor({-Limits::infinity()})));
  CHECK_FALSE(allclose(tensor({1}), tensor({Limits::infinity()})));
  CHECK_FALSE(allclose(tensor({Limits::quiet_NaN()}), tensor({Limits::quiet_NaN()})));
  CHECK(allclose(ones({2, 3}), 1));
  CHECK(error_of([&] { allclose(x, x, -1); }) ==
        "[allclose] expected tolerances of at least 0, got -1 and 1e-08.");
}
