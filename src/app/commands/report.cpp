#include <fmt/core.h>

#include <optional>

#include "app/left_out_spaces.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/core/folder.h"
#include "headlight/core/process.h"
#include "headlight/experiment/run_folder.h"
#include "headlight/experiment/run_page.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

// Shows a file in the desktop's browser. Throws Error where that does not work.
void open_in_browser(const std::filesystem::path& file) {
  const char* opener =
#ifdef __APPLE__
      "open";
#else
      "xdg-open";
#endif
  const std::string page = std::filesystem::absolute(file).string();
  check(run_silently({.words = {opener, page}}).ok(),
        "the page is written, but {} could not show it. Hint: open '{}' in a browser.", opener, page);
}

struct ReportOptions {
  ChosenRun run;
  std::string file, tokens, source;
  bool open = false;
};

int report(const ReportOptions& options) {
  std::optional<FolderLock> lock;
  if (options.file.empty()) lock.emplace(options.run.folder);  // the page becomes part of the run
  std::filesystem::path file = options.file;
  check(options.source.empty() || !options.tokens.empty(), "--source goes with --tokens; it needs them.");
  if (!options.tokens.empty()) {
    tell_left_out_spaces(experiment::make_task(experiment::load_config(options.run)), options.tokens);
    if (file.empty()) file = std::filesystem::path(options.run.folder) / experiment::files::kOwnTokens;
  }
  file = experiment::write_page(options.run, {file, options.tokens, {}, options.source});
  fmt::print("{}\n", file.string());
  std::fflush(stdout);
  if (options.open) open_in_browser(file);
  return 0;
}

}  // namespace

void add_report(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = program.add_subcommand("report", "A page to explore a run with, in one file");
  add_run(*command, options->run);
  command->add_option(
      "-o,--out", options->file,
      "Where to write it (default: in the folder, as report.html, with --tokens as report-tokens.html)");
  command->add_option("--tokens", options->tokens,
                      "A sequence of your own to show first, in the run's tokens (A-Z a-z 0-9 + /)");
  command->add_option("--source", options->source, "The source of your sequence, for an encoder-decoder");
  command->add_flag("--open", options->open, "Open it in the browser");
  command->footer(
      "\nExamples:\n  ./headlight report runs/demo --open\n  ./headlight report runs/demo -o "
      "/tmp/for_you.html\n"
      "  ./headlight report runs/demo --tokens \"HEADLIGTHEADLIGT\"\n\n"
      "demo and train write report.html themselves.");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return report(*options); }; });
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
