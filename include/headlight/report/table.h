// A table of texts, for the terminal, for spreadsheets and for pages.
#pragma once

#include <string>
#include <vector>

namespace headlight::inline HEADLIGHT_PRECISION::report {

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // each as long as the head
};

// Columns two spaces apart. A column whose cells all begin with a digit, a sign or "-" is aligned on the
// right. Throws Error for a row that is not as long as the head.
std::string terminal_table(const Table& table);

// Comma-separated values (RFC 4180): a cell with a comma, a quote or a line feed is quoted.
std::string csv(const Table& table);

// An HTML <table>, with the same alignment.
std::string html_table(const Table& table);

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
