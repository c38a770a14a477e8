// Pages of memory that may be touched or not.
#pragma once

#include <cstddef>

namespace headlight::system {

inline constexpr std::size_t kPageBytes = 4096;

// So many bytes of addresses that may not be touched; null if there are none. They are never given back.
char* reserve_pages(std::size_t bytes);

// Makes whole pages readable and writable, or untouchable again. False if the system refuses.
bool open_pages(char* first, std::size_t bytes);
bool close_pages(char* first, std::size_t bytes);

}  // namespace headlight::system
