// Pipes and child processes, for the files process_*posix.cpp only.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "headlight/system/process.h"

namespace headlight::posix {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// Both ends are closed in programs that are started.
struct Pipe {
  FileDescriptor from, to;

  Pipe();  // throws Error
};

// Throws Error for a fork or a pipe that failed with this errno.
[[noreturn]] void fail_to_start(int error);

// Throws Error for a wait that failed: the system keeps no status of children whose SIGCHLD is ignored.
[[noreturn]] void fail_to_wait(int error);

// Reads the available bytes and keeps at most `most`; closes at the end of the stream. False if no bytes are
// available now.
bool drain(FileDescriptor& from, std::string& into, std::size_t most);

// In a child that is about to become the program. What the system does not offer is left out.
void confine(const Confinement& confinement);

// A child process. The destructor waits for its end.
class Child {
 public:
  // `has_group`: it leads a process group of its own, which is killed with it.
  Child(pid_t number, bool has_group) : number_(number), has_group_(has_group) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  void kill() const;

  // True when it has ended; with WNOHANG at once. Throws Error when the system does not report how it ended.
  bool wait(int options);

  // Fills in how it ended.
  void fill_in_end(Ended& ended) const;

 private:
  pid_t number_;
  bool has_group_;
  int status_ = 0;
  rusage usage_{};
};

}  // namespace headlight::posix
