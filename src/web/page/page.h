// The report: one HTML file that shows a run. It opens from disk and needs no network.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "headlight/page/run_page.h"

namespace headlight::page {

struct Page {
  nlohmann::ordered_json data;  // what the scripts read: the class Run in src/web/page/web/run.js
  std::string picture = {};     // an SVG figure for readers without JavaScript; empty: none
  std::string engine = {};      // that computes the part "lab" of the data
  std::string footer = {};      // HTML
};

// The page as bytes of a UTF-8 HTML file. No text of the data is interpreted as markup or script. Throws as
// page_data.
std::string report_page(const Page& page);

// The data as the page holds it: JSON in ASCII without "<". Texts, which may come from a stranger, are
// printable(). Tokens stay as they are, because the page names characters that turn the direction of writing
// around (text.js). Throws Error for a number that is not finite.
std::string page_data(nlohmann::ordered_json data);

// Of the data of every page: the terms of glossary().
nlohmann::ordered_json glossary_json();

}  // namespace headlight::page
