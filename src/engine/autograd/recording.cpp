#include "headlight/autograd/recording.h"

#include <algorithm>

namespace headlight {
namespace {

thread_local bool is_recording = true;

}  // namespace

bool recording() { return is_recording; }

bool must_record(std::span<const Tensor> inputs) {
  return is_recording &&
         std::any_of(inputs.begin(), inputs.end(), [](const Tensor& x) { return x.requires_grad(); });
}

RecordingScope::RecordingScope(bool record) : before_(is_recording) { is_recording = record; }
RecordingScope::~RecordingScope() { is_recording = before_; }

}  // namespace headlight
