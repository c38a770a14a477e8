#include "headlight/system/sandbox.h"

#include <fmt/core.h>

#include <cstdint>

#include "headlight/core/check.h"
#include "headlight/system/text.h"
#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cstddef>
#endif

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kMostBytesOfFile = "268435456";

void add(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

// The system's programs, libraries and the names that lead to them.
Words system_parts() {
  Words words;
  for (const char* path : {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/etc/alternatives",
                           "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"})
    add(words, {"--ro-bind-try", path, path});
  add(words, {"--dev", "/dev"});
  return words;
}

Words own_spaces() {
  return {"bwrap", "--die-with-parent", "--new-session", "--unshare-all", "--clearenv", "--setenv",
          "PATH",  "/usr/bin:/bin",     "--setenv",      "LC_ALL",        "C.UTF-8"};
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

// A filter of system calls (seccomp(2)) under which a process has threads and starts no other process.
std::string no_new_processes() {
#ifdef __x86_64__
  constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64, kForeign = 0x40000000;  // numbers of the x32 ABI
#else
  constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64, kForeign = 0xffffffff;
#endif
  constexpr std::uint32_t kThread = 0x00010000;  // CLONE_THREAD
  constexpr std::uint32_t kRefused = SECCOMP_RET_ERRNO | 1,
                          kUnknown = SECCOMP_RET_ERRNO | 38;  // EPERM, ENOSYS
  std::vector<sock_filter> code{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, kRefused),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kForeign, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, kRefused),
#ifdef SYS_fork
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, kRefused),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_vfork, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, kRefused),
#endif
      // Its flags are in memory, where a filter cannot look; without it the C library calls clone.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, kUnknown),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kThread, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, kRefused),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return {reinterpret_cast<const char*>(code.data()), code.size() * sizeof(sock_filter)};
}

#else
std::string no_new_processes() { return ""; }
#endif

Words binds(const Allowed& allowed) {
  Words words;
  const bool may_write = !allowed.write.empty();
  if (may_write) add(words, {"--size", kMostBytesOfFile, "--tmpfs", "/tmp"});
  for (const fs::path& path : allowed.read) add(words, {"--ro-bind", path, path});
  for (const fs::path& path : allowed.hidden) add(words, {"--ro-bind", "/dev/null", path});
  if (may_write) add(words, {"--bind", allowed.write, allowed.write});
  add(words, {"--remount-ro", "/"});
  return words;
}

Command boxed(Command command, const Allowed& allowed) {
  Words words = own_spaces();
  add(words, system_parts());
  add(words, binds(allowed));
  if (!command.folder.empty()) add(words, {"--chdir", command.folder});
  for (const auto& [name, value] : command.environment) add(words, {"--setenv", name, value});
  const std::string filter = allowed.may_start_programs ? "" : no_new_processes();
  if (!filter.empty()) {  // bubblewrap reads it from a stream of its own
    check(command.input.empty(), "[run_in_sandbox] expected a command without input.");
    command.input = filter;
    add(words, {"--seccomp", "3"});
    words.insert(words.begin(), {"sh", "-c", "exec 3<&0 </dev/null && exec \"$@\"", "sh"});
  }
  add(words, {"prlimit", std::string("--fsize=") + (allowed.write.empty() ? "0" : kMostBytesOfFile)});
  add(words, command.words);
  command.words = std::move(words);
  command.folder.clear();
  command.environment.clear();
  // Landlock, by which a confined program may not write, would forbid the making of the sandbox.
  if (command.confined) command.confined->may_write = true;
  return command;
}

}  // namespace

std::string why_no_sandbox() {
  const Ended ended = run_process(boxed({.words = {"true"}, .limit = std::chrono::seconds(20)}, {}));
  if (ended.ok()) return "";
  const std::vector<std::string> said = text_lines(ended.errors);
  if (run_process({.words = {"bwrap", "--version"}}).found)
    return fmt::format("bubblewrap cannot make a sandbox here: {}",
                       said.empty() ? "it said nothing" : said.back());
  return "bubblewrap is not installed (on Debian: apt-get install bubblewrap)";
}

Ended run_in_sandbox(const Command& command, const Allowed& allowed) {
  Ended ended = run_process(boxed(command, allowed));
  if (!ended.signal && ended.status > 128 && ended.status <= 128 + 64) ended.signal = ended.status - 128;
  return ended;
}

}  // namespace headlight
