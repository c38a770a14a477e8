// What later lessons use of earlier ones.
//
// An exercise that includes "07_…/kept.h" calls functions of the namespace lesson_07. Each is the learner's
// own as it was when it was solved, or that of the lesson's solution until then. my/.solved/07_….cpp is the
// file in which every part was solved; without one, my/.solved/07_…/attention.cpp is the file in which that
// part was. my/.used/07_….cpp has them in the namespace.
#pragma once

#include <string>
#include <vector>

#include "exercise_files.h"

namespace headlight::course {

// Stores the text of a learner's file for later lessons: `solved` are the names of the parts that are solved
// by it, of `parts` in all.
void store_solved(const Places& places, const Lesson& lesson, const std::vector<std::string>& solved,
                  std::size_t parts, const std::string& text);

// An earlier lesson that an exercise uses, and whose functions it has: the learner's, or the solution's.
struct UsedLesson {
  std::string folder;
  std::vector<std::string> learners, solutions;
};

// Writes what an exercise uses of earlier lessons to my/.used/: the learner's functions where they are
// solved, or all solutions unless `learners`. Files that need no change keep their time.
std::vector<UsedLesson> write_used(const Places& places, const std::vector<std::string>& lessons,
                                   bool learners = true);

bool any_by_learner(const std::vector<UsedLesson>& used);

// "Uses what you wrote in lesson 7, and our solution of lesson 6." Where a lesson is solved in part, it says
// which functions are ours. Empty for nothing.
std::string used_sentence(const std::vector<UsedLesson>& used);

}  // namespace headlight::course
