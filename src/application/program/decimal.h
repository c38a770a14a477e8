// CLI11 reads "010" as 8, "0x10" as 16 and takes a number that no type can hold for the largest one. Here all
// numbers of a command line follow the rule of core/numbers.h.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <type_traits>

#include "headlight/core/check.h"
#include "headlight/core/numbers.h"

namespace headlight::program {

// The same number as CLI11 reads it, without zeros in front, or why it is none.
template <class Number>
CLI::Validator decimal() {
  return {[](std::string& text) -> std::string {
            try {
              const Number number = number_from_text<Number>(text);
              if constexpr (std::is_integral_v<Number>) text = std::to_string(number);
              return "";
            } catch (const Error& e) {
              return e.what();
            }
          },
          ""};
}

// Reads the numbers of the app and of its commands in decimal.
inline void read_in_decimal(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type == "INT") option->transform(decimal<std::int64_t>());
    if (type == "UINT") option->transform(decimal<std::uint64_t>())->type_name("INT");  // as the help says
    if (type == "FLOAT") option->transform(decimal<double>());
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    read_in_decimal(*command);
}

}  // namespace headlight::program
