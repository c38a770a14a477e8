// Where the numbers of a study go: the terminal, JSON, CSV or a picture.
#pragma once

#include "headlight/studies/study.h"
#include "picture.h"

namespace headlight::app {

struct StudyOutput {
  std::string command = {};  // its name
  bool json = false, csv = false;
  PictureOptions picture;
};

// --json, --csv, --svg FILE and --png FILE.
void add_study_options(CLI::App& command, StudyOutput& output);

// Prints the study of the run in `folder` as the options say, or writes the picture and prints its name.
void deliver_study(const studies::Study& study, const std::string& folder, const StudyOutput& output);

}  // namespace headlight::app
