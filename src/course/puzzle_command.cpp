#include "puzzle_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <memory>

#include "check/build.h"
#include "check/compile_error.h"
#include "headlight/core/check.h"
#include "headlight/system/file_kind.h"
#include "headlight/system/files.h"
#include "headlight/system/open_in_browser.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"
#include "learner_commands.h"
#include "program/exit_status.h"
#include "progress_line.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

struct AskedOfPuzzle {
  int number = 0, hint = 0;
  std::vector<std::string> look, swap;
  bool page = false;
};

// Runs headlight_puzzle, or my_puzzle_N, and returns its exit status.
int run_program(const fs::path& build, const std::string& name, int number, std::vector<std::string> words) {
  words.insert(words.begin(),
               {(build / name).string(), std::to_string(number), "--folder", (build / "puzzles").string()});
  return run_attached(words);
}

// The numbers of solved puzzles: a line each.
fs::path list_of_solved(const fs::path& my) { return my / ".puzzles"; }

std::vector<std::string> solved_in(const fs::path& my) {
  const fs::path list = list_of_solved(my);
  return fs::exists(list) ? text_lines(read_file(list)) : std::vector<std::string>{};
}

bool is_solved(const fs::path& my, int number) {
  return std::ranges::count(solved_in(my), std::to_string(number)) > 0;
}

void note_solved(const fs::path& my, int number) {
  if (is_solved(my, number)) return;
  std::string text;
  for (const std::string& each : solved_in(my)) text += each + "\n";
  write_file(list_of_solved(my), text + std::to_string(number) + "\n");
}

// What the learner wrote may not come to an end, or crash.
int run_learners(const fs::path& build, const std::string& target, int number) {
  constexpr std::chrono::seconds kMost{20};
  const Ended ended = run_process({.words = {(build / target).string(), std::to_string(number), "--folder",
                                             (build / "puzzles").string(), "--score"},
                                   .limit = 3 * kMost,
                                   .confined = Confinement{kMost, std::size_t{4} << 30}});
  if (!ended.signal && !ended.timed_out) {
    fmt::print("{}", ended.output);
    print_note(ended.errors);
    return ended.status;
  }
  const bool endless = ended.timed_out || *ended.signal == SIGXCPU || *ended.signal == SIGKILL;
  if (endless)
    fmt::print("What you wrote does not come to an end: it was stopped after {} seconds.\n", kMost.count());
  else
    fmt::print(
        "What you wrote crashed. Most often a position is outside of the input, which has those from 0.\n");
  return kNotFound;
}

int score(int number, const fs::path& mine, const fs::path& build) {
  const std::string target = fmt::format("my_puzzle_{}", number), name = "my/" + mine.filename().string();
  build_or_fail(build, "headlight_puzzle");
  const Built built = build_target(build, target, show_progress, std::chrono::minutes(2));
  clear_progress();
  if (!built.ok) {
    const auto error = first_error(built.log, name);
    check(error.has_value(), "{} could not be built: {}", name, errors_of(built.log, 20));
    fmt::print("{}", error_text(*error, name, read_file(mine), 80));
    return kNotFound;
  }
  // Its model first: what the learner wrote may write no file.
  if (const int status = run_program(build, "headlight_puzzle", number, {}); status != 0) return status;
  const int status = run_learners(build, target, number);
  if (status != kFound) return status;
  note_solved(mine.parent_path(), number);
  fmt::print("./headlight puzzle {} --page shows this head in a page of the model.\n", number);
  return status;
}

// Opens the page of a solved puzzle's model, at the head that the puzzle is about.
int open_page(int number, const fs::path& my, const fs::path& build) {
  check(is_solved(my, number),
        "--page explains a puzzle that is solved. Hint: ./headlight puzzle {} scores your file.", number);
  build_or_fail(build, "headlight_puzzle_page");
  const std::string file = fmt::format("runs/puzzle_{}.html", number);
  check_same_kind(file, {"--page", "page", "<!doctype html>"});
  fs::create_directories("runs");
  const Ended made =
      run_process({.words = {(build / "headlight_puzzle_page").string(), std::to_string(number), file}});
  check(made.ok(), "the page could not be made: {}", made.errors);
  const std::string place = made.output.substr(0, made.output.find('\n'));
  fmt::print("{}#{}\n", file, place);
  std::fflush(stdout);
  open_in_browser(file, place);
  return 0;
}

int list(const fs::path& my, const fs::path& build) {
  build_or_fail(build, "headlight_puzzle");
  std::vector<std::string> words{(build / "headlight_puzzle").string(), "--solved"};
  for (const std::string& number : solved_in(my)) words.push_back(number);
  return run_attached(words);
}

int show(const AskedOfPuzzle& asked, const fs::path& source, const fs::path& build) {
  check(asked.swap.empty() || asked.swap.size() == 2, "--swap takes two inputs, got {}.", asked.swap.size());
  if (asked.number == 0) return list(source / "my", build);
  if (asked.page) return open_page(asked.number, source / "my", build);
  const fs::path mine = source / "my" / fmt::format("puzzle_{}.cpp", asked.number);
  const bool shows = !asked.look.empty() || !asked.swap.empty() || asked.hint > 0;
  if (!shows && fs::exists(mine)) return score(asked.number, mine, build);
  build_or_fail(build, "headlight_puzzle");
  std::vector<std::string> words;
  for (const std::string& input : asked.look) words.insert(words.end(), {"--look", input});
  if (!asked.swap.empty()) words.insert(words.end(), {"--swap", asked.swap[0], asked.swap[1]});
  if (asked.hint > 0) words.insert(words.end(), {"--hint", std::to_string(asked.hint)});
  if (shows) return run_program(build, "headlight_puzzle", asked.number, words);
  const Ended shipped = run_process(
      {.words = {(build / "headlight_puzzle").string(), std::to_string(asked.number), "--shipped"}});
  check(shipped.ok(), "{}", shipped.errors.substr(shipped.errors.find(' ') + 1));
  fs::create_directories(mine.parent_path());
  write_file(mine, shipped.output);
  fmt::print(
      "{}\nThis is in my/{} now. Try inputs, then write what you think there:\n"
      "  ./headlight puzzle {} --look \"…\"        the model's answer, and where each head looks\n"
      "  ./headlight puzzle {} --swap \"…\" \"…\"    the answer with what a head writes on another input\n"
      "  ./headlight puzzle {}                   scores my/{}\n"
      "  ./headlight puzzle {} --hint 1\n",
      shipped.output, mine.filename().string(), asked.number, asked.number, asked.number,
      mine.filename().string(), asked.number);
  return 0;
}

}  // namespace

void add_puzzle_command(CLI::App& program, const fs::path& source, const fs::path& build,
                        std::function<int()>& chosen) {
  const auto asked = std::make_shared<AskedOfPuzzle>();
  CLI::App* command =
      program.add_subcommand("puzzle", "A trained model without labels: what does it compute, and how?");
  command->add_option("NUMBER", asked->number, "1 to 12, from one star to four; without: the list");
  command->add_option("--look", asked->look, "An input: the answer, and where each head looks")
      ->expected(1, -1);
  command
      ->add_option("--swap", asked->swap,
                   "Two inputs: the first one's answer with what heads write on the second")
      ->expected(1, -1);
  command->add_option("--hint", asked->hint, "Number of a hint")->check(CLI::Range(1, 9));
  command->add_flag("--page", asked->page,
                    "Once it is solved: open a page of the model, at the head in question");
  command->footer(
      "\nThe first call lays out my/puzzle_N.cpp, the next ones score it: by the model's answers on every input, and by\n"
      "10,000 pairs of inputs, of which the head writes on the one what it wrote on the other. A claim that gives every\n"
      "answer and is wrong about the head fails there.\n"
      "\nExamples:\n  ./headlight puzzle 1\n  ./headlight puzzle 1 --look \"0 3 1 2\" \"5 3 1 2\"\n"
      "  ./headlight puzzle 1 --swap \"0 3 1 2\" \"5 3 1 2\"\n"
      "\nExit status: 0 when it is solved, 1 when not, 2 for an error.");
  command->callback([&chosen, asked, source, build] {
    chosen = [asked, source, build] { return show(*asked, source, build); };
  });
}

}  // namespace headlight::course
