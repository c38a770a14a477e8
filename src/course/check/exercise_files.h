// The files of an exercise: those that are shipped with its lesson, the learner's own, and
// what later lessons use of earlier ones.
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

// Lays the exercise into the learner's folder. False when the learner's file is there already; it is left as
// it is. Throws Error when a link to nothing is there.
bool lay_out(const ExercisePaths& paths);

// Keeps the learner's file under the next free number (03_reverse_mode.1.cpp) and lays out the exercise anew.
// Returns the name under which the old file is kept; empty when there was none. Throws Error as lay_out().
std::string start_anew(const ExercisePaths& paths);

// The hints for a part, in order: the numbered lines below "## part" in hints.md.
std::vector<std::string> hints_for(const std::filesystem::path& hints, const std::string& part);

// A text of exactly so many columns: cut, or filled with spaces.
std::string fitted(const std::string& text, std::size_t columns);

// The learner's file and the solution side by side where `width` allows 2 × 60 columns, one above the other
// otherwise.
std::string beside_solution(const std::string& mine, const std::string& solution, std::size_t width);

// The solutions of a learner that passed, which later lessons use.
//
// An exercise that includes "07_…/kept.h" calls functions of the namespace lesson_07. They are the learner's
// own file as it was when it passed, or the solution of the lesson until then. my/.solved/ holds the files
// that passed; my/.used/07_….cpp, which the build compiles in that namespace, is a copy of one of the two.

// Stores the text of a learner's file that passed.
void store_passed(const Places& places, const std::string& lesson, const std::string& text);

// An earlier lesson that an exercise uses.
struct UsedLesson {
  std::string folder;
  bool by_learner = false;  // false: the solution of the lesson is used
};

// Copies what an exercise uses of earlier lessons to my/.used/: the learner's files where they have passed,
// or all solutions unless `learners`. Files that need no change keep their time.
std::vector<UsedLesson> copy_used(const Places& places, const std::vector<std::string>& lessons,
                                  bool learners = true);

bool any_by_learner(const std::vector<UsedLesson>& used);

// "Uses what you wrote in lesson 7, and our solution of lesson 6." Empty for nothing.
std::string used_sentence(const std::vector<UsedLesson>& used);

}  // namespace headlight::course
