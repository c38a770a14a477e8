// The style sheet course_page.css, embedded by the build.
#pragma once

#include <string_view>

namespace headlight::course {

extern const std::string_view course_page_style;

}  // namespace headlight::course
