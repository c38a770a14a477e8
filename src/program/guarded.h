// Reports an error of a program: one sentence, and exit status 2.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <new>

#include "exit_status.h"
#include "headlight/core/check.h"

namespace headlight::inline HEADLIGHT_PRECISION::program {

// The exit status of `run`. If it throws, prints the message to standard error and returns kError.
template <class Run>
int guarded(Run run) {
  try {
    const int status = run();
    check(std::fflush(stdout) == 0 && std::ferror(stdout) == 0, "cannot write to standard output.");
    return status;
  } catch (const Error& e) {
    fmt::print(stderr, "headlight: {}\n", e.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "headlight: there is not enough memory for these sizes.\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "headlight: {}.\n", e.what());
  }
  return kError;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::program
