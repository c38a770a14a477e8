// Colours and dashes of curves.
#pragma once

#include <array>
#include <cstddef>

#include "headlight/draw/color.h"

namespace headlight::draw {

// The colours of Okabe and Ito, which colour-blind eyes can tell apart, without yellow: too pale on white.
inline constexpr std::array<Color, 7> kSeriesColors{{{0, 114, 178},
                                                     {213, 94, 0},
                                                     {0, 158, 115},
                                                     {204, 121, 167},
                                                     {86, 180, 233},
                                                     {230, 159, 0},
                                                     {110, 110, 110}}};

// The same for text on white, dark enough to be read there: a contrast of at least 4.5.
inline constexpr std::array<Color, kSeriesColors.size()> kSeriesTextColors{{{0, 114, 178},
                                                                            {192, 85, 0},
                                                                            {0, 133, 97},
                                                                            {161, 96, 132},
                                                                            {58, 122, 158},
                                                                            {156, 108, 0},
                                                                            {110, 110, 110}}};

// Lengths of strokes and gaps. Five and seven have no common factor: 35 series differ.
inline constexpr std::array<const char*, 5> kSeriesDashes{"", "9 4", "2.5 3.5", "12 4 2.5 4", "5 2.5"};

inline Color series_color(std::size_t series) { return kSeriesColors[series % kSeriesColors.size()]; }
inline Color series_text_color(std::size_t series) {
  return kSeriesTextColors[series % kSeriesTextColors.size()];
}
inline const char* series_dashes(std::size_t series) { return kSeriesDashes[series % kSeriesDashes.size()]; }

}  // namespace headlight::draw
