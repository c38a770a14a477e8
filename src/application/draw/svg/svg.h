// The elements of Headlight's SVG figures. Numbers have fixed decimals, so the same figure gives the same
// bytes.
#pragma once

#include <string>
#include <string_view>

namespace headlight::draw::svg {

struct Box {
  double left, top, width, height;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

// Text for an element or an attribute: printable() with XML's own characters escaped.
std::string escaped(std::string_view text);

// Two decimals, and no minus before a zero.
std::string number(double value);

// The head of a standalone picture on white, with its title for screen readers.
std::string open(double width, double height, std::string_view title);
inline constexpr const char* kClose = "</svg>\n";

enum class Anchor { start, middle, end };

// One line of text; `more` are further attributes, with a space before each.
std::string text(double x, double y, double size, Anchor anchor, std::string_view content,
                 const std::string& more = "");

// Text that reads upwards, centred on (x, y).
std::string text_upwards(double x, double y, double size, std::string_view content);

// A straight line; `style` are its attributes.
std::string line(double x1, double y1, double x2, double y2, const std::string& style);

// The approximate width of the text. Fonts differ, so it errs on the wide side.
double text_width(std::string_view content, double size);

}  // namespace headlight::draw::svg
