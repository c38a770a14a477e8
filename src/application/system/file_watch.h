// Files that somebody else saves.
#pragma once

#include <filesystem>
#include <vector>

namespace headlight::system {

// Says when one of some files has changed, by its time and size. (Events of the kernel would save a look now
// and then, but they do not come from network folders, mounts of containers, through links and from a folder
// that was replaced.)
class FileWatch {
 public:
  explicit FileWatch(std::vector<std::filesystem::path> files);

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
};

}  // namespace headlight::system
