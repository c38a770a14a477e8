// A line that moves while something takes seconds, on a terminal alone.
#pragma once

#include <fmt/core.h>

#include "headlight/system/run_main.h"
#include "headlight/system/system.h"

namespace headlight::course {

inline void show_progress(const char* what, std::size_t done, std::size_t all) {
  if (system::is_terminal(stderr)) print_note(fmt::format("\r\x1b[K{}: {} of {}", what, done, all));
}

inline void clear_progress() {
  if (system::is_terminal(stderr)) print_note("\r\x1b[K");
}

}  // namespace headlight::course
