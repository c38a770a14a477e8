// The `headlight` program: finds the command and reports errors.
#include <fmt/core.h>

#include "commands/command.h"
#include "headlight/core/run_main.h"
#include "headlight/core/version.h"
#include "program/command_line.h"

namespace {

constexpr const char* kOverview = R"(Headlight: see how attention works, down to the last derivative.

  ./headlight demo              train a small transformer, find its induction heads (seconds)
  ./headlight train …           the same with your own sizes, task and seed
  ./headlight heads runs/demo   the score of every head of a trained run
  ./headlight plot runs/demo    attention patterns, here, as SVG or as PNG
  ./headlight curves runs/demo  loss, accuracy and head scores along training
  ./headlight report runs/demo  a page to explore it with, in one file
  ./headlight glossary          what the words mean
  ./headlight lesson 1          build and run a lesson; ./headlight lessons lists them
  ./headlight gradients         attention's gradients by hand, tape, fused op and differences, compared
  ./headlight bench             time the training step
  ./headlight test              build and run every test

Each command explains itself:   ./headlight demo --help
)";

int run(int argc, char** argv) {
  CLI::App program("Headlight: see how attention works, down to the last derivative.", "./headlight");
  program.set_version_flag("--version", headlight::version());
  program.footer(
      "\n./headlight test builds and runs every test, ./headlight lesson 1 a lesson, ./headlight gradients "
      "the "
      "ledger of gradients.\nEach command explains itself: ./headlight demo --help");
  program.require_subcommand(0, 1);
  headlight::app::Action chosen;
  headlight::app::add_demo(program, chosen);
  headlight::app::add_train(program, chosen);
  headlight::app::add_heads(program, chosen);
  headlight::app::add_plot(program, chosen);
  headlight::app::add_curves(program, chosen);
  headlight::app::add_report(program, chosen);
  headlight::app::add_glossary(program, chosen);
  headlight::app::add_bench(program, chosen);
  if (!headlight::program::parse(program, argc, argv)) return 0;
  if (!chosen) {
    fmt::print("{}", kOverview);
    return 0;
  }
  return chosen(headlight::program::typed_line(argc, argv));
}

}  // namespace

CLI::Validator headlight::app::natural() {
  return {[](std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            return digits ? "" : fmt::format("expected a whole number of at least 0, got '{}'", text);
          },
          ""};
}

int main(int argc, char** argv) {
  return headlight::run_main([&] { return run(argc, argv); });
}
