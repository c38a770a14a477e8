// libFuzzer's program: --target=NAME chooses what is fuzzed; --targets lists the names.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "targets.h"

namespace {

const headlight::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr const char* kFlag = "--target=";
  for (int i = 1; i < *argc; ++i)
    for (const auto& target : headlight::fuzz::targets()) {
      if (std::strcmp((*argv)[i], "--targets") == 0) std::puts(target.name);
      if (std::strncmp((*argv)[i], kFlag, std::strlen(kFlag)) == 0 &&
          std::strcmp((*argv)[i] + std::strlen(kFlag), target.name) == 0)
        chosen = &target;
    }
  if (chosen == nullptr) std::exit(0);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
