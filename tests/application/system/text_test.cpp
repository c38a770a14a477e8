// Text cut to a width.
#include "headlight/system/text.h"

#include "catch.h"

using namespace headlight;

TEST_CASE("a text cut in its middle has whole characters and fits", "[core]") {
  CHECK(cut_in_middle("abcde", 5) == "abcde");
  CHECK(cut_in_middle("abcdef", 5) == "ab…ef");
  CHECK(cut_in_middle("äöüßäöüß", 5) == "äö…üß");
  CHECK(cut_in_middle("世界世界", 6) == "世…界");
  CHECK(cut_in_middle("世界世界", 4) == "世…");
  CHECK(cut_in_middle("", 3).empty());
  std::string marks = "e";
  for (int i = 0; i < 1000; ++i) marks += "\xCC\x81";  // accents, which have no width
  CHECK(cut_in_middle(marks, 80).size() < 200);
}
