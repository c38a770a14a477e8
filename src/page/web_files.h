// The sources of the report's page, as src/report/web holds them, embedded by the build.
#pragma once

#include <string_view>

namespace headlight::page::web {

extern const std::string_view page;         // page.html
extern const std::string_view style;        // page.css
extern const std::string_view style_hash;   // its SHA-256, in base64
extern const std::string_view script;       // the scripts of CMakeLists.txt, in its order
extern const std::string_view script_hash;  // SHA-256 of the script, in base64

}  // namespace headlight::page::web
