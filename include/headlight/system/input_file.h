// A file that is read from its beginning.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headlight {

class InputFile {
 public:
  // Throws FileError when there is no such file, and for a folder, a pipe or a device, which may never end. A
  // symbolic link may lead to the file. /dev/stdin and /dev/fd/…, which the caller was handed open, may be
  // pipes.
  explicit InputFile(std::filesystem::path path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // The bytes of the file when it was opened; nothing for a pipe.
  std::optional<std::uint64_t> size() const { return size_; }

  // The next bytes, at most so many; fewer only at the end. Throws FileError with the system's reason.
  std::string read(std::size_t most);

 private:
  std::filesystem::path path_;
  int file_;
  std::optional<std::uint64_t> size_;
};

}  // namespace headlight
