#include "headlight/system/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "headlight/system/file_error.h"

namespace headlight {
namespace {

constexpr std::size_t kInputPiece = std::size_t{1} << 20;

bool is_handed_open(const std::filesystem::path& path) {
  const std::string name = path.lexically_normal().string();
  return name == "/dev/stdin" || name.starts_with("/dev/fd/");
}

}  // namespace

// Without O_NONBLOCK opening a pipe would wait for its other end; with it, reading an open pipe would not
// wait for its bytes.
InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
  const bool handed = is_handed_open(path_);
  do file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | (handed ? 0 : O_NONBLOCK));
  while (file_ < 0 && errno == EINTR);
  const int error = errno;
  check_file(file_ >= 0 || error != ENOENT, "there is no file '{}'.", path_.string());
  check_file(file_ >= 0, "cannot read '{}': {}.", path_.string(), std::strerror(error));
  struct stat status {};
  const int known = ::fstat(file_, &status), why = errno;
  const bool regular = known == 0 && S_ISREG(status.st_mode), folder = known == 0 && S_ISDIR(status.st_mode);
  if (regular) size_ = static_cast<std::uint64_t>(status.st_size);
  if (regular || (handed && known == 0 && !folder)) return;
  ::close(file_);
  check_file(known == 0, "cannot read '{}': {}.", path_.string(), std::strerror(why));
  check_file(!folder, "'{}' is a folder, not a file.", path_.string());
  fail_file("'{}' is not a regular file: pipes and devices are not read.", path_.string());
}

InputFile::~InputFile() { ::close(file_); }

std::string InputFile::read(std::size_t most) {
  std::string bytes;
  while (bytes.size() < most) {
    const std::size_t before = bytes.size();
    // A small file at once, and then its end.
    const std::size_t first =
        size_ && *size_ < kInputPiece ? static_cast<std::size_t>(*size_) + 1 : kInputPiece;
    const std::size_t piece = std::min(most - before, std::max<std::size_t>(first, before));
    bytes.resize(before + piece);
    const ssize_t n = ::read(file_, bytes.data() + before, piece);
    const int error = errno;
    bytes.resize(before + (n > 0 ? static_cast<std::size_t>(n) : 0));
    if (n == 0) break;
    check_file(n > 0 || error == EINTR, "cannot read '{}': {}.", path_.string(), std::strerror(error));
  }
  return bytes;
}

}  // namespace headlight
