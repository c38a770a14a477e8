#include "app/engine_modules.h"

#include <cstdlib>
#include <filesystem>

#include "headlight/system/files.h"

namespace headlight::app {

std::optional<page::EngineModules> engine_modules() {
  const char* folder = std::getenv("HEADLIGHT_LAB");
  if (folder == nullptr || *folder == '\0') return {};
  const std::filesystem::path path = folder;
  return page::EngineModules{read_file(path / "lab_fused.wasm.gz"), read_file(path / "lab_plain.wasm.gz")};
}

}  // namespace headlight::app
