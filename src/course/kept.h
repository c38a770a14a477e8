// What a learner keeps: later lessons use what they wrote in earlier ones.
//
// An exercise that includes "07_…/kept.h" calls functions of the namespace lesson_07. They are the learner's
// own file as it was when it passed, or the solution of the lesson until then. my/.solved/ holds the files
// that passed; my/.kept/07_….cpp, which is compiled, includes one of the two.
#pragma once

#include <string>
#include <vector>

#include "exercise_files.h"

namespace headlight::course {

// Keeps the text of a learner's file that passed.
void keep_solved(const Places& places, const std::string& lesson, const std::string& text);

// An earlier lesson that an exercise uses.
struct Kept {
  std::string lesson;     // its folder
  bool learners = false;  // false: it is the solution
};

// Lays out my/.kept/ for the exercise of a lesson, and for what that uses in turn: the learner's files where
// they have passed, or all solutions unless `learners`. Files that need no change keep their time. In order
// of lessons.
std::vector<Kept> lay_out_kept(const Places& places, const std::string& lesson, bool learners = true);

bool uses_learners(const std::vector<Kept>& kept);

// "Uses what you wrote in lesson 7, and our solution of lesson 6." Empty for nothing.
std::string kept_in_words(const std::vector<Kept>& kept);

}  // namespace headlight::course
