// Files that are whole or not there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::inline HEADLIGHT_PRECISION {

// Writes the bytes beside `path`, flushes them to the disk and renames: a reader sees the old file or
// the new one, never a part. Makes the folder when it is missing, and writes through a symbolic link. Throws
// Error with the system's reason, or when the path is there and is no regular file.
void write_file(const std::filesystem::path& path, std::string_view bytes);

// The same with the parts one after the other.
void write_file(const std::filesystem::path& path, const std::vector<std::string_view>& parts);

// The whole file. Throws Error when it cannot be read.
std::string read_file(const std::filesystem::path& path);

// Makes the folder (and those above it) and proves that a file can be written there. Throws Error.
void require_writable_folder(const std::filesystem::path& folder);

}  // namespace headlight::inline HEADLIGHT_PRECISION
