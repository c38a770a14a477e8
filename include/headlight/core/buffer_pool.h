// Recycled memory for arrays. Every training step asks for the same few hundred buffers. After the first
// step, all of them come from this pool and none from the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace headlight {

// The memory that an array needs is not there. The message has its size.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::size_t bytes);
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// The counts of the calling thread's pool.
struct BufferPoolStats {
  std::size_t live_bytes = 0;          // handed out and not yet returned on this thread
  std::size_t cached_bytes = 0;        // returned, and kept for the next request
  std::size_t system_allocations = 0;  // requests that went to the system
  std::size_t system_bytes = 0;        // their size
};

// Memory for `bytes` bytes, aligned to 64. Sizes are rounded up to one of four classes per power of
// two. Throws OutOfMemory.
void* acquire_buffer(std::size_t bytes);

// Returns a buffer, with the size of its request, from any thread. It goes to the pool of the calling
// thread, which keeps at most 1 GiB.
void release_buffer(void* buffer, std::size_t bytes) noexcept;

// The counts now.
BufferPoolStats buffer_pool_stats();

// Buffers handed out and not yet returned, in the whole program. (One thread may return a buffer that another
// acquired, so the counts of a single thread cannot show a leak.)
std::int64_t live_buffers();

// Requests of all threads so far that went to the system.
std::uint64_t system_allocations();

// Returns every cached buffer of the calling thread to the system.
void trim_buffer_pool();

// The allocator of Array.
template <class T>
struct PoolAllocator {
  using value_type = T;

  PoolAllocator() = default;
  template <class U>
  PoolAllocator(const PoolAllocator<U>&) noexcept {}

  T* allocate(std::size_t n) {
    if (n > PTRDIFF_MAX / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(acquire_buffer(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t n) noexcept { release_buffer(p, n * sizeof(T)); }

  template <class U>
  bool operator==(const PoolAllocator<U>&) const noexcept {
    return true;
  }
};

}  // namespace headlight
