// What a learner has done so far: my/.progress.json.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace headlight::course {

struct LessonProgress {
  std::size_t solved = 0, parts = 0;         // as the last verdict that has parts counted them
  std::map<std::string, std::size_t> hints;  // how many of a part were shown

  bool all_solved() const { return parts > 0 && solved == parts; }
};

struct Progress {
  std::string working;                            // the lesson in work, "03_reverse_mode"; empty: none
  std::map<std::string, LessonProgress> lessons;  // by folder

  // Of a lesson that was never checked: nothing done.
  const LessonProgress& of(const std::string& folder) const;
};

// Of a folder without the file: nothing done. Throws Error for a file that is no progress.
Progress load_progress(const std::filesystem::path& my);

// Changes what is stored now, so that what another process has stored meanwhile stays, and returns it. The
// folder must be there. Throws Error as load_progress() does, and when another process does not let go of the
// file.
Progress change_progress(const std::filesystem::path& my, const std::function<void(Progress&)>& change);

}  // namespace headlight::course
