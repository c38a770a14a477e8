#include "headlight/system/process.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "headlight/core/check.h"
#include "process_posix.h"

extern char** environ;  // NOLINT: POSIX declares it in no header

namespace headlight {
namespace {

using namespace posix;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Blocks SIGPIPE in this thread, and discards it at the end: a program that ends before it has read
// everything must not end this process.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;
  ~NoBrokenPipe() {
    sigset_t waiting;
    int signal = 0;
    if (sigismember(&before_, SIGPIPE) == 0 && ::sigpending(&waiting) == 0 &&
        sigismember(&waiting, SIGPIPE) == 1)
      ::sigwait(&pipe_, &signal);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{}, before_{};
};

// Writes as much as the program accepts without blocking. Closes the pipe when all is written, or when the
// program has closed its end.
void feed(FileDescriptor& to, std::string_view& rest) {
  const NoBrokenPipe scope;
  const ssize_t n = ::write(to.number(), rest.data(), rest.size());
  if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
  if (rest.empty() || (n < 0 && errno != EINTR && errno != EAGAIN)) to.close();
}

struct Streams {
  FileDescriptor in, out, err;  // this process's ends
};

// Reads what is there. False when there is nothing more now.
bool drain_output(const Command& command, FileDescriptor& from, std::string& kept) {
  if (!command.on_output) return drain(from, kept, command.most_output);
  std::string piece;
  const bool more = drain(from, piece, piece.max_size());
  if (!piece.empty()) command.on_output(piece);
  kept.append(piece, 0, command.most_output - kept.size());
  return more;
}

// Moves input and output until the child has ended. It serves all streams together, because each side may
// wait for the other to read. It does not wait for the end of the streams, because a process that the child
// leaves behind may hold them open.
void serve(const Command& command, Streams& streams, Child& child, Ended& ended) {
  std::string_view rest = command.input;
  if (rest.empty()) streams.in.close();
  for (const FileDescriptor* s : {&streams.in, &streams.out, &streams.err})
    if (s->open()) ::fcntl(s->number(), F_SETFL, O_NONBLOCK);
  const auto end = Clock::now() + command.limit.value_or(milliseconds(0));
  constexpr int kLook = 20, kLookOften = 1;  // ms between two looks at whether the child has ended
  while (!child.wait(WNOHANG)) {
    if (command.limit && !ended.timed_out && Clock::now() >= end) {
      ended.timed_out = true;
      child.kill();
    }
    const bool quiet = !streams.out.open() && !streams.err.open();
    // poll skips those that are closed: their number is -1
    std::array<pollfd, 3> waiting{{{streams.in.number(), POLLOUT, 0},
                                   {streams.out.number(), POLLIN, 0},
                                   {streams.err.number(), POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), quiet ? kLookOften : kLook) < 0) continue;  // interrupted
    if (waiting[0].revents != 0) feed(streams.in, rest);
    if (waiting[1].revents != 0) drain_output(command, streams.out, ended.output);
    if (waiting[2].revents != 0) drain(streams.err, ended.errors, command.most_output);
  }
  while (streams.out.open() && drain_output(command, streams.out, ended.output)) continue;
  while (streams.err.open() && drain(streams.err, ended.errors, command.most_output)) continue;
}

// The arguments of exec, made before the fork: the child of a process with threads must not allocate.
struct Program {
  std::vector<std::string> settings;
  std::vector<char*> words, environment;

  explicit Program(const Command& command) {
    check(!command.words.empty() && !command.words[0].empty(),
          "[run_process] expected a program's name, got none.");
    for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    for (const auto& [name, value] : command.environment) settings.push_back(name + "=" + value);
    for (char** old = environ; old != nullptr && *old != nullptr; ++old)
      if (std::none_of(command.environment.begin(), command.environment.end(),
                       [&](const auto& one) { return std::string_view(*old).starts_with(one.first + "="); }))
        environment.push_back(*old);
    for (std::string& setting : settings) environment.push_back(setting.data());
    environment.push_back(nullptr);
  }
};

// Why a child could not become the program: what failed, and errno.
struct Refusal {
  enum What { nothing, folder, program } what = nothing;
  int error = 0;
};

// In the child: becomes the program, or returns why not.
Refusal become(const Command& command, Program& program, const std::array<int, 3>& streams,
               [[maybe_unused]] pid_t parent) {
  if (command.leads_group()) {
    ::setpgid(0, 0);
#ifdef __linux__
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);
#endif
  }
  for (int i = 0; i < 3; ++i) ::dup2(streams[static_cast<std::size_t>(i)], i);
  if (!command.folder.empty() && ::chdir(command.folder.c_str()) != 0) return {Refusal::folder, errno};
  if (command.confined) confine(*command.confined);
  environ = program.environment.data();
  ::execvp(program.words[0], program.words.data());
  return {Refusal::program, errno};
}

Ended run(const Command& command, bool capture) {
  Program program(command);
  Pipe in, out, err, refusal;
  const FileDescriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const std::array<int, 3> streams{command.input.empty() ? nowhere.number() : in.from.number(),
                                   capture ? out.to.number() : nowhere.number(),
                                   capture ? err.to.number() : nowhere.number()};
  const pid_t parent = ::getpid();
  const pid_t number = ::fork();
  if (number < 0) fail_to_start(errno);
  if (number == 0) {
    const Refusal why = become(command, program, streams, parent);
    [[maybe_unused]] const ssize_t written = ::write(refusal.to.number(), &why, sizeof why);
    ::_exit(127);
  }
  if (command.leads_group()) ::setpgid(number, number);  // in parent and child, because either may run first
  Child child(number, command.leads_group());
  for (Pipe* pipe : {&out, &err, &refusal}) pipe->to.close();
  in.from.close();
  Refusal why;
  while (::read(refusal.from.number(), &why, sizeof why) < 0 && errno == EINTR) continue;
  Ended ended;
  if (why.what != Refusal::nothing) child.wait(0);
  check(why.what != Refusal::folder, "cannot run {} in the folder '{}': {}.", command.words[0],
        command.folder.string(), std::strerror(why.error));
  if (why.what == Refusal::program) {
    check(why.error == ENOENT || why.error == ENOTDIR, "cannot run {}: {}.", command.words[0],
          std::strerror(why.error));
    ended.found = false;
    ended.status = 127;
    return ended;
  }
  Streams ends{std::move(in.to), std::move(out.from), std::move(err.from)};
  serve(command, ends, child, ended);
  if (command.confined) ::kill(-number, SIGKILL);  // a group's number is not given anew while it has members
  child.fill_in_end(ended);
  return ended;
}

}  // namespace

Ended run_process(const Command& command) { return run(command, true); }

Ended run_silently(const Command& command) { return run(command, false); }

}  // namespace headlight
