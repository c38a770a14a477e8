// Child processes. No other file starts programs.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

// What a program that is not trusted may take. It and what it starts cannot raise these.
struct Confinement {
  // Of processor time; then SIGXCPU, and two seconds later SIGKILL.
  std::chrono::seconds cpu;

  // Bytes of address space; an allocation beyond fails. Not in a build with sanitizers, which reserve more.
  std::size_t memory;

  // False: it can write nothing to a file. On Linux since 5.13 it can also make and remove none, where
  // Landlock is switched on.
  bool may_write = false;

  // It may give itself more processor time than `cpu` (limit_own_cpu), up to so much in all; 0: it may not.
  std::chrono::seconds most_cpu{0};
};

// Lets this process compute for so many seconds more, as far as its confinement allows; then SIGXCPU.
void limit_own_cpu(std::chrono::seconds more);

// A program to run. No shell reads the words.
struct Command {
  std::vector<std::string> words;  // the program, found on the PATH unless it has a slash, and its arguments
  std::string input = {};          // for its standard input
  std::filesystem::path folder = {};  // where it runs; empty: the folder of this process
  std::vector<std::pair<std::string, std::string>> environment = {};  // set besides what this process has

  // A program that takes longer is killed, with all processes that it has started (its process group). On
  // Linux it is also killed when this process ends first. A program without a limit belongs to the group of
  // this process, so that Ctrl-C ends both.
  std::optional<std::chrono::milliseconds> limit = {};

  // When set, it leads a process group too, and what it leaves running there is killed at its end.
  std::optional<Confinement> confined = {};

  // Is given the standard output piece by piece, as it arrives.
  std::function<void(std::string_view)> on_output = {};

  // Bytes kept of each output stream. The rest is read and dropped.
  std::size_t most_output = std::size_t{64} << 20;

  bool leads_group() const { return limit || confined; }
};

struct Ended {
  std::string output, errors;  // standard output and standard error
  int status = 0;              // as in shells: 127 for a missing program, 128 + n after signal n
  bool found = true;           // false: there is no such program
  bool timed_out = false;      // it was killed for its limit
  std::optional<int> signal;   // the signal that ended it
  double peak_mb = 0;          // its largest resident memory; the system counts at least this process's own

  bool ok() const { return status == 0; }
};

// Runs the program and waits until it ends. Does not wait for processes that the program leaves in the
// background. May be called from several threads. Throws Error when no process can be started, or the folder
// does not exist.
Ended run_process(const Command& command);

// The same, but discards what the program prints. Use it for a program that leaves a window open.
Ended run_silently(const Command& command);

// Runs a program in this process's terminal: it reads the keys and prints by itself, and Ctrl-C ends it
// alone. Returns its status as in Ended. Throws Error when no process can be started.
int run_attached(const std::vector<std::string>& words);

struct WorkDone {
  std::string output;
  double peak_mb;  // of the child, which starts with what this process has resident
};

// Runs `work` in a copy of this process, so that its peak memory can be measured separately, and returns its
// result. Do not call while other threads run. Throws Error with the message of what `work` throws.
WorkDone run_in_copy(const std::function<std::string()>& work);

}  // namespace headlight
