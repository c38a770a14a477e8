// report.html: a run folder as one page.
#pragma once

#include <filesystem>
#include <string>

namespace headlight::app {

// Reads the run and writes its page, to `file` or else to report.html in the folder. `tokens`, if not empty,
// is a sequence of one's own to show first among the others. Returns where the page is. Throws Error when
// something of the run is missing or damaged; then nothing is written.
std::filesystem::path write_report(const std::filesystem::path& folder,
                                   const std::filesystem::path& file = {}, const std::string& tokens = "");

}  // namespace headlight::app
