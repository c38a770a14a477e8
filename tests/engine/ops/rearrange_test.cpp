// Ops that move numbers, against a loop that says where each of them comes from, and on small examples.
#include <numeric>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/gradcheck.h"
#include "headlight/ops/ops.h"
#include "naive.h"
#include "property.h"

using namespace headlight;
using naive::Index;

namespace {

// Requires that element i of y is element source(i) of x, and that the gradient takes the same way back.
template <class Source>
void require_moves(const Tensor& y, const Tensor& x, Rng& rng, Source source) {
  const Array u = rng.normal_array(y.shape());
  Array slope = full_array(x.shape(), 0);
  naive::each_index(y.shape(), [&](const Index& i) {
    const std::size_t from = naive::place(x.shape(), source(i));
    REQUIRE(naive::at(y.array(), i) == double(x.array().data()[from]));
    slope.data()[from] += Real(naive::at(u, i));
  });
  REQUIRE(difference(grad(y, {x}, {.cotangent = Tensor(u), .retain_graph = true})[0].array(), slope) <
          kRounding);
}

Tensor random_leaf(Rng& rng, std::size_t size, std::size_t more_axes) {
  Shape shape = naive::random_shape(rng, size, more_axes);
  shape.push_back(1 + rng.below(size));
  return parameter(rng.normal_array(shape));
}

int random_axis(Rng& rng, const Tensor& x) { return int(rng.below(2 * x.dim())) - int(x.dim()); }
std::size_t counted(int axis, const Tensor& x) { return std::size_t(axis < 0 ? axis + int(x.dim()) : axis); }

IntArray random_indices(Rng& rng, const Shape& shape, std::size_t below) {
  IntArray indices = IntArray::from_shape(shape);
  for (auto& i : indices) i = static_cast<std::int32_t>(rng.below(below));
  return indices;
}

}  // namespace

TEST_CASE("permute and transpose put every number where the axes say", "[ops]") {
  for_all(200, [](Rng& rng, std::size_t size) {
    const Tensor x = random_leaf(rng, size, 4);
    INFO(to_string(x.shape()));
    const auto order = rng.distinct(x.dim(), x.dim());
    require_moves(permute(x, std::vector<int>(order.begin(), order.end())), x, rng, [&](const Index& i) {
      Index from(i.size());
      for (std::size_t k = 0; k < i.size(); ++k) from[std::size_t(order[k])] = i[k];
      return from;
    });
    if (x.dim() < 2) return;
    const int a = random_axis(rng, x), b = random_axis(rng, x);
    require_moves(transpose(x, a, b), x, rng, [&](Index i) {
      std::swap(i[counted(a, x)], i[counted(b, x)]);
      return i;
    });
  });
}

TEST_CASE("reshape keeps the order of the numbers", "[ops]") {
  for_all(100, [](Rng& rng, std::size_t size) {
    const Tensor x = random_leaf(rng, size, 3);
    const Tensor flat = reshape(x, {-1});
    const Array numbers = flat.array();
    REQUIRE(flat.shape() == Shape{x.size()});
    require_moves(reshape_to(flat, x.shape()), x, rng, [](const Index& i) { return i; });
    for (std::size_t i = 0; i < x.size(); ++i) REQUIRE(numbers(i) == x.array().data()[i]);
  });
}

TEST_CASE("slice takes what Python's slice takes, whatever the bounds", "[ops]") {
  for_all(500, [](Rng& rng, std::size_t size) {
    const Tensor x = random_leaf(rng, 2 * size, 2);
    const int axis = random_axis(rng, x);
    const std::size_t on = counted(axis, x);
    const int length = int(x.shape()[on]), reach = length + 3;  // bounds beyond both ends, too
    const int start = int(rng.below(std::uint64_t(2 * reach))) - reach,
              stop = rng.below(5) == 0 ? kEnd : int(rng.below(std::uint64_t(2 * reach))) - reach,
              step = 1 + int(rng.below(4));
    INFO(to_string(x.shape()) << " axis " << axis << ": " << start << " to " << stop << " by " << step);
    std::vector<std::size_t> kept;
    const auto from_start = [length](int i) { return i < 0 ? i + length : i; };
    for (int i = from_start(start); i < from_start(stop) && i < length; i += step) {
      while (i < 0) ++i;  // a start before the first element is the first element
      if (i < from_start(stop)) kept.push_back(std::size_t(i));
    }
    const Tensor y = slice(x, axis, start, stop, step);
    REQUIRE(y.shape()[on] == kept.size());
    if (kept.empty()) return;
    require_moves(y, x, rng, [&](Index i) {
      i[on] = kept[i[on]];
      return i;
    });
  });
}

TEST_CASE("an empty slice has a gradient of zeros", "[ops]") {
  const Tensor x = parameter(ones({3, 2}));
  const Tensor y = slice(x, 0, 2, 1);
  CHECK(y.shape() == Shape{0, 2});
  CHECK(difference(grad(y, {x}, {.cotangent = zeros({0, 2})})[0].array(), zeros({3, 2}).array()) == 0);
}

TEST_CASE("concat and stack put their parts one after another", "[ops]") {
  for_all(200, [](Rng& rng, std::size_t size) {
    const Tensor first = random_leaf(rng, size, 3);
    const int axis = random_axis(rng, first);
    const std::size_t on = counted(axis, first), n = 1 + rng.below(size);
    INFO(n << " parts like " << to_string(first.shape()) << ", axis " << axis);
    std::vector<Tensor> unequal{first}, equal{first};
    for (std::size_t i = 1; i < n; ++i) {
      Shape shape = first.shape();
      equal.push_back(parameter(rng.normal_array(shape)));
      shape[on] = rng.below(size + 1);  // none at all is allowed, too
      unequal.push_back(parameter(rng.normal_array(shape)));
    }
    const Tensor joined = concat(unequal, axis), stacked = stack(equal, axis);
    int start = 0;
    for (std::size_t part = 0; part < n; ++part) {
      const auto length = int(unequal[part].shape()[on]);
      require_moves(slice(joined, axis, start, start + length), unequal[part], rng,
                    [](const Index& i) { return i; });
      start += length;
    }
    REQUIRE(joined.length(axis) == std::size_t(start));

    const std::size_t new_axis = axis < 0 ? on + 1 : on;  // counted from the end of the result
    REQUIRE(stacked.shape()[new_axis] == n);
    for (std::size_t part = 0; part < n; ++part)
      require_moves(slice(stacked, int(new_axis), int(part), int(part) + 1), equal[part], rng, [&](Index i) {
        i.erase(i.begin() + static_cast<std::ptrdiff_t>(new_axis));
        return i;
      });
  });
}

TEST_CASE("gather picks by index, and scatter_add puts back and adds", "[ops]") {
  for_all(300, [](Rng& rng, std::size_t size) {
    const Tensor x = random_leaf(rng, size, 3);
    const int axis = random_axis(rng, x);
    const std::size_t on = counted(axis, x);
    Shape picked = x.shape();
    picked[on] = 1 + rng.below(2 * size);
    const IntArray indices = random_indices(rng, picked, x.shape()[on]);
    INFO(to_string(x.shape()) << " at " << to_string(picked) << ", axis " << axis);
    const auto source = [&](Index i) {
      i[on] = std::size_t(indices.data()[naive::place(picked, i)]);
      return i;
    };
    require_moves(gather(x, indices, axis), x, rng, source);

    const Tensor parts = parameter(rng.normal_array(picked)),
                 y = scatter_add(parts, indices, axis, x.shape());
    const Array u = rng.normal_array(x.shape());
    Array total = full_array(x.shape(), 0), slope = empty_array(picked);
    naive::each_index(picked, [&](const Index& i) {
      const std::size_t to = naive::place(x.shape(), source(i)), from = naive::place(picked, i);
      total.data()[to] += parts.array().data()[from];
      slope.data()[from] = u.data()[to];
    });
    REQUIRE(difference(y.array(), total) < kRounding);
    REQUIRE(difference(grad(y, {parts}, {.cotangent = Tensor(u)})[0].array(), slope) == 0);
  });
}

TEST_CASE("embedding takes rows, and add_rows puts them back and adds", "[ops]") {
  for_all(200, [](Rng& rng, std::size_t size) {
    const std::size_t rows = 1 + rng.below(2 * size), width = 1 + rng.below(size);
    const Tensor table = parameter(rng.normal_array({rows, width}));
    const Shape of_indices = naive::random_shape(rng, size, 3);
    const IntArray indices = random_indices(rng, of_indices, rows);
    INFO(to_string(of_indices) << " of " << to_string(table.shape()));
    const auto row = [&](const Index& i) {
      return std::size_t(indices.data()[naive::place(of_indices, Index(i.begin(), i.end() - 1))]);
    };
    const Tensor taken = embedding(table, indices);
    require_moves(taken, table, rng, [&](const Index& i) { return Index{row(i), i.back()}; });

    const Tensor parts = parameter(rng.normal_array(taken.shape())), y = add_rows(parts, indices, rows);
    Array total = full_array(table.shape(), 0);
    naive::each_index(parts.shape(),
                      [&](const Index& i) { total(row(i), i.back()) += Real(naive::at(parts.array(), i)); });
    REQUIRE(difference(y.array(), total) < kRounding);
    REQUIRE(difference(grad(y, {parts}, {.cotangent = table})[0].array(), taken.array()) == 0);
  });
}

TEST_CASE("axes are joined, dropped and added", "[ops]") {
  const Tensor x = zeros({2, 3, 4});
  CHECK(flatten(x).shape() == Shape{24});
  CHECK(flatten(x, 1).shape() == Shape{2, 12});
  CHECK(flatten(x, 0, -2).shape() == Shape{6, 4});
  CHECK(flatten(Tensor(1)).shape() == Shape{1});
  CHECK(unsqueeze(x, 0).shape() == Shape{1, 2, 3, 4});
  CHECK(unsqueeze(x, -1).shape() == Shape{2, 3, 4, 1});
  CHECK(squeeze(zeros({2, 1, 3}), 1).shape() == Shape{2, 3});
  CHECK(error_of([&] { squeeze(x, 1); }) ==
        "[squeeze] axis 1 of (2,3,4) has length 3, not 1. Hint: reshape() joins axes.");
  CHECK(error_of([&] { flatten(x, 2, 1); }) ==
        "[flatten] expected a first axis before the last, got 2 and 1.");
}

TEST_CASE("a place of the first axis is x[i]", "[ops]") {
  const Tensor x = parameter({{1, 2, 3}, {4, 5, 6}});
  CHECK(to_string(x[1], 0) == "[4, 5, 6]");
  CHECK(to_string(x[-2], 0) == "[1, 2, 3]");
  CHECK(x[1][2].item() == 6);
  CHECK(to_string(grad(x[0][1] * 7, {x})[0], 0) == "[[0, 7, 0],\n [0, 0, 0]]");
  const auto row = [](const auto& in) { return in[0][1] * in[0][1] * in[0][-2]; };
  CHECK(gradcheck("index", row, {x}).ok);
  CHECK(gradgradcheck("index", row, {x}, {.tolerance = kDouble ? 1e-6 : 5e-2}).ok);
  CHECK(error_of([&] { x[2]; }) == "[x[i]] place 2 is outside the first axis of a tensor of shape (2,3).");
  CHECK(error_of([&] { x[-3]; }) == "[x[i]] place -3 is outside the first axis of a tensor of shape (2,3).");
  CHECK(error_of([&] { x[0][0][0]; }) == "[x[i]] a scalar has no axis to index.");
  static_assert(!std::is_assignable_v<Tensor, Tensor>, "x[0] = y would change nothing");
}

TEST_CASE("several axes are sliced at once", "[ops]") {
  const Tensor x = reshape(arange(24), {2, 3, 4});
  CHECK(to_string(slice(x, {range(0, 1), all(), 3}), 0) == "[[3, 7, 11]]");
  CHECK(to_string(slice(x, {-1, range(1), range(0, kEnd, 2)}), 0) == "[[16, 18],\n [20, 22]]");
  CHECK(to_string(slice(x, {1, 2, 3}), 0) == "23");
  CHECK(slice(x, {1}).shape() == Shape{3, 4});
  CHECK(slice(x, {range(5)}).shape() == Shape{0, 3, 4});
  CHECK(error_of([&] {
          slice(x, {all(), 3});
        }) == "[slice] place 3 is outside axis 1 of a tensor of shape (2,3,4).");
  CHECK(error_of([&] { slice(x, {0, 0, 0, 0}); }) == "[slice] 4 indices for a tensor of shape (2,3,4).");
}

TEST_CASE("an axis is split into equal parts or into given lengths", "[ops]") {
  const Tensor x = arange(5);
  const auto pairs = split(x, 2), given = split(x, {1, 4});
  REQUIRE(pairs.size() == 3);
  CHECK(to_string(pairs[1], 0) == "[2, 3]");
  CHECK(to_string(pairs[2], 0) == "[4]");
  REQUIRE(given.size() == 2);
  CHECK(to_string(given[1], 0) == "[1, 2, 3, 4]");
  CHECK(error_of([&] {
          split(x, {2, 2});
        }) == "[split] the lengths add up to 4, but axis 0 of (5) has length 5.");
  CHECK(error_of([&] { split(x, 0); }) == "[split] expected parts of length at least 1, got 0.");
}

TEST_CASE("numbers are padded, turned round, moved on and copied", "[ops]") {
  const Tensor x = tensor({1, 2, 3}), table = tensor({{1, 2}, {3, 4}});
  CHECK(to_string(pad(x, 0, 1, 2), 0) == "[0, 1, 2, 3, 0, 0]");
  CHECK(to_string(pad(table, 0, 1, 0, 9), 0) == "[[9, 9],\n [1, 2],\n [3, 4]]");
  CHECK(to_string(flip(x), 0) == "[3, 2, 1]");
  CHECK(to_string(flip(table, 0), 0) == "[[3, 4],\n [1, 2]]");
  CHECK(to_string(roll(x, 1), 0) == "[3, 1, 2]");
  CHECK(to_string(roll(x, -4), 0) == "[2, 3, 1]");
  CHECK(to_string(roll(table, 1, 0), 0) == "[[3, 4],\n [1, 2]]");
  CHECK(to_string(repeat(x, {2}), 0) == "[1, 2, 3, 1, 2, 3]");
  CHECK(to_string(repeat(table, {1, 2}), 0) == "[[1, 2, 1, 2],\n [3, 4, 3, 4]]");
  CHECK(to_string(repeat(tensor({1, 2}), {2, 1}), 0) == "[[1, 2],\n [1, 2]]");
  CHECK(to_string(repeat_interleave(x, 2), 0) == "[1, 1, 2, 2, 3, 3]");
  CHECK(to_string(repeat_interleave(table, 2, 0), 0) == "[[1, 2],\n [1, 2],\n [3, 4],\n [3, 4]]");
  CHECK(error_of([&] { repeat(table, {2}); }) == "[repeat] expected a number for each axis of (2,2), got 1.");
}

TEST_CASE("assignments with an operator bind a new tensor", "[ops]") {
  Tensor x = parameter({1, 2});
  const Tensor before = x;
  x += 1, x *= 3, x -= 2, x /= 2;
  CHECK(to_string(x) == "[2.0000, 3.5000]");
  CHECK(to_string(before) == "[1.0000, 2.0000]");
  CHECK(to_string(grad(sum(x), {before})[0]) == "[1.5000, 1.5000]");
}
