// Prints the sample pages, for the tests in a browser: hostile_page [CELL] or hostile_page QUERIES KEYS.
#include <cstdio>
#include <cstdlib>

#include "report/sample_page.h"

int main(int argc, char** argv) {
  using namespace headlight::report;
  const auto number = [&](int i) { return argc > i ? std::strtoul(argv[i], nullptr, 10) : 1; };
  const std::string html =
      report_page(argc > 2 ? full_page(number(1), number(2)) : sample_page(kHostileVocabulary, number(1)));
  return std::fwrite(html.data(), 1, html.size(), stdout) == html.size() ? 0 : 1;
}
