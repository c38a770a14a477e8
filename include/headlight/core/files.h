// Files that are written completely or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::inline HEADLIGHT_PRECISION {

// Writes the bytes to a file beside `path`, flushes it to the disk and renames it, so a reader sees the old
// file or the new one, never a part. Creates a missing folder, and writes through a symbolic link. Throws
// Error with the system's reason, or when the path exists and is not a regular file.
void write_file(const std::filesystem::path& path, std::string_view bytes);

// Writes the parts one after the other, in the same way.
void write_file(const std::filesystem::path& path, const std::vector<std::string_view>& parts);

// The whole file. Throws Error when it cannot be read, as InputFile does, when it has more than `most` bytes,
// which is known before it is read, and when it becomes shorter meanwhile.
inline constexpr std::size_t kMostBytes = std::size_t{64} << 20;
std::string read_file(const std::filesystem::path& path, std::size_t most = kMostBytes);

// Creates the folder and its parents, and checks that a file can be written there. Throws Error.
void require_writable_folder(const std::filesystem::path& folder);

}  // namespace headlight::inline HEADLIGHT_PRECISION
