// What the front door asks, and what it starts.
#include <algorithm>
#include <filesystem>

#include "catch.h"
#include "course/lessons.h"
#include "course/test_run.h"
#include "course/test_words.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::course;

namespace {

const char* const kLog = R"(Test project /build
      Start  1: softmax
      Start  2: browser: test_one
1/4 Test  #1: softmax ...............................   Passed    0.01 sec
2/4 Test  #2: browser: test_one .....................***Skipped   0.01 sec
3/4 Test  #4: browser: test_two .....................***Skipped   0.01 sec
4/4 Test  #3: gemm ..................................***Failed    0.01 sec
gemm_test.cpp:3: FAILED

75% tests passed, 1 tests failed out of 4

Total Test time (real) =   0.05 sec
)";

// A tree with the front door, and a ninja and programs that only print what they are given.
class House {
 public:
  House() {
    script("headlight", read_file(HEADLIGHT_SOURCE_DIR "/headlight"));
    script("CMakePresets.json", read_file(HEADLIGHT_SOURCE_DIR "/CMakePresets.json"));
    write_file(root() / "build/release/build.ninja", "");
    write_file(root() / "build/release/CMakeCache.txt",
               "CMAKE_HOME_DIRECTORY:INTERNAL=" + root().string() + "\n");
    program("ninja", "echo \"[1/1] Building $3\"; echo \"built $3\" >>" + (root() / "built").string());
    for (const char* name : {"headlight", "headlight_gradients", "lessons/lesson_01_tensors"})
      program("build/release/" + std::string(name), "echo \"${0##*/}\"; printf '<%s>' \"$@\"");
    program("build/release/headlight_door",
            "[ \"$1\" != check-test ] || exit 0\n"
            "[ \"$1\" != find-lesson ] || { [ \"$2\" = 1 ] || exit 2; echo lesson_01_tensors; exit; }\n"
            "echo door; printf '<%s>' \"$@\"");
  }

  Ended call(const std::vector<std::string>& words, const std::string& preset = "") const {
    Command command{.words = {door().string()}, .folder = root()};
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.environment = {{"PATH", root().string() + ":" + std::getenv("PATH")},
                           {"HEADLIGHT_PRESET", preset},
                           {"NINJA_STATUS", "odd "}};
    return run_process(command);
  }

  // What was built since the last look.
  std::string built() const {
    const auto file = root() / "built";
    const std::string text = std::filesystem::exists(file) ? read_file(file) : "";
    std::filesystem::remove(file);
    return text;
  }

  std::filesystem::path root() const { return std::filesystem::canonical(folder_.path()); }

  void program(const std::string& name, const std::string& text) const {
    script(name, "#!/bin/sh\n" + text + "\n");
  }

 private:
  void script(const std::string& name, const std::string& text) const {
    write_file(root() / name, text);
    std::filesystem::permissions(root() / name, std::filesystem::perms::owner_all);
  }
  std::filesystem::path door() const { return root() / "headlight"; }
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("the tests are counted from what ctest prints", "[door]") {
  const TestCount count = count_tests(kLog);
  CHECK(in_words(count) == "1 passed, 1 failed, 2 skipped");
  CHECK(in_words({3, 0, 0}) == "3 passed, 0 failed");
  CHECK(in_words(count_tests("Test project /build\nNo tests were found!!!\n")) == "0 passed, 0 failed");
  CHECK(error_of([] { count_tests("1/4 Test #1: softmax ...   Passed"); }) ==
        "ctest did not finish (above).");
}

TEST_CASE("of a failed run what did not pass is shown", "[door]") {
  const std::string shown = without_passed(kLog, 100);
  CHECK_FALSE(contains(shown, "Start"));
  CHECK_FALSE(contains(shown, "softmax"));
  CHECK(contains(shown, "gemm_test.cpp:3: FAILED\n"));
  CHECK(without_passed("a\nb\nc\n", 2) == "a\nb\n");
  const auto reasons = reasons_of_skipped(kLog);
  REQUIRE(reasons.size() == 1);
  CHECK(contains(reasons[0], "was not tested in a browser"));
}

TEST_CASE("lessons are found by number or by name, and nothing else", "[door]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "02_two" / "README.md", "# Two\n\n**Afterwards you can** count to two.\n");
  write_file(folder.path() / "01_one" / "lesson.cpp", "");
  write_file(folder.path() / "notes" / "README.md", "");
  write_file(folder.path() / "story.h", "");
  const auto lessons = lessons_in(folder.path());
  REQUIRE(lessons.size() == 2);
  CHECK(lessons[0].promise.empty());
  CHECK(lessons[1].promise == "count to two.");
  for (const char* name : {"2", "02", "02_two"}) CHECK(find_lesson(lessons, name).name == "two");
  for (const char* name : {"3", "two", "0", "02_*"})
    CHECK(error_of([&] { find_lesson(lessons, name); }) ==
          "there is no lesson '" + std::string(name) + "'; expected one of 01, 02.");
  CHECK(contains(error_of([&] { find_lesson(lessons, ""); }), "which lesson?"));
}

TEST_CASE("the front door builds what is asked for and hands over every word", "[door]") {
  const House house;
  Ended ended = house.call({"demo", "--out", "a b", ""});
  CHECK(ended.output == "headlight\n<demo><--out><a b><>");
  CHECK(ended.errors == "headlight: building\n");
  CHECK(house.built() == "built headlight_app\n");
  ended = house.call({"gradients", "--case", "self"});
  CHECK(ended.output == "headlight_gradients\n<--case><self>");
  CHECK(house.built() == "built headlight_gradients\n");
  ended = house.call({"lesson", "1", "--out", "x"});
  CHECK(ended.output == "lesson_01_tensors\n<--out><x>");
  CHECK(house.built() == "built headlight_door\nbuilt lesson_01_tensors\n");
  CHECK(house.call({"lesson", "7"}).status == 2);
  CHECK(house.built() == "built headlight_door\n");
  CHECK(house.call({"lesson", "--help"}).output == "door\n<lesson><--help>");
  CHECK(house.call({"lessons"}).output == "door\n<lessons>");
  house.built();
  CHECK(house.call({"test", "-R", "gemm"}).output == "door\n<test><-R><gemm>");
  CHECK(house.built() == "built headlight_door\nbuilt headlight_all_tests\n");
  CHECK(house.call({"test", "--help"}).output == "door\n<test><--help>");
  CHECK(house.built() == "built headlight_door\n");
}

TEST_CASE("the hostile trials get the program and their own words", "[door]") {
  const House house;
  house.program("python3", "printf '<%s>' \"$@\"");
  const std::string root = house.root().string();
  CHECK(house.call({"test", "--hostile", "kills", "--quick"}).output ==
        "<" + root + "/tests/hostile/run><" + root + "/build/release/headlight><kills><--quick>");
  CHECK(house.built() == "built headlight_hostile\n");
}

TEST_CASE("a word that ctest would ignore is refused", "[door]") {
  const std::string help =
      "Options\n"
      "  --preset <preset>, --preset=<preset>\n"
      "  -V,--verbose                 = Enable verbose output.\n"
      "  -j <jobs>, --parallel <jobs> = Run the tests in parallel.\n"
      "  -N,--show-only[=format]      = Disable actual execution.\n"
      "  -I [Start,End], --tests-information\n"
      "  --test-load                  = CPU load threshold.\n";
  const auto refusal = [&](const std::vector<std::string>& words) {
    return error_of([&] { check_ctest_words(words, help); });
  };
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{},
                                             {"-V", "-N"},
                                             {"-j", "-1"},
                                             {"-j4", "--show-only=json-v1"},
                                             {"--preset=a", "--parallel", "2"},
                                             {"-I", "1,2"},
                                             {"--tests-information"},
                                             {"--test-load", "4", "-V"}})
    CHECK_NOTHROW(check_ctest_words(words, help));
  CHECK(refusal({"--bogus"}) ==
        "neither ./headlight test nor ctest knows the option '--bogus'. (--help explains)");
  for (const std::string word : {"-x", "-jx", "--verbos", "--verbose=1", "Options"})
    CHECK(contains(refusal({"-V", word}), "'" + word + "'"));
  CHECK(contains(refusal({"gemm"}), "'gemm' belongs to no option of ./headlight test. Hint: -R"));
  CHECK(contains(refusal({"-V", "gemm"}), "'gemm' belongs to no option"));
  CHECK(contains(refusal({"-j"}), "-j takes a value"));
  CHECK_NOTHROW(check_ctest_words({"--bogus"}, "Hilfe\n"));

  const House house;
  house.program("build/release/headlight_door",
                "[ \"$1\" != check-test ] || { printf '<%s>' \"$@\"; exit 2; }");
  const Ended ended = house.call({"test", "--bogus"});
  CHECK(ended.status == 2);
  CHECK(ended.output == "<check-test><--bogus>");
  CHECK(house.built() == "built headlight_door\n");
}

TEST_CASE("a preset that does not exist is refused before anything is written", "[door]") {
  const House house;
  const Ended ended = house.call({"demo"}, "nope\nrelease");
  CHECK(ended.status == 2);
  CHECK(contains(ended.errors,
                 "headlight: HEADLIGHT_PRESET is 'nope?release'; expected one of release, portable, "));
  CHECK_FALSE(std::filesystem::exists(house.root() / "build/.lock"));
}

TEST_CASE("what cannot be built anew is run as it was built, with a note", "[door]") {
  const House house;
  const auto folder = house.root() / "build/.lock";  // a folder in its place, so that not even root can write
  std::filesystem::create_directories(folder);
  house.program("ninja",
                "echo \"$*\" >>" + (house.root() / "built").string() + "; echo 'ninja: no work to do.'");
  CHECK(house.call({"demo"}).errors.empty());
  CHECK(contains(house.built(), " -n -f /dev/stdin headlight_app\n"));
  house.program("ninja", "echo '[1/1] Building x'");
  Ended ended = house.call({"demo"});
  CHECK(ended.output == "headlight\n<demo>");
  CHECK(contains(ended.errors, "headlight: note: nothing can be written to '"));
  std::filesystem::remove(house.root() / "build/release/headlight");
  ended = house.call({"demo"});
  CHECK(ended.status == 2);
  CHECK(contains(ended.errors, "is not built, or not for you to run, and '"));
  CHECK(contains(house.call({"test"}).errors, "which cannot be written."));
}

TEST_CASE("ninja's lines have the form that is read, whatever the caller's is", "[door]") {
  const House house;
  house.program("ninja", "echo \"$NINJA_STATUS\" >" + (house.root() / "built").string());
  CHECK(house.call({"demo"}).ok());
  CHECK(house.built() == "[%f/%t] \n");
}

TEST_CASE("a build that fails is shown, and nothing is started", "[door]") {
  const House house;
  house.program("ninja", "echo '[1/1] Building x'; echo 'x.cpp:1: error'; exit 1");
  const Ended ended = house.call({"demo"});
  CHECK(ended.status == 2);
  CHECK(ended.output.empty());
  CHECK(contains(ended.errors, "x.cpp:1: error\nheadlight: the build failed (above; "));
  house.program("ninja", "exit 0");
  CHECK(house.call({"demo"}).ok());
}

TEST_CASE("a long build says how far it is, ten times at most", "[door]") {
  const House house;
  house.program("ninja", "i=1; while [ $i -le 200 ]; do echo \"[$i/200] Building x$i\"; i=$((i + 1)); done");
  const std::string errors = house.call({"demo"}).errors;
  CHECK(errors.starts_with("headlight: building\nheadlight: built 20 of 200\nheadlight: built 40 of 200\n"));
  CHECK(std::count(errors.begin(), errors.end(), '\n') == 11);
  house.program("ninja", "for i in 1 2 3; do echo \"[$i/3] Building x$i\"; done");
  CHECK(house.call({"demo"}).errors == "headlight: building\n");
  house.program("ninja", "echo 'ninja: no work to do.'");
  CHECK(house.call({"demo"}).errors.empty());
}

TEST_CASE("a first start and a copied tree say that everything is built", "[door]") {
  const House house;
  for (const char* tool : {"apt-get", "dpkg-query", "cmake"}) house.program(tool, "printf installed");
  write_file(house.root() / "build/release/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/old/place\n");
  CHECK(house.call({"demo"}).errors ==
        "headlight: this folder was copied or moved from /old/place: everything is built again (a minute or "
        "two "
        "on two cores)\nheadlight: setting up the release build\nheadlight: building\n");
  std::filesystem::remove(house.root() / "build/release/build.ninja");
  CHECK(contains(house.call({"demo"}).errors, "headlight: first start: installs what is missing, builds"));
}
