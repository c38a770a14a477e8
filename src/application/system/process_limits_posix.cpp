#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include <algorithm>
#include <cstdint>

#include "process_posix.h"

namespace headlight::posix {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Lowers a limit; the hard one too, which cannot be raised again.
void lower(decltype(RLIMIT_CPU) what, rlim_t soft, rlim_t hard) {
  rlimit limit{};
  if (::getrlimit(what, &limit) != 0) return;
  limit.rlim_max = std::min(limit.rlim_max, hard);
  limit.rlim_cur = std::min(limit.rlim_max, soft);
  ::setrlimit(what, &limit);
}

#if defined(__linux__) && defined(SYS_landlock_create_ruleset)

// Landlock's interface, of which the C library has no wrapper (landlock(7)): a set of rules names kinds of
// access, which are refused wherever no rule allows them. There is no rule here.
struct RulesetAttributes {
  std::uint64_t handled_access_fs;
};
constexpr std::uint64_t kWriteFile = 1U << 1, kRemoveAndMake = 0x1ff0, kRefer = 1U << 13,
                        kTruncate = 1U << 14;

void refuse_writing() {
  constexpr unsigned kAskVersion = 1;
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  if (version < 1) return;
  RulesetAttributes attributes{kWriteFile | kRemoveAndMake};
  if (version >= 2) attributes.handled_access_fs |= kRefer;
  if (version >= 3) attributes.handled_access_fs |= kTruncate;
  const long rules = ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (rules < 0) return;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) ::syscall(SYS_landlock_restrict_self, rules, 0);
  ::close(static_cast<int>(rules));
}

#else
void refuse_writing() {}
#endif

}  // namespace

// Calls only what is safe after the fork of a process with threads.
void confine(const Confinement& confinement) {
  constexpr rlim_t kStack = rlim_t{8} << 20, kSecondsToTell = 2;
  const auto seconds = static_cast<rlim_t>(confinement.cpu.count()),
             most = static_cast<rlim_t>(std::max(confinement.cpu, confinement.most_cpu).count());
  lower(RLIMIT_CPU, seconds, most + kSecondsToTell);
  if (!kSanitized) lower(RLIMIT_AS, confinement.memory, confinement.memory);
  lower(RLIMIT_STACK, kStack, kStack);
  lower(RLIMIT_CORE, 0, 0);
  if (confinement.may_write) return;
  lower(RLIMIT_FSIZE, 0, 0);
  refuse_writing();
}

}  // namespace headlight::posix

namespace headlight {

void limit_own_cpu(std::chrono::seconds more) {
  rusage used{};
  rlimit limit{};
  if (::getrusage(RUSAGE_SELF, &used) != 0 || ::getrlimit(RLIMIT_CPU, &limit) != 0) return;
  const auto so_far = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  limit.rlim_cur = std::min(limit.rlim_max, so_far + static_cast<rlim_t>(more.count()));
  ::setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace headlight
