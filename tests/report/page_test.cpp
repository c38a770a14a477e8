// The report's page: how patterns travel, and that no text of a run is ever taken for markup.
#include "headlight/report/page.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "report/sample_page.h"

using namespace headlight;
using namespace headlight::report;

namespace {

nlohmann::json data_of(const std::string& html) {
  const std::string opening = "id=\"data\">";
  const std::size_t begin = html.find(opening) + opening.size();
  return nlohmann::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

unsigned level(const PackedPatterns& p, std::size_t i) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(p.bytes()[at]); };
  return p.bits() == 8 ? byte(i) : byte(2 * i) + 256U * byte(2 * i + 1);
}

}  // namespace

TEST_CASE("base64 is that of RFC 4648", "[report]") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string("\xff\xfe\x00", 3)) == "//4A");
}

TEST_CASE("patterns are packed up to the diagonal, row by row", "[report]") {
  const Array pattern = tensor({{1, 0, 0}, {0.25, 0.75, 0}, {0.5, 0.1, 0.4}}).array();
  PackedPatterns fine(16);
  fine.add(pattern);
  REQUIRE(fine.bytes().size() == 12);
  CHECK(fine.bytes_of_pattern(3, 3) == 12);
  const std::vector<unsigned> expected = {65535, 16384, 49151, 32768, 6554, 26214};
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(level(fine, i) == expected[i]);

  PackedPatterns coarse(8);
  coarse.add(pattern);
  REQUIRE(coarse.bytes().size() == 6);
  CHECK(level(coarse, 0) == 255);
  CHECK(level(coarse, 2) == 191);
}

TEST_CASE("a larger cell holds the largest of its weights", "[report]") {
  const Array pattern = tensor({{1, 0, 0}, {0.25, 0.75, 0}, {0.5, 0.1, 0.4}}).array();
  PackedPatterns packed(8, 2);
  packed.add(pattern);
  REQUIRE(packed.bytes().size() == 3);
  CHECK(packed.bytes_of_pattern(3, 3) == 3);
  CHECK(level(packed, 0) == 255);
  CHECK(level(packed, 1) == 128);
  CHECK(level(packed, 2) == 102);
  CHECK(contains(error_of([] { PackedPatterns(7, 1); }), "expected 8 or 16 bits"));
  CHECK(contains(error_of([&] {
                   packed.add(zeros({2, 3}).array());
                 }),
                 "expected patterns (…,n,n), got (2,3)"));
}

TEST_CASE("no text of a run can end the page's script or add to it", "[report]") {
  const std::string html = report_page(sample_page());
  CHECK(count_of(html, "<script") == 2);
  CHECK(count_of(html, "</script>") == 2);
  CHECK(html.find("<title>Headlight report</title>") != std::string::npos);
  CHECK(std::all_of(html.begin() + static_cast<std::ptrdiff_t>(html.find("id=\"data\">")),
                    html.begin() + static_cast<std::ptrdiff_t>(html.find("</script>")),
                    [](char c) { return c >= ' ' && c <= '~'; }));
  const auto data = data_of(html);
  CHECK(data["title"] == "</title><script>alert(4)</script>");
  for (std::size_t i = 0; i < kHostileVocabulary.size(); ++i) {
    const bool utf8 = kHostileVocabulary[i] != "\xff";
    CHECK(data["vocabulary"][i] == (utf8 ? kHostileVocabulary[i] : "\xef\xbf\xbd"));
  }
}

TEST_CASE("the page carries its figures unrounded", "[report]") {
  Page page = sample_page();
  page.figures[1].values[0].second = 0.50499345;
  const auto data = data_of(report_page(page));
  CHECK(data["figures"][1]["values"]["accuracy_predictable"] == 0.50499345);
  CHECK(data["scores"][2] == nlohmann::json({0.0, 0.0, 0.9}));
  CHECK(data["history"]["steps"] == nlohmann::json({0, 10}));
  CHECK(data["sequences"][0]["targets"].back() == -1);
  page.figures[0].values[1].second = std::nan("");
  CHECK(contains(error_of([&] { report_page(page); }), "[report] a figure is not finite."));
}

TEST_CASE("the page asks for nothing from elsewhere", "[report]") {
  const std::string html = report_page(sample_page());
  CHECK(contains(html, "Content-Security-Policy"));
  CHECK(contains(html, "default-src 'none'"));
  const std::string svg = "http://www.w3.org/2000/svg";  // a name, not an address
  CHECK(count_of(html, "http://") == count_of(html, svg));
  CHECK(count_of(html, "https://") == 0);
}
