// The lessons that there are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight::inline HEADLIGHT_PRECISION::door {

struct Lesson {
  std::string folder;   // "01_tensors"
  std::string number;   // "01"
  std::string name;     // "tensors"
  std::string promise;  // what its README.md says that one can do afterwards
  std::string minutes;  // how long it takes, as its README.md says: "25 minutes to read, 30 to solve"
};

// The folders NN_name, in order.
std::vector<Lesson> lessons_in(const std::filesystem::path& folder);

// The lesson of number "1" or "01", or of the folder "01_tensors". Throws Error, which lists the numbers.
const Lesson& find_lesson(const std::vector<Lesson>& lessons, const std::string& wanted);

}  // namespace headlight::inline HEADLIGHT_PRECISION::door
