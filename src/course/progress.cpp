#include "progress.h"

#include <fmt/core.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <thread>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/json.h"
#include "headlight/system/system.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgressFile = ".progress.json";
constexpr std::size_t kMostParts = 100;  // far more than an exercise has

std::size_t count_of(const nlohmann::json& number) { return headlight::number_of<std::size_t>(number); }

std::vector<bool> solved_parts(const nlohmann::json& stored) {
  const nlohmann::json& solved = stored.at("solved");
  if (solved.is_array()) return solved.get<std::vector<bool>>();
  const std::size_t count = count_of(solved), all = count_of(stored.at("parts"));
  check(count <= all && all <= kMostParts, "{} of {} parts are solved.", count, all);
  std::vector<bool> parts(all, false);
  std::fill_n(parts.begin(), count, true);
  return parts;
}

LessonProgress lesson_progress(const nlohmann::json& stored) {
  LessonProgress lesson{solved_parts(stored), {}};
  check(lesson.solved.size() <= kMostParts, "there are {} parts.", lesson.solved.size());
  for (const auto& [part, hints] : stored.at("hints").items()) lesson.hints[part] = count_of(hints);
  return lesson;
}

system::FileLock locked(const std::filesystem::path& my) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    if (auto lock = system::FileLock::try_to_take(my / ".progress.lock")) return std::move(*lock);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  fail("another ./headlight holds '{}'. Hint: end it, and try again.", (my / ".progress.lock").string());
}

void save_progress(const std::filesystem::path& my, const Progress& progress) {
  nlohmann::json lessons = nlohmann::json::object();
  for (const auto& [folder, lesson] : progress.lessons)
    lessons[folder] = {{"solved", lesson.solved}, {"hints", lesson.hints}};
  write_file(my / kProgressFile,
             nlohmann::json{{"working", progress.working}, {"lessons", lessons}}.dump(1) + "\n");
}

// The text with the numbers that its lessons have today: "18_x.cpp" of "16_x.cpp" if x is lesson 18.
std::string with_numbers_of_today(std::string text, const std::vector<Lesson>& lessons) {
  for (const Lesson& lesson : lessons)
    text = std::regex_replace(text, std::regex("\\b\\d\\d_" + lesson.name + "(?=[.\"]|$)"), lesson.folder);
  return text;
}

}  // namespace

std::string LessonProgress::mark() const {
  if (solved.empty()) return "";
  return fmt::format("{}/{}{}", count(), solved.size(), all_solved() ? " ✓" : "");
}

const LessonProgress& Progress::of(const std::string& folder) const {
  static const LessonProgress kNothing;
  const auto found = lessons.find(folder);
  return found == lessons.end() ? kNothing : found->second;
}

Progress load_progress(const std::filesystem::path& my) {
  const std::filesystem::path file = my / kProgressFile;
  if (!std::filesystem::exists(file)) return {};
  try {
    const auto json = json_from<nlohmann::json>(read_file(file));
    Progress progress{json.at("working"), {}};
    for (const auto& [folder, lesson] : json.at("lessons").items())
      progress.lessons[folder] = lesson_progress(lesson);
    return progress;
  } catch (const std::exception&) {  // of JSON that cannot be read, or that has other keys or numbers
    fail("'{}' is damaged. Hint: delete it; your solutions are in the other files.", file.string());
  }
}

Progress change_progress(const std::filesystem::path& my, const std::function<void(Progress&)>& change) {
  const system::FileLock lock = locked(my);
  Progress progress = load_progress(my);
  change(progress);
  save_progress(my, progress);
  return progress;
}

std::vector<std::string> follow_numbers(const fs::path& my, const std::vector<Lesson>& lessons) {
  std::vector<std::string> sentences;
  for (const fs::path& folder : {my / ".solved", my}) {
    if (!fs::exists(folder)) continue;
    const std::vector<fs::path> files(fs::directory_iterator{folder}, fs::directory_iterator{});
    for (const fs::path& old : files) {
      const std::string name = old.filename().string(), now = with_numbers_of_today(name, lessons);
      if (fs::exists(fs::symlink_status(folder / now))) continue;  // also where the number is the same
      fs::rename(old, folder / now);
      if (folder == my)
        sentences.push_back(fmt::format("my/{} is now my/{}: its lesson has another number.", name, now));
    }
  }
  if (!fs::exists(my / kProgressFile)) return sentences;
  const std::string stored = read_file(my / kProgressFile), now = with_numbers_of_today(stored, lessons);
  if (now != stored) write_file(my / kProgressFile, now);
  return sentences;
}

}  // namespace headlight::course
