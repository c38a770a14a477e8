#include "process_posix.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "headlight/core/check.h"

namespace headlight::posix {
namespace {

// Without pipe2, a program that another thread starts in between may hold the ends open.
int make_pipe(std::array<int, 2>& ends) {
#ifdef __linux__
  return ::pipe2(ends.data(), O_CLOEXEC);
#else
  if (::pipe(ends.data()) != 0) return -1;
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

FileDescriptor above_standard(FileDescriptor file) {
  if (file.number() > STDERR_FILENO) return file;
  return FileDescriptor(::fcntl(file.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

double peak_mb(const rusage& usage) {
#ifdef __APPLE__
  constexpr double kUnitsPerMb = 1024 * 1024;  // bytes
#else
  constexpr double kUnitsPerMb = 1024;  // KB
#endif
  return static_cast<double>(usage.ru_maxrss) / kUnitsPerMb;
}

}  // namespace

void fail_to_start(int error) { fail("cannot start a child process: {}.", std::strerror(error)); }

void fail_to_wait(int error) {
  fail("cannot tell how a child process ended: {}. Hint: SIGCHLD may be ignored.", std::strerror(error));
}

// Above the standard streams, which a child replaces one after the other.
Pipe::Pipe() {
  std::array<int, 2> ends{};
  if (make_pipe(ends) != 0) fail_to_start(errno);
  from = above_standard(FileDescriptor(ends[0]));
  to = above_standard(FileDescriptor(ends[1]));
}

bool drain(FileDescriptor& from, std::string& into, std::size_t most) {
  std::array<char, 65536> buffer{};
  const ssize_t n = ::read(from.number(), buffer.data(), buffer.size());
  if (n > 0) into.append(buffer.data(), std::min(static_cast<std::size_t>(n), most - into.size()));
  if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) from.close();
  return n > 0;
}

Child::~Child() {
  if (number_ <= 0) return;
  kill();
  while (::waitpid(number_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void Child::kill() const { ::kill(has_group_ ? -number_ : number_, SIGKILL); }

bool Child::wait(int options) {
  pid_t ended;
  do ended = ::wait4(number_, &status_, options, &usage_);
  while (ended < 0 && errno == EINTR);
  if (ended == 0) return false;
  number_ = 0;
  if (ended < 0) fail_to_wait(errno);
  return true;
}

void Child::fill_in_end(Ended& ended) const {
  if (WIFSIGNALED(status_)) ended.signal = WTERMSIG(status_);
  ended.status = ended.signal ? 128 + *ended.signal : WEXITSTATUS(status_);
  ended.peak_mb = peak_mb(usage_);
}

}  // namespace headlight::posix
