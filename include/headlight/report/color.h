// Colours for weights, and what a terminal can show of them.
#pragma once

#include <cstdint>
#include <string>

namespace headlight::report {

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

// How a picture may be drawn.
enum class ColorMode { none, truecolor };

// Truecolor for a terminal; none when standard output is no terminal, when NO_COLOR is set (no-color.org),
// when TERM is "dumb", or when the caller says so.
ColorMode color_mode(bool wanted = true);

}  // namespace headlight::report
