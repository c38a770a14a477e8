// Where a run is saved, so that no other run is lost.
#pragma once

#include <filesystem>
#include <string>

#include "headlight/run/experiment.h"

namespace headlight::app {

// The folder, or the first of folder-2, folder-3, … that holds no run and no file that a run would replace,
// and where none is in training.
std::string first_free(const std::string& folder);

// Experiment::claim, for a folder that is not one of a run's own.
void claim_folder(run::Experiment& run, const std::string& folder);

// Throws Error, naming the ways out, when the folder holds a run, or a file that a run would replace.
void check_free(const std::string& folder);

// Saves the run in the folder that it has claimed. A training is not lost when this folder cannot be
// replaced, or is not there any more: then it is saved beside, and the Error says where.
run::Results save_or_beside(const run::Experiment& run, const std::filesystem::path& folder);

// Whether the folder holds a run that ./headlight demo made.
bool made_by_demo(const std::string& folder);

}  // namespace headlight::app
