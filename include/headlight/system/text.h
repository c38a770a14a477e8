// Text from elsewhere: its characters, made safe to print.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// The text as valid UTF-8 without control characters: each becomes its symbol (a line feed ↵, an escape ␛).
// Invalid bytes, characters that XML forbids and characters that change the direction of writing become �.
std::string printable(std::string_view text);

// The characters that are whole at the front of the text, which they leave: printable, but with their line
// feeds and tabs. A character of UTF-8 stays while bytes of it may still come.
std::string take_printable(std::string& text);

// The same as printable() for a token, which may be a character that cannot be seen: a space becomes ␣, and
// others their number, as U+00A0. So does ␣ itself, U+2423: each token can be told from every other.
std::string printable_token(std::string_view text);

// Where the character of UTF-8 that begins at byte `at` ends; `at` itself if none begins there.
std::size_t character_end(std::string_view text, std::size_t at);

// Whether all bytes are valid UTF-8.
bool is_utf8(std::string_view text);

// The width of the text in terminal columns: 2 for an emoji or an ideograph, 0 for a combining mark.
std::size_t display_width(std::string_view text);

// The text in lines of at most `columns`, broken at spaces; a longer word gets its own line.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

// The text when it fits into so many columns (at least 1), otherwise its beginning and "…".
std::string cut_to(std::string_view text, std::size_t columns);

// The text when it fits into so many columns (at least 3), otherwise its beginning, "…" and its end. A
// character without width counts as one column.
std::string cut_in_middle(std::string_view text, std::size_t columns);

// The lines of a text, without their line feeds.
std::vector<std::string> text_lines(const std::string& text);

// What stands between ASCII spaces, tabs and line ends.
std::vector<std::string> text_words(std::string_view text);

}  // namespace headlight
