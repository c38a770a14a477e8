// Prints the sample pages, for the tests in a browser: hostile_page [CELL], hostile_page QUERIES KEYS, or
// hostile_page waiting for a page without a run.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "report/sample_page.h"

int main(int argc, char** argv) {
  using namespace headlight::report;
  const auto number = [&](int i) { return argc > i ? std::strtoul(argv[i], nullptr, 10) : 1; };
  const bool waiting = argc == 2 && argv[1] == std::string("waiting");
  const std::string html = waiting    ? waiting_page()
                           : argc > 2 ? report_page(full_page(number(1), number(2)))
                                      : report_page(sample_page(kHostileVocabulary, number(1)));
  return std::fwrite(html.data(), 1, html.size(), stdout) == html.size() ? 0 : 1;
}
