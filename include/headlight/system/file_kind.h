// What kind of file stands where a flag says to write.
#pragma once

#include <filesystem>
#include <string_view>

namespace headlight {

// What a flag writes, by name, and how all such files begin: "--svg", "SVG picture", "<svg".
struct FileKind {
  std::string_view flag, name, begin;
};

// Throws FileError when the file is there and is of another kind than what would replace it: a picture may
// replace a picture, but not a letter. An empty file may be replaced; devices and pipes are
// refused where the file is written.
void check_same_kind(const std::filesystem::path& path, const FileKind& kind);

}  // namespace headlight
