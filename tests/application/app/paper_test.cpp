// ./headlight paper: papers beside what is measured here.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/program.h"
#include "catch.h"
#include "headlight/draw/table.h"
#include "headlight/system/text.h"
#include "papers/paper_text.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::papers;

namespace {

Paper some_paper(std::vector<double> ours) {
  return {"some-2024",
          "A Title",
          "Somebody 2024",
          "https://example.org",
          "It finds something.",
          "half as many steps",
          70,
          {{"a loss", {.printed = "0.50", .computed = "0.501"}, "table 1", within(0.5, 0.01)},
           {"an error (%)", {.read_off = "4.8"}, "table 2", within_part(4.8, 0.3), 1},
           {"a divergence", {.printed = "small"}, "figure 3", up_to(0.01)},
           {"an accuracy", {.read_off = "0.99"}, "table 4", from_on(0.99)},
           {"a depth", {.computed = "2"}, "figure 5", exactly(2), 0}},
          [ours](const Effort&) {
            return Measured{ours,
                            {"Figure", {"step"}, "", {}, {{"loss", {}, {"nats"}, {{"", {1, 2}, {3, 4}}}}}},
                            {"A note."}};
          }};
}

std::string as_text(const Reproduction& r) { return draw::terminal_table(table_of(r), 200); }

}  // namespace

TEST_CASE("a number agrees within the tolerance of its row, ends included", "[program][paper]") {
  const Paper paper = some_paper({0.51, 3.36, 0.01, 0.99, 2});
  const Reproduction r = reproduce(paper, {});
  CHECK(r.reproduced());
  const draw::Table table = table_of(r);
  CHECK(table.head == std::vector<std::string>{"what", "printed there", "read off their code or figure",
                                               "computed by us", "measured", "known", "tolerance",
                                               "verdict"});
  CHECK(table.rows == std::vector<std::vector<std::string>>{
                          {"a loss", "0.50", "", "0.501", "0.510", "seen", "±0.01", "✓ agrees"},
                          {"an error (%)", "", "4.8", "", "3.4", "seen", "±30 %", "✓ agrees"},
                          {"a divergence", "small", "", "", "0.010", "seen", "at most 0.01", "✓ agrees"},
                          {"an accuracy", "", "0.99", "", "0.990", "seen", "at least 0.99", "✓ agrees"},
                          {"a depth", "", "", "2", "2", "seen", "exactly", "✓ agrees"}});
  CHECK(sentence_of(r) == "Reproduced: each of the 5 rows is within its tolerance.");
  const Paper other = some_paper({0.511, 3.35, 0.011, 0.989, 3});
  const Reproduction differs = reproduce(other, {});
  CHECK(differs.agrees == std::vector<bool>(5, false));
  const Paper partly = some_paper({0.5, 6.25, 0, 1, 2});
  const Reproduction one_differs = reproduce(partly, {});
  CHECK_FALSE(one_differs.reproduced());
  CHECK(sentence_of(one_differs) == "Not reproduced: 4 of 5 rows are within their tolerance.");
  CHECK(contains(as_text(one_differs), "seen   ±30 %          ✗ differs"));
}

TEST_CASE("a paper that is cut short is not judged", "[program][paper]") {
  const Paper paper = some_paper({0.5, 4.8, 0, 1, 2});
  const Reproduction r = reproduce(paper, {.steps = 2});
  CHECK_FALSE(r.reproduced());
  CHECK(r.measured.notes.empty());
  CHECK(contains(as_text(r), "±0.01          not judged"));
  CHECK(sentence_of(r) ==
        "Not judged: the trainings were cut short, and such numbers say nothing of the paper.");
  CHECK(contains(error_of([&] { reproduce(paper, {.steps = -1}); }),
                 "expected a number of steps from 1 on, got -1"));
  const Paper broken = some_paper({0.5, std::nan(""), 0, 1, 2});
  CHECK(contains(error_of([&] { reproduce(broken, {}); }),
                 "some-2024: what was measured of 'an error (%)' is not finite"));
}

TEST_CASE("the page of a paper says what its numbers are compared with, and where that is read",
          "[program][paper]") {
  const Paper paper = some_paper({0.5, 4.8, 0, 1, 3});
  const std::string page = page_of(reproduce(paper, {}));
  for (const char* part : {"Somebody 2024: A Title. https://example.org", "It finds something.",
                           "Changed here: half as many steps.", "Not reproduced: 4 of 5", "A note.", "<svg",
                           "table 2", "figure 5"})
    CHECK(contains(page, part));
  CHECK(duration(59.6) == "1 min");
  CHECK(duration(59.4) == "59 s");
  CHECK(duration(130) == "2 min 10 s");
}

TEST_CASE("docs/papers.md has every row, with its references and the tolerance", "[program][paper]") {
  const std::string page = read_file(HEADLIGHT_SOURCE_DIR "/docs/papers.md");
  std::size_t rows = 0;
  for (const Paper& paper : all_papers()) {
    CHECK(contains(page, "[" + paper.authors + "](" + paper.address + "), `" + paper.name + "` | "));
    for (const Row& row : paper.rows) {
      INFO(paper.name << ": " << row.what);
      const auto& [printed, read_off, computed] = row.reference;
      CHECK(contains(page, "| " + row.what + " | " + printed + " | " + read_off + " | " + computed + " | "));
      CHECK(contains(page, " | " + row.tolerance.words + " | "));
    }
    rows += paper.rows.size();
  }
  std::size_t lines = 0;
  for (const std::string& line : text_lines(page))
    lines += line.ends_with("| agrees |") || line.ends_with("| **differs** |") ? 1 : 0;
  CHECK(lines == rows);
}

// The numbers that a row is held against; words are none.
std::vector<double> numbers_in(const Reference& reference) {
  std::vector<double> numbers;
  for (const std::string& text : {reference.printed, reference.read_off, reference.computed})
    if (!text.empty() && text.find_first_not_of("0123456789.") == std::string::npos)
      numbers.push_back(std::stod(text));
  return numbers;
}

// "at least 10" says nothing of a 61.
TEST_CASE("a tolerance lies around the number that its row is held against", "[program][paper]") {
  for (const Paper& paper : all_papers())
    for (const Row& row : paper.rows) {
      INFO(paper.name << ": " << row.what);
      const auto& [printed, read_off, computed] = row.reference;
      CHECK_FALSE((printed.empty() && read_off.empty() && computed.empty()));
      CHECK_FALSE(row.place.empty());
      for (const double number : numbers_in(row.reference)) {
        CHECK((row.tolerance.low <= number && number <= row.tolerance.high));
        if (number == 0) continue;
        const double low = std::isfinite(row.tolerance.low) ? number - row.tolerance.low : 0,
                     high = std::isfinite(row.tolerance.high) ? row.tolerance.high - number : 0;
        CHECK(std::max(low, high) <= 0.5 * number);
      }
    }
}

TEST_CASE("every paper is listed, and a few steps of each give numbers of their own", "[program][paper]") {
  const nlohmann::json list = nlohmann::json::parse(headlight_program("paper --json").out);
  CHECK(list["command"] == "paper");
  REQUIRE(list["papers"].size() == all_papers().size());
  TemporaryFolder folder;
  for (const nlohmann::json& paper : list["papers"]) {
    const std::string name = paper["name"];
    INFO(name);
    CHECK(paper["seconds"] > 0);
    const Outcome o = headlight_program("paper " + name + " --steps 2 --json");
    CHECK(o.status == 0);
    const nlohmann::json one = nlohmann::json::parse(o.out);
    CHECK(one["name"] == name);
    CHECK(one["reproduced"].is_null());
    const std::vector<Row>& rows = find_paper(name).rows;
    REQUIRE(one["rows"].size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const nlohmann::json& row = one["rows"][i];
      INFO(row);
      const auto& [printed, read_off, computed] = rows[i].reference;
      const std::pair<const char*, std::string> texts[] = {
          {"printed", printed}, {"read_off", read_off}, {"computed", computed}};
      for (const auto& [key, text] : texts)
        CHECK(row[key] == (text.empty() ? nlohmann::json() : nlohmann::json(text)));
      CHECK(row["agrees"].is_null());
      REQUIRE(row["measured"].is_number());
      if (rows[i].digits == 0) continue;                         // a count may be right by chance
      for (const double number : numbers_in(rows[i].reference))  // two steps cannot bring it about
        CHECK(std::abs(row["measured"].get<double>() - number) > 0.002 * number);
    }
  }
  const Outcome o = headlight_program("paper elhage-2022 --steps 2 --out " + folder.path().string());
  CHECK(contains(o.out, "not judged"));
  CHECK(contains(o.out, (folder.path() / "elhage-2022.html").string()));
  CHECK(contains(read_file(folder.path() / "elhage-2022.html"), "Toy Models of Superposition"));
  check_refused("paper elhage", "[paper] 'elhage' is unknown. Known are elhage-2022");
}
