// Grades what a class handed in.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "class_tools.h"
#include "course/check/marks.h"
#include "submissions.h"

namespace headlight::course {

// What became of one exercise of one student.
struct GradedFile {
  Marks marks;
  std::string problem;  // why no part was graded: "missing", or the compiler's words; "" otherwise
  std::string source;
};

struct GradedStudent {
  std::string name;
  std::vector<GradedFile> files;  // one a lesson, in the order of GradedClass::lessons
  std::string problem;            // as in Submission

  int score() const;
};

struct GradedClass {
  std::vector<Lesson> lessons;
  std::vector<GradedStudent> students;
  int most = 0;  // marks that a student can have
};

struct ClassGrading {
  std::filesystem::path source, build;
  bool confined = true;
  std::size_t at_once = 1;
  std::function<void(std::size_t done, std::size_t all)> progress = {};
};

// Grades the files of these lessons. A file that was graded before by the same checkers is not graded again:
// its marks are kept in build/class/. Throws Error when what grades a lesson cannot be built.
GradedClass grade_class(const std::vector<Submission>& submissions, const std::vector<Lesson>& lessons,
                        const ClassGrading& grading);

}  // namespace headlight::course
