#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>

#include "headlight/system/process.h"
#include "process_posix.h"

extern char** environ;

namespace headlight {

int run_attached(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  // Ctrl-C is for the program: this process goes on after it.
  void (*const before)(int) = std::signal(SIGINT, SIG_IGN);
  posix_spawnattr_t attributes;
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error = ::posix_spawnp(&child, arguments[0], nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  int status = 0;
  pid_t ended = 0;
  do ended = error == 0 ? ::waitpid(child, &status, 0) : 0;
  while (ended < 0 && errno == EINTR);
  const int failure = ended < 0 ? errno : 0;
  std::signal(SIGINT, before);
  if (error == ENOENT) return 127;
  if (error != 0) posix::fail_to_start(error);
  if (failure != 0) posix::fail_to_wait(failure);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace headlight
