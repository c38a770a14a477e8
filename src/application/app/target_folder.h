// Where a run is saved, so that no other run is lost.
#pragma once

#include <filesystem>
#include <string>

#include "headlight/run/experiment.h"

namespace headlight::app {

// The folder, or the first of folder-2, folder-3, … that holds no run and no file that a run would replace,
// and where none is in training. Of a folder of several runs, look at the one `inside` it.
std::string first_free(const std::string& folder, const std::string& inside = "");

// Throws Error, naming the ways out, when the folder holds a run, or a file that a run would replace.
void check_free(const std::string& folder);

// Whether the folder holds a run with this config, but for the seed, the steps and the name of the text.
bool has_settings_of(const std::string& folder, run::RunConfig config);

}  // namespace headlight::app
