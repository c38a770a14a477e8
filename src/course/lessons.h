// The list of lessons.
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
};

// The folders NN_name, in order.
std::vector<Lesson> lessons_in(const std::filesystem::path& folder);

// The lesson with number "1" or "01", or with folder "01_tensors". Otherwise throws Error, which lists the
// numbers.
const Lesson& find_lesson(const std::vector<Lesson>& lessons, const std::string& wanted);

}  // namespace headlight::course
