#include <fmt/core.h>

#include <cstdio>
#include <optional>

#include "app/options/output_option.h"
#include "app/options/settings.h"
#include "app/output/elapsed_line.h"
#include "app/output/json.h"
#include "app/output/task_json.h"
#include "app/output/task_table.h"
#include "app/output/task_text.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/system/run_main.h"
#include "headlight/tasks/batch.h"

namespace headlight::app {
namespace {

struct TaskOptions {
  std::string name, recipes = "data/configs";
  bool no_color = false, table = false, json = false;
  std::uint64_t seed = 0;
  std::uint64_t count = 1;
  TypedSettings typed;
};

tasks::Task task_as_typed(const TaskOptions& o) {
  TypedSettings typed = o.typed;
  typed.changes.insert(typed.changes.begin(), [&](run::RunConfig& config) { config.task.name = o.name; });
  typed.names.insert("task.name");
  std::optional<tasks::Task> task;
  const ElapsedLine making("making the task", stderr, draw::can_redraw(stderr));
  with_typed_config(typed, "", [&](const run::RunConfig& config) { task = tasks::make_task(config.task); });
  return *task;
}

int print_table(const TaskOptions& o) {
  check(o.typed.names.empty(), "--table trains the recipes as they are, so it takes no settings.");
  const TrainRecipe train = [](const run::RunConfig& config) {
    note("training {} …", config.task.name);
    run::Experiment run(config, {.record = false});
    run.run_until(config.train.steps);
    return run.measure().results;
  };
  fmt::print("{}", o.name.empty() ? page_of_tasks(o.recipes, train) : line_of_task(o.name, o.recipes, train));
  return 0;
}

int task_command(const TaskOptions& o) {
  if (o.table) return print_table(o);
  if (o.name.empty() && o.json) {
    print_json(tasks_json());
    return 0;
  }
  if (o.name.empty()) {
    fmt::print("{}", list_of_tasks());
    return 0;
  }
  check(o.count >= 1, "--count must be at least 1, got 0.");
  const tasks::Task task = task_as_typed(o);
  if (o.json) {
    print_json(task_json(task, o.seed, o.count));
    return 0;
  }
  const draw::ColorMode mode = draw::color_mode(!o.no_color);
  fmt::print("{}", description_of(task));
  std::fflush(stdout);  // the losses of a large task take seconds
  ElapsedLine measuring("measuring the losses", stderr, draw::can_redraw(stderr));
  const MeasuredLosses losses = measured_losses(task, o.seed);
  measuring.over();
  fmt::print("{}", losses_text(task, losses));
  bool any_predictable = false;
  for (std::uint64_t i = 0; i < o.count; ++i) {
    const tasks::Sequence s = tasks::draw_sequence(task, task.training, Rng(o.seed), i);
    fmt::print("\n{}", sample_text(task, s, mode, draw::terminal_columns()));
    any_predictable = any_predictable || has_predictable(s);
  }
  if (!any_predictable) return 0;
  fmt::print("\n{} the model can know the target from the tokens so far.\n",
             mode == draw::ColorMode::none ? "^:" : "Green:");
  return 0;
}

}  // namespace

void add_task(CLI::App& program, Action& chosen) {
  auto o = std::make_shared<TaskOptions>();
  CLI::App* c = program.add_subcommand("task", "What a task is, with a sample; without a name: all tasks");
  c->add_option("NAME", o->name, "The task: " + listed(tasks::registry().names()));
  c->add_option("--seed", o->seed, "Random seed of the samples (0)");
  c->add_option("--count", o->count, "How many samples (1)");
  c->add_flag("--no-color", o->no_color, "Draw in plain text");
  c->add_flag("--table", o->table,
              "Train the recipes of all tasks and print docs/tasks.md (minutes); with NAME: its line");
  add_json_option(*c, o->json);
  c->add_option("--recipes", o->recipes, "Folder of the recipes")->capture_default_str();
  add_settings(*c, o->typed, "task", {"name"});
  c->footer(
      "\nExamples:\n  ./headlight task\n  ./headlight task recall --count 3\n"
      "  ./headlight task khop --hops 3 --context 32");
  c->callback([o, &chosen] { chosen = [o](const std::string&) { return task_command(*o); }; });
}

}  // namespace headlight::app
