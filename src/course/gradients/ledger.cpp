#include "gradients/ledger.h"

#include <algorithm>
#include <cmath>

#include "headlight/autograd/recording.h"
#include "headlight/core/check.h"

namespace headlight::ledger {
namespace {

double largest(const std::vector<double>& x) {
  double most = 0;
  for (double value : x) most = std::isfinite(value) ? std::max(most, std::abs(value)) : HUGE_VAL;
  return most;
}

double difference(const std::vector<double>& a, const std::vector<double>& b, double floor) {
  if (a.size() != b.size()) return HUGE_VAL;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    most = std::isfinite(d) ? std::max(most, d) : HUGE_VAL;
  }
  return most / std::max({largest(a), largest(b), floor});
}

std::string verdict(const Row& row, const Quantity& q, double scale) {
  if (!std::isfinite(largest(q.tape))) return "not finite";
  const bool vanishes = largest(q.tape) <= kExact * scale;
  if (vanishes && !q.must_vanish) return "0 everywhere, so nothing was checked";
  if (!vanishes && q.must_vanish) return "must be 0";
  // Written so that NaN is wrong too.
  if (!(row.hand_vs_tape <= kExact)) return "hand and tape differ";
  if (!(row.fused_vs_tape <= kExact)) return "fused and tape differ";
  if (!(row.tape_vs_numeric <= kNumeric)) return "tape and numeric differ";
  return "";
}

}  // namespace

std::vector<Row> judge(const std::string& case_name, const std::vector<Quantity>& quantities) {
  double scale = 0;
  for (const Quantity& q : quantities)
    if (std::isfinite(largest(q.tape))) scale = std::max(scale, largest(q.tape));
  if (scale == 0) scale = 1;
  std::vector<Row> rows;
  for (const Quantity& q : quantities) {
    Row row{.case_name = case_name, .quantity = q.name, .formula = q.formula, .remark = {}};
    double squares = 0;
    for (double g : q.tape) squares += g * g;
    row.norm = std::sqrt(squares);
    const double floor = q.must_vanish ? scale : 1e-3 * scale;
    row.hand_vs_tape = difference(q.hand, q.tape, floor);
    row.fused_vs_tape = difference(q.fused, q.tape, floor);
    row.tape_vs_numeric = difference(q.tape, q.numeric, floor);
    row.remark = verdict(row, q, scale);
    row.ok = row.remark.empty();
    if (row.ok && q.must_vanish) row.remark = "0, as it must be";
    rows.push_back(row);
  }
  return rows;
}

std::vector<double> central_differences(const std::function<double()>& f, Tensor leaf) {
  constexpr double h = 1e-3;
  const NoGrad no_grad;
  std::vector<double> slopes;
  for (std::size_t i = 0; i < leaf.size(); ++i) {
    const Real before = leaf.array().data()[i];
    const auto at = [&](double shift) {
      leaf.mutable_array().data()[i] = static_cast<Real>(before + shift);
      return f();
    };
    slopes.push_back((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
    leaf.mutable_array().data()[i] = before;
  }
  return slopes;
}

}  // namespace headlight::ledger
