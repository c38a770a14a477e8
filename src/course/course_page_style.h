// The style sheet course_page.css, embedded by the build.
#pragma once

#include <string_view>

namespace headlight::course {

extern const std::string_view course_page_style;
extern const std::string_view course_page_style_hash;  // its SHA-256, in base64

}  // namespace headlight::course
