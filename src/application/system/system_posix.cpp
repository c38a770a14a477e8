#include "headlight/system/system.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "file_posix.h"
#include "headlight/system/file_error.h"

namespace headlight::system {
namespace {

namespace fs = std::filesystem;

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

void notice_ended_children() { std::signal(SIGCHLD, SIG_DFL); }

std::optional<std::size_t> terminal_columns() {
  winsize window{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return {};
  return window.ws_col;
}

long process_number() { return ::getpid(); }

long parent_process_number() { return ::getppid(); }

void report_size_limit() { std::signal(SIGXFSZ, SIG_IGN); }

bool exchange(const fs::path& a, const fs::path& b) {
  if (swap_names(a.c_str(), b.c_str()) == 0) return true;
  const int error = errno;
  check_file(error == ENOSYS || error == EINVAL || error == ENOTSUP, "cannot exchange '{}' and '{}': {}.",
             a.string(), b.string(), std::strerror(error));
  return false;
}

namespace {

// Whether `path` still names the open file: its last owner may have removed it meanwhile.
bool has_name(int file, const fs::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

int try_to_lock(int file) {
  for (;;) {
    const int locked = ::flock(file, LOCK_EX | LOCK_NB);
    if (locked == 0 || errno != EINTR) return locked;
  }
}

}  // namespace

std::optional<FileLock> FileLock::try_to_take(const fs::path& path) {
  for (;;) {
    const int file = open_file(path, O_RDWR | O_CREAT);
    check_file(file >= 0, "cannot write to the folder '{}': {}.", path.parent_path().string(), reason());
    if (try_to_lock(file) == 0) {
      if (has_name(file, path)) return FileLock(path, file);
      ::close(file);
      continue;
    }
    const int error = errno;
    ::close(file);
    check_file(error == EWOULDBLOCK, "cannot lock '{}': {}.", path.string(), std::strerror(error));
    return {};
  }
}
FileLock::FileLock(fs::path path, int file) : path_(std::move(path)), file_(file) {}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

FileLock::~FileLock() {
  if (file_ < 0) return;
  if (has_name(file_, path_)) ::unlink(path_.c_str());  // first, while no other process can have the lock
  ::close(file_);
}

}  // namespace headlight::system
