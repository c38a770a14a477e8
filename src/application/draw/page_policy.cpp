#include "headlight/draw/page_policy.h"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

#include "headlight/system/base64.h"
#include "headlight/system/files.h"
#include "headlight/system/sha256.h"

namespace headlight::draw {

std::string content_policy(const PageParts& parts) {
  std::string policy = fmt::format("default-src 'none'; style-src 'sha256-{}'", sha256_base64(parts.style));
  if (!parts.script.empty()) policy += fmt::format("; script-src 'sha256-{}'", sha256_base64(parts.script));
  if (parts.beside) policy += " 'self'";
  if (parts.engine) policy += " 'wasm-unsafe-eval'";
  if (parts.engine || parts.beside)
    policy += fmt::format("; worker-src{}{}", parts.engine ? " blob:" : "", parts.beside ? " 'self'" : "");
  if (parts.beside) policy += "; connect-src 'self'; style-src-attr 'unsafe-inline'";
  if (!parts.images.empty()) policy += fmt::format("; img-src {}", parts.images);
  return policy + "; base-uri 'none'; form-action 'none'";
}

std::string built_engine() {
  const char* folder = std::getenv("HEADLIGHT_LAB");
  return folder == nullptr || *folder == '\0' ? "" : read_file(std::filesystem::path(folder) / "engine.gz");
}

std::string engine_element(std::string_view engine) {
  if (engine.empty()) return "";
  return fmt::format("<script type=\"application/gzip\" id=\"lab-engine\">{}</script>\n", base64(engine));
}

}  // namespace headlight::draw
