#include <fmt/core.h>

#include "app/options/settings.h"
#include "app/output/lines.h"
#include "app/output/output_files.h"
#include "app/target_folder.h"
#include "app/training.h"
#include "command.h"
#include "demo_text.h"
#include "headlight/draw/heatmap.h"
#include "headlight/run/examples.h"
#include "headlight/studies/patterns.h"
#include "headlight/system/text.h"
#include "program/exit_status.h"

namespace headlight::app {
namespace {

constexpr const char *kDemoFolder = "runs/demo", *kTextFolder = "runs/text";  // the next demo replaces them

struct DemoOptions {
  std::uint64_t seed = 0;
  std::int64_t steps = train::TrainConfig{}.steps;
  std::string out = {};  // empty: the demo's own folder
  bool text = false, no_color = false, force = false;
  int threads = 0;

  std::string own_folder() const { return text ? kTextFolder : kDemoFolder; }
  std::string folder() const { return out.empty() ? own_folder() : out; }
};

// The command, and beside it, or below where the terminal is narrow, what it is for.
void suggest(const std::string& arguments, const char* what_for) {
  const std::string line = fmt::format("  ./headlight {:<40}  {}", arguments, what_for);
  if (display_width(line) <= text_columns())
    fmt::print("{}\n", line);
  else
    fmt::print("  ./headlight {}\n      {}\n", arguments, what_for);
}

run::Experiment run_of(const DemoOptions& options, const std::string& typed) {
  TypedSettings settings;
  settings.changes.push_back([&](run::RunConfig& config) {
    config.train.seed = options.seed;
    config.train.steps = options.steps;
  });
  return made_as_typed(settings, "", [&](const run::RunConfig& config) {
    const run::ExperimentOptions how{.threads = options.threads, .command = typed};
    return options.text ? text_demo(config, how) : run::Experiment(config, how);
  });
}

// The folder must be free, or hold the last demo.
FolderLock lock_of(const DemoOptions& options, const run::RunConfig& config) {
  const std::string folder = options.folder();
  check_no_run_file({"--out", folder});
  check_not_working_in(folder);
  FolderLock lock(folder);
  const bool last_demo = folder == options.own_folder() && has_settings_of(folder, config);
  if (!options.force && !last_demo) check_free(folder);
  return lock;
}

int demo(const DemoOptions& options, const std::string& typed) {
  run::Experiment run = run_of(options, typed);
  const std::string folder = options.folder();
  const FolderLock lock = lock_of(options, run.config());
  if (options.text) return run_text_demo(run, lock, folder, draw::color_mode(!options.no_color));
  fmt::print("{}\n",
             in_lines("The model reads a sequence token by token and must predict each next token. In every "
                      "sequence a random segment repeats: A B C D A B C ... From the second copy on, the "
                      "next token is predictable: find the same token one copy earlier, and predict what "
                      "followed it. A part of the model that looks there is an induction head. Two layers of "
                      "four attention heads now learn it from random numbers. Watch the loss fall when the "
                      "head forms. Loss is in nats: to guess among 64 equally likely tokens costs ln 64 = "
                      "4.16, to know the token costs 0. The random first copy keeps the mean above 1, "
                      "however good the model is."));
  std::fflush(stdout);
  const run::Results results = train_and_save(run, lock).results;
  const draw::ColorMode mode = draw::color_mode(!options.no_color);
  print_results(results, run.task(), mode);

  const auto& best = interpret::best_head(results.heads, interpret::kInduction);
  fmt::print("\n{}",
             draw::terminal_heatmap(
                 studies::pattern_map(run.model(), run.task(), run::first_example(run.task(), options.seed),
                                      best.at(), studies::pattern_title(results.heads, best.at())),
                 mode));
  if (run::induction_head_found(results.heads))
    fmt::print(
        "\n{}",
        in_lines(
            "Each row belongs to one token, the query; a bright cell marks the key, the token it "
            "looks at. From the second copy on the keys follow earlier copies of the query: a "
            "stripe, and in the third copy two. The first copy has nothing to find; its attention weights "
            "must still add up to 1, so they lie here and there."));
  print_files(folder);
  const auto& previous = interpret::best_head(results.heads, interpret::kPreviousToken);
  if (results.interrupted) print_resume(folder);
  fmt::print("\nNext:\n");
  suggest("report " + in_command(folder) + " --open", "look at every head in the browser");
  if (previous[interpret::kPreviousToken] >= interpret::kFoundScore)
    suggest(fmt::format("plot {} --layer {} --head {}", in_command(folder), previous.layer, previous.head),
            "the previous-token head");
  suggest(fmt::format("demo --seed {0} --out runs/seed_{0}", options.seed + 1), "another start");
  suggest("train --layers 1 --out runs/one_layer", "the same task with one layer");
  suggest("glossary", "what the words mean");
  suggest("lessons", "how gradients and training work, step by step");
  if (results.interrupted) return kInterrupted;
  return results.passed ? kFound : kNotFound;
}

}  // namespace

void add_demo(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command =
      program.add_subcommand("demo", "Train a two-layer transformer and find its induction heads");
  command->add_option("--seed", options->seed, "Random seed")->capture_default_str();
  command->add_option("--steps", options->steps, "Training steps")->capture_default_str();
  command->add_option("--out", options->out,
                      "Folder; without: runs/demo or runs/text, where the last demo is replaced");
  command->add_flag("--text", options->text,
                    "Learn stories character by character, and write one (a minute)");
  command->add_flag("--force", options->force, "Replace the run that is in the folder");
  command->add_option("--threads", options->threads, "Threads; 0: all cores. Does not affect results")
      ->capture_default_str();
  command->add_flag("--no-color", options->no_color, "Draw in plain text");
  command->footer(
      "\nExamples:\n"
      "  ./headlight demo\n  ./headlight demo --seed 7 --out runs/seven\n"
      "  ./headlight demo --text\n\n"
      "Exit status: 0 if an induction head was found (with --text: if the model predicts the "
      "held-out text better than\n"
      "counting pairs of characters), 1 if not, 2 for an error.");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string& typed) { return demo(*options, typed); }; });
}

}  // namespace headlight::app
