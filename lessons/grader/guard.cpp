#include "grader/guard.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "headlight/core/buffer_pool.h"
#include "headlight/system/pages.h"

namespace headlight::grader {
namespace {

std::atomic<bool> guarding = false;

}  // namespace

Guard::Guard() {
  if (std::getenv(kGuardVariable) == nullptr) return;
  trim_buffer_pool();  // so that arrays are made anew
  guarding = true;
}
Guard::~Guard() { guarding = false; }

namespace {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

constexpr std::size_t kPage = system::kPageBytes, kRoom = std::size_t{128} << 20;
std::atomic<std::size_t> used = 0;  // of the room; nothing is used twice

// The room: addresses that may not be touched.
char* room() {
  static char* const begin = system::reserve_pages(kRoom);
  return begin;
}

std::size_t pages_for(std::size_t size) { return (size + kPage - 1) / kPage * kPage; }

// Null when there is no room. Otherwise it ends where a page ends, up to the alignment.
void* guarded(std::size_t size, std::size_t alignment) {
  if (size == 0 || size > kRoom / 4 || room() == nullptr) return nullptr;
  const std::size_t pages = pages_for(size), at = used.fetch_add(pages + kPage);
  if (at + pages + kPage > kRoom || !system::open_pages(room() + at, pages)) return nullptr;
  return room() + at + (pages - size) / alignment * alignment;
}

bool is_guarded(const void* memory) {
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  const auto begin = used == 0 ? 0 : reinterpret_cast<std::uintptr_t>(room());
  return begin != 0 && at >= begin && at < begin + kRoom;
}

void* allocated(std::size_t size, std::size_t alignment) {
  void* memory = guarding ? guarded(size, alignment) : nullptr;
  if (memory == nullptr)
    memory = std::aligned_alloc(alignment,
                                std::max<std::size_t>(1, (size + alignment - 1) / alignment) * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void released(void* memory) {
  if (!is_guarded(memory)) return std::free(memory);
  // Only the first page: how long the array is is not known here.
  const std::size_t at = static_cast<std::size_t>(static_cast<char*>(memory) - room());
  system::close_pages(room() + at / kPage * kPage, kPage);
}

#endif

}  // namespace
}  // namespace headlight::grader

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void* operator new(std::size_t size) { return headlight::grader::allocated(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return headlight::grader::allocated(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { headlight::grader::released(memory); }
void operator delete(void* memory, std::size_t) noexcept { headlight::grader::released(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { headlight::grader::released(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  headlight::grader::released(memory);
}

#endif
