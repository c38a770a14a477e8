// The learner's loop: an exercise laid out, built, graded, hinted at.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "build.h"
#include "compile_error.h"
#include "course/progress.h"
#include "exercise_files.h"
#include "grader/verdict.h"

namespace headlight::course {

// How a learner's file becomes a verdict. Apart from the loop, so that tests need no compiler.
struct Toolchain {
  std::function<std::vector<std::string>(const Lesson&)> uses;  // the folders of earlier lessons
  std::function<Built(const Lesson&, const std::filesystem::path& mine, const OnProgress&)> build;
  std::function<grader::Verdict(const Lesson&, const std::filesystem::path& mine, const OnProgress&)> grade;
};

// What there is to say of the learner's file: that it does not compile, or the verdict of its parts.
struct Findings {
  std::string source;  // the file that was graded
  std::optional<CompileError> error;
  std::optional<grader::Verdict> verdict;
  std::vector<UsedLesson> used;  // the earlier lessons that it was built with
  bool own_unusable = false;     // what the learner wrote in them does not compile here: all are solutions

  // Whether this file compiles and every part of it is right.
  bool solved() const { return verdict && verdict->kind == grader::Kind::solved; }
};

class Learner {
 public:
  Learner(Places places, Toolchain tools);

  const std::vector<Lesson>& lessons() const { return lessons_; }
  const Places& places() const { return places_; }
  const Progress& progress() const { return progress_; }

  // The lesson of this number, or, without one, the lesson in work. Throws Error for one without an exercise,
  // or when none is in work.
  const Lesson& lesson(const std::string& wanted) const;

  // Lays the exercise out and works on it from now on. Returns the text to print.
  std::string start(const std::string& wanted);
  std::string reset(const std::string& wanted);

  // Builds and grades the file as it is saved. When it is saved again meanwhile, once more: what is found is
  // never of an older file. Throws Error when the build fails without an error in the code.
  Findings check(const Lesson& lesson, const OnProgress& progress = {});

  // The next hint for the first part that is not solved, each once and then from the first again.
  std::string hint(const Lesson& lesson);

  // Whether every part was solved at the last check.
  bool solved(const Lesson& lesson) const;

  // Throws Error for an exercise that is not solved, unless `anyway`.
  std::string solution(const Lesson& lesson, bool anyway, std::size_t width) const;

  // The lesson after this one that has an exercise; null after the last.
  const Lesson* next(const Lesson& lesson) const;

 private:
  ExercisePaths paths(const Lesson& lesson) const { return paths_of(places_, lesson); }
  void change(const std::function<void(Progress&)>& change);
  void remember(const Lesson& lesson, const std::string& source, const grader::Verdict& verdict);

  Places places_;
  Toolchain tools_;
  std::vector<Lesson> lessons_;
  Progress progress_;  // as it was read or written last
  std::optional<grader::Verdict> last_;
};

// The lessons in the parts of the course, as lessons/README.md has them.
std::vector<CoursePart> course_of(const Learner& learner);

// The roads through it, as lessons/README.md has them.
std::vector<Road> roads_of(const Learner& learner);

// The lines of `./headlight lessons`, part by part: number, title, progress, what one can do afterwards,
// minutes, and which lessons come before; then the roads.
std::string lesson_list(const Learner& learner, std::size_t width);

// What a check of one lesson says in a line: "01  Tensors   [████··] 2/3  ./headlight check 01".
struct CheckedLine {
  std::string text;
  bool solved = false;  // by the file as it is now
};
CheckedLine checked_line(Learner& learner, const Lesson& lesson, const OnProgress& progress = {});

// "[████··] 2/3". Of a verdict without parts, which is on a program that ended before the first: "".
std::string progress_bar(const grader::Verdict& verdict);
std::string progress_bar(std::size_t done, std::size_t all);

// What is found, in lines of at most `width` columns.
std::string findings_text(const Findings& findings, const Lesson& lesson, std::size_t width, bool color);

}  // namespace headlight::course
