#include "two_files.h"

#include <filesystem>

#include "headlight/core/check.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

// The same for all ways to write the name of a file, whether it is there or not.
std::filesystem::path place_of(const std::string& file) {
  std::error_code error;
  const std::filesystem::path place =
      std::filesystem::weakly_canonical(std::filesystem::absolute(file), error);
  return error ? std::filesystem::path(file).lexically_normal() : place;
}

}  // namespace

void check_two_files(const FileFlag& one, const FileFlag& other) {
  if (one.file.empty() || other.file.empty()) return;
  check(place_of(one.file) != place_of(other.file),
        "{} and {} name the same file, '{}', and one would replace the other. Hint: give each a name of its "
        "own.",
        one.flag, other.flag, one.file);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
