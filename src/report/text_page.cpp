#include "headlight/report/text_page.h"

#include "svg.h"

namespace headlight::inline HEADLIGHT_PRECISION::report {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
)";

// The colours of the report's page (page.css). Figures stay on white.
constexpr const char* kStyle = R"(<style>
:root { --paper: #ffffff; --ink: #1d1d28; --soft: #5b5b6b; --line: #d5d5de; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #14141b; --ink: #ececf1; --soft: #a5a5b5; --line: #3a3a48; } }
body { margin: 0 auto; max-width: 72rem; padding: 0 1.25rem 3rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { font-size: 1.4rem; margin: 1rem 0 0.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 1.5rem 0 0.5rem; }
p { margin: 0 0 0.5rem; max-width: 60rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
svg { max-width: 100%; height: auto; overflow: visible; }
</style>
)";

}  // namespace

std::string text_page(const std::string& title, const std::vector<PageSection>& parts) {
  const std::string name = svg::escaped(title);
  std::string out =
      kHead + ("<title>" + name + "</title>\n") + kStyle + "</head>\n<body>\n<h1>" + name + "</h1>\n";
  for (const PageSection& part : parts) {
    if (!part.heading.empty()) out += "<h2>" + svg::escaped(part.heading) + "</h2>\n";
    for (const std::string& paragraph : part.paragraphs) out += "<p>" + svg::escaped(paragraph) + "</p>\n";
    if (!part.table.head.empty())
      out += "<div class=\"wide\" tabindex=\"0\">\n" + html_table(part.table) + "</div>\n";
    if (!part.svg.empty()) out += "<div class=\"wide\">\n" + part.svg + "</div>\n";
  }
  return out + "</body>\n</html>\n";
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
