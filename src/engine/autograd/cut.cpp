#include "cut.h"

#include <algorithm>

#include "headlight/autograd/audit.h"
#include "headlight/autograd/observer.h"

namespace headlight {
namespace {

thread_local bool is_tracing = false;
thread_local int derivatives = 0;  // that a backward pass of this thread is computing

// Observers get the ops of all threads; an AuditScope is for its own thread. The constants that a derivative
// makes are not noted: one that becomes the grad() of a parameter and held the parameter would never be
// freed.
class CutObserver final : public OpObserver {
 public:
  void made_constant(const Tensor& result, const char* how, const char* op,
                     std::span<const Tensor> inputs) override {
    if (!is_tracing || derivatives > 0) return;
    const auto any = [&](auto property) { return std::any_of(inputs.begin(), inputs.end(), property); };
    const bool cuts = any([](const Tensor& x) { return x.requires_grad(); });
    if (!cuts && !any([](const Tensor& x) { return cut_of(x) != nullptr; })) return;
    auto cut = std::make_unique<Cut>();
    cut->how = cuts ? how : "";
    cut->op = op;
    cut->inputs.assign(inputs.begin(), inputs.end());
    result.node()->notes.push_back(std::move(cut));
  }
  void derivative_begins(const Tensor&) override { ++derivatives; }
  void derivative_ends() override { --derivatives; }
};

CutObserver cut_observer;

}  // namespace

AuditScope::AuditScope() : before_(is_tracing) {
  is_tracing = true;
  cut_observer.switch_on();
}
AuditScope::~AuditScope() {
  cut_observer.switch_off();
  is_tracing = before_;
}

const Cut* cut_of(const Tensor& x) { return x.node()->note<Cut>(); }

}  // namespace headlight
