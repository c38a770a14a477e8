// The sources of the report's page, embedded by the build.
#pragma once

#include <string_view>

namespace headlight::page::web {

extern const std::string_view page;    // page.html
extern const std::string_view style;   // page.css
extern const std::string_view script;  // main.js with all that it imports

}  // namespace headlight::page::web
