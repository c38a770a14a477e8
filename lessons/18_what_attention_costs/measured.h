// How lesson 18 measures: the time of a call, and the memory that it takes.
#pragma once

#include <algorithm>
#include <ctime>
#include <functional>

#include "headlight/autograd/tensor.h"
#include "headlight/core/buffer_pool.h"

namespace headlight::lesson {

// The milliseconds of processor time of the fastest of several calls: other programs make a call slower, and
// none makes it faster.
inline double milliseconds(const std::function<Tensor()>& call) {
  constexpr int kFewest = 4;
  constexpr double kLong = 60;
  const auto now = [] { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  call();  // the first call also asks the system for memory
  double fastest = 0, all = 0;
  for (int calls = 0; calls < kFewest || all < kLong; ++calls) {
    const double start = now();
    call();
    const double took = now() - start;
    fastest = calls == 0 ? took : std::min(fastest, took);
    all += took;
  }
  return fastest;
}

// The bytes that Headlight asks the system for during a call. Memory that the call returns is used again, so
// this is what it holds at once.
inline double bytes_of(const std::function<Tensor()>& call) {
  trim_buffer_pool();
  const std::size_t before = buffer_pool_stats().system_bytes;
  call();
  return static_cast<double>(buffer_pool_stats().system_bytes - before);
}

}  // namespace headlight::lesson
