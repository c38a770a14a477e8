// The style sheet text_page.css, embedded by the build.
#pragma once

#include <string_view>

namespace headlight::draw {

extern const std::string_view text_page_style;

}  // namespace headlight::draw
