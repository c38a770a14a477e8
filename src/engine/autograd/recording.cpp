#include "headlight/autograd/recording.h"

#include <algorithm>

namespace headlight {

thread_local RecordingScope* RecordingScope::newest = nullptr;

bool recording() { return RecordingScope::newest == nullptr || RecordingScope::newest->on_; }

bool must_record(std::span<const Tensor> inputs) {
  return recording() &&
         std::any_of(inputs.begin(), inputs.end(), [](const Tensor& x) { return x.requires_grad(); });
}

RecordingScope::RecordingScope(bool on) : on_(on), older_(newest) { newest = this; }

RecordingScope::~RecordingScope() {
  RecordingScope** scope = &newest;
  while (*scope != nullptr && *scope != this) scope = &(*scope)->older_;
  if (*scope != nullptr) *scope = older_;
}

}  // namespace headlight
