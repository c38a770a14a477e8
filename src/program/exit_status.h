// The exit status of the programs.
#pragma once

namespace headlight::inline HEADLIGHT_PRECISION {

inline constexpr int kFound = 0;
inline constexpr int kNotFound = 1;
inline constexpr int kError = 2;  // bad input is the usual cause
inline constexpr int kInterrupted = 130;

}  // namespace headlight::inline HEADLIGHT_PRECISION
