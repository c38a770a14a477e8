// What the cells of a table have in common, however it is written.
#pragma once

#include "headlight/draw/table.h"

namespace headlight::draw {

// Throws Error for a row that is not as long as the head.
void check_rows(const Table& table);

// Whether all cells of the column begin with a digit, a sign or "-", or are empty.
bool right_aligned(const Table& table, std::size_t column);

}  // namespace headlight::draw
