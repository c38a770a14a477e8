// What a learner has done so far: my/.progress.json.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lessons.h"

namespace headlight::course {

struct LessonProgress {
  std::vector<bool> solved;                  // of each part, when it was graded last; empty: none was graded
  std::map<std::string, std::size_t> hints;  // how many of a part were shown

  std::size_t count() const { return static_cast<std::size_t>(std::ranges::count(solved, true)); }
  bool all_solved() const { return !solved.empty() && count() == solved.size(); }
  std::string mark() const;  // "2/6", "6/6 ✓"; empty if none was graded
};

struct Progress {
  std::string working;                            // the lesson in work, "03_reverse_mode"; empty: none
  std::map<std::string, LessonProgress> lessons;  // by folder

  // Of a lesson that was never checked: nothing done.
  const LessonProgress& of(const std::string& folder) const;
};

// Of a folder without the file: nothing done. A file of an older version has counts of solved parts, which
// were the first ones. Throws Error for a file that is no progress.
Progress load_progress(const std::filesystem::path& my);

// Changes what is stored now, so that what another process has stored meanwhile stays, and returns it. The
// folder must be there. Throws Error as load_progress() does, and when another process does not let go of the
// file.
Progress change_progress(const std::filesystem::path& my, const std::function<void(Progress&)>& change);

// A lesson keeps its name when it gets another place in the course. Renames what a learner has of it under an
// earlier number: my/16_x.cpp, its older versions, what is stored for later lessons, and the progress. A file
// never takes the place of another. Returns a sentence for each file that the learner edits.
std::vector<std::string> follow_numbers(const std::filesystem::path& my, const std::vector<Lesson>& lessons);

}  // namespace headlight::course
