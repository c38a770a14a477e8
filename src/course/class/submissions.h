// What a class handed in.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "course/lessons.h"

namespace headlight::course {

struct Submission {
  std::string name;                          // of the student
  std::map<std::string, std::string> files;  // by lesson: "02_derivatives" → the text of 02_derivatives.cpp
  std::string problem = {};                  // why nothing could be read; "" when it could
};

// Each folder and each archive (.zip, .tar, .tar.gz, .tgz, .tar.xz, .tar.bz2) in `folder` is one student's,
// and has the name of the folder without what a course system appends ("Ann Lee_123_assignsubmission_file").
// Of each lesson the file that stands in a folder my/ is taken, or else the one that is in the fewest
// folders. `names`, a CSV file, has a line "folder,name" for each student; who is in it and handed nothing in
// is in the list too. In the order of the names. Throws Error for a folder without submissions, and for a
// line of `names` without a comma.
std::vector<Submission> submissions_in(const std::filesystem::path& folder,
                                       const std::vector<Lesson>& lessons,
                                       const std::filesystem::path& names = {});

}  // namespace headlight::course
