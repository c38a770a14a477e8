// What the README shows is what the program prints.
#include "catch.h"
#include "headlight/core/version.h"
#include "headlight/system/files.h"
#include "program.h"
#include "temporary_folder.h"

using namespace headlight;

#if !defined(__SANITIZE_ADDRESS__)  // there it would take minutes and show nothing more
TEST_CASE("the README's table of heads and the certificate of docs/induction.md are the demo's",
          "[program]") {
  if (!fuses_multiply_add()) return;  // the last digits are of machines that do
  const std::string readme = read_file(HEADLIGHT_SOURCE_DIR "/README.md");
  const std::size_t begin = readme.find("head    previous");
  REQUIRE(begin != std::string::npos);
  const std::string table = readme.substr(begin, readme.find("\n```", begin) - begin);
  const TemporaryFolder folder;
  const Outcome demo = headlight_program("demo --no-color --out " + (folder.path() / "run").string());
  INFO(demo.out);
  CHECK(contains(demo.out, table));
  const std::string paper = read_file(HEADLIGHT_SOURCE_DIR "/docs/induction.md");
  const std::size_t claims = paper.find("claim  ");
  REQUIRE(claims != std::string::npos);
  CHECK(contains(demo.out, paper.substr(claims, paper.find("\n```", claims) - claims)));
}
#endif
