#include "headlight/autograd/observer.h"

#include <algorithm>
#include <mutex>

namespace headlight {
namespace {

std::mutex mutex;
std::vector<OpObserver*> switched_on;  // guarded by the mutex

}  // namespace

std::atomic<bool> detail::any_observer{false};

std::vector<OpObserver*> detail::observers_that_are_on() {
  const std::lock_guard lock(mutex);
  return switched_on;
}

void OpObserver::computed(const char*, std::span<const Tensor>, const Array&) {}
void OpObserver::recorded(const Tensor&) {}
void OpObserver::made_constant(const Tensor&, const char*, const char*, std::span<const Tensor>) {}
void OpObserver::derivative_begins(const Tensor&) {}
void OpObserver::derivative_ends() {}
void OpObserver::differentiated(const Tensor&, std::size_t, const Tensor&, const Tensor&) {}

void OpObserver::switch_on() {
  const std::lock_guard lock(mutex);
  if (times_on_++ == 0) switched_on.push_back(this);
  detail::any_observer = true;
}

void OpObserver::switch_off() {
  const std::lock_guard lock(mutex);
  if (--times_on_ == 0) switched_on.erase(std::find(switched_on.begin(), switched_on.end(), this));
  detail::any_observer = !switched_on.empty();
}

ObservedDerivative::ObservedDerivative(const Tensor& output) : output_(output), observers_(observers()) {
  for (OpObserver* observer : observers_) observer->derivative_begins(output);
}

ObservedDerivative::~ObservedDerivative() {
  for (OpObserver* observer : observers_) observer->derivative_ends();
}

void ObservedDerivative::differentiated(std::size_t which, const Tensor& given, const Tensor& made) const {
  for (OpObserver* observer : observers_) observer->differentiated(output_, which, given, made);
}

}  // namespace headlight
