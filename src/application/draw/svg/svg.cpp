#include "svg.h"

#include <fmt/core.h>

#include <array>

#include "headlight/draw/dark.h"
#include "headlight/system/text.h"

namespace headlight::draw::svg {

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string number(double value) {
  const std::string out = fmt::format("{:.2f}", value);
  return out == "-0.00" ? "0.00" : out;
}

std::string open(double width, double height, std::string_view title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" font-family=\"system-ui, "
      "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\" fill=\"#1d1d28\">\n"
      "<title>{2}</title>\n"
      "{3}<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height, escaped(title), kDarkStyle);
}

std::string text(double x, double y, double size, Anchor anchor, std::string_view content,
                 const std::string& more) {
  constexpr std::array<const char*, 3> kAnchors{"start", "middle", "end"};
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n",
                     number(x), number(y), size, kAnchors[static_cast<std::size_t>(anchor)], more,
                     escaped(content));
}

std::string text_upwards(double x, double y, double size, std::string_view content) {
  return text(x, y, size, Anchor::middle, content,
              fmt::format(" transform=\"rotate(-90 {} {})\"", number(x), number(y)));
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", number(x1), number(y1),
                     number(x2), number(y2), style);
}

double text_width(std::string_view content, double size) {
  return 0.6 * size * static_cast<double>(display_width(content));
}

}  // namespace headlight::draw::svg
