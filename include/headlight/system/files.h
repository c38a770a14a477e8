// Files that are written completely or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Writes the bytes to a file beside `path`, flushes it to the disk and renames it, so a reader sees the old
// file or the new one, never a part. Creates a missing folder, and writes through a symbolic link. Throws
// Error with the system's reason, or when the path exists and is not a regular file; then the folders that it
// created are gone again. Removes what killed processes left beside `path`.
void write_file(const std::filesystem::path& path, std::string_view bytes);

// The file that write_file() writes: the one to which symbolic links lead. Neither needs to exist. Throws
// Error for links that go in circles.
std::filesystem::path behind_links(std::filesystem::path path);

// Writes the parts one after the other, in the same way.
void write_file(const std::filesystem::path& path, const std::vector<std::string_view>& parts);

// The whole file. Throws Error when it cannot be read, as InputFile does, when it has more than `most` bytes,
// which is known before it is read, and when it becomes shorter meanwhile.
inline constexpr std::size_t kMostBytes = std::size_t{64} << 20;
std::string read_file(const std::filesystem::path& path, std::size_t most = kMostBytes);

// Creates the folder and its parents. Throws Error.
void make_folder(const std::filesystem::path& folder);

// Creates the folder and its parents, and checks that a file can be written there. Throws Error.
void require_writable_folder(const std::filesystem::path& folder);

// Creates the folder and its parents, and at its end removes those of the created ones that are still empty.
// Throws Error.
class MadeFolders {
 public:
  explicit MadeFolders(const std::filesystem::path& folder);
  MadeFolders(MadeFolders&&) = default;
  MadeFolders& operator=(MadeFolders&&) = delete;
  ~MadeFolders();

 private:
  void remove() noexcept;

  std::vector<std::filesystem::path> made_;  // parents first
};

// The name of something of ours beside a file or folder: hidden, and no name that others would choose.
//   own_name("runs/demo", "draft") = "runs/.demo.headlight.draft"
std::filesystem::path own_name(const std::filesystem::path& path, const std::string& what);

// Whether a file of this name is one that write_file() has not finished.
bool is_unfinished(const std::string& name);

// Throws Error for a path with a name that own_name() gives: what a user saved there would be removed.
void check_not_own_name(const std::filesystem::path& path);

}  // namespace headlight
