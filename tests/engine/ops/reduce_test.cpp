// Reductions and softmax along random axes, against loops over indices.
#include <algorithm>

#include "catch.h"
#include "headlight/ops/ops.h"
#include "naive.h"
#include "property.h"

using namespace headlight;
using naive::Index;
using naive::Numbers;

namespace {

// The numbers of x that go into each element of a result of shape `kept`.
std::vector<Numbers> groups(const Array& x, const Shape& kept) {
  std::vector<Numbers> result(size_of(kept));
  naive::each_index(x.shape(),
                    [&](const Index& i) { result[naive::place(kept, i)].push_back(naive::at(x, i)); });
  return result;
}

// Some of the axes, in any order, named from the front or from the back.
Axes random_axes(Rng& rng, std::size_t axes) {
  Axes some;
  for (const auto axis : rng.distinct(1 + rng.below(axes), axes))
    some.push_back(rng.below(2) == 0 ? axis : axis - int(axes));
  return some;
}

Tensor random_tensor(Rng& rng, std::size_t size) {
  Shape shape = naive::random_shape(rng, size, 3);
  shape.push_back(1 + rng.below(size));
  return randn(shape, rng);
}

}  // namespace

TEST_CASE("reductions over random axes equal loops", "[ops]") {
  for_all(200, [](Rng& rng, std::size_t size) {
    const Tensor x = random_tensor(rng, size);
    const Axes axes = random_axes(rng, x.dim());
    const Shape kept = reduced_shape(x.shape(), normalize_axes(axes, x.dim(), "test"), true);
    INFO(to_string(x.shape()) << " to " << to_string(kept));
    Numbers totals, means, variances, maxima;
    for (const Numbers& group : groups(x.array(), kept)) {
      double total = 0, squares = 0;
      for (const double value : group) total += value;
      const double mean = total / double(group.size());
      for (const double value : group) squares += (value - mean) * (value - mean);
      totals.push_back(total);
      means.push_back(mean);
      variances.push_back(squares / double(group.size()));
      maxima.push_back(*std::max_element(group.begin(), group.end()));
    }
    REQUIRE(difference(sum(x, axes, true).array(), naive::array(totals, kept)) < kRounding);
    REQUIRE(difference(mean(x, axes, true).array(), naive::array(means, kept)) < kRounding);
    REQUIRE(difference(var(x, axes, true).array(), naive::array(variances, kept)) < kRounding);
    REQUIRE(difference(max(x, axes, true).array(), naive::array(maxima, kept)) == 0);
    REQUIRE(sum(x, axes).shape() == reduced_shape(x.shape(), normalize_axes(axes, x.dim(), "test"), false));
  });
}

TEST_CASE("softmax and log_softmax along a random axis equal loops", "[ops]") {
  for_all(200, [](Rng& rng, std::size_t size) {
    const Tensor x = random_tensor(rng, 4 * size);
    const int axis = int(rng.below(2 * x.dim())) - int(x.dim());
    Shape kept = x.shape();
    kept[normalize_axis(axis, x.dim(), "test")] = 1;
    INFO(to_string(x.shape()) << " axis " << axis);
    Numbers totals;
    for (const Numbers& group : groups(x.array(), kept)) {
      totals.push_back(0);
      for (const double value : group) totals.back() += std::exp(value);
    }
    Array weights = empty_array(x.shape()), logs = empty_array(x.shape());
    naive::each_index(x.shape(), [&](const Index& i) {
      const double value = naive::at(x.array(), i), total = totals[naive::place(kept, i)];
      weights.data()[naive::place(x.shape(), i)] = Real(std::exp(value) / total);
      logs.data()[naive::place(x.shape(), i)] = Real(value - std::log(total));
    });
    REQUIRE(difference(softmax(x, axis).array(), weights) < kRounding);
    REQUIRE(difference(log_softmax(x, axis).array(), logs) < kRounding);
  });
}
