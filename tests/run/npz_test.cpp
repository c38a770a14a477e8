// NumPy's archive, read as its format says (numpy.lib.format): rows first, in the order of the axes.
#include <cstring>

#include "catch.h"
#include "headlight/run/export.h"

using namespace headlight;

TEST_CASE("an archive for NumPy has the rows of each array in order", "[experiment]") {
  Array x = empty_array({2, 3});
  for (std::size_t i = 0; i < 6; ++i) x.data()[i] = static_cast<Real>(i);
  const std::string bytes = run::npz({{"W", &x}});
  CHECK(contains(bytes, "W.npy"));
  const std::size_t header = bytes.find("'descr'");
  REQUIRE(header != std::string::npos);
  const std::size_t end = bytes.find('\n', header);
  const std::string said = bytes.substr(header, end - header);
  CHECK(contains(said, "'fortran_order': False"));
  CHECK(contains(said, "'shape': (2, 3,"));
  std::vector<Real> numbers(6);
  std::memcpy(numbers.data(), bytes.data() + end + 1, 6 * sizeof(Real));
  for (std::size_t i = 0; i < 6; ++i) CHECK(numbers[i] == static_cast<Real>(i));
}
