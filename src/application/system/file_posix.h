// Open files, for the files *_posix.cpp only.
#pragma once

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

namespace headlight::system {

inline std::string reason() { return std::strerror(errno); }

// -1 with errno where the system refuses.
inline int open_file(const std::filesystem::path& path, int flags) {
  for (;;) {
    const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
    if (file >= 0 || errno != EINTR) return file;
  }
}

}  // namespace headlight::system
