// Sentences in lines that fit the terminal.
#pragma once

#include <cstddef>
#include <string>

namespace headlight::inline HEADLIGHT_PRECISION::app {

// Columns for sentences: those of the terminal, at most 110.
std::size_t text_columns();

// The text in lines of at most `columns`, each with a line feed; further lines begin with `indent` spaces.
std::string in_lines(const std::string& text, std::size_t columns = text_columns(), std::size_t indent = 0);

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
