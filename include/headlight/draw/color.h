// Colours for weights, and the colours that a terminal can show.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace headlight::draw {

struct Color {
  std::uint8_t red, green, blue;
};

// From near black at 0 over blue, red and orange to pale yellow at 1. Brightness grows evenly with the value,
// so colour-blind readers see the same order. Values outside 0 … 1 are clamped.
Color heat_color(double value);

// Of a key that a query may not see: no colour of a weight.
inline constexpr Color kUnseen{115, 115, 123};

// The value, clamped to 0 … 1; a NaN is 0.
double clamped(double value);

// "#rrggbb"
std::string hex(Color color);

// How a figure is drawn: as text only, in the 256 colours of xterm, or in all colours.
enum class ColorMode { none, palette256, truecolor };

// The colours of the terminal of standard output. `none` if standard output is not a terminal, if NO_COLOR is
// set (no-color.org), if TERM is unset or names a terminal without colours, or if `wanted` is false.
ColorMode color_mode(bool wanted = true);

// The same from the values of the variables; an unset variable is empty.
ColorMode color_mode_of(const std::string& term, const std::string& colorterm);

// The eight colours "#rrggbb" between which heat_color mixes, from 0 to 1: for pages, whose scripts mix too.
std::vector<std::string> heat_colors();
// The heat colours among 256 colours: fewer, but still never darker for a larger value.
Color heat_color(double value, ColorMode mode);

// Escape sequences for the colour of the following text and of its background, up to reset(). With 256
// colours the nearest of these. Empty without colours.
std::string foreground(Color color, ColorMode mode);
std::string background(Color color, ColorMode mode);
std::string reset(ColorMode mode);

// The number of the nearest of xterm's colours 16 … 255: a cube of 6 x 6 x 6, then 24 greys.
int palette256(Color color);

// Whether a line there can be drawn again and again: on a terminal that is not dumb.
bool can_redraw(std::FILE* out);

// The columns of the terminal of standard output; else the value of COLUMNS, if it is a number above 0. At
// least 20 and at most 500, whatever they say.
std::optional<std::size_t> known_columns();

// The same; 80 where they are not known.
std::size_t terminal_columns();

}  // namespace headlight::draw
