// What the terminal has of a study's tables.
#include "headlight/studies/study.h"

#include "catch.h"

using namespace headlight;
using namespace headlight::studies;

TEST_CASE("the terminal has the rows of the largest magnitudes, these first", "[studies]") {
  StudyTable table{"t", "Table:", {{"name", "name"}, {"n", "n", 0, true}, {"hidden", "", 0, false, false}}};
  table.largest_first = true;
  for (int i = 0; i < 22; ++i)
    table.rows.push_back({std::string(1, static_cast<char>('a' + i)), i % 2 == 0 ? 1.0 * i : -1.0 * i, 99.0});
  const Study study{"s", {}, {}, {table}};
  const std::string text = terminal_study(study, 80);
  CHECK(text.starts_with("\nTable:\n\nname    n\nv     -21\nu     +20\nt     -19\n"));
  CHECK(text.ends_with("\nc      +2\n… and 2 more, which --json has\n"));
  CHECK(study_csv(study).starts_with("name,n,hidden\na,0,99\nb,-1,99\n"));
}

TEST_CASE("a study in the terminal, as JSON, as CSV", "[studies]") {
  const StudyTable first{"first",
                         "The first:",
                         {{"name", "called"}, {"count", "n"}, {"change", "by", 2, true}, {"whole", "of", 1}},
                         {{std::string("a"), std::int64_t{3}, 0.126, 2.25},
                          {std::string("b, c"), StudyCell(), -0.001, -0.01},
                          {std::string("d"), std::int64_t{5}, -1.5, StudyCell()}},
                         2,
                         false,
                         {"Below the first."}},
      second{"second", "The second:", {{"x", "x"}}, {{7.0}}, 0, false, {"Below the second."}};
  const Study study{"both", {{"number", 0.5}, {"word", std::string("yes")}}, {"Above."}, {first, second}};
  CHECK(terminal_study(study, 80) == R"(Above.

The first:

called  n     by   of
a       3  +0.13  2.2
b, c    -   0.00  0.0
… and 1 more, which --json has

Below the first.

The second:

    x
7.000

Below the second.
)");
  CHECK(study_csv(study) == "name,count,change,whole\na,3,0.126,2.25\n\"b, c\",,-0.001,-0.01\nd,5,-1.5,\n");
  CHECK(study_json(study) == R"({
  "study": "both",
  "number": 0.5,
  "word": "yes",
  "sentences": [
    "Above.",
    "Below the first.",
    "Below the second."
  ],
  "first": [
    {
      "name": "a",
      "count": 3,
      "change": 0.126,
      "whole": 2.25
    },
    {
      "name": "b, c",
      "count": null,
      "change": -0.001,
      "whole": -0.01
    },
    {
      "name": "d",
      "count": 5,
      "change": -1.5,
      "whole": null
    }
  ],
  "second": [
    {
      "x": 7.0
    }
  ]
}
)");
  std::string words(200, 'a');
  for (std::size_t i = 9; i < 200; i += 10) words[i] = ' ';
  Study wide = study;
  wide.sentences = {words};
  const std::string narrow = terminal_study(wide, 10), broad = terminal_study(wide, 500);
  CHECK(narrow.find('\n') == 39);  // from 40 to 100 columns
  CHECK(broad.find('\n') == 99);
}
