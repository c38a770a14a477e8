#include "headlight/system/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "headlight/core/ascii.h"

namespace headlight {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kOpenBox = 0x2423;          // ␣
constexpr char32_t kReturnArrow = 0x21B5;      // ↵, because many fonts lack the symbol ␊
constexpr char32_t kControlPictures = 0x2400;  // ␀
constexpr char32_t kDeletePicture = 0x2421;    // ␡

// The bytes of a character that begins with this one; 0 when none does.
std::size_t length_of(unsigned char lead) {
  return lead < 0x80             ? 1
         : (lead & 0xE0) == 0xC0 ? 2
         : (lead & 0xF0) == 0xE0 ? 3
         : (lead & 0xF8) == 0xF0 ? 4
                                 : 0;
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Whether the text is the beginning of one character.
bool is_begun(std::string_view text) {
  return text.size() < length_of(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin() + 1, text.end(), continues);
}

// Removes one character from the front of `text`; for invalid UTF-8, one byte as U+FFFD.
char32_t take(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = length_of(lead);
  constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800,
                                              0x10000};  // of that length; less is overlong
  char32_t c = length <= 1 ? lead : lead & (0xFFu >> (length + 1));
  bool valid = length > 0 && length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = continues(text[i]);
    c = (c << 6) | (byte(i) & 0x3F);
  }
  valid = valid && c >= kSmallest[length] && c <= 0x10FFFF && !(c >= 0xD800 && c <= 0xDFFF);
  text.remove_prefix(valid ? length : 1);
  return valid ? c : kReplacement;
}

void append(std::string& out, char32_t c) {
  const auto put = [&](char32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

struct Span {
  char32_t first, last;
};

template <std::size_t N>
bool in(char32_t c, const std::array<Span, N>& spans) {
  return std::any_of(spans.begin(), spans.end(), [&](Span s) { return c >= s.first && c <= s.last; });
}

// C1 controls, marks of direction, line and paragraph ends, non-characters of the first plane.
constexpr std::array<Span, 7> kUnfit{{{0x80, 0x9F},
                                      {0x61C, 0x61C},
                                      {0x200E, 0x200F},
                                      {0x2028, 0x202E},
                                      {0x2066, 0x2069},
                                      {0xFDD0, 0xFDEF},
                                      {0xFFFE, 0xFFFF}}};
constexpr std::array<Span, 7> kNoWidth{{{0x300, 0x36F},
                                        {0x180E, 0x180E},
                                        {0x200B, 0x200D},
                                        {0x2060, 0x2064},
                                        {0x20D0, 0x20FF},
                                        {0xFE00, 0xFE0F},
                                        {0xFEFF, 0xFEFF}}};
// What cannot be seen, or looks like another character: spaces, marks without width; and the symbols that
// stand for characters without a look. As INVISIBLE of src/web/kit/text.js.
constexpr std::array<Span, 12> kUnseen{{{0x80, 0xA0},
                                        {0xAD, 0xAD},
                                        {0x61C, 0x61C},
                                        {0x180E, 0x180E},
                                        {0x2000, 0x200F},
                                        {0x2028, 0x202F},
                                        {0x205F, 0x206F},
                                        {0x21B5, 0x21B5},
                                        {0x2400, 0x2426},
                                        {0x3000, 0x3000},
                                        {0xFEFF, 0xFEFF},
                                        {0xFFF9, 0xFFFB}}};
constexpr std::array<Span, 9> kTwoColumns{{{0x1100, 0x115F},
                                           {0x2E80, 0xA4CF},
                                           {0xAC00, 0xD7A3},
                                           {0xF900, 0xFAFF},
                                           {0xFE30, 0xFE6F},
                                           {0xFF00, 0xFF60},
                                           {0xFFE0, 0xFFE6},
                                           {0x1F300, 0x1FAFF},
                                           {0x20000, 0x3FFFD}}};

std::size_t width_of(char32_t c) { return in(c, kNoWidth) ? 0 : in(c, kTwoColumns) ? 2 : 1; }

char32_t stand_in(char32_t c) {
  if (c == '\n') return kReturnArrow;
  if (c < 0x20) return kControlPictures + c;
  if (c == 0x7F) return kDeletePicture;
  return in(c, kUnfit) ? kReplacement : c;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) append(out, stand_in(take(text)));
  return out;
}

std::string take_printable(std::string& text) {
  std::string out;
  std::string_view rest = text;
  while (!rest.empty() && !is_begun(rest)) {
    const char32_t c = take(rest);
    append(out, c == '\n' || c == '\t' ? c : stand_in(c));
  }
  text.erase(0, text.size() - rest.size());
  return out;
}

std::string printable_token(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char32_t c = take(text);
    if (in(c, kUnseen))
      out += fmt::format("U+{:04X}", static_cast<std::uint32_t>(c));
    else
      append(out, c == ' ' ? kOpenBox : stand_in(c));
  }
  return out;
}

std::size_t character_end(std::string_view text, std::size_t at) {
  std::string_view rest = text.substr(at);
  const bool replacement = rest.starts_with("\xEF\xBF\xBD");  // as a character of the text
  const char32_t c = take(rest);
  return c == kReplacement && !replacement ? at : text.size() - rest.size();
}

bool is_utf8(std::string_view text) {
  std::size_t at = 0;
  for (std::size_t end = 0; at < text.size(); at = end) {
    end = character_end(text, at);
    if (end == at) return false;
  }
  return true;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += width_of(take(text));
  return width;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (!lines.empty() && display_width(lines.back()) + 1 + display_width(word) <= columns)
      lines.back().append(" ").append(word);
    else
      lines.emplace_back(word);
  }
  return lines;
}

std::string cut_to(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::string_view rest = text;
  for (std::size_t width = 1; !rest.empty();) {  // 1 for the "…"
    std::string_view after = rest;
    take(after);
    width += display_width(rest.substr(0, rest.size() - after.size()));
    if (width > columns) break;
    rest = after;
  }
  return std::string(text.substr(0, text.size() - rest.size())) + "…";
}

std::string cut_in_middle(std::string_view text, std::size_t columns) {
  struct Character {
    std::size_t begin, width;
  };
  std::vector<Character> characters;
  std::size_t width = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t begin = text.size() - rest.size();
    characters.push_back({begin, std::max<std::size_t>(1, width_of(take(rest)))});
    width += characters.back().width;
  }
  if (width <= columns) return std::string(text);
  const std::size_t before = columns / 2, after = columns - 1 - before;  // 1 for the "…"
  std::size_t first = 0, last = characters.size();                       // what is left out
  for (std::size_t used = 0; used + characters[first].width <= before; ++first)
    used += characters[first].width;
  for (std::size_t used = 0; used + characters[last - 1].width <= after; --last)
    used += characters[last - 1].width;
  return std::string(text.substr(0, characters[first].begin)) + "…" +
         std::string(last < characters.size() ? text.substr(characters[last].begin) : "");
}

std::vector<std::string> text_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
  }
  return lines;
}

std::vector<std::string> text_words(std::string_view text) {
  std::vector<std::string> words;
  const auto is_end = [](char c) { return ascii::is_space(c); };
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if_not(at, text.end(), is_end);
    at = std::find_if(begin, text.end(), is_end);
    if (begin != at) words.emplace_back(begin, at);
  }
  return words;
}

}  // namespace headlight
