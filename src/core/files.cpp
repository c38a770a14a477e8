#include "headlight/core/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "headlight/core/check.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  check(!error, "cannot make the folder '{}': {}.", folder.string(), error.message());
}

// An open file that removes itself unless it was renamed into place.
class Draft {
 public:
  explicit Draft(fs::path path) : path_(std::move(path)) {
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    check(file_ >= 0, "cannot write to the folder '{}': {}.",
          path_.has_parent_path() ? path_.parent_path().string() : ".", reason());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (file_ >= 0) ::close(file_);
    if (!placed_) ::unlink(path_.c_str());
  }

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ::write(file_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      check(n > 0, "cannot write '{}': {}.", path_.string(), reason());
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  void place(const fs::path& target) {
    // Each call stands before its check: the order in which a function's arguments are evaluated is open, and
    // reason() must come after what it explains.
    const int flushed = ::fsync(file_);
    check(flushed == 0, "cannot write '{}': {}.", path_.string(), reason());
    const int closed = ::close(file_);
    file_ = -1;
    check(closed == 0, "cannot write '{}': {}.", path_.string(), reason());
    const int renamed = ::rename(path_.c_str(), target.c_str());
    check(renamed == 0, "cannot write '{}': {}.", target.string(), reason());
    placed_ = true;
  }

 private:
  fs::path path_;
  int file_ = -1;
  bool placed_ = false;
};

fs::path draft_name(const fs::path& path) {
  static std::atomic<int> count{0};
  return path.parent_path() / fmt::format(".{}.{}.{}.part", path.filename().string(), ::getpid(), count++);
}

// What a path stands for when it is a symbolic link, which may point to nothing yet.
fs::path behind_links(fs::path path) {
  std::error_code error;
  for (int links = 0; fs::is_symlink(path, error); ++links) {
    check(links < 40, "cannot write '{}': its symbolic links go in circles.", path.string());
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

}  // namespace

void write_file(const fs::path& path, std::string_view bytes) { write_file(path, std::vector{bytes}); }

void write_file(const fs::path& path, const std::vector<std::string_view>& parts) {
  const fs::path target = behind_links(path);
  std::error_code error;
  check(!fs::is_directory(target, error), "cannot write '{}': it is a folder.", path.string());
  check(!fs::exists(target, error) || fs::is_regular_file(target, error),
        "cannot write '{}': it is not a regular file.", path.string());
  make_folder(target.parent_path());
  Draft draft(draft_name(target));
  for (const std::string_view part : parts) draft.write(part);
  draft.place(target);
}

std::string read_file(const fs::path& path) {
  std::error_code error;
  check(fs::exists(path, error), "there is no file '{}'.", path.string());
  check(!fs::is_directory(path, error), "'{}' is a folder, not a file.", path.string());
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  if (in.peek() != std::ifstream::traits_type::eof()) bytes << in.rdbuf();
  check(in.good() || in.eof(), "cannot read '{}': {}.", path.string(), reason());
  return std::move(bytes).str();
}

void require_writable_folder(const fs::path& folder) {
  make_folder(folder);
  const Draft probe(draft_name(folder / "write-probe"));
}

}  // namespace headlight
