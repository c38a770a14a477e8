#include "headlight/system/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <thread>

namespace headlight::system {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

int usable_cores() {
#ifdef __linux__
  cpu_set_t usable;
  if (::sched_getaffinity(0, sizeof(usable), &usable) == 0) return std::max(1, CPU_COUNT(&usable));
#endif
  return cores();
}

std::filesystem::path program_file() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed);
}

}  // namespace headlight::system
