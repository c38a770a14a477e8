// The report's page: how patterns travel, and that no text of a run is ever taken for markup.
#include "page/page.h"
#include "headlight/run/evaluation_sets.h"
#include "headlight/studies/periods.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "page/sample_page.h"

using namespace headlight;
using namespace headlight::page;

namespace {

std::string data_text(const std::string& html) {
  const std::string opening = "id=\"data\">";
  const std::size_t begin = html.find(opening) + opening.size();
  return html.substr(begin, html.find("</script>", begin) - begin);
}

nlohmann::json data_of(const std::string& html) { return nlohmann::json::parse(data_text(html)); }

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

TEST_CASE("full patterns are packed whole, with as many keys as there are", "[report]") {
  const Array pattern = tensor({{0.25, 0.5, 0.25}, {0, 0.75, 0.25}}).array();
  PackedPatterns packed(8, 1, Sight::full);
  packed.add(pattern);
  CHECK(packed.queries() == 2);
  CHECK(packed.keys() == 3);
  REQUIRE(packed.bytes().size() == 6);
  CHECK(packed.bytes_of_pattern(2, 3) == 6);
  const std::vector<unsigned> expected = {64, 128, 64, 0, 191, 64};
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(level(packed, i) == expected[i]);

  PackedPatterns coarse(16, 2, Sight::full);
  coarse.add(pattern);
  REQUIRE(coarse.bytes().size() == 4);
  CHECK(coarse.bytes_of_pattern(2, 3) == 4);
  CHECK(level(coarse, 0) == 49151);
  CHECK(level(coarse, 1) == 16384);
}

TEST_CASE("patterns that would lose weights or places are refused", "[report]") {
  PackedPatterns causal(8), full(8, 1, Sight::full);
  CHECK(contains(error_of([&] {
                   causal.add(tensor({{0.5, 0.5}, {0.5, 0.5}}).array());
                 }),
                 "query 0 of a causal pattern looks at a later key. Hint: Sight::full keeps it."));
  full.add(zeros({2, 3}).array());
  CHECK(contains(error_of([&] {
                   full.add(zeros({3, 3}).array());
                 }),
                 "expected patterns (2,3) like the first, got (3,3)"));
  CHECK(contains(error_of([&] {
                   full.add(zeros({2, 4}).array());
                 }),
                 "expected patterns (2,3) like the first, got (2,4)"));
  CHECK(contains(error_of([&] { full.add(zeros({3}).array()); }), "expected patterns (…,n,m), got (3)"));
}

TEST_CASE("the page carries the table of scores, shapes, and keys where they are others", "[report]") {
  const auto cross = data_of(report_page(full_page(2, 3))), self = data_of(report_page(full_page(2, 2)));
  const auto listed = [](const nlohmann::json& page) {
    std::vector<std::string> keys;
    for (const auto& kind : page["score_kinds"]) keys.push_back(kind["key"]);
    return keys;
  };
  std::vector<std::string> all;
  for (const auto& kind : interpret::score_kinds()) all.emplace_back(kind.key);
  CHECK(listed(cross) == std::vector(all.begin(), all.begin() + 5));
  const std::vector<interpret::HeadScores> answers = {{0, 0, {.5}}, {0, 1, {{}, {}, {}, {}, {}, .5, .25}}};
  const ScoreKinds kinds = kinds_on_page(answers);
  CHECK(listed({{"score_kinds", score_table_json(kinds)}}) == all);
  CHECK(heads_json(answers, kinds) ==
        nlohmann::ordered_json::parse("[[0.5], [null, null, null, null, null, 0.5, 0.25]]"));
  const auto& patterns = cross["sequences"][0]["patterns"];
  CHECK(patterns["causal"] == false);
  CHECK(patterns["queries"] == 2);
  CHECK(patterns["keys"] == 3);
  CHECK(cross["sequences"][0]["keys"] == nlohmann::json({25, 24, 23}));
  CHECK_FALSE(self["sequences"][0].contains("keys"));
  CHECK(data_of(report_page(sample_page()))["sequences"][0]["patterns"]["causal"] == true);
}

TEST_CASE("a figure that was not measured is absent from the page", "[report]") {
  const auto data = data_of(report_page(full_page(2, 2)));
  CHECK(data["metrics"][0]["values"] == nlohmann::json({{"loss_predictable", 2.5}}));
  CHECK(data["metrics"][1]["values"] == nlohmann::json::object());
  CHECK(data["metrics"][1]["scores"].empty());
  CHECK(data["charts"][0]["curves"][1]["key"] == "loss_unpredictable");
}

TEST_CASE("no text of a run can end the page's script or add to it", "[report]") {
  const std::string html = report_page(sample_page());
  CHECK(count_of(html, "<script") == 2);
  CHECK(count_of(html, "</script>") == 2);
  CHECK(html.find("<title>Headlight report</title>") != std::string::npos);
  const std::string text = data_text(html);
  CHECK(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  const auto data = data_of(html);
  CHECK(data["title"] == "</title><script>alert(4)</script>");
  for (std::size_t i = 0; i < kHostileVocabulary.size(); ++i) {
    const bool utf8 = kHostileVocabulary[i] != "\xff";
    CHECK(data["vocabulary"][i] == (utf8 ? kHostileVocabulary[i] : "\xef\xbf\xbd"));
  }
}

TEST_CASE("the page carries its metrics unrounded", "[report]") {
  Page page = sample_page();
  page.data["metrics"][1]["values"]["accuracy_predictable"] = 0.50499345;
  const auto data = data_of(report_page(page));
  CHECK(data["metrics"][1]["values"]["accuracy_predictable"] == 0.50499345);
  CHECK(data["scores"][2] == nlohmann::json({0.0, 0.0, 0.9}));
  CHECK(data["history"]["steps"] == nlohmann::json({0, 10}));
  CHECK(data["sequences"][0]["targets"].back() == -1);
  page.data["metrics"][0]["values"]["loss_predictable"] = std::nan("");
  CHECK(contains(error_of([&] { report_page(page); }), "[report] a figure is not finite."));
}

TEST_CASE("page_data is what the page holds", "[report]") {
  const std::string data = page_data(sample_page().data);
  CHECK(contains(report_page(sample_page()), "id=\"data\">" + data + "</script>"));
  CHECK(data.find('<') == std::string::npos);
}

TEST_CASE("the page says on how many sequences its numbers are measured", "[report]") {
  const std::string html = report_page(sample_page());
  const auto says = [&](const std::string& text) {
    INFO(text);
    CHECK(contains(html, text));
  };
  says(fmt::format("come from {} sequences or more during training, and from {} at the",
                   run::kEvaluatedAlongTheWay, run::kEvaluated));
  says(fmt::format("are means over {} other sequences", run::kScored));
  says(fmt::format("head scores come from {} of these sequences", run::kScoredAlongTheWay));
  says(fmt::format("Each number is of {} new sequences", studies::kSequencesPerPeriod));
  CHECK_FALSE(contains(html.substr(0, html.find("<script")), "{{"));
}

TEST_CASE("the page asks for nothing from elsewhere", "[report]") {
  const std::string html = report_page(sample_page());
  CHECK(contains(html, "Content-Security-Policy"));
  CHECK(contains(html, "default-src 'none'; style-src 'sha256-"));
  CHECK_FALSE(contains(html, "unsafe-"));
  const std::string svg = "http://www.w3.org/2000/svg";  // a name, not an address
  CHECK(count_of(html, "http://") == count_of(html, svg));
  CHECK(count_of(html, "https://") == 0);
}
