// How a learner's file is built, by ninja itself, with a shell script for a program.
#include "course/check/toolchain.h"

#include <chrono>

#include "catch.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

namespace fs = std::filesystem;
using namespace headlight;
using namespace headlight::course;
using namespace std::chrono_literals;

namespace {

// A build folder that copies the learner's file, which is a script, and calls the copy its program.
class Workshop {
 public:
  Workshop() {
    fs::create_directories(build() / "lessons");
    write_file(build() / "build.ninja",
               "rule copy\n  command = ! grep broken $in && ! (grep endless $in && sleep 60) && [ $$(ulimit "
               "-v) != unlimited ] && cp $in $out && chmod +x $out\n"
               "build lessons/my_01_first: copy " +
                   mine().string() + "\nbuild my_01_first: phony lessons/my_01_first\n");
  }

  fs::path build() const { return folder_.path() / "build" / "release"; }
  fs::path mine() const { return folder_.path() / "01_first.cpp"; }
  fs::path program() const { return build() / "lessons/my_01_first"; }

  void save(const std::string& text, fs::file_time_type time = fs::file_time_type::clock::now()) const {
    write_file(mine(), "#!/bin/sh\n" + text + "\n");
    fs::last_write_time(mine(), time);
  }

  // What becomes of the script.
  std::string checked() const {
    const Built built = tools_.build(lesson_, mine(), {});
    return built.ok ? tools_.grade(lesson_, mine(), {}, {}).message : "not built";
  }

 private:
  TemporaryFolder folder_;
  Toolchain tools_ = build_folder_tools(build(), 5s);
  Lesson lesson_{"01_first", "01", "first", "First", "", "", {}};
};

constexpr const char *kThree = "it ended the program (exit 3)", *kFour = "it ended the program (exit 4)";

}  // namespace

TEST_CASE("the text of the file is built, however old the file is", "[course]") {
  const Workshop shop;
  const auto now = fs::file_time_type::clock::now();
  shop.save("exit 3");
  CHECK(shop.checked() == kThree);
  shop.save("exit 4", now - 1h);
  CHECK(shop.checked() == kFour);
  shop.save("broken", now - 2h);
  CHECK(shop.checked() == "not built");
  shop.save("exit 3", now - 1h);
  CHECK(shop.checked() == kThree);
}

TEST_CASE("a file that was built keeps its time", "[course]") {
  const Workshop shop;
  shop.save("exit 3");
  CHECK(shop.checked() == kThree);
  const auto time = fs::last_write_time(shop.mine());
  shop.save("exit 3", time - 1h);
  CHECK(shop.checked() == kThree);
  CHECK(fs::last_write_time(shop.mine()) == time - 1h);
}

TEST_CASE("a clock that goes back keeps no old program and no old verdict", "[course]") {
  const Workshop shop;
  shop.save("exit 3", fs::file_time_type::clock::now() + 1h);
  CHECK(shop.checked() == kThree);
  for (const auto& each : fs::directory_iterator(shop.build() / "lessons"))
    fs::last_write_time(each.path(), fs::file_time_type::clock::now() + 1h);
  shop.save("exit 4");
  CHECK(shop.checked() == kFour);
}

TEST_CASE("an unchanged program is not run again", "[course]") {
  const Workshop shop;
  shop.save("exit 3");
  CHECK(shop.checked() == kThree);
  const fs::path stored = shop.program().string() + ".verdict";
  std::string verdict = read_file(stored);
  write_file(stored, verdict.replace(verdict.find("exit 3"), 6, "exit 5"));
  CHECK(shop.checked() == "it ended the program (exit 5)");
}

TEST_CASE("a build without an end is stopped", "[course]") {
  const Workshop shop;
  shop.save("# endless");
  CHECK(error_of([&] { (void)shop.checked(); }) ==
        "the build of my/01_first.cpp was stopped after 5 seconds. Hint: is the machine busy, so that a "
        "second call goes on? Or does the file include a pipe, a device or itself?");
}
