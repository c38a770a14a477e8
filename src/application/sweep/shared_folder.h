// What the processes that work on a sweep share: its folder, with a lock, a place for each of them, and notes
// of the runs that failed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "headlight/sweep/sweep.h"
#include "headlight/system/system.h"

namespace headlight::sweep {

// A hash of the files that the task was made from.
std::string text_of(const tasks::Task& task);

// What sweep.json says of the sweep itself.
struct SavedSweep {
  std::string plan, version, texts;
};

// Nothing where there is no sweep. Throws Error when sweep.json is damaged.
std::optional<SavedSweep> saved_sweep(const std::filesystem::path& folder);

// Who has this lock may join, or write the sweep's own files. Waits for it.
system::FileLock wait_for_sweep(const std::filesystem::path& folder);

// The same, for who begins or joins. Throws Error while another command writes a run to the folder itself.
system::FileLock enter_sweep(const std::filesystem::path& folder);

// A worker's sign of life: the first free place in the folder, which ends with its process. Take it under the
// sweep's lock.
system::FileLock take_place(const std::filesystem::path& folder);

// The names in the folder. One reading tells more, and faster, than a question for each of thousands of runs.
std::set<std::string> names_in(const std::filesystem::path& folder);

// The places that a living process has. Removes the others.
std::size_t count_workers(const std::filesystem::path& folder, const std::set<std::string>& names);

// The note of a run that failed, beside its folder.
std::filesystem::path failure_note(const std::filesystem::path& run);

// Removes the notes, and the locks of processes that were killed. For who works alone.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace headlight::sweep
