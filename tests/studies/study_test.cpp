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
