// A study: numbers that were measured on a run, as tables that print, JSON, CSV and a picture have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/signed_map.h"
#include "headlight/draw/subset_chart.h"
#include "headlight/draw/table.h"

namespace headlight::studies {

// A text, a whole number, a number, or nothing where there is no such number.
using StudyCell = std::variant<std::monostate, std::string, std::int64_t, double>;

// A cell without content where there is no number.
inline StudyCell optional_cell(const std::optional<double>& value) {
  return value ? StudyCell(*value) : StudyCell();
}

struct StudyColumn {
  std::string key;    // in files: "loss_rise"
  std::string head;   // in the terminal: "rise"
  int decimals = 3;   // of numbers in the terminal
  bool sign = false;  // whether a positive number has its sign there
  bool shown = true;  // in the terminal too, not in files only
};

struct StudyTable {
  std::string key;    // in files: "singles"
  std::string title;  // above the table, in the terminal
  std::vector<StudyColumn> columns;
  std::vector<std::vector<StudyCell>> rows = {};  // each as long as the columns
  std::size_t most_rows = 0;                      // rows in the terminal, the first ones; 0: all
  bool largest_first = false;                     // there, the twenty rows of the largest magnitudes
  std::vector<std::string> sentences = {};        // below the table; only what was measured
};

struct Study {
  std::string key;                                            // in files: "ablation"
  std::vector<std::pair<std::string, StudyCell>> facts = {};  // single numbers, in files only
  std::vector<std::string> sentences = {};                    // above the tables
  std::vector<StudyTable> tables = {};                        // one at least; the first is the CSV
  std::variant<std::monostate, draw::SignedMap, draw::Bars, draw::SubsetChart, draw::Chart> picture = {};
};

// The tables below each other, for a terminal with so many columns. Throws Error for rows that do not fit the
// columns.
std::string terminal_study(const Study& study, std::size_t columns = draw::terminal_columns());

// The rows that a terminal shows, as text.
draw::Table shown_table(const StudyTable& table);

// {"study": …, facts …, "sentences": […], "singles": [{"heads": …, …}, …], …}. Numbers are unrounded; an
// absent one is null. Throws Error for a number that is not finite.
std::string study_json(const Study& study);

// The rows of the first table, unrounded, below the keys of its columns. Throws Error as study_json.
std::string study_csv(const Study& study);

// The picture. Throws Error for a study without one.
std::string study_svg(const Study& study);

}  // namespace headlight::studies
