#include "headlight/draw/text_page.h"

#include <fmt/core.h>

#include "draw/svg/svg.h"
#include "headlight/draw/dark.h"
#include "headlight/draw/page_policy.h"
#include "text_page_style.h"

namespace headlight::draw {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
)";

}  // namespace

std::string text_page(const std::string& title, const std::vector<PageSection>& parts) {
  const std::string name = svg::escaped(title);
  std::string out = fmt::format(kHead, content_policy({.style = text_page_style})) + "<title>" + name +
                    "</title>\n<style>" + std::string(text_page_style) + "</style>\n</head>\n<body>\n<h1>" +
                    name + "</h1>\n";
  for (const PageSection& part : parts) {
    if (!part.heading.empty()) out += "<h2>" + svg::escaped(part.heading) + "</h2>\n";
    for (const std::string& paragraph : part.paragraphs) out += "<p>" + svg::escaped(paragraph) + "</p>\n";
    if (!part.table.head.empty())
      out += "<div class=\"wide\" tabindex=\"0\">\n" + html_table(part.table) + "</div>\n";
    if (!part.svg.empty()) out += "<div class=\"wide\">\n" + without_dark_style(part.svg) + "</div>\n";
  }
  return out + "</body>\n</html>\n";
}

}  // namespace headlight::draw
