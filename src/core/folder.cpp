#include "headlight/core/folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "headlight/core/check.h"
#include "headlight/core/files.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

// "runs/.demo.lock": hidden, beside the folder.
fs::path beside(const fs::path& folder, const std::string& what) {
  return folder.parent_path() / ("." + folder.filename().string() + what);
}

void flush_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

// The two change places in one step. False where the system cannot do that.
bool exchange(const fs::path& a, const fs::path& b) {
#if defined(__linux__) && defined(RENAME_EXCHANGE)
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#elif defined(__APPLE__)
  return ::renamex_np(a.c_str(), b.c_str(), RENAME_SWAP) == 0;
#else
  static_cast<void>(a), static_cast<void>(b);
  return false;
#endif
}

void move_over(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  check(!error, "cannot move '{}' to '{}': {}.", from.string(), to.string(), error.message());
}

// Moves what is not `own` from one folder to another, unless there is something of that name.
void carry_over(const fs::path& from, const fs::path& to, const OwnFile& own) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(from, error)) {
    const std::string name = entry.path().filename().string();
    const bool unfinished =
        name.starts_with('.') && name.ends_with(".part");  // of a file that was being written
    if (!unfinished && !own(name) && !fs::exists(fs::symlink_status(to / name)))
      move_over(entry.path(), to / name);
  }
}

}  // namespace

struct FolderLock::State {
  fs::path folder, lock;
  int file = -1;

  ~State() {
    if (file < 0) return;
    ::unlink(lock.c_str());
    ::close(file);
  }

  // Whether the file that is locked is still the one of that name: its last owner may have removed it
  // meanwhile.
  bool is_current() const {
    struct stat mine {
    }, named{};
    return ::fstat(file, &mine) == 0 && ::stat(lock.c_str(), &named) == 0 && mine.st_ino == named.st_ino &&
           mine.st_dev == named.st_dev;
  }
};

FolderLock::FolderLock(const fs::path& folder) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.folder = resolve(folder);
  std::error_code error;
  check(!fs::exists(s.folder, error) || fs::is_directory(s.folder, error), "'{}' is a file, not a folder.",
        folder.string());
  fs::create_directories(s.folder.parent_path(), error);
  check(!error, "cannot make the folder '{}': {}.", s.folder.parent_path().string(), error.message());
  s.lock = beside(s.folder, ".lock");
  for (;;) {
    s.file = ::open(s.lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    check(s.file >= 0, "cannot write to the folder '{}': {}.", s.folder.parent_path().string(), reason());
    if (::flock(s.file, LOCK_EX | LOCK_NB) != 0) {
      const bool taken = errno == EWOULDBLOCK;
      const std::string why = reason();
      ::close(s.file);
      s.file = -1;
      check(!taken, "another run is writing to '{}'. Hint: wait for it, or choose another folder.",
            folder.string());
      fail("cannot lock '{}': {}.", s.lock.string(), why);
    }
    if (s.is_current()) return;
    ::close(s.file);
  }
}

FolderLock::~FolderLock() = default;
FolderLock::FolderLock(FolderLock&&) noexcept = default;
FolderLock& FolderLock::operator=(FolderLock&&) noexcept = default;
const fs::path& FolderLock::folder() const { return state_->folder; }

// The last parts need not exist, and there may be a slash at the end.
fs::path FolderLock::resolve(const fs::path& folder) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(fs::absolute(folder), error);
  check(!error && path.has_relative_path(), "cannot use the folder '{}'.", folder.string());
  return path.has_filename() ? path : path.parent_path();
}

FolderDraft::FolderDraft(const FolderLock& lock, OwnFile own)
    : target_(lock.folder()), draft_(beside(target_, ".draft")), own_(std::move(own)) {
  std::error_code error;
  check(!fs::equivalent(target_, fs::current_path(error), error),
        "cannot replace '{}' while working in it. Hint: go one folder up.", target_.string());
  recover();
  const bool made = fs::create_directory(draft_, error);
  check(made, "cannot write to the folder '{}': {}.", target_.parent_path().string(), error.message());
}

// A draft that is there already was left by a process that was killed, before its place() or within. What is
// not its own came from the old folder.
void FolderDraft::recover() const {
  std::error_code error;
  if (!fs::exists(draft_, error)) return;
  if (!fs::exists(target_, error) && fs::exists(beside(target_, ".old"), error))
    move_over(beside(target_, ".old"), target_);
  if (fs::exists(target_, error)) carry_over(draft_, target_, own_);
  fs::remove_all(draft_, error);
  check(!error, "cannot remove '{}': {}.", draft_.string(), error.message());
}

FolderDraft::~FolderDraft() {
  std::error_code error;
  fs::remove_all(draft_, error);
}

void FolderDraft::place() {
  flush_folder(draft_);
  std::error_code error;
  if (!fs::exists(target_, error)) {
    move_over(draft_, target_);
  } else if (exchange(draft_, target_)) {
    carry_over(draft_, target_, own_);
  } else {
    const fs::path old = beside(target_, ".old");
    fs::remove_all(old, error);
    move_over(target_, old);
    move_over(draft_, target_);
    carry_over(old, target_, own_);
    fs::remove_all(old, error);
  }
  flush_folder(target_.parent_path());
  fs::remove_all(draft_, error);
}

}  // namespace headlight
