#include "headlight/system/plugin.h"

#include <dlfcn.h>

#include "headlight/system/file_error.h"

namespace headlight::system {

const void* symbol_of(const std::filesystem::path& library, const std::string& name) {
  // Global, because a library such as MPI opens parts of itself that look for its names.
  void* opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  const void* symbol = opened != nullptr ? ::dlsym(opened, name.c_str()) : nullptr;
  if (symbol == nullptr) {
    const char* reason = ::dlerror();
    fail_file("cannot open the library '{}': {}.", library.string(),
              reason != nullptr ? reason : "it is empty");
  }
  return symbol;
}

}  // namespace headlight::system
