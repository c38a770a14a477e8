#include <sys/mman.h>

#include "headlight/system/pages.h"

namespace headlight::system {

char* reserve_pages(std::size_t bytes) {
  void* first = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return first == MAP_FAILED ? nullptr : static_cast<char*>(first);
}

bool open_pages(char* first, std::size_t bytes) {
  return mprotect(first, bytes, PROT_READ | PROT_WRITE) == 0;
}

bool close_pages(char* first, std::size_t bytes) { return mprotect(first, bytes, PROT_NONE) == 0; }

}  // namespace headlight::system
