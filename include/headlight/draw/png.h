// PNG figures, made by the tool rsvg-convert.
#pragma once

#include <string>

namespace headlight::draw {

// The bytes of a PNG of the SVG figure, with two pixels per unit. Throws Error with the command to install
// rsvg-convert when it is missing, and with rsvg-convert's message when it fails.
std::string png_from_svg(const std::string& svg);

}  // namespace headlight::draw
