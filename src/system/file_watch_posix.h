// Files that somebody else saves.
#pragma once

#include <filesystem>
#include <vector>

namespace headlight::system {

// Says when one of some files has changed: by inotify on Linux, by its time and size elsewhere. Editors often
// write a new file and rename it, so the folders are watched.
class FileWatch {
 public:
  explicit FileWatch(std::vector<std::filesystem::path> files);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // To poll() for reading; -1 where there is nothing to poll.
  int descriptor() const { return descriptor_; }

  // Whether a file has changed since the last call.
  bool changed();

 private:
  struct Stamp {
    std::filesystem::file_time_type time{};
    std::uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const std::filesystem::path& file);

  std::vector<std::filesystem::path> files_;
  std::vector<Stamp> stamps_;
  int descriptor_ = -1;
};

}  // namespace headlight::system
