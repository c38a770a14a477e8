// The checker of exercise 1.
#include "exercise.h"
#include "grader/experiment.h"
#include "grader/slips.h"
#include "headlight/core/rng.h"
#include "view.h"

// The learner's.
Strides strides_in_order(const Shape& shape, const std::vector<std::size_t>& order);
View sliced(const View& view, std::size_t axis, std::size_t first, std::ptrdiff_t step, std::size_t length);
View windows(const View& view, std::size_t axis, std::size_t length);
View broadcast_view(const View& view, const Shape& shape);
Array sum_back(const Array& u, const View& view, std::size_t size);
std::vector<Trial> gradient_sizes();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes.h"
#include "mistakes_back.h"
#include "mistakes_sizes.h"
#include "mistakes_views.h"

namespace {

using namespace grader;

// The strides, with 0 where an axis of length 1 makes any number right.
Shown shown_strides(const std::string& name, const Shape& shape, Strides strides) {
  for (std::size_t axis = 0; axis < std::min(shape.size(), strides.size()); ++axis)
    if (shape[axis] == 1) strides[axis] = 0;
  return shown(name, strides);
}

Result of_view(const View& view) {
  return {shown("start", view.start), shown("shape", view.shape),
          shown_strides("strides", view.shape, view.strides)};
}

template <class Numbers>
std::string braces(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "{" + text + "}";
}

std::string text_of(const View& view) {
  return fmt::format("{{{}, {}, {}}}", view.start, braces(view.shape), braces(view.strides));
}

Part order_part() {
  using Order = std::vector<std::size_t>;
  std::vector<Case<mistakes::InOrder>> cases;
  for (const auto& [shape, order] : std::vector<std::pair<Shape, Order>>{{{2, 3, 4}, {1, 2, 0}},
                                                                         {{2, 3, 4}, {0, 1, 2}},
                                                                         {{5, 7}, {1, 0}},
                                                                         {{6}, {0}},
                                                                         {{3, 1, 4, 2}, {2, 0, 3, 1}},
                                                                         {{}, {}},
                                                                         {{2, 3, 5, 4}, {3, 0, 1, 2}}})
    cases.push_back({fmt::format("strides_in_order({}, {})", braces(shape), braces(order)),
                     {shown("shape", shape), shown("order", order)},
                     [=](const mistakes::InOrder& function) {
                       return Result{shown_strides("strides", shape, function(shape, order))};
                     }});
  return part<mistakes::InOrder>("strides_in_order", 1, ::strides_in_order, solution::strides_in_order, cases,
                                 slips_of<mistakes::InOrder>(mistakes::in_order, mistakes::kSlipsInOrder));
}

Case<mistakes::Slice> slicing(const View& view, std::size_t axis, std::size_t first, std::ptrdiff_t step,
                              std::size_t length) {
  return {
      fmt::format("sliced({}, {}, {}, {}, {})", text_of(view), axis, first, step, length),
      {},
      [=](const mistakes::Slice& function) { return of_view(function(view, axis, first, step, length)); }};
}

Part slice_part() {
  const View x{0, {2, 3}, {3, 1}}, inside{7, {4, 5, 6}, {60, 12, 2}}, backward{23, {4, 6}, {-6, -1}};
  return part<mistakes::Slice>(
      "sliced", 2, ::sliced, solution::sliced,
      {slicing(x, 1, 2, -1, 3), slicing(x, 0, 1, 1, 1), slicing({0, {12}, {1}}, 0, 1, 2, 5),
       slicing(inside, 1, 4, -2, 3), slicing(inside, 0, 1, 2, 2), slicing(backward, 0, 3, -1, 4),
       slicing(backward, 1, 1, 3, 2)},
      slips_of<mistakes::Slice>(mistakes::slice, mistakes::kSlipsInSlices));
}

Part window_part() {
  std::vector<Case<mistakes::Window>> cases;
  const auto looking = [&](const View& view, std::size_t axis, std::size_t length) {
    cases.push_back(
        {fmt::format("windows({}, {}, {})", text_of(view), axis, length),
         {},
         [=](const mistakes::Window& function) { return of_view(function(view, axis, length)); }});
  };
  looking({0, {6}, {1}}, 0, 3);
  looking({0, {5, 4}, {4, 1}}, 0, 2);
  looking({3, {4, 5}, {1, 4}}, 1, 3);
  looking({29, {2, 5, 3}, {-15, -3, -1}}, 1, 2);
  looking({0, {2, 7}, {7, 1}}, 1, 7);
  return part<mistakes::Window>("windows", 2, ::windows, solution::windows, cases,
                                slips_of<mistakes::Window>(mistakes::windowed, mistakes::kSlipsInWindows));
}

Part broadcast_part() {
  std::vector<Case<mistakes::Broadcast>> cases;
  const auto reading = [&](const View& view, const Shape& shape) {
    cases.push_back({fmt::format("broadcast_view({}, {})", text_of(view), braces(shape)),
                     {},
                     [=](const mistakes::Broadcast& function) { return of_view(function(view, shape)); }});
  };
  reading({1, {2, 1}, {3, 1}}, {4, 2, 3});
  reading({0, {3, 2}, {1, 3}}, {3, 2});
  reading({0, {3, 2}, {1, 3}}, {4, 3, 2});
  reading({5, {4}, {-1}}, {4, 2, 4});
  reading({3, {1, 2}, {9, 4}}, {2, 2, 2});
  reading({3, {1, 2}, {9, 4}}, {5, 1, 2});
  reading({2, {}, {}}, {2, 3});
  reading({0, {5, 1}, {2, 2}}, {1, 5, 6});
  reading({0, {2}, {1}}, {2, 3});
  reading({0, {2, 3}, {3, 1}}, {3});
  reading({0, {1, 3}, {3, 1}}, {3});
  reading({0, {4}, {1}}, {1});
  reading({0, {2}, {1}}, {4});
  return part<mistakes::Broadcast>(
      "broadcast_view", 2, ::broadcast_view, solution::broadcast_view, cases,
      slips_of<mistakes::Broadcast>(mistakes::broadcast, mistakes::kSlipsInBroadcasts));
}

// Whole numbers from -9 to 9.
Array drawn(const Shape& shape, std::uint64_t seed) {
  Rng rng(seed);
  Array x = empty_array(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(rng.below(19)) - 9;
  return x;
}

Part sum_back_part() {
  std::vector<Case<mistakes::SumBack>> cases;
  const auto summing = [&](const Array& u, const View& view, std::size_t size) {
    cases.push_back({fmt::format("sum_back(u, {}, {})", text_of(view), size),
                     {shown("u", u)},
                     [=](const mistakes::SumBack& function) {
                       return Result{shown("result", function(u, view, size))};
                     }});
  };
  summing({{1, 2, 3}, {4, 5, 6}}, {0, {2, 3}, {0, 1}}, 3);
  std::uint64_t seed = 1;
  const auto drawing = [&](const View& view, std::size_t size) {
    summing(drawn(view.shape, seed++), view, size);
  };
  drawing({0, {3, 4}, {1, 0}}, 6);
  drawing({0, {4, 3}, {1, 1}}, 6);
  drawing({1, {2, 3}, {4, 1}}, 11);
  drawing({0, {2, 3, 4}, {0, 1, 3}}, 12);
  drawing({2, {}, {}}, 4);
  drawing({1, {3, 2, 2}, {2, 0, 2}}, 9);
  drawing({5, {2, 3}, {-3, -1}}, 6);
  drawing({4, {3, 2}, {-2, 1}}, 7);
  return part<mistakes::SumBack>("sum_back", 3, ::sum_back, solution::sum_back, cases,
                                 slips_of<mistakes::SumBack>(mistakes::summed_back, mistakes::kSlipsInSums));
}

Part experiment() {
  return experiment_part("gradient_sizes", 1, ::gradient_sizes, solution::gradient_sizes,
                         [](double rows) { return solution::gradient_size(static_cast<std::size_t>(rows)); },
                         {.setting = "rows",
                          .measured = "size of the gradient",
                          .least = 1,
                          .most = 1000,
                          .wrong = mistakes::of_gradient_sizes()});
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "01_tensors",
        {order_part(), slice_part(), window_part(), broadcast_part(), sum_back_part(), experiment()}};
  });
}
