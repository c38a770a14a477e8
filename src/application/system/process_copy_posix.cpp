#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include "headlight/core/check.h"
#include "process_posix.h"

namespace headlight {
namespace {

using namespace posix;

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(file, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;  // the parent has ended
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

// In a copy of this process: writes the result of `work` and returns 0, or writes its error and returns 1.
int work_and_print(const std::function<std::string()>& work, int to) {
  try {
    write_all(to, work());
    return 0;
  } catch (const std::bad_alloc&) {
    write_all(to, "there is not enough memory for these sizes.");
  } catch (const std::exception& e) {
    write_all(to, e.what());
  } catch (...) {  // must not go on as a second parent
  }
  return 1;
}

}  // namespace

WorkDone run_in_copy(const std::function<std::string()>& work) {
  Pipe answer;
  std::fflush(stdout);
  [[maybe_unused]] const pid_t parent = ::getpid();
  const pid_t number = ::fork();
  if (number < 0) fail_to_start(errno);
  if (number == 0) {
#ifdef __linux__  // nobody would read what it writes after its parent
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
#endif
    answer.from.close();
    ::_exit(work_and_print(work, answer.to.number()));
  }
  answer.to.close();
  Child child(number, false);
  std::string output;
  while (answer.from.open()) drain(answer.from, output, output.max_size());
  child.wait(0);
  Ended ended;
  child.fill_in_end(ended);
  check(!ended.signal, "a child process was killed by signal {}{}.", ended.signal.value_or(0),
        ended.signal == SIGKILL ? " (too little memory?)" : "");
  check(ended.ok(), "{}", output);
  return {output, ended.peak_mb};
}

}  // namespace headlight
