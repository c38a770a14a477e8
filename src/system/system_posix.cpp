#include "headlight/system/system.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <limits>
#include <utility>

#include "headlight/core/check.h"

namespace headlight::system {
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
int flush_file(int file) {
  for (;;) {
    const int flushed = ::fsync(file);
    if (flushed == 0 || errno != EINTR) return flushed;
  }
}

// The same.
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

std::size_t usable_memory() {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  const auto at_most = [&](std::size_t bytes) { least = std::min(least, bytes); };
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) at_most(static_cast<std::size_t>(pages) * static_cast<std::size_t>(page));
  // An eighth is for what these count besides: addresses that threads, libraries and the allocator hold.
  for (const auto what : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (::getrlimit(what, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      at_most(static_cast<std::size_t>(limit.rlim_cur / 8 * 7));
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
OutputFile::OutputFile(fs::path path, fs::path shown)
    : path_(shown.empty() ? path : std::move(shown)), file_(-1) {
  file_ = open_file(path, O_WRONLY | O_CREAT | O_EXCL);  // what others put there meanwhile stays
  check(file_ >= 0, "cannot write to the folder '{}': {}.",
        path_.has_parent_path() ? path_.parent_path().string() : ".", reason());
  ::flock(file_, LOCK_EX | LOCK_NB);  // where files have no locks, remove_abandoned() removes nothing
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

void OutputFile::flush() {
  const int flushed = flush_file(file_);
  check(flushed == 0, "cannot write '{}': {}.", path_.string(), reason());
}

void OutputFile::close() {
  const int closed = ::close(std::exchange(file_, -1));
  check(closed == 0 || errno == EINTR, "cannot write '{}': {}.", path_.string(), reason());
}

void remove_abandoned(const fs::path& path) noexcept {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return;
  const int file = open_file(path, O_RDWR | O_NOFOLLOW);
  if (file < 0) return;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(file);
}

void remove_file(const fs::path& path) noexcept { ::unlink(path.c_str()); }

void remove_empty_folder(const fs::path& path) noexcept { ::rmdir(path.c_str()); }

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

bool may_write(const fs::path& folder) { return ::access(folder.c_str(), W_OK | X_OK) == 0; }

bool is_mount_point(const fs::path& folder) {
#ifdef STATX_ATTR_MOUNT_ROOT
  struct statx mounted {};
  if (::statx(AT_FDCWD, folder.c_str(), 0, STATX_BASIC_STATS, &mounted) == 0 &&
      (mounted.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0)
    return (mounted.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#endif
  struct stat inner {
  }, outer{};
  return ::stat(folder.c_str(), &inner) == 0 && ::stat((folder / "..").c_str(), &outer) == 0 &&
         inner.st_dev != outer.st_dev;
}

void report_size_limit() { std::signal(SIGXFSZ, SIG_IGN); }

void flush_folder(const fs::path& folder) {
  const int file = open_file(folder.empty() ? "." : folder, O_RDONLY);
  if (file < 0 && errno == EACCES) return;  // names may be added to it, not read
  check(file >= 0, "cannot open the folder '{}': {}.", folder.string(), reason());
  const int flushed = flush_file(file), error = errno;
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
  return ::fstat(file, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

// Of the folder of this path, made by this user. Some umask may keep even its owner out.
int opened_for_owner(const fs::path& folder, unsigned& mode) {
  struct stat about {};
  if (::lstat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) return -1;
  mode = about.st_mode & 07777U;
  if (::chmod(folder.c_str(), S_IRWXU) != 0) return -1;
  return open_file(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

// A file with a second name, too, may be a file of the user's.
bool is_none_of_ours(const fs::path& path) {
  struct stat about {};
  return ::lstat(path.c_str(), &about) == 0 && (!S_ISREG(about.st_mode) || about.st_nlink > 1);
}

// Without an owner the lock holds all the same: on a full disk, for example.
void write_owner(int file, std::string_view owner) {
  if (::ftruncate(file, 0) != 0) return;
  while (!owner.empty()) {
    const ssize_t n = ::write(file, owner.data(), owner.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    owner.remove_prefix(static_cast<std::size_t>(n));
  }
}

int try_to_lock(int file) {
  for (;;) {
    const int locked = ::flock(file, LOCK_EX | LOCK_NB);
    if (locked == 0 || errno != EINTR) return locked;
  }
}

}  // namespace

OpenFolder::OpenFolder(const fs::path& folder) {
  file_ = opened_for_owner(folder, mode_);
  check(file_ >= 0, "cannot open the folder '{}': {}.", folder.string(), reason());
}

OpenFolder::~OpenFolder() { ::close(file_); }

bool OpenFolder::is_at(const fs::path& path) const { return has_name(file_, path); }

void OpenFolder::show() const { (void)::fchmod(file_, mode_ | S_IRWXU); }

void OpenFolder::become_like(const fs::path& other) const {
  struct stat about {};
  if (::stat(other.c_str(), &about) != 0) return;
  if (::fchown(file_, about.st_uid, about.st_gid) != 0)
    (void)!::fchown(file_, static_cast<uid_t>(-1), about.st_gid);
  (void)::fchmod(file_, about.st_mode & 07777U);
}

std::optional<FileLock> FileLock::try_to_take(const fs::path& path, std::string_view owner) {
  for (;;) {
    int file = open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0 && errno == EACCES)
      file = open_file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);  // another user's
    const std::string why = reason();
    if (is_none_of_ours(path)) {
      if (file >= 0) ::close(file);
      fail("'{}' has the name of a lock file of Headlight, but is a link or no file. Hint: delete it.",
           path.string());
    }
    check(file >= 0, "cannot write to the folder '{}': {}.", path.parent_path().string(), why);
    if (try_to_lock(file) == 0) {
      if (has_name(file, path)) {
        write_owner(file, owner);
        return FileLock(path, file);
      }
      ::close(file);
      continue;
    }
    const int error = errno;
    ::close(file);
    check(error == EWOULDBLOCK, "cannot lock '{}': {}.", path.string(), std::strerror(error));
    return {};
  }
}

std::string FileLock::owner_of(const fs::path& path) {
  const int file = open_file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return {};
  std::array<char, 1000> text{};
  const ssize_t n = ::read(file, text.data(), text.size());
  ::close(file);
  return {text.data(), n > 0 ? static_cast<std::size_t>(n) : 0};
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
