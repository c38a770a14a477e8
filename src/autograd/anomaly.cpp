#include "headlight/autograd/anomaly.h"

#include <cmath>
#include <string>

#include "headlight/core/check.h"

namespace headlight {
namespace {

thread_local const char* differentiated_op = nullptr;

// The worst kind of number in an array, and the first element of that kind.
struct Worst {
  enum Kind { finite, infinite, nan } kind = finite;
  std::size_t at = 0;
};

Worst worst_of(const Array& x) {
  Worst worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real value = x.data()[i];
    if (std::isfinite(value)) continue;
    if (std::isnan(value)) return {Worst::nan, i};
    if (worst.kind == Worst::finite) worst = {Worst::infinite, i};
  }
  return worst;
}

const char* name_of(Worst::Kind kind) { return kind == Worst::nan ? "NaN" : "an infinity"; }

// "'div'", or "'div', in the derivative of 'sqrt',"
std::string op_here(const char* op) {
  return differentiated_op == nullptr
             ? fmt::format("'{}'", op)
             : fmt::format("'{}', in the derivative of '{}',", op, differentiated_op);
}

std::string list_of(std::span<const Tensor> inputs) {
  std::string list;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    list += (i == 0 ? "" : i + 1 < inputs.size() ? ", " : " and ") + describe(inputs[i]);
  return list;
}

}  // namespace

std::atomic<int> detail::anomaly_scopes{0};

AnomalyScope::AnomalyScope() { ++detail::anomaly_scopes; }
AnomalyScope::~AnomalyScope() { --detail::anomaly_scopes; }

DerivativeScope::DerivativeScope(const char* op) : before_(differentiated_op) { differentiated_op = op; }
DerivativeScope::~DerivativeScope() { differentiated_op = before_; }

void watch_result(const char* op, std::span<const Tensor> inputs, const Array& result) {
  const Worst made = worst_of(result);
  if (made.kind == Worst::finite) return;
  Worst::Kind given = Worst::finite;
  for (const Tensor& input : inputs) {
    const Worst worst = worst_of(input.array());
    if (worst.kind == Worst::nan && input.is_leaf())
      fail("[anomaly] {} was given NaN: element {} of {}, which no op has made.", op_here(op),
           unravel_index(worst.at, input.shape()), describe(input));
    given = std::max(given, worst.kind);
  }
  check(made.kind <= given, "[anomaly] {} made {}: element {} of its result {}. Its inputs: {}{}.",
        op_here(op), name_of(made.kind), unravel_index(made.at, result.shape()), result.shape(),
        list_of(inputs), given == Worst::finite ? ", all finite" : "; there is an infinity in them");
}

void watch_cotangent(const char* op, std::size_t which, const Tensor& input, const Tensor& given,
                     const Tensor& made) {
  if (!made.defined()) return;
  const Worst worst = worst_of(made.array());
  if (worst.kind <= worst_of(given.array()).kind) return;
  fail(
      "[anomaly] the derivative of '{}' made {} in the backward pass: element {} of the cotangent of its "
      "input {}, {}.",
      op, name_of(worst.kind), unravel_index(worst.at, made.shape()), which, describe(input));
}

}  // namespace headlight
