// A program that is not trusted: what it may take, and that it writes nothing.
#include <csignal>
#include <thread>

#include "catch.h"
#include "headlight/system/crash.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace std::chrono_literals;

namespace {

Command confined(const std::string& script, const std::filesystem::path& folder = {}) {
  Command command{.words = {"sh", "-c", script}, .folder = folder};
  command.confined = Confinement{.cpu = 1s, .memory = std::size_t{200} << 20};
  command.limit = 60s;
  return command;
}

}  // namespace

TEST_CASE("a confined program does what others do", "[process]") {
  const Ended ended = run_process(confined("cat /etc/passwd | head -c 1; echo printed >&2; exit 3"));
  CHECK(ended.output.size() == 1);
  CHECK(ended.errors == "printed\n");
  CHECK(ended.status == 3);
}

TEST_CASE("a confined program is stopped when its processor time is over", "[process]") {
  const Ended ended = run_process(confined("while :; do :; done"));
  CHECK(ended.signal == SIGXCPU);
  CHECK_FALSE(ended.timed_out);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a confined program gets no more memory than it may have", "[process]") {
  CHECK(run_process(confined("x=$(head -c 20000000 /dev/zero | tr '\\0' x); echo ${#x}")).output ==
        "20000000\n");
  CHECK(run_process(confined("x=$(head -c 400000000 /dev/zero | tr '\\0' x); echo ${#x}")).output.empty());
}
#endif

TEST_CASE("a confined program writes nothing", "[process]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "old", "old");
  CHECK_FALSE(run_process(confined("echo text > new", folder.path())).ok());
  CHECK_FALSE(run_process(confined("echo text >> old", folder.path())).ok());
  CHECK(read_file(folder.path() / "old") == "old");
  Command writing = confined("echo text > new", folder.path());
  writing.confined->may_write = true;
  CHECK(run_process(writing).ok());
  CHECK(read_file(folder.path() / "new") == "text\n");
}

TEST_CASE("what a confined program leaves in the background is killed", "[process]") {
  const Ended ended = run_process(confined("sleep 1000 & echo $!"));
  REQUIRE_FALSE(ended.output.empty());
  const std::string number = std::to_string(std::stoi(ended.output));
  std::string state = "S";
  for (int i = 0; i < 200 && !state.empty() && !state.starts_with('Z'); ++i) {
    state = run_process({.words = {"ps", "-o", "stat=", "-p", number}}).output;
    std::this_thread::sleep_for(10ms);
  }
  CHECK((state.empty() || state.starts_with('Z')));
}

TEST_CASE("what a crash says of itself is read", "[process]") {
  const std::string errors =
      "before\n"
      "\036crash 11 1 0x4011f6 0x401200\n"
      "after\n";
  const auto crash = reported_crash(errors);
  REQUIRE(crash);
  CHECK(crash->signal == 11);
  CHECK(crash->stack_is_full);
  CHECK(crash->addresses == std::vector<std::string>{"0x4011f6", "0x401200"});
  CHECK(without_crash(errors) == "before\nafter\n");
  CHECK_FALSE(reported_crash("a line\nof another kind\n"));
  CHECK(without_crash("a line\n") == "a line\n");
  CHECK(reported_crash("\n"
                       "\036crash 6 0")
            ->signal == 6);  // it failed before it had reported where
}
