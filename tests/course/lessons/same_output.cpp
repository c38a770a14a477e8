#include "same_output.h"

#include <fmt/core.h>

#include <cmath>
#include <regex>
#include <sstream>
#include <vector>

namespace headlight {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool same_number(const std::string& expected, const std::string& actual) {
  const double a = std::stod(expected), b = std::stod(actual);
  if (expected.find('e') != std::string::npos)
    return a == b || (a * b > 0 && std::abs(std::log10(a / b)) <= 1);
  const std::size_t point = expected.find('.');
  if (point == std::string::npos) return expected == actual;
  const double unit = std::pow(10.0, -static_cast<double>(expected.size() - point - 1));
  return expected == actual || std::abs(a - b) <= 1.001 * unit;
}

// A word is what stands between white space; numbers may be parts of it: "[0.1302," or "M12.5".
bool same_word(const std::string& expected, const std::string& actual) {
  static const std::regex number("-?\\d+(\\.\\d+)?(e[-+]?\\d+)?");
  std::sregex_iterator a(expected.begin(), expected.end(), number), b(actual.begin(), actual.end(), number),
      end;
  for (; a != end && b != end; ++a, ++b)
    if (a->prefix() != b->prefix() || !same_number(a->str(), b->str())) return false;
  if (a != end || b != end) return false;
  return std::regex_replace(expected, number, "#") == std::regex_replace(actual, number, "#");
}

bool same_line(const std::string& expected, const std::string& actual) {
  if (expected == actual) return true;
  const std::vector<std::string> a = words_of(expected), b = words_of(actual);
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i] && !same_word(a[i], b[i])) return false;
  return true;
}

}  // namespace

std::string difference_of_output(const std::string& expected, const std::string& actual) {
  std::istringstream a(expected), b(actual);
  std::string x, y;
  for (int line = 1;; ++line) {
    const bool more_x = !std::getline(a, x).fail(), more_y = !std::getline(b, y).fail();
    if (!more_x && !more_y) return "";
    if (!more_x) return fmt::format("line {} should not be there: {}", line, y);
    if (!more_y) return fmt::format("line {} is missing: {}", line, x);
    if (!same_line(x, y)) return fmt::format("line {}\n  expected: {}\n  printed:  {}", line, x, y);
  }
}

}  // namespace headlight
