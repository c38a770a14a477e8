// How an SVG figure follows a dark page.
#pragma once

#include <cstddef>
#include <string>

namespace headlight::draw {

// An element of a figure on white, after its title. On a dark page it inverts the figure, except for
// heatmaps and their scales, in which brightness has a meaning.
inline constexpr const char* kDarkStyle =
    "<style>@media screen and (prefers-color-scheme:dark){:root,[shape-rendering],[fill=\"url(#scale)\"],"
    "[fill=\"url(#bar)\"]{filter:invert(1) hue-rotate(180deg)}}</style>\n";

// The figure for a page of HTML, whose own style follows a dark screen and whose policy allows no other.
inline std::string without_dark_style(std::string svg) {
  const std::string style = kDarkStyle;
  if (const std::size_t at = svg.find(style); at != std::string::npos) svg.erase(at, style.size());
  return svg;
}

}  // namespace headlight::draw
