// Observers of ops and of their derivatives, for diagnostics. Anomaly mode and the audit are observers.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

// While it is switched on, an observer is called for every op of the program, on the thread that computes
// the op. Override what you want to observe. Only computed() and differentiated() may throw; the op or the
// backward pass then ends with this exception.
class OpObserver {
 public:
  // An op has computed `value` from these inputs. It is not recorded yet, and may never be.
  virtual void computed(const char* op, std::span<const Tensor> inputs, const Array& value);

  // An op was recorded. The result's node holds its inputs.
  virtual void recorded(const Tensor& result);

  // The result of an op is a constant, which holds no inputs. `how` is "NoGrad" or "detach()".
  virtual void made_constant(const Tensor& result, const char* how, const char* op,
                             std::span<const Tensor> inputs);

  // A backward pass begins and ends to compute the derivative of the op that made `output`, whether or not
  // the derivative throws.
  virtual void derivative_begins(const Tensor& output);
  virtual void derivative_ends();

  // The derivative has computed `made`, the cotangent of input number `which`, from `given`, that of the
  // output.
  virtual void differentiated(const Tensor& output, std::size_t which, const Tensor& given,
                              const Tensor& made);

  // For all threads, until switch_off() was called as often. The observer must exist until the program ends,
  // because another thread may be about to call it.
  void switch_on();
  void switch_off();

 protected:
  ~OpObserver() = default;

 private:
  int times_on_ = 0;
};

namespace detail {
extern std::atomic<bool> any_observer;
std::vector<OpObserver*> observers_that_are_on();
}  // namespace detail

// The observers that are on. Without one this only tests a flag.
inline std::vector<OpObserver*> observers() {
  if (!detail::any_observer.load(std::memory_order_relaxed)) return {};
  return detail::observers_that_are_on();
}

// The derivative of the op that made `output` is computed while this object exists. The same observers are
// called from its begin to its end.
class ObservedDerivative {
 public:
  explicit ObservedDerivative(const Tensor& output);
  ~ObservedDerivative();
  ObservedDerivative(const ObservedDerivative&) = delete;
  ObservedDerivative& operator=(const ObservedDerivative&) = delete;

  void differentiated(std::size_t which, const Tensor& given, const Tensor& made) const;

 private:
  const Tensor& output_;
  std::vector<OpObserver*> observers_;
};

}  // namespace headlight
