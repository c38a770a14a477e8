// Prints the sample page, for the tests in a browser.
#include <cstdio>

#include "report/sample_page.h"

int main() {
  const std::string html = headlight::report::report_page(headlight::report::sample_page());
  return std::fwrite(html.data(), 1, html.size(), stdout) == html.size() ? 0 : 1;
}
