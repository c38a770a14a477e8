// What a page of HTML may load and run.
#pragma once

#include <string>
#include <string_view>

namespace headlight::draw {

// The parts of a page that its policy allows; what is empty or false is refused.
struct PageParts {
  std::string_view style = {}, script = {};  // the contents of its <style> and of its <script>
  std::string_view images = {};              // sources, such as "data: blob:"
  bool engine = false;  // whether the script compiles a module and starts a worker of its own making
  bool beside = false;  // whether what lies beside the page belongs to it: scripts, which style elements,
                        // workers and data
};

// The content of a page's Content-Security-Policy: one style and one script, by their hashes, and nothing
// from elsewhere.
std::string content_policy(const PageParts& parts);

// The engine's two modules, gzipped, as elements of a page. src/web/model/engine.js reads them.
std::string engine_elements(std::string_view fused, std::string_view plain);

}  // namespace headlight::draw
