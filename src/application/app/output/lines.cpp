#include "lines.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/draw/color.h"
#include "headlight/system/system.h"
#include "headlight/system/text.h"
#include "program/shell_word.h"

namespace headlight::app {

std::size_t text_columns() {
  constexpr std::size_t kMost = 110;
  return std::min(kMost, draw::known_columns().value_or(kMost));
}

std::string in_lines(const std::string& text, std::size_t columns) {
  std::string lines;
  for (const std::string& line : wrapped(printable(text), columns)) lines += line + "\n";
  return lines;
}

std::string in_command(const std::filesystem::path& path) {
  return printable(program::shell_word(path.string()));
}

void print_file(const std::filesystem::path& file) {
  fmt::print("{}\n", system::is_terminal(stdout) ? printable(file.string()) : file.string());
}

}  // namespace headlight::app
