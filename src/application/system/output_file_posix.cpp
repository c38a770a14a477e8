#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "file_posix.h"
#include "headlight/system/file_error.h"
#include "headlight/system/system.h"

namespace headlight::system {
namespace {

namespace fs = std::filesystem;

// 0, or -1 with errno, as system calls return it.
int flush_file(int file) {
  for (;;) {
    const int flushed = ::fsync(file);
    if (flushed == 0 || errno != EINTR) return flushed;
  }
}

}  // namespace

// Each call is a statement before its check, because reason() must run after it, and the order in which
// function arguments are evaluated is unspecified.
OutputFile::OutputFile(fs::path path, fs::path shown)
    : path_(shown.empty() ? path : std::move(shown)), file_(-1) {
  file_ = open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
  check_file(file_ >= 0, "cannot write to the folder '{}': {}.",
             path_.has_parent_path() ? path_.parent_path().string() : ".", reason());
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    check_file(n > 0, "cannot write '{}': {}.", path_.string(), reason());
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void OutputFile::flush() {
  const int flushed = flush_file(file_);
  check_file(flushed == 0, "cannot write '{}': {}.", path_.string(), reason());
}

void OutputFile::close() {
  const int closed = ::close(std::exchange(file_, -1));
  check_file(closed == 0 || errno == EINTR, "cannot write '{}': {}.", path_.string(), reason());
}

std::optional<FileTime> last_written(const fs::path& path) {
  using namespace std::chrono;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
#ifdef __APPLE__
  const timespec& written = status.st_mtimespec;
#else
  const timespec& written = status.st_mtim;
#endif
  const sys_seconds second{seconds(written.tv_sec)};
  if (second < sys_days(year(1) / January / 1) || second >= sys_days(year(10000) / January / 1)) return {};
  return second + duration_cast<microseconds>(nanoseconds(written.tv_nsec));
}

void flush_folder(const fs::path& folder) {
  const int file = open_file(folder.empty() ? "." : folder, O_RDONLY);
  if (file < 0 && errno == EACCES) return;  // names may be added to it, not read
  check_file(file >= 0, "cannot open the folder '{}': {}.", folder.string(), reason());
  const int flushed = flush_file(file), error = errno;
  ::close(file);
  check_file(flushed == 0 || error == EINVAL || error == ENOTSUP, "cannot write to the folder '{}': {}.",
             folder.string(), std::strerror(error));
}

}  // namespace headlight::system
