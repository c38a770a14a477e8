#include "file_watch.h"

#include <system_error>

namespace headlight::system {

FileWatch::Stamp FileWatch::stamp_of(const std::filesystem::path& file) {
  std::error_code missing;
  const auto time = std::filesystem::last_write_time(file, missing);
  if (missing) return {};
  const std::uintmax_t size = std::filesystem::file_size(file, missing);
  return missing ? Stamp{} : Stamp{time, size};
}

FileWatch::FileWatch(std::vector<std::filesystem::path> files) : files_(std::move(files)) {
  for (const auto& file : files_) stamps_.push_back(stamp_of(file));
}

bool FileWatch::changed() {
  bool any = false;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const Stamp now = stamp_of(files_[i]);
    any = any || now != stamps_[i];
    stamps_[i] = now;
  }
  return any;
}

}  // namespace headlight::system
