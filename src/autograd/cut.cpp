#include "headlight/autograd/cut.h"

#include <algorithm>

#include "headlight/autograd/node.h"

namespace headlight {
namespace {

thread_local bool is_tracing = false;

}  // namespace

AuditScope::AuditScope() : before_(is_tracing) { is_tracing = true; }
AuditScope::~AuditScope() { is_tracing = before_; }

void trace_cut(const Tensor& constant, const char* how, const char* op, std::span<const Tensor> inputs) {
  if (!is_tracing) return;
  const auto any = [&](auto property) { return std::any_of(inputs.begin(), inputs.end(), property); };
  const bool cuts = any([](const Tensor& x) { return x.requires_grad(); });
  if (!cuts && !any([](const Tensor& x) { return x.node()->cut != nullptr; })) return;
  constant.node()->cut.reset(new Cut{cuts ? how : "", op, {inputs.begin(), inputs.end()}});
}

}  // namespace headlight
