#include <fmt/core.h>

#include "app/options/output_option.h"
#include "app/options/study_output.h"
#include "app/output/elapsed_line.h"
#include "app/output/lines.h"
#include "app/output/output_files.h"
#include "app/target_folder.h"
#include "app/training.h"
#include "commands.h"
#include "headlight/core/check.h"
#include "headlight/page/run_page.h"
#include "headlight/run/run_files.h"
#include "headlight/studies/what_if.h"
#include "headlight/sweep/sweep.h"
#include "headlight/system/files.h"
#include "headlight/system/interrupt.h"

namespace headlight::app {
namespace {

struct WhatIfCommand {
  std::string folder, out, clamped, zeroed;
  std::vector<std::string> set;
  std::int64_t at = 0;
  int threads = 0;
  bool force = false;
  studies::TrainingChange change;
  StudyOutput output;
};

// What a training can go on with: not what the weights, the optimizer's state and the steps depend on.
std::pair<run::NamedSetting, SettingValue> changed_setting(const std::string& text) {
  const sweep::VariedSetting varied = sweep::varied_setting(text);
  const std::string name = full_name(varied.setting);
  check(varied.values.size() == 1, "--set {}: expected one value, got {}.", text, varied.values.size());
  check(
      (varied.setting.part == "train" && name != "train.steps" && name != "train.history" &&
       name != "train.optimizer" && name != "train.average") ||
          name == "model.dropout",
      "--set {}: {} cannot change while a run is trained. Hint: learning_rate, weight_decay, batch, clip or dropout "
      "can; --data-seed gives other sequences.",
      text, name);
  return {varied.setting, varied.values.front()};
}

studies::TrainingChange change_of(const WhatIfCommand& o, const run::Run& run) {
  studies::TrainingChange change = o.change;
  const nn::TransformerConfig& config = run.model->config();
  if (!o.clamped.empty()) change.clamped = interpret::read_heads(o.clamped, config);
  if (!o.zeroed.empty()) change.zeroed = interpret::read_heads(o.zeroed, config);
  for (const std::string& text : o.set) change.settings.push_back(changed_setting(text));
  return change;
}

void save(const run::Run& run, const std::filesystem::path& folder) {
  write_run(folder, run, page::pages_of(run, folder.filename().string(), 0, {}));
}

int what_if(const WhatIfCommand& o, const std::string& typed) {
  const run::Run run = chosen_run(o.folder);
  const studies::TrainingChange change = change_of(o, run);
  const std::filesystem::path out = o.out.empty() ? first_free("runs/whatif", "changed") : o.out;
  check_no_run_file({"--out", out.string()});
  for (const char* part : {"unchanged", "changed"})
    if (!o.force) check_free((out / part).string());
  const InterruptScope interrupt;
  ElapsedLine elapsed("training both", stderr, draw::can_redraw(stderr));
  const studies::WhatIf both = studies::what_if(
      run, o.at, change,
      {.threads = o.threads, .command = typed, .stop = [&] { return interrupt.requested(); }});
  save(both.unchanged, out / "unchanged");
  save(both.changed, out / "changed");
  write_file((out / "whatif.html").string(), studies::what_if_page(both, o.folder));
  elapsed.over();
  const studies::Study study = studies::what_if_study(both, o.folder);
  if (o.output.json || o.output.csv) return deliver_study(study, o.folder, o.output), 0;
  deliver(
      o.output.picture, [&] { return studies::terminal_study(study); },
      [&] { return draw::svg_figure(studies::what_if_figure(both)); });
  fmt::print("\n{}",
             in_lines(fmt::format("In {}/: whatif.html, and the runs unchanged and changed", out.string())));
  return 0;
}

}  // namespace

void add_what_if(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<WhatIfCommand>();
  CLI::App* command = program.add_subcommand(
      "whatif", "Train a run again from one step on, twice: unchanged, and with one thing changed");
  add_run(*command, options->folder);
  command->add_option("--at", options->at, "The step from which on something is changed")->required();
  command->add_option("--clamp", options->clamped,
                      "These heads, such as L0H1, keep the weights that they have then");
  command->add_option("--zero", options->zeroed, "These heads write nothing from then on");
  command->add_option("--without-batch", options->change.without_batch,
                      "The batch of this later step is left out");
  command->add_option("--data-seed", options->change.data_seed,
                      "The sequences come from this seed from then on");
  command->add_option("--set", options->set, "Settings of the training, such as learning_rate=0.001");
  command->add_option("--out", options->out,
                      "Folder for both runs (default: runs/whatif, or the first free)");
  command->add_flag("--force", options->force, "Replace the two runs that are in the folder");
  command->add_option("--threads", options->threads, "Threads; 0: all cores. Does not affect results")
      ->capture_default_str();
  add_study_options(*command, options->output);
  command->footer(
      "\nThe part before the step is trained again, with the same bits. Without a change both trainings are the\n"
      "same.\n\nExamples:\n  ./headlight whatif runs/demo --at 240 --clamp L0H1\n"
      "  ./headlight whatif runs/demo --at 240 --set learning_rate=0.001\n"
      "  ./headlight whatif runs/demo --at 240 --without-batch 250 --out runs/without_250");
  command->callback([options, &chosen] {
    chosen = [options](const std::string& typed) { return what_if(*options, typed); };
  });
}

}  // namespace headlight::app
