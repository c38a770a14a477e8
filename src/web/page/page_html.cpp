// The page's files put together.
#include <fmt/core.h>

#include <algorithm>

#include "headlight/draw/dark.h"
#include "headlight/lab/lab.h"
#include "headlight/page/page.h"
#include "headlight/run/evaluation_sets.h"
#include "headlight/studies/periods.h"
#include "headlight/system/base64.h"
#include "headlight/system/sha256.h"
#include "web_files.h"

namespace headlight::page {
namespace {

// The page's text with each {{name}} replaced. What is put in is not searched again.
std::string filled(std::string_view text,
                   const std::vector<std::pair<std::string_view, std::string_view>>& slots) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t slot = std::min(text.find("{{", at), text.size());
    out += text.substr(at, slot - at);
    at = slot;
    if (slot == text.size()) break;
    const std::size_t end = text.find("}}", slot);
    const std::string_view name = text.substr(slot + 2, end - slot - 2);
    for (const auto& [known, value] : slots)
      if (known == name) out += value;
    at = end + 2;
  }
  return out;
}

// What only a page with an engine may do: compile a module, and run it in a worker of the page's own making.
constexpr std::string_view kEnginePolicy = " 'wasm-unsafe-eval'; worker-src blob:";

std::string engine_scripts(const EngineModules& engine) {
  std::string scripts;
  for (const auto& [name, module] : {std::pair{"fused", &engine.fused}, {"plain", &engine.plain}})
    scripts +=
        fmt::format("<script type=\"application/gzip\" id=\"lab-{}\">{}</script>\n", name, base64(*module));
  return scripts;
}

}  // namespace

std::string report_page(const Page& page) {
  const std::string style_hash = sha256_base64(web::style), script_hash = sha256_base64(web::script);
  const std::string data = page_data(page), engine = page.lab ? engine_scripts(page.lab->engine) : "";
  const std::string evaluated = fmt::format("{}", run::kEvaluated), scored = fmt::format("{}", run::kScored),
                    evaluated_early = fmt::format("{}", run::kEvaluatedAlongTheWay),
                    scored_early = fmt::format("{}", run::kScoredAlongTheWay),
                    of_period = fmt::format("{}", studies::kSequencesPerPeriod),
                    of_mean = fmt::format("{}", lab::kMeanSequences);
  return filled(web::page, {{"evaluated", evaluated},
                            {"evaluated-early", evaluated_early},
                            {"scored", scored},
                            {"scored-early", scored_early},
                            {"of-period", of_period},
                            {"of-mean", of_mean},
                            {"engine-policy", page.lab ? kEnginePolicy : ""},
                            {"engine", engine},
                            {"style", web::style},
                            {"style-hash", style_hash},
                            {"script", web::script},
                            {"script-hash", script_hash},
                            {"data", data},
                            {"picture", draw::without_dark_style(page.picture)}});
}

}  // namespace headlight::page
