// report.html: a run folder as one page.
#pragma once

#include <filesystem>
#include <string>

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

struct PageOptions {
  std::filesystem::path file = {};  // where to write it; empty: report.html in the folder
  std::string tokens = {};          // a sequence of one's own to show first among the others
  std::string title = {};           // empty: the folder's name
};

// Reads the run and writes its page. Returns where the page is. Throws Error when something of the run is
// missing or damaged; then nothing is written.
std::filesystem::path write_page(const std::filesystem::path& folder, const PageOptions& options = {});

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
