#include "headlight/system/files.h"

#include <atomic>
#include <system_error>

#include "headlight/core/check.h"
#include "headlight/system/input_file.h"
#include "headlight/system/system.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

// Removes what a killed process left: no other one that runs has the number in the name. A symbolic link
// goes, not the file that it leads to.
fs::path freed(fs::path path) {
  system::remove_file(path);
  return path;
}

// A temporary file beside its final path. It is removed unless it was renamed to this path.
class Draft {
 public:
  Draft(fs::path path, const fs::path& target) : path_(freed(std::move(path))), file_(path_, target) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (!placed_) system::remove_file(path_);
  }

  void write(std::string_view bytes) { file_.write(bytes); }

  // Renamed while open, because a closed draft counts as abandoned. False when it is not there any more: its
  // folder was replaced meanwhile.
  bool place(const fs::path& target) {
    file_.flush();
    std::error_code error;
    fs::rename(path_, target, error);
    if (error == std::errc::no_such_file_or_directory) return false;
    check(!error, "cannot write '{}': {}.", target.string(), error.message());
    placed_ = true;
    system::flush_folder(target.parent_path());
    file_.close();
    return true;
  }

 private:
  fs::path path_;
  system::OutputFile file_;
  bool placed_ = false;
};

constexpr std::string_view kOurs = ".headlight.", kUnfinished = ".part";

fs::path draft_name(const fs::path& path) {
  static std::atomic<int> count{0};
  constexpr std::size_t kMost = 100;  // bytes, so that a long name still leaves room
  const fs::path name = path.filename().string().substr(0, kMost);
  return own_name(path.parent_path() / name,
                  fmt::format("{}.{}{}", system::process_number(), count++, kUnfinished));
}

void remove_abandoned(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> left;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
       at.increment(error))
    if (is_unfinished(at->path().filename().string())) left.push_back(at->path());
  for (const fs::path& file : left) system::remove_abandoned(file);
}

}  // namespace

fs::path behind_links(fs::path path) {
  std::error_code error;
  for (int links = 0; fs::is_symlink(path, error); ++links) {
    check(links < 40, "cannot write '{}': its symbolic links go in circles.", path.string());
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

void write_file(const fs::path& path, std::string_view bytes) { write_file(path, std::vector{bytes}); }

void write_file(const fs::path& path, const std::vector<std::string_view>& parts) {
  std::error_code error;
  check(!fs::is_directory(path, error), "cannot write '{}': it is a folder.", path.string());
  // Asked of the path itself: what /dev/stdout links to may be an open pipe, which has no name to follow.
  check(!fs::exists(path, error) || fs::is_regular_file(path, error),
        "cannot write '{}': it is not a regular file. Hint: name a file; pipes and devices are not written "
        "to.",
        path.string());
  const fs::path target = behind_links(path);
  check(target.has_filename(), "cannot write '{}': expected the name of a file.", path.string());
  check_not_own_name(target);
  const MadeFolders made(target.parent_path());
  remove_abandoned(target.parent_path());
  constexpr int kTries = 10;
  for (int tries = 0; tries < kTries; ++tries) {
    Draft draft(draft_name(target), path);
    for (const std::string_view part : parts) draft.write(part);
    if (draft.place(target)) return;
  }
  fail("cannot write '{}': its folder is being replaced.", path.string());
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

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  check(!error, "cannot make the folder '{}': {}.", folder.string(), error.message());
}

void require_writable_folder(const fs::path& folder) {
  make_folder(folder);
  remove_abandoned(folder);
  const fs::path file = folder / "write-probe";
  const Draft probe(draft_name(file), file);
}

MadeFolders::MadeFolders(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> missing;
  for (fs::path at = folder; !at.empty() && !fs::exists(at, error) && !error; at = at.parent_path())
    missing.push_back(at);
  made_.assign(missing.rbegin(), missing.rend());
  try {
    make_folder(folder);
  } catch (...) {
    remove();
    throw;
  }
}

MadeFolders::~MadeFolders() { remove(); }

void MadeFolders::remove() noexcept {
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) system::remove_empty_folder(*folder);
}

fs::path own_name(const fs::path& path, const std::string& what) {
  return path.parent_path() / fmt::format(".{}{}{}", path.filename().string(), kOurs, what);
}

void check_not_own_name(const fs::path& path) {
  const std::string name = path.filename().string();
  const auto ends = [&](const char* what) { return name.ends_with(fmt::format("{}{}", kOurs, what)); };
  check(!name.starts_with('.') || !(is_unfinished(name) || ends("draft") || ends("lock") || ends("old")),
        "'{}' has a name that Headlight gives to hidden files of its own, and removes. Hint: choose another "
        "name.",
        path.string());
}

// ".NAME.headlight.PROCESS.COUNT.part"
bool is_unfinished(const std::string& name) {
  const std::size_t ours = name.rfind(kOurs);
  if (!name.starts_with('.') || !name.ends_with(kUnfinished) || ours == std::string::npos) return false;
  const std::size_t begin = ours + kOurs.size();
  if (begin + kUnfinished.size() > name.size()) return false;
  const std::string numbers = name.substr(begin, name.size() - kUnfinished.size() - begin);
  const std::size_t dot = numbers.find('.');
  return dot != std::string::npos && dot > 0 && dot + 1 < numbers.size() &&
         numbers.find_first_not_of("0123456789") == dot &&
         numbers.find_first_not_of("0123456789", dot + 1) == std::string::npos;
}

}  // namespace headlight
