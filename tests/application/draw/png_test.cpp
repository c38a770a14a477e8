#include "headlight/draw/png.h"

#include <cstdlib>

#include "catch.h"
#include "headlight/draw/chart.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::draw;

namespace {

// PATH as it was, when a test is over.
class Path {
 public:
  explicit Path(const char* path) : before_(std::getenv("PATH")) { ::setenv("PATH", path, 1); }
  ~Path() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

// A number of the PNG's first chunk: 4 bytes, the most significant first.
unsigned number_at(const std::string& png, std::size_t at) {
  unsigned value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(png[at + i]);
  return value;
}

}  // namespace

TEST_CASE("a picture becomes a PNG of twice its size", "[report]") {
  if (std::system("command -v rsvg-convert >/dev/null 2>&1") != 0) {
    WARN("skipped: rsvg-convert is not installed");
    return;
  }
  const std::string png =
      png_from_svg(svg_chart({"Title", {"x"}, {"y"}, {{"a", {0, 1}, {0, 1}}, {"b", {0, 1}, {1, 0}}}}));
  REQUIRE(png.size() > 1000);
  CHECK(png.starts_with("\x89PNG\r\n"));
  CHECK(number_at(png, 16) == 1280);
  // Far more than a pipe holds, in and out.
  std::string large = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" height=\"400\">";
  for (int i = 0; i < 20000; ++i)
    large += "<rect x=\"" + std::to_string(i * 7919 % 400) + "\" y=\"" + std::to_string(i * 104729 % 397) +
             "\" width=\"1\" height=\"1\" fill=\"#" + std::to_string(100000 + i * 37) + "\"/>\n";
  CHECK(number_at(png_from_svg(large + "</svg>"), 20) == 800);
  CHECK_THROWS_WITH(png_from_svg("no picture"),
                    Catch::Matchers::StartsWith("rsvg-convert refused the picture: "));
  CHECK_THROWS_WITH(png_from_svg(std::string(1000000, '<')),
                    Catch::Matchers::StartsWith("rsvg-convert refused the picture: "));
}

TEST_CASE("without rsvg-convert one sentence says how to get it", "[report]") {
  const Path nowhere("/nowhere");
  CHECK_THROWS_WITH(png_from_svg("<svg/>"),
                    "PNG needs the tool rsvg-convert, which is not installed "
                    "(apt-get install librsvg2-bin fonts-dejavu-core).");
}

TEST_CASE("the tool gets the picture, and its refusal is reported", "[report]") {
  const TemporaryFolder folder;
  const auto tool = folder.path() / "rsvg-convert";
  const auto install = [&](const std::string& script) {
    write_file(tool, "#!/bin/sh\n" + script);
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  };
  const Path path((folder.path().string() + ":" + std::getenv("PATH")).c_str());
  install("printf '\\211PNG %s %s ' \"$@\"; cat");
  CHECK(png_from_svg("<svg/>") == "\x89PNG --format=png --zoom=2 <svg/>");
  install("echo 'no picture' >&2; echo more >&2; exit 1");
  CHECK_THROWS_WITH(png_from_svg("<svg/>"), "rsvg-convert refused the picture: no picture");
  install("echo hello");
  CHECK_THROWS_WITH(png_from_svg("<svg/>"), "rsvg-convert refused the picture: it gave no reason.");
}
