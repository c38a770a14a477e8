// Runs beside each other: the settings that differ, the results in a table, the curves in one chart.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "headlight/draw/figure.h"
#include "headlight/draw/table.h"
#include "headlight/run/config.h"
#include "headlight/run/metrics.h"
#include "headlight/run/results.h"
#include "headlight/run/run.h"

namespace headlight::studies {

struct ComparedRun {
  std::string name;  // the folder, as it was given
  run::RunConfig config;
  run::Results results;
  std::vector<run::Metrics> metrics;    // along training; empty if none were recorded
  std::vector<std::string> notes = {};  // as in run::Run
};

// Throws Error for fewer than two folders, a folder that is given twice, and one without a run.
std::vector<ComparedRun> compared_runs(const std::vector<std::filesystem::path>& folders);

// The settings that are not the same in all configs, in the order of settings(). What follows from the others
// is not among them: with 2 heads instead of 4, the width of a head.
std::vector<run::NamedSetting> different_settings(const std::vector<run::RunConfig>& configs);

// A line per run: its name and these settings, headed by their flags.
draw::Table settings_table(const std::vector<ComparedRun>& runs);

// A line per run: accuracy on predictable tokens, on held-out sequences, loss, the best score of each charted
// kind, time, and whether the task counts as solved. "-" where a run has no such number.
draw::Table results_table(const std::vector<ComparedRun>& runs);

// One figure with a curve per run: loss, accuracy on predictable tokens, best induction score. Parts that no
// run has are left out. Throws Error when no run recorded metrics.
// Curves are named after the last part of their folder, if these parts differ.
draw::Figure comparison_figure(const std::vector<ComparedRun>& runs);

// What a reader must know: that the runs have different tasks or vocabularies, or the same settings. Empty
// when there is nothing to say.
std::vector<std::string> comparison_notes(const std::vector<ComparedRun>& runs);

// All of this, and each run's verdict, on a page in one file.
std::string comparison_page(const std::vector<ComparedRun>& runs);

// "--layers" on the command line is "layers" in tables and names.
std::string short_name(const run::NamedSetting& setting);

}  // namespace headlight::studies
