#include "task_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/percent.h"
#include "headlight/tasks/task.h"

namespace headlight::app {
namespace {

constexpr const char* kHead = R"(# Tasks

`./headlight task` lists the tasks, and `./headlight task NAME` describes one and shows a sample. Each task
has a recipe in `data/configs/`: `./headlight train --config data/configs/reverse.json` trains it.

The table was made by `./headlight task --table > docs/tasks.md`, on one machine, with one seed. *Accuracy*
is that on predictable tokens, of a text on copied ones. *Held out* is the same on sequences of a kind not
trained on. *Loss* is the mean over all tokens, in nats, and *best possible* is the loss on the same sequences
of the best predictor that knows the task and reads the tokens so far.

| task | what it shows | accuracy | held out | loss | best possible |
|---|---|--:|--:|--:|--:|
)";

// What recipes with other settings reached, each in runs made when this was written.
constexpr const char* kTail = R"(
*khop*: two hops take a third layer. With 2,500 steps and three seeds, three layers reach 98.8 to 99.0 %, and
two layers 77.3 to 88.3 %. The recipe is at 66.7 % after 60 steps and at 82.5 % after 300. For one hop two
layers are enough: 99.0 % with one seed.

*recall* and *mqar*: with learned positions instead of rotary ones the recipes reach 87.1 % and 88.3 % on other
numbers of pairs.

*planted*: a fifth of the tokens is predictable, so the head forms late, after about 2,000 steps. Two of two seeds
reach 95 % with a certified circuit. With rotary positions and a rate of 0.007 nothing was learned in 2,000 steps.
)";

std::string percent_or_dash(const std::optional<double>& part) { return part ? percent(*part) : "–"; }

}  // namespace

run::RunConfig recipe_of(const std::string& task, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / (task + ".json");
  check(std::filesystem::exists(file), "there is no recipe '{}' for the task '{}'.", file.string(), task);
  run::RunConfig config = run::run_config_from_json(read_file(file));
  config.task.folder = folder.string();
  check(config.task.name == task, "the recipe '{}' is of the task '{}'.", file.string(), config.task.name);
  return config;
}

std::string line_of_task(const std::string& task, const std::filesystem::path& recipes,
                         const TrainRecipe& train) {
  tasks::registry().find(task);  // throws for an unknown name
  const auto& entries = tasks::registry().entries();
  const auto entry =
      std::find_if(entries.begin(), entries.end(), [&](const auto& known) { return known.name == task; });
  const run::Results r = train(recipe_of(task, recipes));
  const auto best = run::best_possible(r.baselines);
  return fmt::format("| [{0}](../data/configs/{0}.json) | {1} | {2} | {3} | {4:.4f} | {5} |\n", task,
                     entry->help, percent_or_dash(r.evaluation.accuracy_predictable),
                     percent_or_dash(r.accuracy_held_out), r.evaluation.loss,
                     best ? fmt::format("{:.4f}", best->loss) : "–");
}

std::string page_of_tasks(const std::filesystem::path& recipes, const TrainRecipe& train) {
  std::string page = kHead;
  for (const std::string& task : tasks::registry().names()) page += line_of_task(task, recipes, train);
  return page + kTail;
}

}  // namespace headlight::app
