#include <fmt/core.h>

#include "app/options/output_option.h"
#include "app/options/picture.h"
#include "app/output/json.h"
#include "app/output/left_out_spaces.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/draw/sheet.h"
#include "headlight/run/evaluation_sets.h"
#include "headlight/run/examples.h"
#include "headlight/run/run.h"
#include "headlight/studies/patterns.h"

namespace headlight::app {
namespace {

struct PlotOptions {
  std::string folder;
  std::string tokens, source, stack;
  std::optional<std::size_t> layer, head;
  std::optional<std::int64_t> step;
  bool all = false, json = false;
  PictureOptions picture;
};

// A run at the step that is to be drawn, and what its titles say.
struct Drawn {
  run::Run run;
  run::Example example;
  std::vector<interpret::HeadScores> scores;
  interpret::HeadAt best;
  std::string step;  // ", step 200", or nothing for the trained model

  draw::Heatmap map(const interpret::HeadAt& head, const std::string& more = "") {
    return studies::pattern_map(*run.model, run.task, example, head,
                                studies::pattern_title(scores, head) + more);
  }
};

std::vector<interpret::HeadScores> scores_of(const run::Run& run) {
  ThreadPool pool;
  return run::EvaluationSets(run.task, run.config.train.seed)
      .score_heads(*run.model, pool, run::Extent::full);
}

Drawn load(const PlotOptions& options) {
  run::Run run = chosen_run(
      options.folder, options.step ? run::parts::kTrained | run::Parts::snapshots : run::parts::kTrained);
  // The head that was found at the end of training is the one to look at along the way too.
  const interpret::HeadAt best = studies::head_to_show_first(scores_of(run));
  if (options.step) rewind(run, *options.step);
  auto example = options.tokens.empty() ? run::first_example(run.task, run.config.train.seed)
                                        : run::own_example(run.task, options.tokens, options.source);
  if (!options.tokens.empty()) warn_left_out_spaces(run.task, "--tokens", options.tokens);
  auto scores = scores_of(run);
  return {std::move(run), std::move(example), std::move(scores), best,
          options.step ? fmt::format(", step {}", *options.step) : ""};
}

void print_patterns(const PlotOptions& options, Drawn& drawn, const interpret::HeadSet& heads) {
  ordered_json json = json_of("plot", options.folder);
  json["step"] = options.step.value_or(drawn.run.results.steps);
  for (const interpret::HeadAt& head : heads) json["patterns"].push_back(pattern_json(head, drawn.map(head)));
  print_json(json);
}

void plot_all(const PlotOptions& options, Drawn& drawn, const interpret::HeadSet& heads) {
  draw::Sheet sheet{fmt::format("All heads of {}{}", options.folder, drawn.step), {}, 0};
  sheet.columns = drawn.run.config.model.n_heads;
  for (const interpret::HeadAt& head : heads) sheet.maps.push_back(drawn.map(head));
  deliver(
      options.picture,
      [&] { return draw::terminal_sheet(sheet, draw::color_mode(!options.picture.no_color)); },
      [&] { return draw::svg_sheet(sheet); });
}

int plot(const PlotOptions& options) {
  check(options.layer.has_value() == options.head.has_value(),
        "--layer and --head go together; without both, the best induction head is drawn.");
  check(
      options.stack.empty() || options.head,
      "--in goes with --layer and --head: it says whether they number the heads of self, encoder or cross.");
  check(options.source.empty() || !options.tokens.empty(), "--source goes with --tokens; it needs them.");
  Drawn drawn = load(options);
  const interpret::Stack stack =
      options.stack.empty() ? interpret::Stack::self : interpret::stacks().find(options.stack);
  const interpret::HeadAt one =
      options.head ? interpret::HeadAt{*options.layer, *options.head, stack} : drawn.best;
  const interpret::HeadSet heads =
      options.all ? interpret::all_heads(drawn.run.model->config()) : interpret::HeadSet{one};
  if (options.json || options.all) {
    options.json ? print_patterns(options, drawn, heads) : plot_all(options, drawn, heads);
    return 0;
  }
  const draw::Heatmap map = drawn.map(one, drawn.step);
  deliver(
      options.picture,
      [&] { return draw::terminal_heatmap(map, draw::color_mode(!options.picture.no_color)); },
      [&] { return draw::svg_heatmap(map); });
  return 0;
}

}  // namespace

void add_plot(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command =
      program.add_subcommand("plot", "Attention patterns of a run, in the terminal, as SVG or as PNG");
  add_run(*command, options->folder);
  CLI::Option* layer =
      command->add_option("--layer", options->layer, "Layer, from 0 (default: the best induction head)");
  CLI::Option* head = command->add_option("--head", options->head, "Head, from 0");
  CLI::Option* stack =
      command->add_option("--in", options->stack,
                          "Heads that --layer and --head number, of an encoder-decoder: self, encoder or "
                          "cross (self)");
  command->add_flag("--all", options->all, "A sheet of all heads, one row per layer")
      ->excludes(layer, head, stack);
  command->add_option("--step", options->step,
                      "The snapshot after this step of training (default: the last)");
  command->add_option("--tokens", options->tokens,
                      "A sequence of your own, in the run's tokens (A-Z a-z 0-9 + /)");
  command->add_option("--source", options->source, "The source of your sequence, for an encoder-decoder");
  add_picture_options(*command, options->picture);
  add_json_option(*command, options->json);
  command->footer(
      "\nExamples:\n  ./headlight plot runs/demo\n  ./headlight plot runs/demo --layer 0 --head 1 --svg "
      "head.svg\n"
      "  ./headlight plot runs/demo --all --png heads.png\n"
      "  ./headlight plot runs/demo --step 0\n"
      "  ./headlight plot runs/demo --layer 1 --head 0 --tokens UNCOPYRIGHTABLESUNCOPYRIGHTABLES");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return plot(*options); }; });
}

}  // namespace headlight::app
