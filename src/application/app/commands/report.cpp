#include <fmt/core.h>

#include <optional>

#include "app/output/left_out_spaces.h"
#include "app/output/lines.h"
#include "app/output/output_files.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/draw/page_policy.h"
#include "headlight/page/run_page.h"
#include "headlight/run/run_files.h"
#include "headlight/system/files.h"
#include "headlight/system/folder.h"
#include "headlight/system/open_in_browser.h"

namespace headlight::app {
namespace {

struct ReportOptions {
  std::string folder;
  std::string file, tokens, source;
  bool open = false, no_live = false;
};

// Where the page goes. It may replace the run's own page, but no other file of a run.
std::filesystem::path page_file(const ReportOptions& options) {
  const char* own = options.tokens.empty() ? run::files::kPage : run::files::kOwnTokens;
  std::filesystem::path file = std::filesystem::path(options.folder) / own;
  if (options.file.empty() || same_file(options.file, file.string())) return file;
  check_no_run_file({"--out", options.file});
  check_same_kind({"--out", options.file});
  return options.file;
}

int report(const ReportOptions& options) {
  check(options.source.empty() || !options.tokens.empty(), "--source goes with --tokens; it needs them.");
  const std::filesystem::path file = page_file(options);
  std::optional<FolderLock> lock;  // or another run could be saved around the page of this one
  std::error_code error;
  if (std::filesystem::is_directory(options.folder, error) &&
      std::filesystem::equivalent(file.parent_path(), options.folder, error))
    lock.emplace(options.folder);
  const run::Run run = chosen_run(options.folder, run::parts::kShown);
  if (!options.tokens.empty()) warn_left_out_spaces(run.task, "--tokens", options.tokens);
  const std::string title = std::filesystem::canonical(options.folder).filename().string();
  write_file(file, page::report_page(run, {.title = title,
                                           .tokens = options.tokens,
                                           .source = options.source,
                                           .engine = options.no_live ? "" : draw::built_engine()}));
  print_file(file);
  std::fflush(stdout);
  if (options.open) open_in_browser(file);
  return 0;
}

}  // namespace

void add_report(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = program.add_subcommand("report", "A page to explore a run with, in one file");
  add_run(*command, options->folder);
  command->add_option(
      "-o,--out", options->file,
      "Where to write it (default: in the folder, as report.html, with --tokens as report-tokens.html)");
  command->add_option("--tokens", options->tokens,
                      "A sequence of your own to show first, in the run's tokens (A-Z a-z 0-9 + /)");
  command->add_option("--source", options->source, "The source of your sequence, for an encoder-decoder");
  command->add_flag("--open", options->open, "Open it in the browser");
  command->add_flag("--no-live", options->no_live, "Leave the engine out that ./headlight lab has built");
  command->footer(
      "\nExamples:\n  ./headlight report runs/demo --open\n  ./headlight report runs/demo -o "
      "/tmp/for_you.html\n"
      "  ./headlight report runs/demo --tokens UNCOPYRIGHTABLESUNCOPYRIGHTABLES\n\n"
      "demo and train write report.html themselves.");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return report(*options); }; });
}

}  // namespace headlight::app
