// Lesson 1: a tensor is one row of numbers and a way to read it. First what it is about, in the order of the
// text; then what the program shows of it, section by section.
#include <string>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/core/rng.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "pictures.h"

using namespace headlight;
using namespace headlight::lesson;

// The tensor of the first half of this lesson. Each number is 10 plus its offset: you see where it is.
Tensor example() { return tensor({{10, 11, 12}, {13, 14, 15}}); }

// How far apart in the buffer two neighbours along each axis are, when it is filled row by row.
Shape row_major_strides(const Shape& shape) {
  Shape strides = shape;
  std::size_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

// The place of an element in the buffer.
std::size_t offset_of(const Shape& index, const Shape& strides) {
  std::size_t offset = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * strides[axis];
  return offset;
}

// A way to read a buffer. It owns no number.
struct View {
  const Real* buffer;
  Shape shape;
  Shape strides;
};

View view_of(const Tensor& x) { return {x.array().data(), x.shape(), row_major_strides(x.shape())}; }

// The offsets that a view reads, row by row.
std::vector<std::size_t> walk(const View& view) {
  std::vector<std::size_t> offsets;
  for (std::size_t i = 0; i < size_of(view.shape); ++i)
    offsets.push_back(offset_of(unravel_index(i, view.shape), view.strides));
  return offsets;
}

// What a view shows, copied into a tensor of its own.
Tensor copied(const View& view) {
  std::vector<Real> numbers;
  for (std::size_t offset : walk(view)) numbers.push_back(view.buffer[offset]);
  return tensor(numbers, view.shape);
}

View transposed(View view) {
  std::swap(view.shape[0], view.shape[1]);
  std::swap(view.strides[0], view.strides[1]);
  return view;
}

// The same numbers, still row by row, with other row breaks. Only for a view that is row-major itself.
View reshaped(const View& view, const Shape& shape) {
  check(view.strides == row_major_strides(view.shape),
        "[reshaped] expected row-major strides {}, got {}. Copy the view first.",
        row_major_strides(view.shape), view.strides);
  return {view.buffer, shape, row_major_strides(shape)};
}

// Reads an axis of length 1 as if it were longer: each step finds the same element again.
View repeated(View view, std::size_t axis, std::size_t times) {
  view.shape[axis] = times;
  view.strides[axis] = 0;
  return view;
}

// The result of section 6 for this bias.
Tensor result(const Tensor& x, const Tensor& bias, const Tensor& u) { return sum((x + bias) * u); }

double dot(const Tensor& a, const Tensor& b) { return sum(a * b).item(); }

// ---- What the program shows ----

void shape_and_buffer() {
  section("1. A shape, and one row of numbers");
  const Tensor x = example();
  say("x has the shape {}, which makes {} numbers:", x.shape(), size_of(x.shape()));
  show(to_string(x, 0));
  std::string buffer;
  for (std::size_t i = 0; i < x.size(); ++i) buffer += fmt::format(" {}", x.array().data()[i]);
  say("In memory they stand in one row, the buffer:");
  say(" {}", buffer);
}

void strides() {
  section("2. Strides");
  const Tensor x = example();
  const Shape s = row_major_strides(x.shape());
  say("The strides of the shape {} are {}: a step down skips {} numbers, a step right {}.", x.shape(), s,
      s[0], s[1]);
  const std::size_t offset = offset_of({1, 2}, s);
  say("x[1,2] stands at offset 1·{} + 2·{} = {}, and that is {}.", s[0], s[1], offset,
      x.array().data()[offset]);
  say("A batch of shape (2,3,4) has the strides {}.", row_major_strides({2, 3, 4}));

  bool all = true;
  for (std::size_t i = 0; i < x.length(0); ++i)
    for (std::size_t j = 0; j < x.length(1); ++j)
      all = all && x.array().data()[offset_of({i, j}, s)] == x.array()(i, j);
  say("Is Headlight's x[i,j] at that offset, for every i and j? {}", yes(all));
}

bool same(const Tensor& a, const Tensor& b) { return a.array() == b.array(); }

void transpose_and_reshape(const Pictures& pictures) {
  section("3. Transpose and reshape: other ways to read");
  const Tensor x = example();
  const View t = transposed(view_of(x)), r = reshaped(view_of(x), {3, 2});
  say("The transpose reads the same buffer with shape {} and strides {}:", t.shape, t.strides);
  show(to_string(copied(t), 0));
  say("A reshape reads it with shape {} and strides {}:", r.shape, r.strides);
  show(to_string(copied(r), 0));
  say("Does Headlight's transpose(x) agree? {}   Its reshape(x, {{3, 2}})? {}",
      yes(same(copied(t), transpose(x))), yes(same(copied(r), reshape(x, {3, 2}))));

  const Tensor rows = copied(t);
  say("To read the transpose as one row of 6, it is copied first:");
  show(to_string(copied(reshaped(view_of(rows), {6})), 0));

  const View whole = view_of(x);
  const View row{whole.buffer, {x.length(1)}, {whole.strides[1]}},
      column{whole.buffer, {x.length(0)}, {whole.strides[0]}};
  draw_walks(pictures, "strides.svg", fmt::format("Four walks through the buffer of x, shape {}", x.shape()),
             x,
             {{fmt::format("x[0,:]: stride {}", row.strides[0]), walk(row)},
              {fmt::format("x[:,0]: stride {}", column.strides[0]), walk(column)},
              {"x, row by row", walk(whole)},
              {"transpose of x, row by row", walk(t)}});
  draw_readings(pictures, x, copied(t), copied(r));
}

void print_broadcast(const char* name, const Tensor& x, const View& wide) {
  const View view = view_of(x);
  say("  {} of shape {:<6}  {:>6} → {}   {}", name, to_string(view.shape), to_string(view.strides),
      wide.strides, yes(same(copied(wide), broadcast_to(x, wide.shape))));
}

void broadcasting(const Pictures& pictures) {
  section("4. Broadcasting: a stride of 0");
  const Tensor x = tensor({{10}, {20}, {30}}), y = tensor({{1, 2, 3, 4}});
  const Tensor z = tensor({1, 2, 3, 4});
  const Shape shape = (x + y).shape();
  say("x has shape {} and y {}. Their sum has shape {}:", x.shape(), y.shape(), shape);
  show(to_string(x + y, 0));
  say("Read as {}, with strides before and after, and whether Headlight's broadcast_to agrees:", shape);
  const View stored = view_of(x), wide = repeated(stored, 1, 4);
  print_broadcast("x", x, wide);
  print_broadcast("y", y, repeated(view_of(y), 0, 3));
  print_broadcast("z", z, repeated(reshaped(view_of(z), {1, 4}), 0, 3));

  draw_sum(pictures, x, y);
  const auto walked = [](const View& view) {
    return draw::BufferWalk{fmt::format("{} with strides {}", view.shape, view.strides), walk(view)};
  };
  draw_walks(pictures, "stride_zero.svg", "x, as stored and as broadcast", x, {walked(stored), walked(wide)});
}

void a_refusal() {
  section("5. What does not broadcast");
  const Tensor x = example(), y = tensor({100, 200});
  try {
    say("{}", to_string(x + y, 0));
  } catch (const Error& error) {
    say("x + y with shapes {} and {} is refused:", x.shape(), y.shape());
    show(error.what());
  }
  say("With y as a column, of shape (2,1), it is what was meant:");
  show(to_string(x + reshape(y, {2, 1}), 0));
}

void backward_of_broadcast() {
  section("6. The backward pass of a broadcast");
  const Tensor x = example(), b = parameter(tensor({1, 2, 3})), u = tensor({{1, 2, 3}, {4, 5, 6}});
  Array raised = b.array();
  raised.data()[0] += 1;
  say("The result, the sum of (x + b)·u, is {}.", result(x, b, u).item());
  say("With the first number of b raised by 1 it is {}.", result(x, Tensor(raised), u).item());
  result(x, b, u).backward();
  say("The gradient of b, what each of its numbers does to the result:");
  show(to_string(b.grad(), 0));
}

void summing_back(const Pictures& pictures) {
  section("7. The transpose of copying is summing");
  const Tensor b = tensor({10, 20, 30}), u = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor B = tensor({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});  // (6,3)
  say("B copies b, of shape {}, into the two rows of a (2,3):", b.shape());
  show(to_string(reshape(matmul(B, b), {2, 3}), 0));
  say("Its transpose takes any u of shape {} and adds row 0 and row 1, column by column:", u.shape());
  show(to_string(matmul(transpose(B), reshape(u, {6})), 0));
  say("Headlight's sum_to(u, (3)) without any B:");
  show(to_string(sum_to(u, {3}), 0));
  say("<broadcast(b), u> = {}   and   <b, sum_to(u)> = {}", dot(broadcast_to(b, {2, 3}), u),
      dot(b, sum_to(u, {3})));

  draw_summing_back(pictures, b, u);

  say("\nThe same for random whole numbers of other shapes:");
  Rng rng(1);
  const auto drawn = [&rng](const Shape& shape) {
    std::vector<Real> numbers(size_of(shape));
    for (Real& number : numbers) number = static_cast<Real>(rng.below(19)) - 9;
    return tensor(numbers, shape);
  };
  const std::vector<std::pair<Shape, Shape>> pairs = {
      {{}, {5}}, {{3, 1}, {3, 4}}, {{4}, {2, 3, 4}}, {{2, 1, 4}, {2, 3, 4}}};
  for (const auto& [small, large] : pairs) {
    const Tensor x = drawn(small), v = drawn(large);
    say("  {:>7} → {:<7}   <broadcast(x), v> = {:4}   <x, sum_to(v)> = {:4}", to_string(small),
        to_string(large), dot(broadcast_to(x, large), v), dot(x, sum_to(v, small)));
    if (small.empty()) say("            where x is {} and v is {}", to_string(x, 0), to_string(v, 0));
  }
}

int main(int argc, char** argv) {
  return run(argc, argv, "01_tensors", [](const Pictures& pictures) {
    say("Lesson 1: tensors");
    shape_and_buffer();
    strides();
    transpose_and_reshape(pictures);
    broadcasting(pictures);
    a_refusal();
    backward_of_broadcast();
    summing_back(pictures);
  });
}
