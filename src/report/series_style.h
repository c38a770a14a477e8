// Colours and dashes of curves.
#pragma once

#include <array>
#include <cstddef>

#include "headlight/report/color.h"

namespace headlight::inline HEADLIGHT_PRECISION::report {

// The colours of Okabe and Ito, which colour-blind eyes can tell apart, without yellow: too pale on white.
inline constexpr std::array<Color, 7> kSeriesColors{{{0, 114, 178},
                                                     {213, 94, 0},
                                                     {0, 158, 115},
                                                     {204, 121, 167},
                                                     {86, 180, 233},
                                                     {230, 159, 0},
                                                     {110, 110, 110}}};

// Lengths of strokes and gaps. Five and seven have no common factor: 35 series differ.
inline constexpr std::array<const char*, 5> kSeriesDashes{"", "9 4", "2.5 3.5", "12 4 2.5 4", "5 2.5"};

inline Color series_color(std::size_t series) { return kSeriesColors[series % kSeriesColors.size()]; }
inline const char* series_dashes(std::size_t series) { return kSeriesDashes[series % kSeriesDashes.size()]; }

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
