#include "demo_text.h"

#include <fmt/core.h>

#include "app/output/lines.h"
#include "app/training.h"
#include "headlight/run/generate.h"
#include "headlight/tasks/grammar.h"
#include "headlight/tasks/text.h"
#include "program/exit_status.h"

namespace headlight::app {
namespace {

constexpr std::size_t kBytes = 200000;
constexpr int kWritten = 300;
constexpr const char* kPrompt = "in the morning ";

void introduce() {
  fmt::print(
      "{}\n",
      in_lines("The model reads stories, character by character, and must predict each next character. "
               "A small grammar wrote the stories: 200 kB, each about a person and a place whose "
               "names it invented, in capitals. Much of a story follows from the last characters; "
               "how a name goes on, only the story so far can tell. The last tenth of the text is "
               "held out."));
  std::fflush(stdout);
}

}  // namespace

run::Experiment text_demo(run::RunConfig config, const run::ExperimentOptions& options) {
  config.task.name = "text";
  config.task.n_ctx = 128;
  config.train.schedule = "cosine";
  const std::string story = tasks::grammar_text(kBytes, 0);
  return {tasks::text_task(config.task, story, "the demo's text"), config, options};
}

int run_text_demo(run::Experiment& run, const FolderLock& lock, const std::string& folder,
                  draw::ColorMode mode) {
  introduce();
  const run::Run saved = train_and_save(run, lock);
  const run::Results& results = saved.results;
  print_results(results, run.task(), mode);
  print_files(folder);
  if (results.interrupted) {
    print_resume(folder);
    return kInterrupted;
  }
  run::Generation text(
      saved, {.prompt = kPrompt, .sampling = {.temperature = 0.8}, .seed = run.config().train.seed});
  std::string written = kPrompt;
  for (int i = 0; i < kWritten; ++i) written += saved.task.vocabulary.bytes(text.next());
  fmt::print("\nAfter \"{}\" the model writes:\n\n{}\n\nNext:\n", kPrompt, written);
  fmt::print("  ./headlight generate {} --prompt \"the baker of \" --tokens 500\n", in_command(folder));
  fmt::print("  ./headlight report {} --open\n", in_command(folder));
  fmt::print("  ./headlight train --text FILE --context 128\n");
  return results.passed ? kFound : kNotFound;
}

}  // namespace headlight::app
