#include <fmt/core.h>

#include "app/training.h"
#include "command.h"
#include "headlight/experiment/examples.h"
#include "headlight/experiment/patterns.h"
#include "headlight/report/heatmap.h"
#include "program/exit_status.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

struct DemoOptions {
  std::uint64_t seed = 0;
  std::int64_t steps = train::TrainConfig{}.steps;
  std::string out = "runs/demo";
  bool no_color = false;
  int threads = 0;
};

void suggest(const std::string& arguments, const char* what_for) {
  fmt::print("  ./headlight {:<40}  {}\n", arguments, what_for);
}

int demo(const DemoOptions& options, const std::string& typed) {
  experiment::RunConfig config;
  config.train.seed = options.seed;
  config.train.steps = options.steps;
  const report::ColorMode mode = report::color_mode(!options.no_color);

  experiment::Experiment run(config, {.threads = options.threads, .command = typed});
  run.claim(options.out);
  fmt::print(
      "A transformer of two layers, four heads each and no MLPs learns to continue sequences in which a "
      "random\n"
      "segment repeats: A B C D A B C … To say what follows the second A it has to find the first one, and "
      "look at\n"
      "what came after. No single layer can do that; two can, with an induction head. Watch it form.\n\n");
  std::fflush(stdout);
  const experiment::Results results = train_and_save(run, {options.out});
  tell_results(results, mode);

  const auto& best = interpret::best_head(results.heads, interpret::kInduction);
  fmt::print("\n{}",
             report::terminal_heatmap(
                 experiment::pattern_map(
                     run.model(), run.task(), experiment::first_example(run.task(), options.seed).tokens,
                     best.layer, best.head, experiment::pattern_title(results.heads, best.layer, best.head)),
                 mode));
  if (experiment::induction_head_found(results.heads))
    fmt::print(
        "\nRead a row from its token at the left: the bright cell stands under the token it attends to. From "
        "the\n"
        "second segment on, that is the one that came right after the same token last time: the stripe.\n");
  tell_files(options.out);
  const auto& previous = interpret::best_head(results.heads, interpret::kPreviousToken);
  fmt::print("\nNext:\n");
  suggest("report " + options.out + " --open", "explore all of it in the browser");
  if (previous[interpret::kPreviousToken] >= interpret::kFoundScore)
    suggest(fmt::format("plot {} --layer {} --head {}", options.out, previous.layer, previous.head),
            "the head that looks at the previous token");
  suggest(fmt::format("demo --seed {}", options.seed + 1), "another start");
  suggest("train --layers 1", "one layer cannot do it");
  if (results.interrupted) return kInterrupted;
  return experiment::induction_head_found(results.heads) ? kFound : kNotFound;
}

}  // namespace

void add_demo(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command =
      program.add_subcommand("demo", "Train a two-layer transformer and find its induction heads");
  command->add_option("--seed", options->seed, "Start of all random numbers")
      ->check(natural())
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Training steps")->capture_default_str();
  command->add_option("--out", options->out, "Folder for what the run leaves behind")->capture_default_str();
  command->add_option("--threads", options->threads, "Threads; 0: all cores. Changes no number")
      ->capture_default_str();
  command->add_flag("--no-color", options->no_color, "Draw in plain text");
  command->footer(
      "\nExamples:\n  ./headlight demo\n  ./headlight demo --seed 7 --out runs/seven\n\n"
      "Exit status: 0 if an induction head was found, 1 if not, 2 for an error.");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string& typed) { return demo(*options, typed); }; });
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
