// Child processes: the one place where programs are started.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight::inline HEADLIGHT_PRECISION {

// What a program that is not trusted may take. It and what it starts cannot raise these.
struct Confinement {
  // Of processor time; then SIGXCPU, and two seconds later SIGKILL.
  std::chrono::seconds cpu;

  // Bytes of address space; an allocation beyond fails. Not in a build with sanitizers, which reserve more.
  std::size_t memory;

  // False: it can write nothing to a file. On Linux since 5.13 it can also make and remove none, where
  // Landlock is switched on.
  bool may_write = false;
};

// A program to run. No shell reads the words.
struct Command {
  std::vector<std::string> words;  // the program, found on the PATH unless it has a slash, and its arguments
  std::string input = {};          // for its standard input
  std::filesystem::path folder = {};  // where it runs; empty: where this process is
  std::vector<std::pair<std::string, std::string>> environment = {};  // set besides what this process has

  // A program that takes longer is killed with every process that it has started (its process group). On
  // Linux it is killed also when this process ends first. Without a limit it belongs to the group of this
  // process, so that Ctrl-C ends both.
  std::optional<std::chrono::milliseconds> limit = {};

  // When set, it leads a process group too, and what it leaves running there is killed at its end.
  std::optional<Confinement> confined = {};

  // What it prints is kept up to so many bytes of each stream, and read and dropped beyond.
  std::size_t most_output = std::size_t{64} << 20;

  bool leads_group() const { return limit || confined; }
};

struct Ended {
  std::string output, errors;  // what it wrote to standard output and to standard error
  int status = 0;              // as shells count: 127 without such a program, 128 + n killed by signal n
  bool found = true;           // false: there is no such program
  bool timed_out = false;      // it was killed for its limit
  std::optional<int> signal;   // the signal that ended it
  double peak_mb = 0;          // its largest resident memory; the system counts at least this process's own

  bool ok() const { return status == 0; }
};

// Runs the program and waits for its end. What it leaves running in the background is not waited for. May be
// called from several threads. Throws Error when no process can be started, or the folder is not there.
Ended run_process(const Command& command);

// The same, but what it prints is thrown away and not read: for a program that opens a window and leaves it
// open.
Ended run_silently(const Command& command);

struct WorkDone {
  std::string output;
  double peak_mb;  // of the child, which starts with what this process has resident
};

// What `work` returns in a copy of this process, so that its peak memory can be told from ours. Not while
// other threads run. Throws Error with the sentence of what `work` throws.
WorkDone run_in_copy(const std::function<std::string()>& work);

}  // namespace headlight::inline HEADLIGHT_PRECISION
