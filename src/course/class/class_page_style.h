// The style sheet class_page.css, embedded by the build.
#pragma once

#include <string_view>

namespace headlight::course {

extern const std::string_view class_page_style;

}  // namespace headlight::course
