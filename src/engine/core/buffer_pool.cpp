#include "headlight/core/buffer_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <new>
#include <vector>

#include "headlight/core/count_of_threads.h"

namespace headlight {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMaxCached = std::size_t{1} << 30;

// AddressSanitizer detects a use after free only if the buffer is really freed.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kRecycle = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kRecycle = false;
#else
constexpr bool kRecycle = true;
#endif
#else
constexpr bool kRecycle = true;
#endif

// Four sizes per power of two from 64 bytes on: 64, 80, 96, 112, 128, 160, …
struct SizeClass {
  std::size_t index, bytes;
};

SizeClass size_class(std::size_t bytes) {
  if (bytes <= kAlignment) return {0, kAlignment};
  const std::size_t exponent =
      static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;  // 2^e < bytes <= 2^(e+1)
  const std::size_t step = std::size_t{1} << (exponent - 2);
  const std::size_t quarter = (bytes - (std::size_t{1} << exponent) + step - 1) / step;  // 1 … 4
  return {(exponent - 6) * 4 + quarter, (std::size_t{1} << exponent) + quarter * step};
}

// The size must be a multiple of the alignment, so the smallest classes are rounded up again.
void* system_allocate(std::size_t bytes) {
  try {
    return ::operator new (bytes, std::align_val_t{kAlignment});
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(bytes);
  }
}
void system_free(void* buffer) noexcept { ::operator delete (buffer, std::align_val_t{kAlignment}); }

// Buffers handed out minus buffers returned.
using Live = CountOfThreads<struct LiveBuffers>;

std::atomic<std::uint64_t> from_system{0};

// Outlives every thread_local object: arrays may be released while a thread is ending.
thread_local bool pool_is_alive = false;

struct Pool {
  std::array<std::vector<void*>, 4 * 58 + 1> free;
  BufferPoolStats stats;

  Pool() { pool_is_alive = true; }
  ~Pool() {
    pool_is_alive = false;
    trim();
  }
  void trim() {
    for (auto& list : free) {
      for (void* buffer : list) system_free(buffer);
      list.clear();
    }
    stats.cached_bytes = 0;
  }
};

Pool& pool() {
  thread_local Pool instance;
  return instance;
}

}  // namespace

OutOfMemory::OutOfMemory(std::size_t bytes)
    : message_("there is not enough memory for an array of " + std::to_string(bytes) + " bytes.") {}

void* acquire_buffer(std::size_t bytes) {
  const SizeClass size = size_class(bytes);
  Pool& mine = pool();
  auto& list = mine.free[size.index];
  void* buffer;
  if (list.empty()) {
    buffer = system_allocate(size.bytes);
    ++mine.stats.system_allocations;
    from_system.fetch_add(1, std::memory_order_relaxed);
    mine.stats.system_bytes += size.bytes;
  } else {
    buffer = list.back();
    list.pop_back();
    mine.stats.cached_bytes -= size.bytes;
  }
  mine.stats.live_bytes += size.bytes;
  Live::add(1);
  return buffer;
}

void release_buffer(void* buffer, std::size_t bytes) noexcept {
  if (buffer == nullptr) return;
  Live::add(-1);
  if (!pool_is_alive) return system_free(buffer);
  const SizeClass size = size_class(bytes);
  Pool& mine = pool();
  mine.stats.live_bytes -=
      std::min(mine.stats.live_bytes, size.bytes);  // another thread may have acquired it
  if (!kRecycle || mine.stats.cached_bytes + size.bytes > kMaxCached) return system_free(buffer);
  try {
    mine.free[size.index].push_back(buffer);
    mine.stats.cached_bytes += size.bytes;
  } catch (const std::bad_alloc&) {
    system_free(buffer);
  }
}

std::int64_t live_buffers() { return Live::total(); }

std::uint64_t system_allocations() { return from_system; }

BufferPoolStats buffer_pool_stats() { return pool().stats; }

void trim_buffer_pool() { pool().trim(); }

}  // namespace headlight
