#include "overview.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "app/output/lines.h"
#include "headlight/system/text.h"

namespace headlight::app {
namespace {

constexpr const char* kBefore = "  ./headlight ";
constexpr std::size_t kLeastHelp = 20;  // columns for the sentences, however narrow the terminal

struct OverviewRow {
  const char *command, *arguments, *help;
};
constexpr auto kCommands = std::to_array<OverviewRow>({
    {"", "", "Train"},
    {"demo", "", "train a small transformer and find its induction heads (seconds)"},
    {"train", "…", "the same with a task, sizes and a seed of your own"},
    {"task", "", "list the tasks; with a name: what it is, and a sample"},
    {"", "", "Look inside a run"},
    {"heads", "runs/demo", "the head scores of a run"},
    {"plot", "runs/demo", "attention patterns, here, as SVG or as PNG"},
    {"ablate", "runs/demo", "what breaks without a head, or without several"},
    {"patch", "runs/demo", "which path from head to head carries what the model needs"},
    {"circuits", "runs/demo", "what the parameters say: copying, composition, circuits"},
    {"attribute", "runs/demo", "a prediction or attention logit as a sum over what made it"},
    {"lens", "runs/demo", "what would be predicted after each layer"},
    {"sensitivity", "runs/demo", "how the loss pulls at each head; which learned first"},
    {"curves", "runs/demo", "loss, accuracy and head scores along training"},
    {"periods", "runs/demo", "accuracy at every period, those in training and others"},
    {"report", "runs/demo", "a page to explore a run with, in one file"},
    {"lab", "runs/demo", "the same with the engine in it: type, switch heads off, train"},
    {"whatif", "runs/demo", "train it again from a step on, with one thing changed"},
    {"certify", "runs/demo", "whether it has an induction circuit: six claims, tested"},
    {"generate", "runs/text", "let the model write, token by token"},
    {"export", "runs/demo", "the model for NumPy or PyTorch"},
    {"", "", "Several runs"},
    {"runs", "", "list the runs: settings, accuracy, induction head"},
    {"compare", "runs/a runs/b", "runs beside each other: settings, results, curves"},
    {"sweep", "…", "many runs at once: all combinations of settings and seeds"},
    {"", "", "Learn"},
    {"paper", "NAME", "train what a paper describes, and compare"},
    {"verify", "runs/mine", "enter the contest: the smallest transformer that copies"},
    {"glossary", "", "what the words mean"},
    {"lesson", "1", "build and run a lesson"},
    {"book", "", "all lessons as one page to read"},
    {"site", "", "book, lab, demo and papers as one folder, for whoever installs nothing"},
    {"package", "", "all of it as an archive, for machines without root"},
    {"lessons", "", "list the lessons, with what you have solved"},
    {"start", "1", "lay the exercise of a lesson into your folder my/"},
    {"check", "", "build your solution, and say what is right and what is wrong"},
    {"watch", "", "the same at each save"},
    {"show", "2", "the lesson's picture, drawn by your functions beside ours"},
    {"hint", "", "a hint for the part in work, one more each time"},
    {"solution", "1", "the solution beside yours, after you have solved it"},
    {"reset", "1", "the exercise anew; your file is kept"},
    {"hunt", "--as NAME", "find and fix a bug in a copy of the engine"},
    {"puzzle", "1", "say what a model without labels computes, and how; the claim is tested"},
    {"class", "DIR", "grade what a class handed in, and count its mistakes"},
    {"", "", "Your own programs"},
    {"install", "--prefix DIR", "the library, for projects of your own"},
    {"reference", "", "its functions, layers and settings as pages to read"},
    {"", "", "Check Headlight itself"},
    {"gradients", "", "attention's gradients, computed four ways and compared"},
    {"bench", "", "time the training step"},
    {"test", "", "build and run every test"},
    {"mutants", "", "check the tests: plant small bugs, which they must notice"},
    {"fuzz", "", "try random bytes on everything that reads files"},
});

// Commands that take the sources, which an archive of ./headlight package does not have.
constexpr std::array<std::string_view, 9> kOfSources{"site",    "package", "install", "reference", "test",
                                                     "mutants", "fuzz",    "hunt",    "puzzle"};

}  // namespace

std::vector<ListedCommand> listed_commands(const CLI::App& program, bool has_script) {
  const auto own = program.get_subcommands([](const CLI::App*) { return true; });
  const auto is_there = [&](const std::string& name) {
    return std::ranges::any_of(own, [&](const CLI::App* each) { return each->get_name() == name; });
  };
  std::vector<ListedCommand> listed;
  const auto begin_group = [&](const std::string& title) {
    if (!listed.empty() && listed.back().name.empty()) listed.pop_back();  // it has no commands here
    listed.push_back({"", "", title});
  };
  const bool in_archive = std::getenv("HEADLIGHT_ARCHIVE") != nullptr;  // set by the script ./headlight there
  for (const auto& [command, arguments, help] : kCommands)
    if (*command == 0)
      begin_group(help);
    else if ((!in_archive || std::ranges::find(kOfSources, command) == kOfSources.end()) &&
             (has_script || is_there(command)))
      listed.push_back({command, arguments, help});
  begin_group("Of this program");
  const std::vector<std::string> known = names_of(listed);
  for (const CLI::App* each : own)
    if (std::ranges::find(known, each->get_name()) == known.end())
      listed.push_back({each->get_name(), "", each->get_description()});
  if (listed.back().name.empty()) listed.pop_back();
  return listed;
}

std::vector<std::string> names_of(const std::vector<ListedCommand>& commands) {
  std::vector<std::string> names;
  for (const ListedCommand& c : commands)
    if (!c.name.empty()) names.push_back(c.name);
  return names;
}

std::string overview(const std::vector<ListedCommand>& commands, std::size_t columns) {
  const auto usage = [](const ListedCommand& c) {
    return c.name + (c.arguments.empty() ? "" : " ") + c.arguments;
  };
  std::size_t widest = 0;
  for (const ListedCommand& c : commands) widest = std::max(widest, display_width(usage(c)));
  const std::size_t indent = std::string_view(kBefore).size() + widest + 2;
  std::string text = in_lines("Headlight: how attention works, to the last derivative.", columns) + "\n";
  for (const ListedCommand& c : commands) {
    if (c.name.empty()) {
      text += fmt::format("{}{}:\n", &c == commands.data() ? "" : "\n", c.help);
      continue;
    }
    std::string line = kBefore + usage(c) + std::string(widest + 2 - display_width(usage(c)), ' ');
    for (const std::string& part : wrapped(c.help, std::max(columns, indent + kLeastHelp) - indent)) {
      text += line + part + "\n";
      line = std::string(indent, ' ');
    }
  }
  return text + "\n" + in_lines("Flags and examples of a command:   ./headlight demo --help", columns);
}

}  // namespace headlight::app
