// The room that a run takes on the disk, before it is made.
#pragma once

#include <filesystem>

#include "headlight/experiment/config.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// Bytes at most, to a quarter, of the weights that a run saves: the model's, what the optimizer keeps of
// each, and those along training.
double saved_bytes(const RunConfig& config, const tasks::Task& task);

// Throws Error when `free` bytes, on the file system of the folder, are less than `needed`.
void require_room(double needed, double free, const std::filesystem::path& folder);

// The bytes that this user may still write to the file system that holds `path`; infinity where it does not
// tell.
double room_at(const std::filesystem::path& path);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
