// Text from elsewhere, made fit to be drawn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::inline HEADLIGHT_PRECISION {

// Valid UTF-8 that runs nothing: a control character becomes its picture (a line feed ␊), and bytes that are
// no UTF-8, as well as characters that XML forbids or that turn the direction of writing, become �.
std::string printable(std::string_view text);

// The same for a token, which may be nothing but white space: a space becomes ␣.
std::string printable_token(std::string_view text);

// Columns that a terminal gives to the text: 2 for an emoji or an ideograph, 0 for a combining mark.
std::size_t display_width(std::string_view text);

// The text in lines of at most so many columns, broken at spaces; a longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

}  // namespace headlight::inline HEADLIGHT_PRECISION
