// The course: its parts, and what each lesson builds on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lessons.h"

namespace headlight::course {

struct CoursePart {
  std::string title;  // "Part I: An engine you can trust"; empty for lessons that stand in no part
  std::vector<Lesson> lessons;
};

// The lessons by the headings of `readme`, which are "## Part …" above rows that link to the lessons. Lessons
// that it does not link to come last.
std::vector<CoursePart> parts_of(const std::string& readme, const std::vector<Lesson>& lessons);

// The numbers that each lesson builds on, without those that follow: where 8 builds on 7 and 7 on 5, 8 does
// not need to name 5.
std::vector<std::vector<std::string>> direct_needs(const std::vector<Lesson>& lessons);

// A term and its meaning, as lessons/glossary.md has them.
struct TaughtTerm {
  std::string name, meaning;
};

// The terms that the glossary says are explained in this lesson, in its order.
std::vector<TaughtTerm> terms_of(const std::string& glossary, const Lesson& lesson);

}  // namespace headlight::course
