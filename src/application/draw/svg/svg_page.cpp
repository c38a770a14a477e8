#include "svg_page.h"

#include <fmt/core.h>

#include <algorithm>

namespace headlight::draw::svg {
namespace {

constexpr double kMargin = 24;

constexpr const char* kDefinitions = R"svg(<defs>
<marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 1L10 5L0 9z" fill="#5c6675"/></marker>
<marker id="accent-arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 1L10 5L0 9z" fill="#b35400"/></marker>
<pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" fill="#f4f7fb"/><rect width="2" height="7" fill="#d3deec"/></pattern>
</defs>
)svg";

}  // namespace

Page::Page(const std::string& title) : title_(title) {
  text(kMargin, 32, title, {.size = 18, .anchor = Anchor::start, .bold = true});
}

void Page::include(double x, double y) {
  right_ = std::max(right_, x);
  bottom_ = std::max(bottom_, y);
}

void Page::text(double x, double y, const std::string& content, const TextStyle& style) {
  if (content.empty()) return;
  const double width = text_width(content, style.size);
  include(x + (style.anchor == Anchor::start    ? width
               : style.anchor == Anchor::middle ? width / 2
                                                : 0),
          y + style.size * 0.3);
  std::string more = fmt::format(" fill=\"{}\"", style.color);
  if (style.mono) more += " font-family=\"ui-monospace, Menlo, Consolas, monospace\"";
  if (style.bold) more += " font-weight=\"600\"";
  body_ += svg::text(x, y, style.size, style.anchor, content, more);
}

void Page::rect(const Box& box, const std::string& attributes) {
  include(box.right(), box.bottom());
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", number(box.left),
                       number(box.top), number(box.width), number(box.height), attributes);
}

void Page::path(const std::string& d, double right, double bottom, const std::string& attributes) {
  include(right, bottom);
  body_ += fmt::format("<path d=\"{}\" fill=\"none\" {}/>\n", d, attributes);
}

std::string Page::finish() const {
  return open(right_ + kMargin, bottom_ + kMargin, title_) + kDefinitions + body_ + kClose;
}

}  // namespace headlight::draw::svg
