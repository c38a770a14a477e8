#include "headlight/system/open_in_browser.h"

#include "headlight/core/check.h"
#include "headlight/system/process.h"

namespace headlight {

void open_in_browser(const std::filesystem::path& file, const std::string& part) {
  const char* opener =
#ifdef __APPLE__
      "open";
#else
      "xdg-open";
#endif
  const std::string path = std::filesystem::absolute(file).string();
  const std::string page = part.empty() ? path : "file://" + path + "#" + part;
  check(run_silently({.words = {opener, page}}).ok(),
        "the page is written, but {} could not show it. Hint: open '{}' in a browser.", opener, path);
}

}  // namespace headlight
