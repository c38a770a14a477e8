// The style sheet and the script of the book, embedded by the build.
#pragma once

#include <string_view>

namespace headlight::course {

extern const std::string_view book_style, book_script;

}  // namespace headlight::course
