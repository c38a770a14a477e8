// An end with a sentence where memory gives out and no handler can catch it.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "headlight/system/run_main.h"

namespace headlight::program {

// From its construction on, a std::bad_alloc that would abort ends the program with kError: one before main,
// or one that must not leave where it was thrown, as in a directory_iterator of libstdc++, which then ends
// without an active exception. Every other end is as before.
class OutOfMemoryEnd {
 public:
  OutOfMemoryEnd() {
    before = std::set_terminate(end);
    std::set_new_handler([] {
      gave_out = true;
      throw std::bad_alloc();
    });
  }

 private:
  [[noreturn]] static void end() {
    try {
      if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
      if (gave_out) throw std::bad_alloc();
    } catch (const std::bad_alloc&) {
      std::fputs("headlight: there is not enough memory.\n", stderr);
      std::_Exit(kError);
    } catch (...) {  // `before` reports it
    }
    if (before != nullptr) before();
    std::abort();
  }

  static inline std::terminate_handler before = nullptr;
  static inline std::atomic<bool> gave_out{false};
};

}  // namespace headlight::program
