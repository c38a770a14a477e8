// The whole library by one header, and its version.
#include <fmt/core.h>

#include "headlight/headlight.h"

#if HEADLIGHT_VERSION < 3000
#error "these headers are older than 0.3.0"
#endif

int main() {
  return headlight::run_main([] {
    const std::string headers = fmt::format("Headlight {}.{}.{},", HEADLIGHT_VERSION_MAJOR,
                                            HEADLIGHT_VERSION_MINOR, HEADLIGHT_VERSION_PATCH);
    const headlight::run::Experiment run({.train = {.steps = 1}});
    fmt::print("{}\n", headlight::version().starts_with(headers) && !run.done() ? "included" : "wrong");
  });
}
