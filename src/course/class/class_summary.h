// What a class knows and where it is stuck: counted over its marks.
#pragma once

#include <string>
#include <vector>

#include "grade_class.h"

namespace headlight::course {

// A known mistake, and how many students make it.
struct CommonMistake {
  grader::Verdict::KnownMistake known;
  std::string lesson;    // "02_derivatives"
  std::size_t part = 0;  // from 0
  std::vector<std::string> students;
  std::string line;  // of code that most of them have and the solution has not; "" when there is none
};

// What became of one part, over all students.
struct PartCount {
  std::string lesson, name;
  std::size_t part = 0, passed = 0, wrong = 0, not_written = 0, not_graded = 0;
  std::size_t after_another = 0;   // wrong, and it calls a part that is wrong
  std::vector<std::string> stuck;  // who is wrong in it
};

struct ClassSummary {
  std::vector<CommonMistake> mistakes;  // the most frequent first
  std::vector<PartCount> parts;         // in the order of the course
};

// `lessons` is the folder of the lessons, from whose solutions a typical line must differ.
ClassSummary summary_of(const GradedClass& graded, const std::filesystem::path& lessons);

// The words of a part in a table: "solved", the name of its mistake, "calls part 1" (which is wrong), …
std::string state_of(const PartMark& part);

}  // namespace headlight::course
