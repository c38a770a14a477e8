// A table of texts, for the terminal, for spreadsheets and for pages.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headlight::draw {

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // each as long as the head
  std::size_t keys = 1;                        // first columns that tell the rows apart
};

// The columns that tables may take: those of the terminal or of COLUMNS. Without either there is no limit, so
// a program that reads the output finds each row on one line.
std::size_t table_columns();

// Columns two spaces apart. A column whose cells all begin with a digit, a sign or "-" is aligned on the
// right, unless one is a flag ("--heads 2"). Where the table is wider than `columns`, it is divided into
// several, one below the other. Each begins with the keys, or with the rows' numbers if the keys take more
// than half. A cell too wide for a line of its own goes on below. Throws Error for a row that is not as long
// as the head.
std::string terminal_table(const Table& table, std::size_t columns = table_columns());

// Comma-separated values (RFC 4180): a cell with a comma, a quote or a line feed is quoted.
std::string csv(const Table& table);

// An HTML <table>, with the same alignment.
std::string html_table(const Table& table);

}  // namespace headlight::draw
