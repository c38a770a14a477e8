// Cases computed by PyTorch (data/golden/), and how Headlight is held against them.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.h"
#include "headlight/nn/module.h"

namespace headlight::golden {

// Relative to the largest number of the array. Both sides round differently, and so does the float build.
inline constexpr double kClose = kDouble ? 1e-10 : 1e-4;

// One case of a file, in the sections settings, inputs, parameters, outputs and gradients. Every entry is
// taken exactly once; each_case() fails over those left behind.
class Case {
 public:
  explicit Case(nlohmann::ordered_json sections);

  bool has(const std::string& section, const std::string& name) const;
  std::vector<std::string> names(const std::string& section) const;
  std::string left_behind() const;  // "" when everything was taken

  template <class T>
  T setting(const std::string& name) {
    return take("settings", name).get<T>();
  }
  Tensor constant(const std::string& name);
  Tensor input(const std::string& name);  // a leaf, whose gradient gradients_agree() compares
  IntArray integers(const std::string& name);

  // Takes all parameters, whose names must be the module's, in its order.
  template <class M>
  void load(M& module) {
    load_parameters(nn::named_parameters(module));
  }

  void agrees(const std::string& name, const Array& computed);  // with an output

  // Compares the gradients of inputs and parameters. Run backward() before.
  void gradients_agree();

 private:
  nlohmann::ordered_json take(const std::string& section, const std::string& name);
  void load_parameters(const nn::NamedParameters& parameters);

  nlohmann::ordered_json sections_;
  nn::NamedParameters leaves_;
};

// The cases of data/golden/<file>, by name.
std::vector<std::pair<std::string, Case>> cases_of(const std::string& file);

// Runs the body on every case of the file, which must have `count` of them.
void each_case(const std::string& file, std::size_t count, const std::function<void(Case&)>& body);

}  // namespace headlight::golden
