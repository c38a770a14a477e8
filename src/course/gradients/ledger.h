// The ledger: every gradient computed in four ways, and the largest differences between them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::ledger {

// One gradient, its numbers in the same order from each source.
struct Quantity {
  std::string name, formula;
  std::vector<double> hand = {};     // matrix formulas written out, no tape
  std::vector<double> tape = {};     // composed of simple ops, differentiated by the tape
  std::vector<double> fused = {};    // the production op's own backward pass
  std::vector<double> numeric = {};  // central differences of the production op
  bool must_vanish = false;          // the gradient is 0 in exact arithmetic
};

struct Row {
  std::string case_name, quantity, formula;
  double norm = 0;  // √(Σ g²) of the tape's
  double hand_vs_tape = 0, fused_vs_tape = 0, tape_vs_numeric = 0;
  bool ok = false;
  std::string remark;  // why it is wrong, or what is special
};

// The largest differences that are OK, relative as below.
inline constexpr double kExact = 1e-12, kNumeric = 1e-7;

// A difference is the largest |a - b| over an array, divided by a scale. The scale is the largest number in
// the array, or a thousandth of the largest gradient of the case if that is more. For a gradient that must be
// 0 the scale is the largest gradient of the case. A gradient is also wrong if it is not finite, has the
// wrong size, is not 0 but must be, or is 0 but must not be (comparing zeros would check nothing).
std::vector<Row> judge(const std::string& case_name, const std::vector<Quantity>& quantities);

// ∂f/∂leaf by central differences of fourth order,
// (8(f(x+h) - f(x-h)) - (f(x+2h) - f(x-2h))) / 12h with h = 1e-3, with an error of about 1e-11. Changes the
// leaf's numbers one by one and restores them; f must read them anew at each call.
std::vector<double> central_differences(const std::function<double()>& f, Tensor leaf);

struct Case {
  std::string name, what;
  std::vector<Quantity> (*run)();
};

// self, causal, padding, cross, bias, relative, masked-row, d-head, batch, block, model, and the parts:
// rms-norm, swiglu, smear, smoothing, grouped-heads, sinks, cap.
const std::vector<Case>& cases();

}  // namespace headlight::ledger
