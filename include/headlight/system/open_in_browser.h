// The desktop's browser.
#pragma once

#include <filesystem>
#include <string>

namespace headlight {

// Shows a page, at its part of this name. Throws Error where that does not work.
void open_in_browser(const std::filesystem::path& file, const std::string& part = "");

}  // namespace headlight
