#include "progress.h"

#include <nlohmann/json.hpp>

#include "headlight/core/check.h"
#include "headlight/core/files.h"
#include "headlight/core/json.h"

namespace headlight::inline HEADLIGHT_PRECISION::door {
namespace {

constexpr const char* kProgressFile = ".progress.json";

}  // namespace

Progress load_progress(const std::filesystem::path& my) {
  const std::filesystem::path file = my / kProgressFile;
  if (!std::filesystem::exists(file)) return {};
  try {
    const auto json = json_from<nlohmann::json>(read_file(file));
    Progress progress{json.at("working"), {}};
    for (const auto& [folder, lesson] : json.at("lessons").items())
      progress.lessons[folder] = {lesson.at("solved"), lesson.at("parts"), lesson.at("hints")};
    return progress;
  } catch (const std::exception&) {  // of JSON that cannot be read, or that has other keys
    fail("'{}' is damaged. Hint: delete it; your solutions are in the other files.", file.string());
  }
}

void save_progress(const std::filesystem::path& my, const Progress& progress) {
  nlohmann::json lessons = nlohmann::json::object();
  for (const auto& [folder, lesson] : progress.lessons)
    lessons[folder] = {{"solved", lesson.solved}, {"parts", lesson.parts}, {"hints", lesson.hints}};
  write_file(my / kProgressFile,
             nlohmann::json{{"working", progress.working}, {"lessons", lessons}}.dump(1) + "\n");
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::door
