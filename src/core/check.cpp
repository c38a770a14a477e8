#include "headlight/core/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "headlight/core/text.h"

namespace headlight::inline HEADLIGHT_PRECISION {
namespace {

constexpr std::size_t kQuoted = 80;  // columns

// Where the replacement field that begins at `begin` ends, after its brace.
std::size_t field_end(std::string_view message, std::size_t begin) {
  std::size_t at = begin;
  int open = 0;
  do open += message[at] == '{' ? 1 : message[at] == '}' ? -1 : 0;
  while (++at < message.size() && open > 0);
  return at;
}

// The field with the numbers of its values where they are left out, "{:{}}" as "{3:{4}}", so that it can be
// formatted by itself. `next` is the number of the next value.
std::string with_numbers(std::string_view field, int& next) {
  std::string numbered;
  for (std::size_t i = 0; i < field.size(); ++i) {
    numbered += field[i];
    if (field[i] == '{' && (field[i + 1] == '}' || field[i + 1] == ':')) numbered += std::to_string(next++);
  }
  return numbered;
}

}  // namespace

std::string error_text(fmt::string_view format, fmt::format_args values) {
  const std::string_view message(format.data(), format.size());
  std::string text;
  int next = 0;
  for (std::size_t at = 0; at < message.size();) {
    const char c = message[at];
    const bool doubled = at + 1 < message.size() && message[at + 1] == c;  // "{{" and "}}" are braces
    if ((c != '{' && c != '}') || doubled) {
      text += c;
      at += (c == '{' || c == '}') ? 2 : 1;
      continue;
    }
    const std::size_t end = field_end(message, at);
    const bool quoted = at > 0 && message[at - 1] == '\'' && end < message.size() && message[end] == '\'';
    const std::string value =
        printable(fmt::vformat(with_numbers(message.substr(at, end - at), next), values));
    text += quoted ? cut_in_middle(value, kQuoted) : value;
    at = end;
  }
  return text;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION
