#include "child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

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

// A child that runs, and the end of its pipe. It is waited for, whatever happens.
class Running {
 public:
  Running(pid_t child, int from) : child_(child), from_(from) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { wait(); }

  Ended end() {
    Ended ended{read_all(from_), 0, {}};
    ended.status = wait(&ended.usage);
    return ended;
  }

 private:
  int wait(rusage* usage = nullptr) {
    int status = 0;
    if (from_ >= 0) ::close(from_);  // a child that still writes ends now
    from_ = -1;
    if (child_ > 0)
      while (::wait4(child_, &status, 0, usage) < 0 && errno == EINTR) {
      }
    child_ = 0;
    return status;
  }

  pid_t child_;
  int from_;
};

// Runs `body` in a copy of this process, with the end of a pipe to write to; what it returns is its status.
Ended fork_and_wait(const std::function<int(int)>& body) {
  constexpr int kLost = 70;
  std::array<int, 2> ends{};
  const int made = ::pipe2(ends.data(), O_CLOEXEC);
  check(made == 0, "cannot start a child process: {}.", std::strerror(errno));
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    int status = kLost;
    try {
      status = body(ends[1]);
    } catch (...) {  // must not go on as a second parent
    }
    ::_exit(status);
  }
  const int error = errno;
  ::close(ends[1]);
  Running running(child, ends[0]);
  check(child > 0, "cannot start a child process: {}.", std::strerror(error));
  return running.end();
}

}  // namespace

ChildResult in_child(const std::function<std::string()>& work) {
  const Ended ended = fork_and_wait([&](int out) {
    try {
      write_all(out, work());
      return 0;
    } catch (const std::bad_alloc&) {
      write_all(out, "there is not enough memory for these sizes.");
    } catch (const std::exception& e) {
      write_all(out, e.what());
    }
    return 1;
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
    out = ::fcntl(out, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);  // not one of those that follow
    const int nowhere = ::fcntl(::open("/dev/null", O_RDWR), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::dup2(nowhere, STDIN_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::execvp(arguments[0], arguments.data());
    return kNoSuchProgram;
  });
  return {ended.output, WIFEXITED(ended.status) ? WEXITSTATUS(ended.status) : 128 + WTERMSIG(ended.status)};
}

}  // namespace headlight::app
