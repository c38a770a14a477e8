// A reproduction as tables, sentences and a page.
#pragma once

#include "headlight/draw/table.h"
#include "paper.h"

namespace headlight::papers {

// printed there | read off their code or figure | computed by us | measured | tolerance | verdict
draw::Table table_of(const Reproduction& reproduction);

// "Reproduced: all 4 rows are within their tolerance."
std::string sentence_of(const Reproduction& reproduction);

// The papers with their time and what is changed here.
draw::Table list_of(const std::vector<Paper>& papers);

// "2 min 10 s"
std::string duration(double seconds);

// A file with all of it and the paper's figure.
std::string page_of(const Reproduction& reproduction);

}  // namespace headlight::papers
