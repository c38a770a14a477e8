// Anomaly mode: finds the op that first made a NaN or an infinity.
#pragma once

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

// Whether an AnomalyScope exists.
bool anomalies_watched();

}  // namespace headlight
