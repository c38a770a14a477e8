// Files that commands do not replace, because a run or somebody else wrote them.
#include <array>

#include "program.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

const char* const kTinyRun =
    " --layers 1 --context 16 --vocab 12 --d-model 8 --heads 2 --batch 8 --evaluate-every 1 --steps 2 ";

class Place {
 public:
  std::string name(const std::string& file) const { return (folder_.path() / file).string(); }
  std::string train(const std::string& run) const {
    return "train" + std::string(kTinyRun) + "--out " + name(run);
  }
  void make_run() const { REQUIRE(headlight_program(train("run")).status == 0); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("no flag for an output takes a file of a run or of a sweep", "[program]") {
  const Place place;
  place.make_run();
  write_file(place.name("sweep/sweep.json"), "{}");
  const std::string run = place.name("run"), weights = read_file(run + "/model.safetensors");
  const std::array<std::string, 6> flags{"report " + run + " -o ",    "plot " + run + " --svg ",
                                         "curves " + run + " --png ", "compare " + run + " --html ",
                                         "export " + run + " --npz ", "export " + run + " --torch "};
  for (const std::string& flag : flags) {
    for (const std::string file : {"model.safetensors", "../run/config.json", "observers/x"})
      check_refused(flag + run + "/" + file, "would replace a file of the run in");
    check_refused(flag + place.name("sweep/sweep.csv"), "would replace a file of the sweep in");
  }
  check_refused("report " + run + " --tokens ABAB -o " + run + "/report.html", "would replace a file");
  check_refused("train --out " + run + "/observers/more", "--out ");
  CHECK(read_file(run + "/model.safetensors") == weights);
  CHECK(headlight_program("report " + run + " -o " + run + "/./report.html").status == 0);
  for (int i = 0; i < 2; ++i)
    CHECK(headlight_program("report " + run + " -o " + place.name("pages/report.html")).status == 0);
  for (int i = 0; i < 2; ++i)
    CHECK(headlight_program("plot " + run + " --svg " + run + "/mine.svg").status == 0);
}

TEST_CASE("a flag for an output replaces only files of its own kind", "[program]") {
  const Place place;
  place.make_run();
  const std::string run = place.name("run"), letter = place.name("letter"), other = place.name("other");
  fs::copy(run, other, fs::copy_options::recursive);
  const std::array<std::string, 5> flags{"report " + run + " -o ", "plot " + run + " --svg ",
                                         "compare " + run + " " + other + " --html ",
                                         "export " + run + " --npz ", "export " + run + " --torch "};
  for (const std::string& flag : flags) {
    write_file(letter, "Dear reader");
    check_refused(flag + letter, "'" + letter + "' would replace a file that is no ");
    CHECK(read_file(letter) == "Dear reader");
    for (const char* empty : {"", "again"}) {
      if (*empty == '\0') write_file(letter, "");
      INFO(flag << empty);
      CHECK(headlight_program(flag + letter).status == 0);
    }
  }
}

TEST_CASE("a link to nowhere stands for the file that would be written", "[program]") {
  const Place place;
  place.make_run();
  const std::string run = place.name("run"), link = place.name("link"), way = place.name("way");
  fs::create_symlink("way", link);
  fs::create_symlink("run/text.txt", way);
  check_refused("plot " + run + " --svg " + link, "'" + link + "' would replace a file of the run in");
  CHECK_FALSE(fs::exists(place.name("run/text.txt")));
  fs::remove(way);
  check_refused("export " + run + " --npz " + way + " --torch " + link, "name the same file");
  CHECK_FALSE(fs::exists(way));
  CHECK(headlight_program("plot " + run + " --svg " + link).status == 0);
  CHECK(fs::is_regular_file(way));
  fs::create_symlink("circle", place.name("circle"));
  check_refused("plot " + run + " --svg " + place.name("circle"), "its symbolic links go in circles");
}

TEST_CASE("a run takes no folder with another's files", "[program]") {
  const Place place;
  write_file(place.name("folder/model.safetensors/mine"), "mine");
  check_refused(place.train("folder"), "/folder' holds no run, but 'model.safetensors', which the run would");
  for (const char* file : {"config.json", "report.html"}) {
    write_file(place.name(std::string("mine/") + file), "{\"train\": {\"steps\": 1}}");
    const std::string held = fmt::format("/mine' holds no run, but '{}', which the run would replace.", file);
    check_refused(place.train("mine"), held);
    check_refused("demo --steps 1 --out " + place.name("mine"), held);
    CHECK(read_file(place.name(std::string("mine/") + file)) == "{\"train\": {\"steps\": 1}}");
    fs::remove(place.name(std::string("mine/") + file));
  }
  write_file(place.name("mine/config.json"), "{\"train\": {\"steps\": 1}}");
  check_refused("train --config " + place.name("mine/config.json") + " --out " + place.name("mine"),
                "--force replaces the file.");
  CHECK(headlight_program(place.train("mine") + " --force").status == 0);
}

TEST_CASE("a sweep takes no folder with another's files", "[program]") {
  const Place place;
  const std::string sweep = "sweep --seeds 1" + std::string(kTinyRun) + "--out ";
  write_file(place.name("mine/sweep.html"), "mine");
  check_refused(sweep + place.name("mine"),
                "holds no sweep, but 'sweep.html', which the sweep would replace.");
  REQUIRE(headlight_program(sweep + place.name("done")).status == 0);
  for (const auto& entry : fs::directory_iterator(place.name("done")))
    if (entry.is_directory())
      write_file(fs::path(place.name("other")) / entry.path().filename() / "config.json", "mine");
  check_refused(sweep + place.name("other"), "holds no run, but 'config.json'");
}

TEST_CASE("what fails leaves no folder behind", "[program]") {
  const Place place;
  place.make_run();
  for (const char* file : {"none/", "none/deep/"})
    check_refused("plot " + place.name("run") + " --svg " + place.name(file), "expected the name of a file");
  check_refused("train --resume " + place.name("none/run"), "there is no run");
  check_refused("report " + place.name("none/run"), "there is no run");
  CHECK_FALSE(fs::exists(place.name("none")));
}

TEST_CASE("a file beyond the limit of sizes ends with a sentence", "[program]") {
  const Place place;
  place.make_run();
  const std::string before = read_file(place.name("run/model.safetensors"));
  const Outcome o = headlight_program(place.train("run") + " --seed 2 --force", "ulimit -f 1;");
  CHECK(o.status == 2);
  CHECK(contains(o.err, "File too large"));
  CHECK(read_file(place.name("run/model.safetensors")) == before);
}
