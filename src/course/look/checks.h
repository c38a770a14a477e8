// What the program `look` of a hunt checks in the engine. Each check prints a line of text, which is the same
// on every machine. expected.txt has the lines of an engine without a bug.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::hunt {

struct Check {
  std::string name;
  std::function<std::string()> run;  // what came out; an Error's message counts as that
};

struct Tool {
  std::string name, what;
  std::function<std::vector<Check>()> checks;
};

// The coarsest first: training, optimizer, audit, model, ledger, nan, large, gradient.
const std::vector<Tool>& tools();

std::vector<Check> training_checks();
std::vector<Check> optimizer_checks();
std::vector<Check> audit_checks();
std::vector<Check> model_checks();
std::vector<Check> ledger_checks();
std::vector<Check> nan_checks();
std::vector<Check> large_checks();
std::vector<Check> gradient_checks();

// Five digits; 0 for what is rounding alone.
std::string number(double x);
std::string numbers(const std::vector<double>& x);

// Σ x ⊙ u, u random and the same in each call: one number that any change of x changes.
double digest(const Array& x);

// Whether two numbers agree up to rounding, or up to the error of a central difference.
bool close(double a, double b, double tolerance = 1e-6);

// The gradients of some tensors, each compared with a central difference along one random direction. Returns
// "gradients as measured", or the first that differs and how many do. `loss` reads the tensors anew.
std::string compared_gradients(const std::function<Tensor()>& loss, const NamedTensors& of);

}  // namespace headlight::hunt
