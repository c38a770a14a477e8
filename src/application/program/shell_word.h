// Words for a shell.
#pragma once

#include <string>
#include <string_view>

namespace headlight::program {

// The word as a shell reads it back: in quotes where it has a space or a sign that means something there.
inline std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-_./:=,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string quoted;
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + quoted + "'";
}

}  // namespace headlight::program
