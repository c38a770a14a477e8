// CLI11 takes a whole number that no type can hold for the largest one; here it is an error.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <concepts>
#include <limits>
#include <string>

#include "headlight/core/check.h"

namespace headlight::inline HEADLIGHT_PRECISION::program {

template <std::integral T>
void check_fits(const std::string& flag, const std::string& text) {
  T value{};
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc::result_out_of_range)
    return;
  const bool negative = text.starts_with('-');
  fail("{}: expected a whole number of at {} {}, got '{}'.", flag, negative ? "least" : "most",
       negative ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max(), text);
}

// Throws Error for the first value of the app, or of the commands chosen, that is too large for 64 bits.
inline void check_whole_numbers(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& text : option->results()) {
      if (option->get_type_name() == "INT") check_fits<std::int64_t>(option->get_name(), text);
      if (option->get_type_name() == "UINT") check_fits<std::uint64_t>(option->get_name(), text);
    }
  for (const CLI::App* chosen : app.get_subcommands()) check_whole_numbers(*chosen);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::program
