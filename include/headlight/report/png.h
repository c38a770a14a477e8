// PNG pictures, by the tool rsvg-convert.
#pragma once

#include <string>

namespace headlight::inline HEADLIGHT_PRECISION::report {

// The bytes of a PNG of the SVG picture, two pixels for each of its units. Throws Error when rsvg-convert is
// missing, with the command that installs it, and when it refuses the picture, with its own words.
std::string png_from_svg(const std::string& svg);

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
