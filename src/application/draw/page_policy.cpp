#include "headlight/draw/page_policy.h"

#include <fmt/core.h>

#include "headlight/system/base64.h"
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

std::string engine_elements(std::string_view fused, std::string_view plain) {
  constexpr const char* kElement = "<script type=\"application/gzip\" id=\"lab-{}\">{}</script>\n";
  return fmt::format(kElement, "fused", base64(fused)) + fmt::format(kElement, "plain", base64(plain));
}

}  // namespace headlight::draw
