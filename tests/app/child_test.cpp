// Processes of their own: what they return, and how they may fail.
#include "app/child.h"

#include <csignal>
#include <stdexcept>
#include <vector>

#include "catch.h"

using namespace headlight;
using headlight::app::in_child;
using headlight::app::run_program;

TEST_CASE("a child returns what its work returns, and its own peak memory", "[program]") {
  const auto small = in_child([] { return std::string("done"); });
  CHECK(small.output == "done");
  CHECK(small.peak_mb > 0);
  const auto large = in_child([] {
    const std::vector<char> memory(std::size_t{64} << 20, 1);
    return std::string(memory.size(), 'x').substr(0, 100000);
  });
  CHECK(large.output == std::string(100000, 'x'));  // more than a pipe holds
  CHECK(large.peak_mb > small.peak_mb + 60);
}

TEST_CASE("what goes wrong in a child is told here", "[program]") {
  CHECK(error_of([] { in_child([]() -> std::string { throw std::runtime_error("no luck {}"); }); }) ==
        "no luck {}");
  CHECK(contains(error_of([] {
                   in_child([]() -> std::string {
                     std::raise(SIGKILL);
                     return "";
                   });
                 }),
                 "killed by signal 9"));
}

TEST_CASE("a program's output and status come back", "[program]") {
  const auto echo = run_program({"sh", "-c", "printf '%s' \"$1\"; exit 3", "sh", "a b"});
  CHECK(echo.output == "a b");
  CHECK(echo.status == 3);
  CHECK(run_program({"headlight-no-such-program"}).status == 127);
}
