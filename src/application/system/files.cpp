#include "headlight/system/files.h"

#include <atomic>
#include <system_error>

#include "headlight/system/file_error.h"
#include "headlight/system/input_file.h"
#include "headlight/system/system.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

// No other process that runs has this name. What a killed one of the same number left is replaced.
fs::path temporary_name(const fs::path& path) {
  static std::atomic<int> count{0};
  constexpr std::size_t kMost = 100;  // bytes, so that a long name still leaves room
  return hidden_name(path.parent_path() / path.filename().string().substr(0, kMost),
                     fmt::format("{}.{}.part", system::process_number(), count++));
}

}  // namespace

fs::path behind_links(fs::path path) {
  std::error_code error;
  for (int links = 0; fs::is_symlink(path, error); ++links) {
    check_file(links < 40, "cannot write '{}': its symbolic links go in circles.", path.string());
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

void write_file(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  check_file(!fs::is_directory(path, error), "cannot write '{}': it is a folder.", path.string());
  // Asked of the path itself: what /dev/stdout links to may be an open pipe, which has no name to follow.
  check_file(
      !fs::exists(path, error) || fs::is_regular_file(path, error),
      "cannot write '{}': it is not a regular file. Hint: name a file; pipes and devices are not written "
      "to.",
      path.string());
  const fs::path target = behind_links(path);
  check_file(target.has_filename(), "cannot write '{}': expected the name of a file.", path.string());
  make_folder(target.parent_path());
  const fs::path temporary = temporary_name(target);
  try {
    system::OutputFile file(temporary, path);
    file.write(bytes);
    file.flush();
    file.close();
    fs::rename(temporary, target, error);
    check_file(!error, "cannot write '{}': {}.", path.string(), error.message());
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
  system::flush_folder(target.parent_path());
}

std::string read_file(const fs::path& path, std::size_t most) {
  InputFile file(path);
  const std::uint64_t size = file.size().value_or(0);
  check_file(size <= most, "'{}' has {} bytes; at most {} are read.", path.string(), size, most);
  std::string bytes = file.read(most + 1);
  check_file(bytes.size() <= most, "'{}' has more than {} bytes, which is the most that is read.",
             path.string(), most);
  check_file(bytes.size() >= size, "'{}' became shorter while it was read.", path.string());
  return bytes;
}

void remove_file(const fs::path& path) noexcept {
  std::error_code error;
  fs::remove(path, error);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  check_file(!error, "cannot make the folder '{}': {}.", folder.string(), error.message());
}

bool is_temporary(const std::string& name) {
  return name.starts_with('.') && name.find(".headlight.") != std::string::npos && name.ends_with(".part");
}

fs::path hidden_name(const fs::path& path, const std::string& what) {
  return path.parent_path() / fmt::format(".{}.headlight.{}", path.filename().string(), what);
}

}  // namespace headlight
