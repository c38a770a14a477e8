#include "headlight/core/buffer_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <new>
#include <vector>

namespace headlight {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMaxCached = std::size_t{1} << 30;

// AddressSanitizer finds a use after free only if the buffer really is freed.
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

// Alignment needs a multiple of it, so the smallest classes round up once more.
void* system_allocate(std::size_t bytes) { return ::operator new (bytes, std::align_val_t{kAlignment}); }
void system_free(void* buffer) noexcept { ::operator delete (buffer, std::align_val_t{kAlignment}); }

// Buffers handed out minus buffers returned: by threads that have ended, and by each that lives. A thread
// writes only its own count, so that counting costs no traffic between cores.
struct Counts {
  std::mutex mutex;
  std::vector<const std::atomic<std::int64_t>*> of_threads;
  std::atomic<std::int64_t> ended{0};
  std::atomic<std::uint64_t> system_allocations{0};
};

Counts& counts() {
  static Counts& instance = *new Counts;  // never destroyed: threads end after main() has
  return instance;
}

// Outlives every thread_local object: arrays may be released while a thread is ending.
thread_local bool pool_is_alive = false;

struct Pool {
  std::array<std::vector<void*>, 4 * 58 + 1> free;
  BufferPoolStats stats;
  std::atomic<std::int64_t> live{0};

  Pool() {
    pool_is_alive = true;
    const std::lock_guard lock(counts().mutex);
    counts().of_threads.push_back(&live);
  }
  ~Pool() {
    pool_is_alive = false;
    trim();
    const std::lock_guard lock(counts().mutex);
    counts().ended += live.load(std::memory_order_relaxed);
    std::erase(counts().of_threads, &live);
  }
  void count(std::int64_t change) {
    live.store(live.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
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

void* acquire_buffer(std::size_t bytes) {
  const SizeClass size = size_class(bytes);
  Pool& mine = pool();
  auto& list = mine.free[size.index];
  void* buffer;
  if (list.empty()) {
    buffer = system_allocate(size.bytes);
    ++mine.stats.system_allocations;
    counts().system_allocations.fetch_add(1, std::memory_order_relaxed);
    mine.stats.system_bytes += size.bytes;
  } else {
    buffer = list.back();
    list.pop_back();
    mine.stats.cached_bytes -= size.bytes;
  }
  mine.stats.live_bytes += size.bytes;
  mine.count(1);
  return buffer;
}

void release_buffer(void* buffer, std::size_t bytes) noexcept {
  if (buffer == nullptr) return;
  if (!pool_is_alive) {
    counts().ended.fetch_sub(1, std::memory_order_relaxed);
    return system_free(buffer);
  }
  const SizeClass size = size_class(bytes);
  Pool& mine = pool();
  mine.stats.live_bytes -= std::min(mine.stats.live_bytes, size.bytes);  // another thread may have taken it
  mine.count(-1);
  if (!kRecycle || mine.stats.cached_bytes + size.bytes > kMaxCached) return system_free(buffer);
  try {
    mine.free[size.index].push_back(buffer);
    mine.stats.cached_bytes += size.bytes;
  } catch (const std::bad_alloc&) {
    system_free(buffer);
  }
}

std::int64_t live_buffers() {
  const std::lock_guard lock(counts().mutex);
  std::int64_t live = counts().ended;
  for (const auto* of_thread : counts().of_threads) live += of_thread->load(std::memory_order_relaxed);
  return live;
}

std::uint64_t system_allocations() { return counts().system_allocations; }

BufferPoolStats buffer_pool_stats() { return pool().stats; }

void trim_buffer_pool() { pool().trim(); }

}  // namespace headlight
