#include <fmt/core.h>

#include "app/output/lines.h"
#include "app/output/output_files.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/draw/page_policy.h"
#include "headlight/lab/lab.h"
#include "headlight/page/run_page.h"
#include "headlight/system/files.h"
#include "headlight/system/open_in_browser.h"

namespace headlight::app {
namespace {

struct LabOptions {
  std::string folder, file, footer;
};

// The run of a folder, or a model before its first step.
run::Run run_to_play_with(const std::string& folder) {
  if (!folder.empty()) return chosen_run(folder, run::parts::kShown);
  run::RunConfig config;
  config.train.steps = 1;  // the page trains as many at once, and at least 500
  lab::Lab fresh(config);
  fresh.keep(0, 0, 0);
  return fresh.run();
}

int lab(const LabOptions& options) {
  const std::string engine = draw::built_engine();
  check(!engine.empty(),
        "the engine for pages is not built. Hint: ./headlight lab, in Headlight's own folder, builds it.");
  const std::filesystem::path file = options.file.empty() ? "runs/lab.html" : options.file;
  if (options.file.empty()) std::filesystem::create_directories(file.parent_path());
  check_no_run_file({"--out", file.string()});
  check_same_kind({"--out", file.string()});
  const std::string title = options.folder.empty()
                                ? "a fresh model"
                                : std::filesystem::canonical(options.folder).filename().string();
  const std::string footer = options.footer.empty() ? "" : read_file(options.footer);
  const run::Run run = run_to_play_with(options.folder);
  const lab::Lab taken(run.config);  // says what the page could not play with
  write_file(file, page::report_page(run, {.title = title, .engine = engine, .footer = footer}));
  print_file(file);
  std::fflush(stdout);
  if (options.file.empty()) open_in_browser(file, "lab");
  return 0;
}

}  // namespace

void add_lab(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<LabOptions>();
  CLI::App* command =
      program.add_subcommand("lab", "A page with the engine in it: type, switch heads off, train");
  command->add_option("DIR", options->folder, "A run, whose model it shows first (default: a fresh model)");
  command->add_option("-o,--out", options->file,
                      "Only write it, to this file (default: runs/lab.html, which is opened in the browser)");
  command->add_option("--footer", options->footer, "A file of HTML to put below the page");
  command->footer(
      "\n"
      "Examples:\n"
      "  ./headlight lab runs/demo\n"
      "  ./headlight lab runs/demo -o /tmp/lab.html\n\n"
      "The first call installs a compiler for WebAssembly and builds the engine (about two "
      "minutes). From then on demo,\n"
      "train and report put it into their pages, too.");
  command->callback([options, &chosen] { chosen = [options](const std::string&) { return lab(*options); }; });
}

}  // namespace headlight::app
