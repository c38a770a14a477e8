#include "headlight/system/quiet.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace headlight {
namespace {

// Makes the file the stream, and returns a copy of what the stream was.
int exchanged(int stream, int file) {
  const int before = ::fcntl(stream, F_DUPFD_CLOEXEC, 0);
  ::dup2(file, stream);
  return before;
}

void put_back(int stream, int before) {
  if (before < 0) return;
  ::dup2(before, stream);
  ::close(before);
}

}  // namespace

QuietScope::QuietScope() {
  std::fflush(stdout);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  output_ = exchanged(STDOUT_FILENO, nowhere);
  errors_ = exchanged(STDERR_FILENO, nowhere);
  ::close(nowhere);
}

QuietScope::~QuietScope() {
  std::fflush(stdout);
  put_back(STDOUT_FILENO, output_);
  put_back(STDERR_FILENO, errors_);
}

}  // namespace headlight
