#include "headlight/core/run_main.h"

#include <cstdio>
#include <exception>
#include <new>

#include "headlight/core/check.h"
#include "headlight/core/system.h"

namespace headlight::inline HEADLIGHT_PRECISION {
namespace {

// What was printed before the error comes before it in a shared output, too.
int report(const char* message, const char* end) {
  std::fflush(stdout);
  fmt::print(stderr, "headlight: {}{}\n", message, end);
  return kError;
}

}  // namespace

int run_main(const std::function<int()>& body) {
  system::report_size_limit();
  try {
    const int status = body();
    check(std::fflush(stdout) == 0 && std::ferror(stdout) == 0, "cannot write to standard output.");
    return status;
  } catch (const Error& e) {
    return report(e.what(), "");
  } catch (const std::bad_alloc&) {
    return report("there is not enough memory for these sizes.", "");
  } catch (const std::exception& e) {
    return report(e.what(), ".");
  }
}

}  // namespace headlight::inline HEADLIGHT_PRECISION
