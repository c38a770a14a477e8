#include "child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "headlight/core/check.h"

namespace headlight::app {
namespace {

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;  // the parent has gone; there is nobody to tell
    done += static_cast<std::size_t>(wrote);
  }
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t got = ::read(file, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    check(got >= 0, "cannot read from a child process: {}.", std::strerror(errno));
    if (got == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

struct Ended {
  std::string output;
  int status;
  rusage usage;
};

// Runs `body` in a copy of this process, with the end of a pipe to write to; what it returns is its status.
Ended fork_and_wait(const std::function<int(int)>& body) {
  std::array<int, 2> ends{};
  check(::pipe2(ends.data(), O_CLOEXEC) == 0, "cannot start a child process: {}.", std::strerror(errno));
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::_exit(body(ends[1]));
  }
  const int error = errno;
  ::close(ends[1]);
  if (child < 0) ::close(ends[0]);
  check(child > 0, "cannot start a child process: {}.", std::strerror(error));
  Ended ended{read_all(ends[0]), 0, {}};
  ::close(ends[0]);
  while (::wait4(child, &ended.status, 0, &ended.usage) < 0)
    check(errno == EINTR, "a child process got lost: {}.", std::strerror(errno));
  return ended;
}

}  // namespace

ChildResult in_child(const std::function<std::string()>& work) {
  const Ended ended = fork_and_wait([&](int out) {
    try {
      write_all(out, work());
      return 0;
    } catch (const std::exception& e) {
      write_all(out, e.what());
      return 1;
    }
  });
  check(WIFEXITED(ended.status), "a child process was killed by signal {}{}.", WTERMSIG(ended.status),
        WTERMSIG(ended.status) == SIGKILL ? " (too little memory?)" : "");
  if (WEXITSTATUS(ended.status) != 0) fail("{}", ended.output);
  return {ended.output, static_cast<double>(ended.usage.ru_maxrss) / 1024};
}

ProgramResult run_program(const std::vector<std::string>& words) {
  constexpr int kNoSuchProgram = 127;
  const Ended ended = fork_and_wait([&](int out) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nowhere, STDIN_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::execvp(arguments[0], arguments.data());
    return kNoSuchProgram;
  });
  return {ended.output, WIFEXITED(ended.status) ? WEXITSTATUS(ended.status) : 128 + WTERMSIG(ended.status)};
}

}  // namespace headlight::app
