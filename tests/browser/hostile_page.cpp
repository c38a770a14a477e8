// Prints the sample page, for the tests in a browser: hostile_page [cell].
#include <cstdio>
#include <cstdlib>

#include "report/sample_page.h"

int main(int argc, char** argv) {
  using namespace headlight::report;
  const std::size_t cell = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  const std::string html = report_page(sample_page(kHostileVocabulary, cell));
  return std::fwrite(html.data(), 1, html.size(), stdout) == html.size() ? 0 : 1;
}
