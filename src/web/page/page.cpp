#include "page.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/draw/color.h"
#include "headlight/page/glossary.h"
#include "headlight/system/text.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

void make_safe(ordered_json& json) {
  if (json.is_structured()) {
    for (ordered_json& part : json) make_safe(part);
  } else if (json.is_number_float()) {
    check(std::isfinite(json.get<double>()), "[report] a figure is not finite.");
  } else if (json.is_string()) {
    if (auto& text = json.get_ref<std::string&>(); !is_plain(text)) text = printable(text);
  }
}

}  // namespace

std::string page_data(ordered_json data) {
  for (const auto& [key, part] : data.items())
    if (key != "vocabulary") make_safe(part);
  std::string out;
  // Bytes that are no UTF-8 become replacement characters.
  for (const char c : data.dump(-1, ' ', true, ordered_json::error_handler_t::replace)) {
    if (c == '<')  // could end the script element that holds the data
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

ordered_json glossary_json() {
  ordered_json list = ordered_json::array();
  for (const Term& term : glossary())
    list.push_back({{"term", term.term}, {"also", term.also}, {"definition", term.definition}});
  return list;
}

}  // namespace headlight::page
