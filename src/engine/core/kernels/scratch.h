// Zeros from the buffer pool, for as long as a kernel runs.
#pragma once

#include "headlight/core/buffer_pool.h"
#include "kernels.h"

namespace headlight::kernels::this_level {

class Scratch {
 public:
  explicit Scratch(std::size_t size) : size_(size) {
    if (size == 0) return;
    data_ = static_cast<Real*>(acquire_buffer(size * sizeof(Real)));
    fill_n(data_, size, 0);
  }
  ~Scratch() { release_buffer(data_, size_ * sizeof(Real)); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Real* data() { return data_; }
  const Real* data() const { return data_; }
  bool empty() const { return size_ == 0; }

 private:
  std::size_t size_;
  Real* data_ = nullptr;
};

}  // namespace headlight::kernels::this_level
