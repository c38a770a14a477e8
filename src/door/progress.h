// What a learner has done so far: my/.progress.json.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace headlight::inline HEADLIGHT_PRECISION::door {

struct LessonProgress {
  std::size_t solved = 0, parts = 0;         // as the last verdict counted them
  std::map<std::string, std::size_t> hints;  // how many of a part were shown
};

struct Progress {
  std::string working;                            // the lesson in work, "03_reverse_mode"; empty: none
  std::map<std::string, LessonProgress> lessons;  // by folder
};

// Of a folder without the file: nothing done. Throws Error for a file that is no progress.
Progress load_progress(const std::filesystem::path& my);
void save_progress(const std::filesystem::path& my, const Progress& progress);

}  // namespace headlight::inline HEADLIGHT_PRECISION::door
