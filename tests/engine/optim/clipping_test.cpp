// The global norm over all numbers, and what clipping leaves alone.
#include <cstring>
#include <limits>

#include "catch.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/clip.h"

using namespace headlight;
using namespace headlight::optim;

namespace {

constexpr std::size_t kMany = 10007;  // more than two chunks of 4,096, and a part of one

Array zeros_but(const std::vector<std::pair<std::size_t, double>>& numbers) {
  Array x = full_array({kMany}, 0);
  for (const auto& [at, value] : numbers) x.data()[at] = static_cast<Real>(value);
  return x;
}

bool same_bits(const Array& a, const Array& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

Array ramp() {
  Array x = empty_array({kMany});
  for (std::size_t i = 0; i < kMany; ++i)
    x.data()[i] = static_cast<Real>(static_cast<double>(i % 1000) / 1000 - 0.3);
  return x;
}

}  // namespace

TEST_CASE("the norm counts every number, wherever it lies", "[optim]") {
  for (const std::size_t at : {0, 1, 4095, 4096, 5000, 8191, 8192, 10005, 10006}) {
    INFO("number " << at);
    const Array x = zeros_but({{at, -3}, {(at + 4999) % kMany, 4}});
    CHECK(global_norm(x.data(), kMany) == 5);
  }
  const Array ones = full_array({kMany}, 1);
  for (const std::size_t n : {0, 1, 4095, 4096, 4097, 8192, 10007})
    CHECK(global_norm(ones.data(), n) == Approx(std::sqrt(static_cast<double>(n))).margin(1e-12));
}

TEST_CASE("the norm of large gradients does not overflow", "[optim]") {
  const Array x = full_array({kMany}, 1e30);
  CHECK(global_norm(x.data(), kMany) == Approx(1e30 * std::sqrt(static_cast<double>(kMany))));
}

TEST_CASE("clipping scales every number to the bound", "[optim]") {
  Array x = ramp();
  const Array before = x;
  const double norm = global_norm(x.data(), kMany);
  CHECK(clip_by_global_norm(x.data(), kMany, 0.25) == norm);
  CHECK(global_norm(x.data(), kMany) == Approx(0.25).epsilon(1e-5));
  for (std::size_t i = 0; i < kMany; ++i)
    REQUIRE(static_cast<double>(x.data()[i]) ==
            Approx(static_cast<double>(before.data()[i]) * 0.25 / norm).margin(1e-9));
}

TEST_CASE("a norm within the bound leaves every bit alone", "[optim]") {
  Array x = ramp();
  const Array before = x;
  const double norm = global_norm(x.data(), kMany);
  for (const double bound : {norm, 1.5 * norm, 1e300}) {
    CHECK(clip_by_global_norm(x.data(), kMany, bound) == norm);
    CHECK(same_bits(x, before));
  }
  Tensor a = parameter(tensor({0, 0}));
  a.set_grad(tensor({0.1, -0.7}));
  const Array gradient = a.grad().array();
  clip_by_global_norm({a}, 1);
  CHECK(same_bits(a.grad().array(), gradient));
}

TEST_CASE("gradients of zero stay zero", "[optim]") {
  Array x = full_array({kMany}, 0);
  CHECK(clip_by_global_norm(x.data(), kMany, 1) == 0);
  CHECK(same_bits(x, full_array({kMany}, 0)));
}

TEST_CASE("a norm that is not finite is returned and changes nothing", "[optim]") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Array x = zeros_but({{3, 2}, {9000, kInfinity}});
  const Array before = x;
  CHECK(clip_by_global_norm(x.data(), kMany, 1) == kInfinity);
  CHECK(same_bits(x, before));
  x.data()[9000] = std::numeric_limits<Real>::quiet_NaN();
  CHECK(std::isnan(clip_by_global_norm(x.data(), kMany, 1)));
  CHECK(x.data()[3] == 2);
}

TEST_CASE("a parameter without a gradient is passed over", "[optim]") {
  Tensor a = parameter(tensor({0, 0})), none = parameter(tensor({5, 5})), b = parameter(tensor({0}));
  a.set_grad(tensor({3, 0}));
  b.set_grad(tensor({4}));
  CHECK(clip_by_global_norm({a, none, b}, 2.5) == Approx(5));
  CHECK(a.grad().array()(0) == Approx(1.5));
  CHECK(b.grad().array()(0) == Approx(2));
  CHECK_FALSE(none.grad().defined());
}

TEST_CASE("a bound that is not positive is refused", "[optim]") {
  Array x = ramp();
  for (const double bound : {0.0, -1.0, std::nan("")})
    CHECK(contains(error_of([&] { clip_by_global_norm(x.data(), kMany, bound); }),
                   "[clip_by_global_norm] expected a positive bound"));
}
