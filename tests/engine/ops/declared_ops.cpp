#include <filesystem>
#include <regex>

#include "headlight/system/files.h"
#include "samples.h"

namespace headlight {
namespace {

bool makes_constants(const std::filesystem::path& header) {
  return header.filename() == "constants.h" || header.filename() == "random.h";
}

}  // namespace

std::set<std::string> declared_ops() {
  namespace fs = std::filesystem;
  const fs::path include = fs::path(HEADLIGHT_SOURCE_DIR) / "include" / "headlight";
  std::vector<fs::path> headers{include / "autograd" / "linear_ops.h"};
  for (const auto& entry : fs::directory_iterator(include / "ops"))
    if (!makes_constants(entry.path())) headers.push_back(entry.path());
  std::set<std::string> names;
  const std::regex declaration("\n(?:Tensor|std::vector<Tensor>|Sorted) (\\w+)\\(");
  for (const auto& header : headers) {
    std::string text = read_file(header);
    const auto references = text.find("namespace reference");
    const auto end = text.find("}  // namespace reference");
    if (references != std::string::npos)
      text.erase(references, end == std::string::npos ? end : end - references);
    for (std::sregex_iterator match(text.begin(), text.end(), declaration), none; match != none; ++match)
      names.insert((*match)[1]);
  }
  return names;
}

}  // namespace headlight
