#include "headlight/report/png.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "headlight/core/check.h"

extern char** environ;  // NOLINT: POSIX declares it in no header

namespace headlight::report {
namespace {

constexpr const char* kTool = "rsvg-convert";

class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }

  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  void reset(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  FileDescriptor from, to;

  Pipe() {
    std::array<int, 2> ends{};
    const int made = ::pipe2(ends.data(), O_CLOEXEC);  // not inside the check, whose arguments include errno
    check(made == 0, "cannot start {}: {}.", kTool, std::strerror(errno));
    from.reset(ends[0]);
    to.reset(ends[1]);
  }
};

// A tool that ends before it has read everything must not end Headlight too.
class IgnoreBrokenPipes {
 public:
  IgnoreBrokenPipes() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  IgnoreBrokenPipes(const IgnoreBrokenPipes&) = delete;
  IgnoreBrokenPipes& operator=(const IgnoreBrokenPipes&) = delete;
  ~IgnoreBrokenPipes() { std::signal(SIGPIPE, before_); }

 private:
  void (*before_)(int);
};

pid_t start(const Pipe& in, const Pipe& out, const Pipe& err) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.from.number(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.to.number(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.to.number(), STDERR_FILENO);
  std::array<std::string, 3> words{kTool, "--format=png", "--zoom=2"};  // from and to the standard streams
  std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t tool = 0;
  const int failed = ::posix_spawnp(&tool, kTool, &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  check(failed != ENOENT,
        "PNG needs the tool {}, which is not installed. Hint: apt-get install librsvg2-bin fonts-dejavu-core",
        kTool);
  check(failed == 0, "cannot start {}: {}.", kTool, std::strerror(failed));
  return tool;
}

// Reads what there is; closes at the end.
void drain(FileDescriptor& from, std::string& into) {
  std::array<char, 65536> buffer{};
  const ssize_t n = ::read(from.number(), buffer.data(), buffer.size());
  if (n > 0) into.append(buffer.data(), static_cast<std::size_t>(n));
  if (n == 0 || (n < 0 && errno != EINTR)) from.close();
}

// Writes what the tool takes without blocking; closes when all is written, or when it takes no more.
void feed(FileDescriptor& to, std::string_view& rest) {
  const ssize_t n = ::write(to.number(), rest.data(), rest.size());
  if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
  if (rest.empty() || (n < 0 && errno != EINTR && errno != EAGAIN)) to.close();
}

// Both directions at once: each side may wait for the other to take what it has.
void exchange(Pipe& in, std::string_view input, Pipe& out, std::string& output, Pipe& err,
              std::string& errors) {
  ::fcntl(in.to.number(), F_SETFL, O_NONBLOCK);
  while (in.to.open() || out.from.open() || err.from.open()) {
    // poll skips closed ones: their number is -1
    std::array<pollfd, 3> waiting{
        {{in.to.number(), POLLOUT, 0}, {out.from.number(), POLLIN, 0}, {err.from.number(), POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;  // interrupted
    if (waiting[0].revents != 0) feed(in.to, input);
    if (waiting[1].revents != 0) drain(out.from, output);
    if (waiting[2].revents != 0) drain(err.from, errors);
  }
}

}  // namespace

std::string png_from_svg(const std::string& svg) {
  const IgnoreBrokenPipes ignore;
  Pipe in, out, err;
  const pid_t tool = start(in, out, err);
  in.from.close();
  out.to.close();
  err.to.close();
  std::string png, errors;
  exchange(in, svg, out, png, err, errors);
  int status = 0;
  while (::waitpid(tool, &status, 0) < 0 && errno == EINTR) continue;
  const std::string reason = errors.substr(0, errors.find('\n'));
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0 && png.starts_with("\x89PNG"),
        "{} refused the picture: {}", kTool, reason.empty() ? "it gave no reason." : reason);
  return png;
}

}  // namespace headlight::report
