#include "headlight/draw/png.h"

#include "headlight/core/check.h"
#include "headlight/system/process.h"

namespace headlight::draw {

std::string png_from_svg(const std::string& svg) {
  constexpr const char* kTool = "rsvg-convert";
  const Ended tool =
      run_process({.words = {kTool, "--format=png", "--zoom=2"}, .input = svg});  // by the standard streams
  check(tool.found,
        "PNG needs the tool {}, which is not installed (apt-get install librsvg2-bin fonts-dejavu-core).",
        kTool);
  const std::string reason = tool.errors.substr(0, tool.errors.find('\n'));
  check(tool.ok() && tool.output.starts_with("\x89PNG"), "{} refused the picture: {}", kTool,
        reason.empty() ? "it gave no reason." : reason);
  return tool.output;
}

}  // namespace headlight::draw
