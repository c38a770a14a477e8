#include "cut.h"

#include <algorithm>

#include "headlight/autograd/audit.h"
#include "headlight/autograd/observer.h"

namespace headlight {
namespace {

thread_local bool is_tracing = false;

// Observers get the ops of all threads; an AuditScope is for its own thread.
class CutObserver final : public OpObserver {
 public:
  void made_constant(const Tensor& result, const char* how, const char* op,
                     std::span<const Tensor> inputs) override {
    if (!is_tracing) return;
    const auto any = [&](auto property) { return std::any_of(inputs.begin(), inputs.end(), property); };
    const bool cuts = any([](const Tensor& x) { return x.requires_grad(); });
    if (!cuts && !any([](const Tensor& x) { return cut_of(x) != nullptr; })) return;
    auto cut = std::make_unique<Cut>();
    cut->how = cuts ? how : "";
    cut->op = op;
    cut->inputs.assign(inputs.begin(), inputs.end());
    result.node()->notes.push_back(std::move(cut));
  }
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
