// The exit status of the programs, beside kError of system/run_main.h.
#pragma once

namespace headlight {

inline constexpr int kFound = 0;
inline constexpr int kNotFound = 1;
inline constexpr int kInterrupted = 130;

}  // namespace headlight
