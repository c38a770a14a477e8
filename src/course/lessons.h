// The lessons, the parts of the course, and what each lesson builds on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight::course {

struct Lesson {
  std::string folder;   // "01_tensors"
  std::string number;   // "01"
  std::string name;     // "tensors"
  std::string title;    // "Tensors", as its README.md has it
  std::string promise;  // what the reader can do afterwards, from its README.md
  std::string minutes;  // how long it takes, as its README.md says: "25 minutes to read, 30 to solve"
  std::vector<std::string> needs;  // "01", …: the lessons that the paragraph "You need …" links to

  std::string typed() const { return std::to_string(std::stoi(number)); }  // "1", as in a command
};

// The folders NN_name, in order.
std::vector<Lesson> lessons_in(const std::filesystem::path& folder);

// The lesson with number "1" or "01", or with folder "01_tensors". Otherwise throws Error, which lists the
// numbers.
const Lesson& find_lesson(const std::vector<Lesson>& lessons, const std::string& wanted);

struct CoursePart {
  std::string title;  // "Part I: An engine you can trust"; empty for lessons that stand in no part
  std::vector<Lesson> lessons;
};

// The lessons by the headings of `readme`, which are "## Part …" above rows that link to the lessons. Lessons
// that it does not link to come last.
std::vector<CoursePart> parts_of(const std::string& readme, const std::vector<Lesson>& lessons);

// A way through a part of the course, for a reader who came for one thing.
struct Road {
  std::string name;  // "Backpropagation in an evening"
  std::vector<Lesson> lessons;
};

// The rows "| name | [2](02_…/README.md), … |" below the heading "## Roads" of `readme`.
std::vector<Road> roads_of(const std::string& readme, const std::vector<Lesson>& lessons);

// Minutes that a lesson takes in all, from "30 minutes to read and 30 to solve": the sum of its numbers.
std::size_t minutes_in_all(const Lesson& lesson);

// "02, 03, 04", or of more than five "01 to 19"; and "3 h 40 min".
std::string numbers_of(const Road& road);
std::string time_of(const Road& road);

// The numbers that each lesson builds on, without those that follow: where 8 builds on 7 and 7 on 5, 8 does
// not need to name 5.
std::vector<std::vector<std::string>> direct_needs(const std::vector<Lesson>& lessons);

// A term and its meaning, as lessons/glossary.md has them.
struct TaughtTerm {
  std::string name, meaning;
  bool everyday = false;  // "**value** (in attention)": a word that has another meaning too
};

// The terms that the glossary says are explained in this lesson, in its order.
std::vector<TaughtTerm> terms_of(const std::string& glossary, const Lesson& lesson);

}  // namespace headlight::course
