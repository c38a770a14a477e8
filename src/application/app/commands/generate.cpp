#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "app/output/left_out_spaces.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/run/generate.h"
#include "headlight/run/run.h"
#include "headlight/system/interrupt.h"
#include "headlight/system/run_main.h"
#include "headlight/system/system.h"
#include "headlight/system/text.h"
#include "program/exit_status.h"

namespace headlight::app {
namespace {

struct GenerateCommand {
  std::string folder;
  std::string prompt, source;
  std::int64_t tokens = 200;
  bool no_cache = false;
  std::uint64_t seed = 0;
  nn::SampleOptions sampling;
};

// A terminal gets whole characters, and of those that control it line feeds and tabs alone; a file gets the
// bytes as they are.
class Writer {
 public:
  explicit Writer(const tasks::Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  void write(std::int32_t token) {
    waiting_ += vocabulary_.bytes(token) + (vocabulary_.by_word() ? " " : "");
    fmt::print("{}", terminal_ ? take_printable(waiting_) : std::exchange(waiting_, {}));
    std::fflush(stdout);
  }

  void end() {
    fmt::print("{}\n", printable(waiting_));
    std::fflush(stdout);
  }

 private:
  const tasks::Vocabulary& vocabulary_;
  bool terminal_ = system::is_terminal(stdout);
  std::string waiting_;  // a character of which bytes may still come
};

int generate(const GenerateCommand& o) {
  check(o.tokens >= 1, "--tokens must be at least 1, got {}.", o.tokens);
  check(
      std::isfinite(o.sampling.temperature) && o.sampling.temperature >= 0,
      "--temperature must be a finite number of at least 0, got {}. Hint: 0 takes the most likely token each "
      "time; 1 draws as the model predicts.",
      o.sampling.temperature);
  const run::Run run = chosen_run(o.folder);
  warn_left_out_spaces(run.task, "--prompt", o.prompt);
  if (!o.source.empty()) warn_left_out_spaces(run.task, "--source", o.source);
  run::Generation generation(
      run,
      {.prompt = o.prompt, .source = o.source, .sampling = o.sampling, .seed = o.seed, .cache = !o.no_cache});
  Writer writer(run.task.vocabulary);
  for (const std::int32_t token : generation.prompt()) writer.write(token);
  const InterruptScope interrupt;
  const auto began = std::chrono::steady_clock::now();
  std::int64_t made = 0;
  for (; made < o.tokens && !interrupt.requested(); ++made) writer.write(generation.next());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  writer.end();
  note("headlight: {} tokens in {:.2f} s, {:.0f} a second", made, seconds,
       static_cast<double>(made) / std::max(seconds, 1e-9));
  return interrupt.requested() ? kInterrupted : 0;
}

}  // namespace

void add_generate(CLI::App& program, Action& chosen) {
  auto o = std::make_shared<GenerateCommand>();
  CLI::App* c = program.add_subcommand("generate", "Let a run's model write, token by token");
  add_run(*c, o->folder);
  c->add_option("--prompt", o->prompt,
                "What the model reads first, in the run's tokens; of an encoder-decoder it begins with '|'")
      ->required();
  c->add_option("--source", o->source, "What an encoder-decoder reads in its encoder, in the run's tokens");
  c->add_option("--tokens", o->tokens, "Tokens to generate")->capture_default_str();
  c->add_option("--temperature", o->sampling.temperature,
                "Divides the logits; 0: always the most likely token")
      ->capture_default_str();
  c->add_option("--top-k", o->sampling.top_k, "Draw among the INT most likely tokens; 0: all")
      ->capture_default_str();
  c->add_option("--seed", o->seed, "Random seed")->capture_default_str();
  c->add_flag("--no-cache", o->no_cache,
              "Compute the whole context again for each token: the same tokens, slower");
  c->footer(
      "\n"
      "Examples:\n"
      "  ./headlight generate runs/text --prompt \"In the morning \" --temperature 0.8 --top-k "
      "20\n"
      "  ./headlight generate runs/demo --prompt UNCOPYRIGHTABLESUNCO --tokens 12 --temperature "
      "0\n"
      "  ./headlight generate runs/reverse --source ABCD --prompt \"|\" --tokens 4 "
      "--temperature 0\n\n"
      "The model sees as many tokens as its context holds. When the context is full, it goes on "
      "with the latter half.\n"
      "A terminal gets control characters as symbols, but for line feeds and tabs; a file or a "
      "pipe gets the text as it is.\n"
      "Exit status: 0; 2 for an error; 130 when it was interrupted.");
  c->callback([o, &chosen] { chosen = [o](const std::string&) { return generate(*o); }; });
}

}  // namespace headlight::app
