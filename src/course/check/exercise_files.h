// The files of an exercise: those that are shipped with its lesson, and the learner's own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "course/lessons.h"

namespace headlight::course {

// Where the files are.
struct Places {
  std::filesystem::path lessons;  // the shipped lessons
  std::filesystem::path my;       // the learner's folder
};

struct ExercisePaths {
  std::filesystem::path shipped, solution, hints, mine;
  std::string mine_name;  // "my/03_reverse_mode.cpp"
};
ExercisePaths paths_of(const Places& places, const Lesson& lesson);

bool has_exercise(const Places& places, const Lesson& lesson);

struct ExercisePart {
  std::string name;
  int stars = 1;
};

// Its parts in order, from its lines "// Part 1 ★★  attention". Empty without an exercise.
std::vector<ExercisePart> exercise_parts(const Places& places, const Lesson& lesson);
std::vector<std::string> part_names(const Places& places, const Lesson& lesson);

// Lays the exercise into the learner's folder. False when the learner's file is there already; it is left as
// it is. Throws Error when a link to nothing is there.
bool lay_out(const ExercisePaths& paths);

// Keeps the learner's file under the next free number (03_reverse_mode.1.cpp) and lays out the exercise anew.
// Returns the name under which the old file is kept; empty when there was none. Throws Error as lay_out().
std::string start_anew(const ExercisePaths& paths);

// The hints for a part, in order: the numbered lines below "## part" in hints.md.
std::vector<std::string> hints_for(const std::filesystem::path& hints, const std::string& part);

// What a part is good for, which its solver has earned: the line below "## part" in hints.md that begins with
// "✓ ", without that. Empty without such a line.
std::string earned_by(const std::filesystem::path& hints, const std::string& part);

// A text of exactly so many columns: cut, or filled with spaces.
std::string fitted(const std::string& text, std::size_t columns);

// The learner's file and the solution side by side where `width` allows 2 × 60 columns, one above the other
// otherwise.
std::string beside_solution(const std::string& mine, const std::string& solution, std::size_t width);

}  // namespace headlight::course
