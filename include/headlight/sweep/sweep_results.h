// The results of a sweep: tables, a figure, a page and JSON.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "headlight/draw/figure.h"
#include "headlight/draw/table.h"
#include "headlight/sweep/sweep.h"

namespace headlight::sweep {

// The median, and the least and the largest value, over the seeds of a combination.
struct Spread {
  std::size_t count = 0;
  double median = 0, least = 0, largest = 0;
};
Spread spread_of(std::vector<double> values);  // the median of an even number is the mean of the middle two

// A line per combination: its settings, how many of its runs were solved, and for each number the median with
// the least and the largest value in brackets: "98.1 % (0.3 … 99.9)". Runs without results are not part of
// it; diverged runs are.
draw::Table combinations_table(const SweepPlan& plan, const std::vector<SweepRow>& rows);

// A line per run, with all digits: its folder, settings, seed and numbers, and why it failed or diverged.
draw::Table runs_table(const SweepPlan& plan, const std::vector<SweepRow>& rows);

// A line per run that failed or diverged: its folder and the reason.
draw::Table failures_table(const std::vector<SweepRow>& rows);

// The curves of all runs that ended, faint, and the median of each combination, bold. With more than
// twelve combinations the twelve with the best median accuracy have names, and the others are grey.
draw::Figure sweep_figure(const SweepPlan& plan, const std::vector<SweepRow>& rows,
                          const std::filesystem::path& folder);

// The tables and the figure, which may be empty, in one file.
std::string sweep_page(const SweepPlan& plan, const std::vector<SweepRow>& rows, const std::string& svg);

// sweep.json. `texts` is a hash of the texts that the runs learn; empty: they learn none.
std::string to_json(const SweepPlan& plan, const std::vector<SweepRow>& rows, const std::string& texts = "");

}  // namespace headlight::sweep
