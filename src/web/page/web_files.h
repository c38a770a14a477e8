// The sources of the report's page, as src/web/page/web holds them, embedded by the build.
#pragma once

#include <string_view>

namespace headlight::page::web {

extern const std::string_view page;    // page.html
extern const std::string_view style;   // page.css
extern const std::string_view script;  // the scripts of CMakeLists.txt, in its order

}  // namespace headlight::page::web
