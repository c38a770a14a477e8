// The commands of the program. Each adds itself to the command line; adding one is a file and a line here.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace headlight::app {

// What a command that was chosen returns: the program's exit status.
using Action = std::function<int()>;

void add_demo(CLI::App& program, Action& chosen);
void add_train(CLI::App& program, Action& chosen);
void add_heads(CLI::App& program, Action& chosen);
void add_plot(CLI::App& program, Action& chosen);
void add_curves(CLI::App& program, Action& chosen);
void add_bench(CLI::App& program, Action& chosen);

// Exit statuses. Errors are 2: bad input is the usual cause.
inline constexpr int kFound = 0;
inline constexpr int kNotFound = 1;
inline constexpr int kError = 2;
inline constexpr int kInterrupted = 130;

}  // namespace headlight::app
