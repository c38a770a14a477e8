// How an SVG figure follows a dark page.
#pragma once

namespace headlight::draw {

// An element of a figure on white, after its title. On a dark page it inverts the figure, except for
// heatmaps and their scales, in which brightness has a meaning.
inline constexpr const char* kDarkStyle =
    "<style>@media screen and (prefers-color-scheme:dark){:root,[shape-rendering],[fill=\"url(#scale)\"],"
    "[fill=\"url(#bar)\"]{filter:invert(1) hue-rotate(180deg)}}</style>\n";

}  // namespace headlight::draw
