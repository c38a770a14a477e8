// Anomaly mode: finds the op that first made a NaN or an infinity.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>

#include "headlight/autograd/tensor.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// While one of these lives, on any thread, every op looks at what it has made, forward and backward. One that
// makes NaN of inputs without NaN, or an infinity of finite inputs, throws Error with its name, the element
// and the inputs; so does one that is given a leaf with NaN. Infinities that were put in on purpose (-∞ in a
// mask) are no anomaly. Also notices every change of an array between forward and backward pass. Each result
// is read once more: training takes up to twice as long.
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

// What the engine tells anomaly mode: the result of an op; and the cotangent that its derivative made of
// `given` for input number `which`. Throw Error for an anomaly.
void watch_result(const char* op, std::span<const Tensor> inputs, const Array& result);
void watch_cotangent(const char* op, std::size_t which, const Tensor& input, const Tensor& given,
                     const Tensor& made);

// While one of these lives, ops of this thread are part of the derivative of `op`, and messages say so.
class DerivativeScope {
 public:
  explicit DerivativeScope(const char* op);
  ~DerivativeScope();
  DerivativeScope(const DerivativeScope&) = delete;
  DerivativeScope& operator=(const DerivativeScope&) = delete;

 private:
  const char* before_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION
