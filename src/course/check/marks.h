// Marks: what an exercise earns, as data for programs. A part that is solved earns its stars, whatever became
// of the others.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "learner.h"

namespace headlight::course {

struct PartMark {
  std::string name;
  int stars = 1;
  std::optional<grader::Kind> kind = {};  // nothing: it was not graded, as the file does not compile
  std::optional<grader::Verdict::KnownMistake> mistake = {};  // nothing also where `after` is set
  std::optional<std::size_t> after =
      {};  // a wrong part that this wrong one calls, so that nobody knows its own

  bool passed() const { return kind == grader::Kind::solved; }
  int score() const { return passed() ? stars : 0; }
};

// Of every part of an exercise, in their order.
struct Marks {
  std::string lesson;  // "02_derivatives"
  std::vector<PartMark> parts;

  int score() const;
  int most() const;
  bool all_passed() const;
};

// Without findings, as of a file that is missing: nothing is passed.
Marks marks_of(const Places& places, const Lesson& lesson, const std::optional<Findings>& found = {});

// What `check --json` prints of an exercise:
//   lesson, title   "02_derivatives", "Derivatives and the tape"
//   compiles        whether the file compiles
//   error           {"line", "column", "message"} of the compiler's first error, or null
//   parts           [{"part": 1, "name", "stars", "passed", "score", "kind": a word of kind_names() or null,
//                   "mistake": {"name", "sentence", "read"} or null, "after": the number of a wrong part that
//                   this wrong one calls, or null}, …]
//   score, max-score   whole numbers, the sums
//   shown           what the command prints otherwise
nlohmann::ordered_json json_of(const Marks& marks, const Lesson& lesson, const Findings& found,
                               const std::string& shown);

// Where a result belongs: what Classroom 50 sets in the environment of a grader (CLASSROOM, ASSIGNMENT, …).
struct Assignment {
  std::string classroom, assignment, assignment_type, owner, submission, commit, release, review, datetime;
};

// One line of a result: it scores `most` or nothing.
struct ResultTest {
  std::string name;
  bool passed = false;
  int most = 1;
};

// A test for each part.
std::vector<ResultTest> tests_of(const std::vector<Marks>& marks);

// The contract of Classroom 50 between a grader and whoever collects: schema classroom50/result/v1
// (https://github.com/foundation50/classroom50/wiki/Advanced-Autograding). Without a datetime: now, in UTC.
nlohmann::ordered_json classroom_result(const Assignment& assignment, const std::vector<ResultTest>& tests);

}  // namespace headlight::course
