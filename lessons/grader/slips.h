// Mistakes that all stand in one function, each behind a switch, so that any two can be made together.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/part.h"

namespace headlight::grader {

// Which mistakes a function makes: made("start-lost").
struct Made {
  std::vector<std::string> names;
  bool operator()(std::string_view name) const { return std::ranges::find(names, name) != names.end(); }
};

// A mistake whose switch is its name; the words are those of Mistake.
struct Slip {
  std::string name, sentence, read;
};

// The bank of a part of type F, a std::function: each slip alone, and behind them each two together.
// `function` is the right one with the switches in it. Its first argument says which are on:
//   using InOrder = std::function<Strides(const Shape&, const Order&)>;
//   Strides in_order(const Made& made, const Shape& shape, const Order& order);
//   slips_of<InOrder>(in_order, {{"fastest-first", "You gave stride 1 to …", "Strides"}, …})
template <class F, class Function>
std::vector<Mistake<F>> slips_of(Function function, const std::vector<Slip>& slips) {
  const auto making = [&](std::vector<std::string> names) -> F {
    return std::bind_front(function, Made{std::move(names)});
  };
  std::vector<Mistake<F>> singles;
  std::vector<Together<F>> pairs;
  for (std::size_t b = 0; b < slips.size(); ++b) {
    singles.push_back({slips[b].name, slips[b].sentence, slips[b].read, making({slips[b].name})});
    for (std::size_t a = 0; a < b; ++a)
      pairs.push_back({{slips[a].name, slips[b].name}, making({slips[a].name, slips[b].name})});
  }
  return with_together(std::move(singles), pairs);
}

}  // namespace headlight::grader
