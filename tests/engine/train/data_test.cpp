#include "headlight/train/data.h"

#include "catch.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::train;

namespace {

CsvTable read(const std::string& text, char separator = ',') {
  const TemporaryFolder folder;
  write_file(folder.path() / "data.csv", text);
  return read_csv(folder.path() / "data.csv", separator);
}

// The message without the folder.
std::string refusal(const std::string& text) {
  const std::string message = error_of([&] { read(text); });
  return message.substr(message.find("data.csv"));
}

}  // namespace

TEST_CASE("a CSV file is its names and its numbers", "[data]") {
  const CsvTable named = read("day, height\n1,2.5\r\n\n2,-3e-1\n");
  CHECK(named.names == std::vector<std::string>{"day", "height"});
  CHECK((named.numbers == Array{{1, 2.5}, {2, Real(-0.3)}}));
  CHECK(named.column("height") == 1);
  const CsvTable plain = read("1;2;3\n4;5;6", ';');
  CHECK(plain.names.empty());
  CHECK((plain.numbers == Array{{1, 2, 3}, {4, 5, 6}}));
}

TEST_CASE("what is wrong in a CSV file is said with its place", "[data]") {
  CHECK(refusal("a,b\n1,2\n3,x\n") == "data.csv', line 3, column 2: expected a number, got 'x'.");
  CHECK(refusal("1,2\n3\n") == "data.csv', line 2: expected 2 numbers as in the first line, got 1.");
  CHECK(refusal("a,b\n") == "data.csv' has no numbers.");
  CHECK(error_of([] { read("day,height\n1,2\n").column("hight"); }) ==
        "there is no column 'hight': expected day or height. Did you mean 'height'?");
}

TEST_CASE("a first line of a CSV file is names only if no cell is a number", "[data]") {
  const std::string mark = "\xEF\xBB\xBF";
  CHECK((read(mark + "1,2\n3,4\n").numbers == Array{{1, 2}, {3, 4}}));
  CHECK(read(mark + "a,b\n1,2\n").column("a") == 0);
  CHECK(read(",1stFlrSF,x-y\n1,2,3\n").names == std::vector<std::string>{"", "1stFlrSF", "x-y"});
  const std::string hint = " Hint: in a line of names no cell is a number.";
  const auto first = [&](int column, const std::string& said) {
    return fmt::format("data.csv', line 1, column {}: {}.{}", column, said, hint);
  };
  CHECK(refusal("1,,3\n4,5,6\n") == first(2, "expected a number, got ''"));
  CHECK(refusal(",\n4,5\n") == first(1, "expected a number, got ''"));
  CHECK(refusal("1.5,NA\n4,5\n") == first(2, "expected a number, got 'NA'"));
  CHECK(refusal("NA\n4\n") == first(1, "expected a number, got 'NA'"));
  CHECK(refusal("1.5,2..0\n4,5\n") == first(2, "expected a number, got '2..0'"));
  CHECK(refusal("2..0\n4\n") == first(1, "expected a number, got '2..0'"));
  CHECK(refusal("+1\n3\n") == first(1, "expected a number, got '+1'"));
  CHECK(refusal("nan,2\n3,4\n") == first(1, "expected a number, got 'nan'"));
  CHECK(contains(refusal("1e400\n3\n"), "line 1, column 1: expected 0, or a number of size"));
  CHECK(contains(refusal("a\n1e300\n"), "line 2, column 1: expected 0, or a number of size"));
}

TEST_CASE("rows of an array are taken in the order asked for, as often as asked for", "[data]") {
  const Array x{{1, 2}, {3, 4}, {5, 6}};
  CHECK((rows(x, {2, 0, 2}) == Array{{5, 6}, {1, 2}, {5, 6}}));
  CHECK((rows(Array{7, 8}, {1}) == Array{8}));
  CHECK(error_of([&] { rows(x, {3}); }) == "[rows] there is no row 3: the array has 3.");
  CHECK(error_of([&] { rows(full_array({}, 1), {0}); }) == "[rows] a scalar has no rows.");
}
