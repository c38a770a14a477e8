// HookPoint: a named place in a model where an activation passes by, to be read or replaced.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::nn {

// Sees the activation; returns its replacement, or an undefined Tensor to leave it as it is.
using Hook = std::function<Tensor(const Tensor& activation)>;

// An identity until a hook is added. Hooks run in the order in which they were added, each on what the one
// before returned. Adding and removing is not for while another thread runs the model.
class HookPoint {
 public:
  bool active() const { return !hooks_.empty(); }

  Tensor operator()(const Tensor& activation) const {
    Tensor current = activation;
    for (const auto& [id, hook] : hooks_)
      if (Tensor replaced = hook(current); replaced.defined()) current = std::move(replaced);
    return current;
  }

  // Returns a number to remove it by. interpret/hooks.h has a scope that removes its hooks by itself.
  int add(Hook hook) {
    hooks_.emplace_back(next_id_, std::move(hook));
    return next_id_++;
  }

  void remove(int id) {
    std::erase_if(hooks_, [id](const auto& entry) { return entry.first == id; });
  }

 private:
  std::vector<std::pair<int, Hook>> hooks_;
  int next_id_ = 0;
};

}  // namespace headlight::nn
