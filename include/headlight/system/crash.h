// Where a program was when a signal ended it. The program itself prints it, and the one that started it reads
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Begins the line: its signal, 1 where the stack is full or 0, and the addresses.
inline constexpr std::string_view kCrashMark = "\036crash ";

// From now on this process writes a line about a signal that ends it to standard error, and then ends by that
// signal: for bad accesses and instructions, abort, and the limit of processor time. Also when the stack is
// full.
void report_crashes();

struct Crash {
  int signal = 0;
  bool stack_is_full = false;          // most often: a function calls itself without end
  std::vector<std::string> addresses;  // "0x4011f6": where it was, then what called that, and so on
};

// The line of report_crashes() in what a program wrote to standard error.
std::optional<Crash> reported_crash(std::string_view errors);

// The same text without that line.
std::string without_crash(std::string_view errors);

}  // namespace headlight
