// An end with a sentence where memory gives out and no handler can catch it.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "headlight/core/run_main.h"

namespace headlight::inline HEADLIGHT_PRECISION::program {

// From its construction on, a std::bad_alloc that would abort ends the program with kError: one before main,
// or one that must not leave where it was thrown. Every other end is as before.
class OutOfMemoryEnd {
 public:
  OutOfMemoryEnd() { before = std::set_terminate(end); }

 private:
  [[noreturn]] static void end() {
    try {
      if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
      std::fputs("headlight: there is not enough memory.\n", stderr);
      std::_Exit(kError);
    } catch (...) {  // the one before tells
    }
    if (before != nullptr) before();
    std::abort();
  }

  static inline std::terminate_handler before = nullptr;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::program
