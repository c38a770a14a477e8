// ./headlight paper: papers beside what is measured here.
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
          {{"a loss", "0.50", "table 1", within(0.5, 0.01)},
           {"an error (%)", "4.8", "table 2", within_part(4.8, 0.3), 1},
           {"a divergence", "below 0.01", "figure 3", up_to(0.01)},
           {"an accuracy", "0.99", "table 4", from_on(0.99)},
           {"a depth", "2", "figure 5", exactly(2), 0}},
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
  CHECK(as_text(r) ==
        "what          published    ours  tolerance      verdict\n"
        "a loss        0.50        0.510  ±0.01          ✓ agrees\n"
        "an error (%)  4.8           3.4  ±30 %          ✓ agrees\n"
        "a divergence  below 0.01  0.010  at most 0.01   ✓ agrees\n"
        "an accuracy   0.99        0.990  at least 0.99  ✓ agrees\n"
        "a depth       2               2  exactly        ✓ agrees\n");
  CHECK(sentence_of(r) == "Reproduced: each of the 5 rows is within its tolerance.");
  const Paper other = some_paper({0.511, 3.35, 0.011, 0.989, 3});
  const Reproduction differs = reproduce(other, {});
  CHECK(differs.agrees == std::vector<bool>(5, false));
  const Paper partly = some_paper({0.5, 6.25, 0, 1, 2});
  const Reproduction one_differs = reproduce(partly, {});
  CHECK_FALSE(one_differs.reproduced());
  CHECK(sentence_of(one_differs) == "Not reproduced: 4 of 5 rows are within their tolerance.");
  CHECK(contains(as_text(one_differs), " 6.2  ±30 %          ✗ differs"));
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

TEST_CASE("the page of a paper says what was published where", "[program][paper]") {
  const Paper paper = some_paper({0.5, 4.8, 0, 1, 3});
  const std::string page = page_of(reproduce(paper, {}));
  for (const char* part : {"Somebody 2024: A Title. https://example.org", "It finds something.",
                           "Scaled down here: half as many steps", "Not reproduced: 4 of 5", "A note.",
                           "<svg", "table 2", "figure 5"})
    CHECK(contains(page, part));
  CHECK(duration(59.6) == "1 min");
  CHECK(duration(59.4) == "59 s");
  CHECK(duration(130) == "2 min 10 s");
}

TEST_CASE("docs/papers.md has every row, with what was published and the tolerance", "[program][paper]") {
  const std::string page = read_file(HEADLIGHT_SOURCE_DIR "/docs/papers.md");
  std::size_t rows = 0;
  for (const Paper& paper : all_papers()) {
    CHECK(contains(page, "[" + paper.authors + "](" + paper.address + "), `" + paper.name + "` | "));
    for (const Row& row : paper.rows) {
      INFO(paper.name << ": " << row.what);
      CHECK(contains(page, "| " + row.what + " | " + row.published + " | "));
      CHECK(contains(page, " | " + row.tolerance.words + " | "));
    }
    rows += paper.rows.size();
  }
  std::size_t lines = 0;
  for (const std::string& line : text_lines(page))
    lines += line.ends_with("| agrees |") || line.ends_with("| **differs** |") ? 1 : 0;
  CHECK(lines == rows);
}

TEST_CASE("every paper is listed, and a few steps of each give finite numbers", "[program][paper]") {
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
    REQUIRE(one["rows"].size() == find_paper(name).rows.size());
    for (const nlohmann::json& row : one["rows"]) CHECK((row["ours"].is_number() && row["agrees"].is_null()));
  }
  const Outcome o = headlight_program("paper elhage-2022 --steps 2 --out " + folder.path().string());
  CHECK(contains(o.out, "not judged"));
  CHECK(contains(o.out, (folder.path() / "elhage-2022.html").string()));
  CHECK(contains(read_file(folder.path() / "elhage-2022.html"), "Toy Models of Superposition"));
  check_refused("paper elhage", "[paper] 'elhage' is unknown. Known are elhage-2022");
}
