#include "headlight/system/file_kind.h"

#include <string>

#include "headlight/system/file_error.h"
#include "headlight/system/input_file.h"

namespace headlight {

void check_same_kind(const std::filesystem::path& path, const FileKind& kind) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  const std::string begin = InputFile(path).read(kind.begin.size());
  check_file(begin.empty() || begin == kind.begin,
             "{} '{}' would replace a file that is no {}. Hint: choose another name, or remove the file.",
             kind.flag, path.string(), kind.name);
}

}  // namespace headlight
