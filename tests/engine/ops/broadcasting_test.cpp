// Broadcasting in every position, against a loop over indices.
#include "catch.h"
#include "derivatives.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"
#include "naive.h"
#include "property.h"

using namespace headlight;
using naive::Index;

namespace {

struct Binary {
  const char* name;
  Tensor (*op)(const Tensor&, const Tensor&);
  double (*f)(double, double);
  double (*by_x)(double, double);
  double (*by_y)(double, double);
};

const std::vector<Binary> kBinary = {
    {"add", add, [](double x, double y) { return x + y; }, [](double, double) { return 1.0; },
     [](double, double) { return 1.0; }},
    {"sub", sub, [](double x, double y) { return x - y; }, [](double, double) { return 1.0; },
     [](double, double) { return -1.0; }},
    {"mul", mul, [](double x, double y) { return x * y; }, [](double, double y) { return y; },
     [](double x, double) { return x; }},
    {"div", div, [](double x, double y) { return x / y; }, [](double, double y) { return 1 / y; },
     [](double x, double y) { return -x / (y * y); }},
    {"pow", pow, [](double x, double y) { return std::pow(x, y); },
     [](double x, double y) { return y * std::pow(x, y - 1); },
     [](double x, double y) { return std::log(x) * std::pow(x, y); }},
    {"maximum", maximum, [](double x, double y) { return std::max(x, y); },
     [](double x, double y) { return x > y ? 1.0 : 0.0; },
     [](double x, double y) { return x < y ? 1.0 : 0.0; }},
    {"minimum", minimum, [](double x, double y) { return std::min(x, y); },
     [](double x, double y) { return x < y ? 1.0 : 0.0; },
     [](double x, double y) { return x > y ? 1.0 : 0.0; }}};

// Multiples of 0.1 above `low`. Two such arrays 0.05 apart never come close to a tie.
Tensor tenths(Rng& rng, const Shape& shape, double low) {
  Array x = empty_array(shape);
  for (Real& value : x) value = Real(low + 0.1 * double(rng.below(15)));
  return parameter(std::move(x));
}

void require_equals_loop(const Binary& binary, const Tensor& x, const Tensor& y, Rng& rng) {
  INFO(binary.name << " of " << to_string(x.shape()) << " and " << to_string(y.shape()));
  const Tensor z = binary.op(x, y);
  const Array u = rng.normal_array(z.shape());
  Array value = empty_array(z.shape()), dx = full_array(x.shape(), 0), dy = full_array(y.shape(), 0);
  naive::each_index(z.shape(), [&](const Index& i) {
    const double a = naive::at(x.array(), i), b = naive::at(y.array(), i), weight = naive::at(u, i);
    value.data()[naive::place(z.shape(), i)] = Real(binary.f(a, b));
    dx.data()[naive::place(x.shape(), i)] += Real(weight * binary.by_x(a, b));
    dy.data()[naive::place(y.shape(), i)] += Real(weight * binary.by_y(a, b));
  });
  REQUIRE(difference(z.array(), value) < kRounding);
  const auto gradients = grad(z, {x, y}, {.cotangent = Tensor(u)});
  REQUIRE(difference(gradients[0].array(), dx) < kRounding);
  REQUIRE(difference(gradients[1].array(), dy) < kRounding);
}

}  // namespace

TEST_CASE("all ways to broadcast to (2,3,2) are tried", "[ops][broadcasting]") {
  const auto pairs = naive::pairs({2, 3, 2});
  CHECK(pairs.size() == 27 + 2 * (9 + 3 + 1));
  for (const auto& [x, y] : pairs) CHECK(broadcast_shapes(x, y, "test") == Shape{2, 3, 2});
  CHECK(naive::operands({2, 3, 2}).size() == 8 + 4 + 2 + 1);
}

TEST_CASE("binary ops broadcast in every position", "[ops][broadcasting]") {
  Rng rng(1);
  for (const auto& [left, right] : naive::pairs({2, 3, 2})) {
    const Tensor x = tenths(rng, left, 0.3), y = tenths(rng, right, 0.35);
    for (const Binary& binary : kBinary) {
      require_equals_loop(binary, x, y, rng);
      const auto report =
          check_second(binary.name, [&](const auto& in) { return binary.op(in[0], in[1]); }, {x, y});
      INFO(to_string(left) << " with " << to_string(right) << ": " << report.message);
      CHECK(report.ok);
    }
  }
}

TEST_CASE("binary ops equal a loop over indices for random shapes", "[ops][broadcasting]") {
  for_all(300, [](Rng& rng, std::size_t size) {
    const Shape base = naive::random_shape(rng, size, 5);
    const Tensor x = tenths(rng, naive::random_operand(rng, base), 0.3),
                 y = tenths(rng, naive::random_operand(rng, base), 0.35);
    for (const Binary& binary : kBinary) require_equals_loop(binary, x, y, rng);
  });
}

TEST_CASE("where broadcasts condition and both branches in every position", "[ops][broadcasting]") {
  Rng rng(2);
  for (const Shape& of_condition : naive::operands({2, 3, 2})) {
    const BoolArray condition = naive::random_mask(rng, of_condition);
    for (const auto& [left, right] : naive::pairs({2, 3, 2})) {
      INFO(to_string(of_condition) << " ? " << to_string(left) << " : " << to_string(right));
      const Tensor x = tenths(rng, left, 0.3), y = tenths(rng, right, 0.35), z = where(condition, x, y);
      REQUIRE(z.shape() == Shape{2, 3, 2});
      const Array u = rng.normal_array(z.shape());
      Array dx = full_array(left, 0), dy = full_array(right, 0);
      naive::each_index(z.shape(), [&](const Index& i) {
        const bool first = condition.data()[naive::place(of_condition, i)];
        const Tensor& taken = first ? x : y;
        CHECK(naive::at(z.array(), i) == naive::at(taken.array(), i));
        (first ? dx : dy).data()[naive::place(taken.shape(), i)] += Real(naive::at(u, i));
      });
      const auto gradients = grad(z, {x, y}, {.cotangent = Tensor(u)});
      CHECK(difference(gradients[0].array(), dx) < kRounding);
      CHECK(difference(gradients[1].array(), dy) < kRounding);
    }
  }
}

TEST_CASE("a condition alone may have the longest shape", "[ops][broadcasting]") {
  const Tensor x = parameter(Tensor(2)), y = parameter(tensor({3, 4}));
  const BoolArray condition{{true, false}, {false, false}, {true, true}};
  const Tensor z = where(condition, x, y);
  CHECK(difference(z.array(), tensor({{2, 4}, {3, 4}, {2, 2}}).array()) == 0);
  const auto gradients = grad(sum(z), {x, y});
  CHECK(gradients[0].item() == 3);
  CHECK(difference(gradients[1].array(), tensor({1, 2}).array()) == 0);
}

TEST_CASE("masked_fill broadcasts its mask in every position", "[ops][broadcasting]") {
  Rng rng(3);
  const Tensor x = tenths(rng, {2, 3, 2}, 0.3);
  for (const Shape& shape : naive::operands({2, 3, 2})) {
    const BoolArray mask = naive::random_mask(rng, shape);
    const Tensor y = masked_fill(x, mask, 9);
    const Array slope = grad(sum(y * y), {x})[0].array();
    naive::each_index(x.shape(), [&](const Index& i) {
      const bool filled = mask.data()[naive::place(shape, i)];
      CHECK(naive::at(y.array(), i) == (filled ? 9 : naive::at(x.array(), i)));
      CHECK(naive::at(slope, i) == (filled ? 0 : 2 * naive::at(x.array(), i)));
    });
  }
  CHECK(contains(error_of([&] {
                   masked_fill(x, BoolArray({4, 2, 3, 2}, true), 0);
                 }),
                 "a mask of shape (4,2,3,2) does not broadcast to (2,3,2)"));
}

TEST_CASE("broadcast_to and sum_to are each other's transpose from every shape", "[ops][broadcasting]") {
  Rng rng(4);
  const Shape base{2, 3, 2};
  for (const Shape& shape : naive::operands(base)) {
    INFO(to_string(shape));
    const Tensor x = tenths(rng, shape, 0.3), y = tenths(rng, base, 0.3);
    Array total = full_array(shape, 0);
    naive::each_index(base, [&](const Index& i) {
      CHECK(naive::at(broadcast_to(x, base).array(), i) == naive::at(x.array(), i));
      total.data()[naive::place(shape, i)] += Real(naive::at(y.array(), i));
    });
    CHECK(difference(sum_to(y, shape).array(), total) < kRounding);
    CHECK(difference(grad(broadcast_to(x, base), {x}, {.cotangent = y})[0].array(), total) < kRounding);
    CHECK(difference(grad(sum_to(y, shape), {y}, {.cotangent = x})[0].array(),
                     broadcast_to(x, base).array()) == 0);
  }
}
