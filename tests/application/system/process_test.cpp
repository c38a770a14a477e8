// Child processes: what comes back from them, and how they may end.
#include "headlight/system/process.h"

#include <atomic>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/system.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace std::chrono_literals;

namespace {

// A script of the shell, with its arguments.
Command shell(const std::string& script, const std::vector<std::string>& arguments = {}) {
  Command command{.words = {"sh", "-c", script, "sh"}};
  command.words.insert(command.words.end(), arguments.begin(), arguments.end());
  return command;
}

// False for a process that goes on; a zombie has ended.
bool ends_soon(int process) {
  const std::string number = std::to_string(process);
  for (int i = 0; i < 200; ++i) {
    const std::string state = run_process({.words = {"ps", "-o", "stat=", "-p", number}}).output;
    if (state.empty() || state.starts_with('Z')) return true;
    std::this_thread::sleep_for(100ms);
  }
  return false;
}

}  // namespace

TEST_CASE("a program's output, errors and status come back", "[process]") {
  const Ended ended = run_process(shell("printf '%s' \"$1\"; echo wrong >&2; exit 3", {"a  $b 'c'"}));
  CHECK(ended.output == "a  $b 'c'");
  CHECK(ended.errors == "wrong\n");
  CHECK(ended.status == 3);
  CHECK_FALSE(ended.ok());
  CHECK_FALSE(ended.signal);
  CHECK_FALSE(ended.timed_out);
}

TEST_CASE("a program that is not there throws no Error", "[process]") {
  const Ended ended = run_process({.words = {"headlight-no-such-program"}});
  CHECK_FALSE(ended.found);
  CHECK(ended.status == 127);
  const Ended own = run_process(shell("exit 127"));
  CHECK(own.found);
  CHECK(own.status == 127);
}

TEST_CASE("a program that cannot be started is explained", "[process]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "text", "no program");
  const std::string text = (folder.path() / "text").string();
  CHECK(error_of([&] { run_process({.words = {text}}); }) == "cannot run " + text + ": Permission denied.");
  CHECK(contains(error_of([&] { run_process({.words = {"true"}, .folder = folder.path() / "none"}); }),
                 "cannot run true in the folder '" + (folder.path() / "none").string() + "': No such file"));
  CHECK(error_of([] { run_process({}); }) == "[run_process] expected a program's name, got none.");
}

TEST_CASE("a program runs in its folder with its environment", "[process]") {
  const TemporaryFolder folder;
  Command command = shell("pwd -P; printf '%s %s' \"$HEADLIGHT_A\" \"$HOME\"");
  command.folder = folder.path();
  command.environment = {{"HEADLIGHT_A", "one = 1"}, {"HOME", "elsewhere"}};
  CHECK(run_process(command).output ==
        std::filesystem::canonical(folder.path()).string() + "\none = 1 elsewhere");
  CHECK(std::getenv("HEADLIGHT_A") == nullptr);
}

TEST_CASE("more than a pipe holds goes in and out at once", "[process]") {
  std::string much(3000000, 'x');
  much += "end";
  const Ended ended = run_process({.words = {"cat"}, .input = much});
  CHECK(ended.output == much);
  Command little{.words = {"cat"}, .input = much, .most_output = 1000};
  CHECK(run_process(little).output == std::string(1000, 'x'));
}

TEST_CASE("a program that does not read its input ends as it likes", "[process]") {
  CHECK(run_process({.words = {"true"}, .input = std::string(1000000, 'x')}).ok());
  CHECK(run_process(shell("cat")).output.empty());  // no input is an empty one
}

TEST_CASE("at its limit a program is killed with all that it started", "[process]") {
  Command command = shell("sleep 1000 & echo $!; wait");
  command.limit = 2s;
  const Ended ended = run_process(command);
  CHECK(ended.timed_out);
  CHECK(ended.signal == SIGKILL);
  CHECK(ended.status == 128 + SIGKILL);
  REQUIRE_FALSE(ended.output.empty());
  CHECK(ends_soon(std::stoi(ended.output)));
  command = shell("exit 0");
  command.limit = 10min;
  CHECK_FALSE(run_process(command).timed_out);
}

TEST_CASE("the signal that ended a program is reported", "[process]") {
  const Ended ended = run_process(shell("kill -TERM $$"));
  CHECK(ended.signal == SIGTERM);
  CHECK(ended.status == 128 + SIGTERM);
  CHECK_FALSE(ended.timed_out);
}

TEST_CASE("what a program leaves in the background is not waited for", "[process]") {
  const Ended ended = run_process(shell("sleep 1000 & echo $!"));
  CHECK(ended.ok());
  REQUIRE_FALSE(ended.output.empty());
  CHECK(::kill(std::stoi(ended.output), SIGKILL) == 0);  // it still runs
}

TEST_CASE("a silent program's words go nowhere", "[process]") {
  const Ended ended = run_silently(shell("echo said; echo wrong >&2; exit 4"));
  CHECK(ended.output.empty());
  CHECK(ended.errors.empty());
  CHECK(ended.status == 4);
}

TEST_CASE("programs run from several threads at once", "[process]") {
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&right, i] {
      const std::string number = std::to_string(i);
      right += run_process({.words = {"cat"}, .input = number}).output == number;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 8);
}

TEST_CASE("work in a copy returns its text, and its own peak memory", "[process]") {
  const WorkDone small = run_in_copy([] { return std::string("done"); });
  CHECK(small.output == "done");
  CHECK(small.peak_mb > 0);
  const WorkDone large = run_in_copy([] {
    const std::vector<char> memory(std::size_t{64} << 20, 1);
    return std::string(memory.size(), 'x').substr(0, 100000);
  });
  CHECK(large.output == std::string(100000, 'x'));  // more than a pipe holds
  CHECK(large.peak_mb > 64);                        // a copy of a large process has more from the start
}

TEST_CASE("what goes wrong in a copy is reported here", "[process]") {
  CHECK(error_of([] { run_in_copy([]() -> std::string { throw std::runtime_error("no luck {}"); }); }) ==
        "no luck {}");
  CHECK(contains(error_of([] {
                   run_in_copy([]() -> std::string {
                     std::raise(SIGKILL);
                     return "";
                   });
                 }),
                 "killed by signal 9"));
}

TEST_CASE("an attached program has its status, and a missing one 127", "[core]") {
  CHECK(run_attached({"true"}) == 0);
  CHECK(run_attached({"sh", "-c", "exit 3"}) == 3);
  CHECK(run_attached({"sh", "-c", "kill -TERM $$"}) == 128 + 15);
  CHECK(run_attached({"no-such-program"}) == 127);
}

TEST_CASE("a child whose end the system does not report has not succeeded", "[process]") {
  void (*const before)(int) = std::signal(SIGCHLD, SIG_IGN);
  const std::string process = error_of([] { run_process(shell("exit 3")); }),
                    attached = error_of([] {
                      run_attached({"sh", "-c", "exit 3"});
                    });
  system::notice_ended_children();
  const int status = run_process(shell("exit 3")).status;
  std::signal(SIGCHLD, before);
  for (const std::string& error : {process, attached})
    CHECK(contains(error, "cannot tell how a child process ended: "));
  CHECK(status == 3);
}
