// The learner's loop: an exercise laid out, built, graded, hinted at.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "build.h"
#include "compile_error.h"
#include "course/progress.h"
#include "exercise_files.h"
#include "used_lessons.h"
#include "verdict/verdict.h"

namespace headlight::course {

inline constexpr const char* kCompilerLog = ".compiler.txt";  // in my/

// How a learner's file becomes a verdict. Apart from the loop, so that tests need no compiler.
struct Toolchain {
  std::function<std::vector<std::string>(const Lesson&)> uses;  // the folders of earlier lessons
  std::function<Built(const Lesson&, const std::filesystem::path& mine, const OnProgress&)> build;
  // Of one part, or of all without its number.
  std::function<grader::Verdict(const Lesson&, const std::filesystem::path& mine,
                                std::optional<std::size_t> part, const OnProgress&)>
      grade;
};

// A lesson, and which of its parts is meant; nothing: all.
struct Wanted {
  Lesson lesson;
  std::optional<std::size_t> part = {};
};

// What there is to say of the learner's file: that it does not compile, or the verdict of its parts.
struct Findings {
  std::string source;  // the file that was graded
  std::optional<CompileError> error;
  std::optional<grader::Verdict> verdict;
  // A line for each part that this check found solved and no check before, and for a part that was graded
  // alone.
  std::vector<std::string> earned;
  std::vector<UsedLesson> used;  // the earlier lessons that it was built with
  bool own_unusable = false;     // what the learner wrote in them does not compile here: all are solutions

  // Whether this file compiles, and what was graded of it is right.
  bool solved() const { return verdict && verdict->kind == grader::Kind::solved; }
  bool all_solved() const { return verdict && verdict->all_solved(); }
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

  // The same with a part: "3.4" is part 4 of lesson 3. Throws Error for a part that the lesson does not have.
  Wanted wanted(const std::string& words) const;

  // Lays the exercise out and works on it from now on. Returns the text to print.
  std::string start(const std::string& wanted);
  std::string reset(const std::string& wanted);

  // Builds and grades the file as it is saved: one part, or all without its number. All too when the one was
  // the last that was not solved. When the file is saved again meanwhile, once more: what is found is never
  // of an older file. Throws Error when the build fails without an error in the code.
  Findings check(const Lesson& lesson, const OnProgress& progress = {}, std::optional<std::size_t> part = {});

  // The next hint for the part, each once and then from the first again. Without a part, for the one that a
  // check shows; while the file does not compile, for the first that was not solved at the last check.
  std::string hint(const Lesson& lesson, std::optional<std::size_t> part = {});

  // "Part 2 ✓ sum_to. Lesson 8 …", with what the part is good for.
  std::string earned_line(const Lesson& lesson, std::size_t part) const;

  // Whether every part was solved at the last check.
  bool solved(const Lesson& lesson) const;

  // Throws Error for an exercise that is not solved, unless `anyway`.
  std::string solution(const Lesson& lesson, bool anyway, std::size_t width) const;

  // What comes after an exercise that is solved, in lines.
  std::string after_solving(const Lesson& lesson) const;

  // The lesson after this one that has an exercise; null after the last.
  const Lesson* next(const Lesson& lesson) const;

 private:
  ExercisePaths paths(const Lesson& lesson) const { return paths_of(places_, lesson); }
  void require_started(const Lesson& lesson) const;
  void change(const std::function<void(Progress&)>& change);
  void remember(const Lesson& lesson, Findings& found);
  bool is_last_to_solve(const Lesson& lesson, std::size_t part) const;
  std::size_t first_unsolved(const Lesson& lesson) const;  // at the last check; 0 when all were solved
  std::string next_part(const Lesson& lesson) const;

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
  bool solved = false;                 // by the file as it is now
  std::optional<Findings> found = {};  // nothing: it was not started
};
CheckedLine checked_line(Learner& learner, const Lesson& lesson, const OnProgress& progress = {});

// "[██··██] 2/3": which parts are solved. Of none, as of a program that ended before its first part: "".
std::string progress_bar(const std::vector<bool>& solved);

// The line to look at: that of the error, of the exception or crash, or of the part that the verdict is
// about.
int line_of(const Findings& findings);

// What is found, in lines of at most `width` columns. For what is wrong
// it says "my/02_derivatives.cpp:41", which editors and terminals take for a link.
std::string findings_text(const Findings& findings, const Lesson& lesson, std::size_t width, bool color);

}  // namespace headlight::course
