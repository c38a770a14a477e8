// A page of paragraphs, tables and figures in one file, without scripts.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/table.h"

namespace headlight::draw {

// Text, table and picture come in this order; each may be empty.
struct PageSection {
  std::string heading;
  std::vector<std::string> paragraphs = {};
  Table table = {};
  std::string svg = {};  // a picture of this library, which is put in unchanged
};

// The page loads nothing, and its content policy forbids scripts and any address. Texts are escaped.
std::string text_page(const std::string& title, const std::vector<PageSection>& parts);

}  // namespace headlight::draw
