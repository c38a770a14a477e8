// `./headlight show`: which lessons have a picture, when it is offered, and who draws it.
#include "course/check/picture.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/json.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"
#include "temporary_folder.h"

namespace fs = std::filesystem;
using namespace headlight;
using namespace headlight::course;

namespace {

const fs::path kLessons = fs::path(HEADLIGHT_SOURCE_DIR) / "lessons";

Findings found(bool first, bool second) {
  Findings findings;
  findings.verdict.emplace();
  const auto kind = [](bool solved) { return solved ? grader::Kind::solved : grader::Kind::not_written; };
  findings.verdict->parts = {{.name = "product_of", .kind = kind(first)},
                             {.name = "fit_curve", .kind = kind(second)}};
  return findings;
}

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// The picture of lesson 2 by exercise.cpp, whose parts only throw, when these count as solved.
nlohmann::json drawn(const std::vector<std::string>& solved) {
  Command command{.words = {HEADLIGHT_BINARY_DIR "/lessons/show_02_derivatives_shipped", "0"}};
  command.words.insert(command.words.end(), solved.begin(), solved.end());
  const Ended ended = run_process(command);
  INFO(ended.errors);
  REQUIRE(ended.ok());
  return json_from<nlohmann::json>(text_lines(ended.output).back());
}

}  // namespace

TEST_CASE("a lesson without a picture is refused with those that have one", "[course]") {
  const TemporaryFolder my;
  Learner learner({kLessons, my.path()}, {});
  CHECK_THROWS_WITH(
      show(learner, HEADLIGHT_BINARY_DIR, learner.lesson("3")),
      "lesson 3 has no picture that your functions draw. The lessons that have one are 2, 6, 7, "
      "8, 9, 10, 14, 16.");
  CHECK_THROWS_WITH(show(learner, HEADLIGHT_BINARY_DIR, learner.lesson("2")),
                    "there is no my/02_derivatives.cpp. Hint: ./headlight start 02");
}

TEST_CASE("a picture is offered once a part is solved that draws some of it", "[course]") {
  const Places places{kLessons, "my"};
  const std::vector<Lesson> lessons = lessons_in(kLessons);
  const auto offer = [&](const char* number, const Findings& findings) {
    return picture_offer(places, find_lesson(lessons, number), findings);
  };
  CHECK(offer("2", found(false, true)) == "What your functions draw: ./headlight show 2\n");
  CHECK(offer("2", found(true, false)).empty());
  CHECK(offer("3", found(true, true)).empty());
  CHECK(offer("2", {}).empty());
}

TEST_CASE("a part that is not solved, or throws, is drawn by ours in grey, and the picture says so",
          "[course]") {
  const nlohmann::json unsolved = drawn({"operator/"}), threw = drawn({"fit_curve"});
  CHECK(unsolved.at("name") == "descent");
  const std::string svg = unsolved.at("svg"), text = unsolved.at("text");
  CHECK(svg.starts_with("<svg"));
  CHECK(occurrences(svg, "<g filter=\"url(#grey)\"") == 2);
  CHECK(occurrences(svg, "fit_curve() is not solved yet: drawn by ours, in grey") == 2);
  CHECK(occurrences(svg, "Drawn by our solution") == 2);
  CHECK(text.starts_with("fit_curve() is not solved yet: drawn by ours, in grey\n"));
  CHECK(occurrences(threw.at("svg"),
                    "Your fit_curve() threw an exception here (not written yet): drawn by ours, in grey") ==
        2);
}

TEST_CASE("a part whose function crashed is drawn by ours, and says so", "[course]") {
  const nlohmann::json picture = drawn({"fit_curve=crashed"});
  const std::string svg = picture.at("svg");
  CHECK(occurrences(svg, "Your fit_curve() crashed here: drawn by ours, in grey") == 2);
  CHECK(occurrences(svg, "threw an exception") == 0);
}
