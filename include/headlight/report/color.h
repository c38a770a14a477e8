// Colours for weights, and what a terminal can show of them.
#pragma once

#include <cstdint>
#include <string>

namespace headlight::inline HEADLIGHT_PRECISION::report {

struct Color {
  std::uint8_t red, green, blue;
};

// From near black at 0 over blue, red and orange to pale yellow at 1: brighter is more, evenly so to the eye,
// and in the same order to colour-blind eyes. Values outside 0 … 1 are clamped.
Color heat_color(double value);

// The value, clamped to 0 … 1; a NaN is 0.
double clamped(double value);

// "#rrggbb"
std::string hex(Color color);

// How a picture may be drawn: as text alone, in the 256 colours that xterm brought, or in all colours.
enum class ColorMode { none, palette256, truecolor };

// What the terminal of standard output can show. None when standard output is no terminal, when NO_COLOR is
// set (no-color.org), when TERM names none or one without colours, or when the caller says so.
ColorMode color_mode(bool wanted = true);

// The same from the variables themselves; an unset one is empty.
ColorMode color_mode_of(const std::string& term, const std::string& colorterm);

// The heat colours that 256 colours have: fewer, and still never darker where the value is larger.
Color heat_color(double value, ColorMode mode);

// Escape sequences for the colour of what follows and of what is behind it, up to reset(). In 256 colours the
// nearest of them. Empty without colours.
std::string foreground(Color color, ColorMode mode);
std::string background(Color color, ColorMode mode);
std::string reset(ColorMode mode);

// Number of the nearest of xterm's colours 16 … 255: a cube of 6 x 6 x 6, then 24 greys.
int palette256(Color color);

// Columns of the terminal behind standard output; else what COLUMNS says; else 80.
std::size_t terminal_columns();

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
