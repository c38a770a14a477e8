#include "headlight/core/system.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <utility>

#include "headlight/core/check.h"

namespace headlight::inline HEADLIGHT_PRECISION::system {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

int open_file(const fs::path& path, int flags) {
  for (;;) {
    const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
    if (file >= 0 || errno != EINTR) return file;
  }
}

// 0, or -1 with errno, as system calls return it.
int swap_names([[maybe_unused]] const char* a, [[maybe_unused]] const char* b) {
#if defined(__linux__) && defined(RENAME_EXCHANGE)
  return ::renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
#elif defined(__APPLE__) && defined(RENAME_SWAP)
  return ::renamex_np(a, b, RENAME_SWAP);
#else
  errno = ENOSYS;
  return -1;
#endif
}

}  // namespace

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) == 1; }

void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) (void)::open("/dev/null", O_RDONLY);
}

std::optional<std::size_t> terminal_columns() {
  winsize window{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return {};
  return window.ws_col;
}

std::size_t usable_memory() {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  const auto at_most = [&](std::size_t bytes) { least = std::min(least, bytes); };
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) at_most(static_cast<std::size_t>(pages) * static_cast<std::size_t>(page));
  for (const auto what : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (::getrlimit(what, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      at_most(static_cast<std::size_t>(limit.rlim_cur));
  }
  // Of the second and the first version of control groups. A group without a limit says "max", or a number
  // that is larger than any machine.
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (std::size_t bytes = 0; std::ifstream(file) >> bytes) at_most(bytes);
  return least;
}

long process_number() { return ::getpid(); }

// Each call is a statement before its check, because reason() must run after it, and the order in which
// function arguments are evaluated is unspecified.
OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
  file_ = open_file(path_, O_WRONLY | O_CREAT | O_TRUNC);
  check(file_ >= 0, "cannot write to the folder '{}': {}.",
        path_.has_parent_path() ? path_.parent_path().string() : ".", reason());
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    check(n > 0, "cannot write '{}': {}.", path_.string(), reason());
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void OutputFile::finish() {
  const int flushed = ::fsync(file_);
  check(flushed == 0, "cannot write '{}': {}.", path_.string(), reason());
  const int closed = ::close(std::exchange(file_, -1));
  check(closed == 0, "cannot write '{}': {}.", path_.string(), reason());
}

void flush_folder(const fs::path& folder) {
  const int file = open_file(folder.empty() ? "." : folder, O_RDONLY);
  check(file >= 0, "cannot open the folder '{}': {}.", folder.string(), reason());
  const int flushed = ::fsync(file), error = errno;
  ::close(file);
  check(flushed == 0 || error == EINVAL || error == ENOTSUP, "cannot write to the folder '{}': {}.",
        folder.string(), std::strerror(error));
}

bool exchange(const fs::path& a, const fs::path& b) {
  if (swap_names(a.c_str(), b.c_str()) == 0) return true;
  const int error = errno;
  check(error == ENOSYS || error == EINVAL || error == ENOTSUP, "cannot exchange '{}' and '{}': {}.",
        a.string(), b.string(), std::strerror(error));
  return false;
}

namespace {

// Whether `path` still names the open file: its last owner may have removed it meanwhile.
bool has_name(int file, const fs::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

}  // namespace

std::optional<FileLock> FileLock::try_to_take(const fs::path& path) {
  for (;;) {
    const int file = open_file(path, O_RDWR | O_CREAT);
    check(file >= 0, "cannot write to the folder '{}': {}.", path.parent_path().string(), reason());
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) {
      if (has_name(file, path)) return FileLock(path, file);
      ::close(file);
      continue;
    }
    const int error = errno;
    ::close(file);
    check(error == EWOULDBLOCK, "cannot lock '{}': {}.", path.string(), std::strerror(error));
    return {};
  }
}

FileLock::FileLock(fs::path path, int file) : path_(std::move(path)), file_(file) {}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

FileLock::~FileLock() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());  // first, while no other process can have the lock
  ::close(file_);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::system
