// Data of your own: numbers from a CSV file, and batches of rows. (xt::load_npy reads NumPy's files.)
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::train {

struct CsvTable {
  std::vector<std::string> names;  // of the columns; empty if the file has no line of names
  Array numbers;                   // (rows, columns)

  // The column of a name. Throws Error for an unknown one, and suggests the nearest.
  std::size_t column(const std::string& name) const;
};

// A file of numbers with a separator between them, and a line for each row. A first line in which no cell is
// a number has the names of the columns; empty lines and a byte order mark are left out. Throws FileError
// that names the file, the line and the column for what is no number, such as a gap, or one that a Real
// cannot hold, and for a line with more or fewer than the first.
CsvTable read_csv(const std::filesystem::path& file, char separator = ',');

// The rows of these numbers: of x (n,…) an array (k,…) for k rows. Throws Error for a row that x lacks.
Array rows(const Array& x, const std::vector<std::size_t>& which);

}  // namespace headlight::train
