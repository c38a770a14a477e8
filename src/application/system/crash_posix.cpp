#include "headlight/system/crash.h"

#include <execinfo.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <span>

namespace headlight {
namespace {

constexpr std::array kFatal{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGXCPU, SIGXFSZ};
constexpr int kMostFrames = 64;

std::uintptr_t stack_begin = 0, stack_size = 0;  // of the first thread; it grows down

// A line made without allocating: a signal may come at any time.
class CrashLine {
 public:
  void add(std::string_view text) {
    for (const char c : text)
      if (size_ < text_.size()) text_[size_++] = c;
  }
  void add_number(std::uintptr_t number, unsigned base) {
    std::array<char, 24> digits{};
    std::size_t at = digits.size();
    do digits[--at] = "0123456789abcdef"[number % base];
    while ((number /= base) > 0);
    add({digits.data() + at, digits.size() - at});
  }
  void add_address(std::uintptr_t address) {
    add(" 0x");
    add_number(address, 16);
  }
  void write() {
    [[maybe_unused]] const ssize_t wrote = ::write(STDERR_FILENO, text_.data(), size_);
    size_ = 0;
  }

 private:
  std::array<char, 2048> text_{};
  std::size_t size_ = 0;
};

// The instruction at which the signal came; 0 where we do not know how to read it.
std::uintptr_t instruction_of([[maybe_unused]] const void* context) {
#if defined(__linux__) && defined(__x86_64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__linux__) && defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

// Just below what the stack may take, or at most this far below: a large frame is touched where it ends.
bool is_beyond_stack(std::uintptr_t address) {
  constexpr std::uintptr_t kNear = std::uintptr_t{1} << 20, kFar = std::uintptr_t{100} << 20;
  return stack_size > 0 && address < stack_begin - stack_size + kNear && address > stack_begin - kFar;
}

extern "C" void report_crash(int signal, siginfo_t* info, void* context) {
  CrashLine line;
  line.add("\n");
  line.add(kCrashMark);
  line.add_number(static_cast<std::uintptr_t>(signal), 10);
  const bool access = signal == SIGSEGV || signal == SIGBUS;
  line.add(access && is_beyond_stack(reinterpret_cast<std::uintptr_t>(info->si_addr)) ? " 1" : " 0");
  if (const auto at = instruction_of(context)) line.add_address(at);
  line.write();  // what follows may fail where the stack is damaged
  std::array<void*, kMostFrames> frames{};
  const int count = ::backtrace(frames.data(), kMostFrames);
  // A frame holds the address after its call, which may be on the next line.
  for (void* frame : std::span(frames).first(static_cast<std::size_t>(count)))
    line.add_address(reinterpret_cast<std::uintptr_t>(frame) - 1);
  line.add("\n");
  line.write();
  std::raise(signal);
}

}  // namespace

void report_crashes() {
  static std::array<char, std::size_t{64} << 10> stack_of_handler;
  stack_t other{};
  other.ss_sp = stack_of_handler.data();
  other.ss_size = stack_of_handler.size();
  ::sigaltstack(&other, nullptr);
  rlimit limit{};
  ::getrlimit(RLIMIT_STACK, &limit);
  stack_begin = reinterpret_cast<std::uintptr_t>(&limit);
  stack_size = limit.rlim_cur == RLIM_INFINITY ? 0 : limit.rlim_cur;
  std::array<void*, 1> once{};
  ::backtrace(once.data(), 1);  // its first call allocates
  struct sigaction action {};
  action.sa_sigaction = report_crash;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
  for (const int signal : kFatal) ::sigaction(signal, &action, nullptr);
}

}  // namespace headlight
