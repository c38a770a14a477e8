// The runs of some folders, with what came of each.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "headlight/run/config.h"
#include "headlight/run/results.h"
#include "headlight/run/run.h"
#include "headlight/system/system.h"

namespace headlight::run {

struct ListedRun {
  std::filesystem::path folder;
  std::optional<system::FileTime> saved;
  std::string damage = {};  // what keeps the run from being read; without config and results then
  std::optional<RunConfig> config = {};
  std::optional<Results> results = {};
};

// The run in a folder, whose weights are tried too.
ListedRun listed_run(const std::filesystem::path& folder);

// Each folder that is a run, and the runs right below each that is none; the one saved last comes last.
// Throws FileError for a folder that is not there.
std::vector<ListedRun> listed_runs(const std::vector<std::filesystem::path>& folders);

// The flags with which ./headlight train gets the run's config: "--layers 1 --seed 3".
std::string flags_of(const RunConfig& config);

// The highest induction score; nothing on a task whose heads have no scores.
std::optional<double> best_induction(const Results& results);

// Local time: "2025-11-22 07:40"; "unknown" for nothing.
std::string written(std::optional<system::FileTime> time);

// One line, without its end.
std::string to_json(const ListedRun& run);

}  // namespace headlight::run
