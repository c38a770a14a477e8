// The bugs that a hunt can plant: the bank of tests/mutants, and which of it a hunt takes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight::course {

// A block of tests/mutants/*.txt (see bank.py there).
struct Bug {
  std::string name, why = {}, file = {};
  std::string right = {}, wrong = {};  // what is taken out of the file, and what is put in
};

// All bugs of the folder's *.txt files. Throws Error for a line that is none of a block's.
std::vector<Bug> read_bank(const std::filesystem::path& folder);

// A line of bugs.txt: a bug that the tools of a hunt show, and how hard it is to find.
struct Eligible {
  std::string name;
  int stars = 0;  // 1 to 3
};
std::vector<Eligible> read_eligible(const std::filesystem::path& file);

inline constexpr int kUsualStars = 2;

// The bug for a name: the same on every machine. Throws Error where no bug has so many stars.
const Eligible& bug_for(const std::string& name, int stars, const std::vector<Eligible>& eligible);

// A source with a bug in it, and where the bug is.
struct Planted {
  std::string text;
  std::string place;  // the lines around the bug, as they stand in the text
};

// Throws Error unless the bug's text occurs in the source exactly once. A line that the bug leaves empty
// goes.
Planted plant(const Bug& bug, const std::string& source);

// Whether the lines around the bug stand in the text as they were planted, but for spaces.
bool place_is_unchanged(const Planted& planted, const std::string& text);

}  // namespace headlight::course
