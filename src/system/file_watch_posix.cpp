#include "file_watch_posix.h"

#include <unistd.h>

#include <array>
#include <set>
#include <system_error>
#ifdef __linux__
#include <sys/inotify.h>
#endif

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
#ifdef __linux__
  descriptor_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  std::set<std::filesystem::path> folders;
  for (const auto& file : files_) folders.insert(file.parent_path());
  for (const auto& folder : folders)
    if (descriptor_ >= 0)
      (void)::inotify_add_watch(descriptor_, folder.c_str(),
                                IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE);
#endif
}

FileWatch::~FileWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileWatch::changed() {
  std::array<char, 4096> events{};
  while (descriptor_ >= 0 && ::read(descriptor_, events.data(), events.size()) > 0) {
  }
  bool any = false;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const Stamp now = stamp_of(files_[i]);
    any = any || now != stamps_[i];
    stamps_[i] = now;
  }
  return any;
}

}  // namespace headlight::system
