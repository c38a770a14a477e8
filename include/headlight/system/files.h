// Files that are written completely or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

// Writes the bytes to a file beside `path`, flushes it to the disk and renames it, so a reader sees the old
// file or the new one, never a part. Creates a missing folder, and writes through a symbolic link. Throws
// FileError with the system's reason, or when the path exists and is not a regular file.
void write_file(const std::filesystem::path& path, std::string_view bytes);

// The file that write_file() writes: the one to which symbolic links lead. Neither needs to exist. Throws
// FileError for links that go in circles.
std::filesystem::path behind_links(std::filesystem::path path);

// The whole file. Throws FileError when it cannot be read, as InputFile does, when it has more than `most`
// bytes, which is known before it is read, and when it becomes shorter meanwhile.
inline constexpr std::size_t kMostBytes = std::size_t{64} << 20;
std::string read_file(const std::filesystem::path& path, std::size_t most = kMostBytes);

// Nothing happens where it cannot be removed.
void remove_file(const std::filesystem::path& path) noexcept;

// Creates the folder and its parents. Throws FileError.
void make_folder(const std::filesystem::path& folder);

// Whether a file of this name is one that a killed write_file() left.
bool is_temporary(const std::string& name);

// The name of a temporary file of Headlight's beside a file or folder.
//   hidden_name("runs/demo", "draft") = "runs/.demo.headlight.draft"
std::filesystem::path hidden_name(const std::filesystem::path& path, const std::string& what);

}  // namespace headlight
