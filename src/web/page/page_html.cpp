// The page's files put together.
#include <fmt/core.h>

#include <algorithm>

#include "headlight/draw/dark.h"
#include "headlight/draw/page_policy.h"
#include "headlight/run/evaluation_sets.h"
#include "headlight/studies/periods.h"
#include "page.h"
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

}  // namespace

std::string report_page(const Page& page) {
  const std::string policy = draw::content_policy(
      {.style = web::style, .script = web::script, .images = "data: blob:", .engine = !page.engine.empty()});
  const std::string data = page_data(page.data), engine = draw::engine_element(page.engine);
  const std::string evaluated = fmt::format("{}", run::kEvaluated), scored = fmt::format("{}", run::kScored),
                    evaluated_early = fmt::format("{}", run::kEvaluatedAlongTheWay),
                    scored_early = fmt::format("{}", run::kScoredAlongTheWay),
                    of_period = fmt::format("{}", studies::kSequencesPerPeriod);
  return filled(web::page, {{"evaluated", evaluated},
                            {"evaluated-early", evaluated_early},
                            {"scored", scored},
                            {"scored-early", scored_early},
                            {"of-period", of_period},
                            {"policy", policy},
                            {"engine", engine},
                            {"style", web::style},
                            {"script", web::script},
                            {"data", data},
                            {"footer", page.footer},
                            {"picture", draw::without_dark_style(page.picture)}});
}

}  // namespace headlight::page
