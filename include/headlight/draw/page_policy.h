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

// The engine for pages, from the folder that the variable HEADLIGHT_LAB names; empty without it. The script
// ./headlight sets it where the engine was built.
std::string built_engine();

// The engine as src/web/wasm builds it, as an element of a page, which src/web/model/engine.js reads; nothing
// for none.
std::string engine_element(std::string_view engine);

}  // namespace headlight::draw
