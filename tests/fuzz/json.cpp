#include "headlight/system/json.h"

#include <nlohmann/json.hpp>

#include "fuzz/targets.h"

// What check_json() lets pass is JSON, and as deep as it says.
void headlight::fuzz::json(const std::string& bytes) {
  constexpr std::size_t kDepth = 4;
  refusable([&] {
    const auto value = json_from<nlohmann::ordered_json>(bytes, {.depth = kDepth, .keys = 8});
    std::size_t depth = 0, deepest = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == '"') in_text = !in_text;
      if (in_text && bytes[i] == '\\') ++i;
      if (in_text) continue;
      if (bytes[i] == '[' || bytes[i] == '{') deepest = std::max(deepest, ++depth);
      if (bytes[i] == ']' || bytes[i] == '}') --depth;
    }
    require(deepest <= kDepth, "deeper than allowed");
    require(nlohmann::ordered_json::parse(value.dump()) == value, "a value does not come back");
  });
}
