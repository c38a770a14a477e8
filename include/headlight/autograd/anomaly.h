// Anomaly mode: finds the op that first made a NaN or an infinity.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>

#include "headlight/autograd/tensor.h"

namespace headlight {

// While an AnomalyScope exists, on any thread, every op checks its results, forward and backward. An op
// throws Error with its name, the element and the inputs if it makes a NaN from inputs without NaN, or an
// infinity from finite inputs, or if one of its inputs is a leaf with NaN. Infinities in the inputs (-∞ in a
// mask) are not an anomaly. A scope also detects every change of an array between forward and backward pass.
// It reads each result once more, so training takes up to twice as long.
class AnomalyScope {
 public:
  AnomalyScope();
  ~AnomalyScope();
  AnomalyScope(const AnomalyScope&) = delete;
  AnomalyScope& operator=(const AnomalyScope&) = delete;
};

namespace detail {
extern std::atomic<int> anomaly_scopes;
}
inline bool anomalies_watched() { return detail::anomaly_scopes.load(std::memory_order_relaxed) > 0; }

// The engine calls these with the result of an op, and with the cotangent `made` that its vjp computed from
// `given` for input number `which`. Throw Error for an anomaly.
void watch_result(const char* op, std::span<const Tensor> inputs, const Array& result);
void watch_cotangent(const char* op, std::size_t which, const Tensor& input, const Tensor& given,
                     const Tensor& made);

// While a DerivativeScope exists, messages say that the ops of this thread are part of the derivative of
// `op`.
class DerivativeScope {
 public:
  explicit DerivativeScope(const char* op);
  ~DerivativeScope();
  DerivativeScope(const DerivativeScope&) = delete;
  DerivativeScope& operator=(const DerivativeScope&) = delete;

 private:
  const char* before_;
};

}  // namespace headlight
