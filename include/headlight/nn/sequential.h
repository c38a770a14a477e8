// Layers and functions, one after another.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "headlight/nn/module.h"

namespace headlight::nn {

// Each layer takes what the one before it gives:
//   Sequential net{Linear(2, 16, rng), relu, Linear(16, 1, rng)};  // braces draw from left to right
//   const Tensor y = net(x);
// A layer is a module or any function of a Tensor. Parameters are named after the place of their layer, which
// starts at 0: "0.W", "2.W". A copy shares its parameters, as that of every module.
template <class... Layer>
class Sequential {
 public:
  explicit Sequential(Layer... layers) : layers_(std::move(layers)...) {}

  Tensor operator()(const Tensor& x) const {
    Tensor y = x;
    std::apply([&](const Layer&... layer) { ((y = layer(y)), ...); }, layers_);
    return y;
  }

  void visit(auto&& v) const {
    std::size_t place = 0;
    const auto name = [&](const auto& layer) {
      if constexpr (is_module<std::decay_t<decltype(layer)>>) v(std::to_string(place), layer);
      ++place;
    };
    std::apply([&](const Layer&... layer) { (name(layer), ...); }, layers_);
  }

 private:
  std::tuple<Layer...> layers_;
};

}  // namespace headlight::nn
