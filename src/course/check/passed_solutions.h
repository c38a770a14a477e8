// The solutions of a learner that passed, which later lessons use.
//
// An exercise that includes "07_…/kept.h" calls functions of the namespace lesson_07. They are the learner's
// own file as it was when it passed, or the solution of the lesson until then. my/.solved/ holds the files
// that passed; my/.used/07_….cpp, which the build compiles in that namespace, is a copy of one of the two.
#pragma once

#include <string>
#include <vector>

#include "exercise_files.h"

namespace headlight::course {

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
