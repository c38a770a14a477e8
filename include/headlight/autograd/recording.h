// Whether ops are recorded, and scopes that switch recording on or off.
#pragma once

#include <span>

#include "headlight/autograd/tensor.h"

namespace headlight {

// Whether ops are being recorded on this thread.
bool recording();

// True when the result of an op on these inputs must be recorded.
bool must_record(std::span<const Tensor> inputs);

// While this object exists, ops on this thread are recorded, or only computed. The backward pass uses it. Of
// several the one that was made last decides; they may end in any order.
class RecordingScope {
 public:
  explicit RecordingScope(bool on);
  ~RecordingScope();
  RecordingScope(const RecordingScope&) = delete;
  RecordingScope& operator=(const RecordingScope&) = delete;

 private:
  friend bool recording();

  static thread_local RecordingScope* newest;
  const bool on_;
  RecordingScope* older_;
};

// While this object exists, ops on this thread are computed but not recorded.
class NoGrad : public RecordingScope {
 public:
  NoGrad() : RecordingScope(false) {}
};

}  // namespace headlight
