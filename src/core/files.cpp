#include "headlight/core/files.h"

#include <atomic>
#include <system_error>

#include "headlight/core/check.h"
#include "headlight/core/input_file.h"
#include "headlight/core/system.h"

namespace headlight::inline HEADLIGHT_PRECISION {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  check(!error, "cannot make the folder '{}': {}.", folder.string(), error.message());
}

// A temporary file beside its final path. It is removed unless it was renamed to this path.
class Draft {
 public:
  explicit Draft(fs::path path) : path_(std::move(path)), file_(path_) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    std::error_code ignored;
    if (!placed_) fs::remove(path_, ignored);
  }

  void write(std::string_view bytes) { file_.write(bytes); }

  void place(const fs::path& target) {
    file_.finish();
    std::error_code error;
    fs::rename(path_, target, error);
    check(!error, "cannot write '{}': {}.", target.string(), error.message());
    placed_ = true;
  }

 private:
  fs::path path_;
  system::OutputFile file_;
  bool placed_ = false;
};

fs::path draft_name(const fs::path& path) {
  static std::atomic<int> count{0};
  return path.parent_path() /
         fmt::format(".{}.{}.{}.part", path.filename().string(), system::process_number(), count++);
}

// The target of a path that may be a symbolic link. The target need not exist.
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

std::string read_file(const fs::path& path, std::size_t most) {
  InputFile file(path);
  const std::uint64_t size = file.size().value_or(0);
  check(size <= most, "'{}' has {} bytes; at most {} are read.", path.string(), size, most);
  std::string bytes = file.read(most + 1);
  check(bytes.size() <= most, "'{}' has more than {} bytes, which is the most that is read.", path.string(),
        most);
  check(bytes.size() >= size, "'{}' became shorter while it was read.", path.string());
  return bytes;
}

void require_writable_folder(const fs::path& folder) {
  make_folder(folder);
  const Draft probe(draft_name(folder / "write-probe"));
}

}  // namespace headlight::inline HEADLIGHT_PRECISION
