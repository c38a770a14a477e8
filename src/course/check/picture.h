// `./headlight show`: the picture of a lesson, drawn by the learner's functions beside ours. A lesson has one
// when its folder has a show.cpp.
#pragma once

#include <string>

#include "learner.h"

namespace headlight::course {

bool has_picture(const Places& places, const Lesson& lesson);

// "What your functions draw: ./headlight show 2" once a part is solved that draws some of the lesson's
// picture; else "".
std::string picture_offer(const Places& places, const Lesson& lesson, const Findings& found);

struct KeptPicture {
  std::string name;  // "my/02_descent.svg"
  std::string text;  // the picture in the terminal as far as it fits there, and who draws which panel
};

// Checks the learner's file, draws with the parts that are solved and keeps the picture. Throws Error for a
// lesson without a picture, for a file that does not compile, and where drawing takes too long or crashes.
KeptPicture show(Learner& learner, const std::filesystem::path& build, const Lesson& lesson,
                 const OnProgress& progress = {});

}  // namespace headlight::course
