// A hunt: begins one in a folder, and judges what the learner has changed there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "course/hunt/folder.h"

namespace headlight::course {

enum class Outcome {
  fixed,          // every check comes out as expected, and the lines around the bug were changed
  untouched,      // no file of the engine was changed
  elsewhere,      // other lines were changed, and the symptom is there
  masked,         // the symptom is gone; another check still differs, or the bug's lines are as they were
  still_there,    // the bug's lines were changed, and the symptom is there
  not_compiling,  // the copy does not compile
  not_finished    // the program crashed, or does not end
};

// `seen` is the check that showed the symptom at the beginning.
Outcome outcome_of(const Looked& looked, const HuntFolder::Changes& changes, const Difference& seen);

// A sentence or two. They never say where the bug is.
std::string verdict_text(Outcome outcome, const Looked& looked);

// What the learner is told: HUNT.md.
std::string told(const HuntNote& note, const Difference& seen);

struct HuntRequest {
  std::string name = {};          // whose hunt
  std::optional<int> stars = {};  // without: kUsualStars
  std::string bug = {};           // this one instead of the name's
  bool anew = false;              // gives up the hunt that is there
};

class Hunt {
 public:
  Hunt(const std::filesystem::path& source, const std::filesystem::path& folder);

  // Lays the folder out, builds the copy, and returns what to tell the learner. A hunt of the same name and
  // stars is there already: its text. Throws Error for a folder that holds anything else.
  std::string begin(const HuntRequest& asked) const;

  // The text of the hunt that is there. Throws Error where none is.
  std::string text() const;

  struct Judged {
    HuntNote note;
    Outcome outcome;
    std::string text;
  };
  Judged judge() const;

 private:
  const Bug& bug_of(const HuntNote& note) const;
  HuntNote begun() const;
  bool is_there_already(const HuntNote& wanted,
                        bool anew) const;  // throws Error for a folder of anything else

  std::filesystem::path source_;
  HuntFolder folder_;
  std::vector<Bug> bank_;
};

}  // namespace headlight::course
