// Kinds of ASCII characters. Those of the C library depend on the locale that the program has set, in which a
// byte of a UTF-8 character may be a letter or a space.
#pragma once

namespace headlight::ascii {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }                  // 0 … 9
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }                  // A … Z
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }                  // a … z
constexpr bool is_letter(char c) { return is_upper(c) || is_lower(c); }           // A … Z or a … z
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }  // space, tab or line end

// c in lower case; what is no letter as it is.
constexpr char to_lower(char c) { return static_cast<char>(is_upper(c) ? c - 'A' + 'a' : c); }

// c in upper case; what is no letter as it is.
constexpr char to_upper(char c) { return static_cast<char>(is_lower(c) ? c - 'a' + 'A' : c); }

}  // namespace headlight::ascii
