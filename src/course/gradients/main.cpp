// The program behind `./headlight gradients`. It is separate because it uses the library in double precision.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "gradients/ledger.h"
#include "headlight/system/run_main.h"
#include "headlight/system/text.h"
#include "program/command_line.h"

namespace headlight::ledger {
namespace {

std::string known_names() {
  std::string names;
  for (const Case& c : cases()) names += (names.empty() ? "" : ", ") + c.name;
  return names;
}

std::vector<Case> chosen_cases(const std::vector<std::string>& names) {
  if (names.empty()) return cases();
  std::vector<Case> chosen;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(cases().begin(), cases().end(), [&](const Case& c) { return c.name == name; });
    check(found != cases().end(), "there is no case '{}'; there are {}.", name, known_names());
    chosen.push_back(*found);
  }
  return chosen;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, display_width(text)), ' ');
}

void print_opening() {
  fmt::print(
      "Every gradient, computed in four ways in double precision, and the largest differences:\n"
      "  hand      matrix formulas written out by hand, without the tape (src/course/gradients)\n"
      "  tape      simple ops, differentiated by the tape\n"
      "  fused     the backward pass of the fused op, which training uses\n"
      "  numeric   central differences of the fused op\n"
      "Y = Z W_O, Z = P V, P = softmax(S), S = Q Kᵀ/√d_head. The cotangent of Y is random.\n"
      "docs/gradients.md derives the formulas.\n");
}

void print_case(const Case& c, const std::vector<Row>& rows) {
  std::size_t width = 8, formula = 7;
  for (const Row& row : rows) {
    width = std::max(width, display_width(row.quantity));
    formula = std::max(formula, display_width(row.formula));
  }
  fmt::print("\n{}: {}\n", c.name, c.what);
  fmt::print("  {}  {}  {:>8}  {:>9}  {:>10}  {:>12}\n", padded("gradient", width),
             padded("formula", formula), "norm", "hand-tape", "fused-tape", "tape-numeric");
  for (const Row& row : rows)
    fmt::print("  {}  {}  {:>8.2e}  {:>9.1e}  {:>10.1e}  {:>12.1e}  {}{}\n", padded(row.quantity, width),
               padded(row.formula, formula), row.norm, row.hand_vs_tape, row.fused_vs_tape,
               row.tape_vs_numeric, row.ok ? "OK" : "WRONG", row.remark.empty() ? "" : ": " + row.remark);
  std::fflush(stdout);
}

void print_total(const std::vector<Row>& rows) {
  double hand = 0, fused = 0, numeric = 0;
  std::size_t wrong = 0;
  for (const Row& row : rows) {
    hand = std::max(hand, row.hand_vs_tape);
    fused = std::max(fused, row.fused_vs_tape);
    numeric = std::max(numeric, row.tape_vs_numeric);
    wrong += !row.ok;
  }
  fmt::print(
      "\n{} gradients, {}. Largest differences: hand-tape {:.1e}, fused-tape {:.1e} (allowed {:.0e}), "
      "tape-numeric {:.1e} (allowed {:.0e}).\n",
      rows.size(), wrong == 0 ? "all OK" : fmt::format("{} WRONG", wrong), hand, fused, kExact, numeric,
      kNumeric);
}

nlohmann::ordered_json to_json(const Row& row) {
  return {{"case", row.case_name},
          {"quantity", row.quantity},
          {"formula", row.formula},
          {"norm", row.norm},
          {"hand_vs_tape", row.hand_vs_tape},
          {"fused_vs_tape", row.fused_vs_tape},
          {"tape_vs_numeric", row.tape_vs_numeric},
          {"ok", row.ok}};
}

int run(int argc, char** argv) {
  CLI::App program("Compare four computations of every gradient of attention, a block and a model",
                   "./headlight gradients");
  std::vector<std::string> names;
  bool json = false;
  program.add_option("--case", names, "Only this case: " + known_names())->take_all();
  program.add_flag("--json", json, "All numbers, unrounded, as JSON");
  program.footer(
      "\nExamples:\n  ./headlight gradients\n  ./headlight gradients --case cross\n"
      "  ./headlight gradients --case model --json\n\n"
      "Exit status: 0 when every line is OK, 1 when one is WRONG, 2 for an error.");
  if (!program::parse(program, argc, argv)) return 0;

  std::vector<Row> all;
  const auto chosen = chosen_cases(names);
  if (!json) print_opening();
  for (const Case& c : chosen) {
    const auto rows = judge(c.name, c.run());
    if (!json) print_case(c, rows);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  if (json) {
    nlohmann::ordered_json gradients = nlohmann::ordered_json::array();
    for (const Row& row : all) gradients.push_back(to_json(row));
    fmt::print("{}\n", nlohmann::ordered_json{{"command", "gradients"}, {"gradients", gradients}}.dump(2));
  } else {
    print_total(all);
  }
  return std::all_of(all.begin(), all.end(), [](const Row& row) { return row.ok; }) ? 0 : 1;
}

}  // namespace
}  // namespace headlight::ledger

int main(int argc, char** argv) {
  return headlight::run_main([&] { return headlight::ledger::run(argc, argv); });
}
