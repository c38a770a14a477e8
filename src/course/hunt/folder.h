// The folder of a hunt: a copy of the engine with a bug in it, and the program `look` that checks the copy.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "course/hunt/bank.h"

namespace headlight::course {

// hunt.json of the folder.
struct HuntNote {
  std::string name;  // whose hunt it is
  int stars = kUsualStars;
  std::string bug;      // a hash of the bug's name, which does not name it
  std::string sources;  // a hash of the files that were laid out
  bool fixed = false;
};

// Of a bug's name.
std::string hidden(const std::string& bug);

// One check that came out otherwise than in an engine without a bug.
struct Difference {
  std::string tool, check, here, expected;
};

// From a line of four fields, with tabs between them; nothing for another line.
std::optional<Difference> difference_from(const std::string& line);

struct Looked {
  bool built = false;                   // the copy compiles
  bool finished = false;                // the program ended by itself, after the last check
  std::string errors;                   // what the compiler or the program said
  std::vector<Difference> differences;  // the coarsest tool's first

  bool clean() const { return built && finished && differences.empty(); }
};

class HuntFolder {
 public:
  // `source` is the project's.
  HuntFolder(std::filesystem::path source, std::filesystem::path folder)
      : source_(std::move(source)), folder_(std::move(folder)) {}

  const std::filesystem::path& path() const { return folder_; }
  std::optional<HuntNote> note() const;  // nothing where no hunt was begun
  void write_note(const HuntNote& note) const;

  // Writes the files that differ, and removes others from their folders.
  void lay_out(const Bug& bug) const;

  // Gives all files one time. Those that were written last would else show where the bug is.
  void level_times() const;

  // Writes the tools anew, as they were laid out.
  void restore_tools() const;

  // Builds the copy and runs all checks.
  Looked look() const;

  // What of the engine's copy differs from what was laid out. Throws Error where the project's sources are no
  // longer those of the note.
  struct Changes {
    bool any = false, at_the_bug = false;
  };
  Changes changes(const Bug& bug, const HuntNote& note) const;

  // A hash of all files with the bug in its place.
  std::string hash_of(const Bug& bug) const;

 private:
  using Files = std::map<std::string, std::string>;  // by name in the folder
  Files files_with(const Bug& bug) const;

  std::filesystem::path source_, folder_;
};

}  // namespace headlight::course
