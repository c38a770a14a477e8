// What the script ./headlight builds and starts.
#include <filesystem>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

using namespace headlight;

namespace {

// A tree with the script, and a ninja and programs that only print what they are given.
class Tree {
 public:
  Tree() {
    for (const char* name : {"headlight", "CMakePresets.json"})
      file(name, read_file(std::filesystem::path(HEADLIGHT_SOURCE_DIR) / name));
    write_file(root() / "build/release/build.ninja", "");
    write_file(root() / "build/release/CMakeCache.txt",
               "CMAKE_HOME_DIRECTORY:INTERNAL=" + root().string() + "\n");
    ninja("echo \"built $2\" >>" + (root() / "built").string());
    for (const char* name : {"headlight", "headlight_full", "headlight_gradients", "headlight_course"})
      program("build/release/" + std::string(name), "echo \"${0##*/}\"; printf '<%s>' \"$@\"");
  }

  Ended call(const std::vector<std::string>& words, const std::string& preset = "",
             const std::string& rank = "") const {
    Command command{.words = {(root() / "headlight").string()}, .folder = root()};
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.environment = {{"PATH", root().string() + ":" + std::getenv("PATH")},
                           {"HEADLIGHT_PRESET", preset},
                           {"OMPI_COMM_WORLD_RANK", rank}};
    return run_process(command);
  }

  // What was built since the last look.
  std::string built() const {
    const auto log = root() / "built";
    const std::string text = std::filesystem::exists(log) ? read_file(log) : "";
    std::filesystem::remove(log);
    return text;
  }

  std::filesystem::path root() const { return std::filesystem::canonical(folder_.path()); }

  void program(const std::string& name, const std::string& text) const {
    file(name, "#!/bin/sh\n" + text + "\n");
  }

  // Ninja, which finds work to do, and does it so.
  void ninja(const std::string& build) const {
    program("ninja", "case \"$*\" in -n*) ;; *build.ninja) ;; *) " + build + " ;; esac");
  }

 private:
  void file(const std::string& name, const std::string& text) const {
    write_file(root() / name, text);
    std::filesystem::permissions(root() / name, std::filesystem::perms::owner_all);
  }
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("the script builds the program of a command and hands over every word", "[course]") {
  const Tree tree;
  Ended ended = tree.call({"demo", "--out", "a b", ""});
  CHECK(ended.output == "headlight\n<demo><--out><a b><>");
  CHECK(ended.errors == "headlight: building\n");
  CHECK(tree.built() == "built headlight_app\n");
  CHECK(tree.call({"gradients", "--case", "self"}).output == "headlight_gradients\n<--case><self>");
  CHECK(tree.built() == "built headlight_gradients\n");
  for (const std::string command : {"lesson", "lessons", "start", "check", "watch", "show", "hint",
                                    "solution", "reset", "hunt", "test"}) {
    CHECK(tree.call({command, "3"}).output == "headlight_course\n<" + command + "><3>");
    CHECK(tree.built() == "built headlight_course\n");
  }
}

TEST_CASE("the program of all commands is built when one asks for it", "[course]") {
  const Tree tree;
  tree.program("mpicxx", "");
  const std::vector<std::vector<std::string>> lines{{"sweep", "--seeds", "0"},
                                                    {"compare", "--help"},
                                                    {"verify", "a b"},
                                                    {"paper"},
                                                    {"bench", "small"},
                                                    {"certify", "runs/demo", "--all-inputs=4"},
                                                    {"certify", "runs/demo", "--from-weights", "5"},
                                                    {"certify", "--redraws", "5", "runs/demo"}};
  for (const auto& words : lines) {
    CHECK(tree.call(words).output.starts_with("headlight_full\n<" + words[0] + ">"));
    CHECK(tree.built() == "built headlight_full\n");
  }
  for (const std::string word : {"certify", "report", "train"})
    CHECK(tree.call({word, "compare"}).output == "headlight\n<" + word + "><compare>");
  write_file(tree.root() / "build/release/build.ninja", "headlight_mpi");
  CHECK(tree.call({"train"}, "", "1").output == "headlight_full\n<train>");
}

TEST_CASE("the script builds the library and installs it", "[course]") {
  const Tree tree;
  tree.program("cmake", "printf '<%s>' \"$@\"");
  CHECK(tree.call({"install", "--prefix", "a b"}).output ==
        "<--install><" + tree.root().string() + "/build/release><--prefix><a b>");
  CHECK(tree.built() == "built headlight_library\n");
  const auto cache = tree.root() / "build/release/CMakeCache.txt";
  write_file(cache, read_file(cache) + "HEADLIGHT_LEVELS:STRING=native\n");
  tree.program("cmake", "echo \"$*\" >>" + (tree.root() / "built").string());
  tree.call({"install"});
  CHECK(tree.built() == "--preset release -DHEADLIGHT_LEVELS=all\nbuilt headlight_library\n--install " +
                            tree.root().string() + "/build/release\n");
}

TEST_CASE("help builds no more than the program that prints it", "[course]") {
  const Tree tree;
  CHECK(tree.call({"help"}).output == "headlight\n<--help>");
  CHECK(tree.call({"help", "start"}).output == "headlight_course\n<start><--help>");
  for (const std::string flag : {"--hostile", "--everywhere", "--browser"})
    CHECK(tree.call({"test", flag, "--help"}).output == "headlight_course\n<test><" + flag + "><--help>");
  tree.built();
  tree.program("tests/fuzz/run", "printf '<%s>' \"$@\"");
  CHECK(tree.call({"fuzz", "--help"}).output == "<-><--help>");
  tree.program("python3", "printf '<%s>' \"$@\"");
  CHECK(tree.call({"mutants", "--help"}).output ==
        "<" + tree.root().string() + "/tests/mutants/run><--help>");
  CHECK(contains(tree.call({"install", "--help"}).output, "--prefix DIR   Folder to install into"));
  tree.program("docs/reference/run", "printf '<%s>' \"$@\"");
  CHECK(tree.call({"reference", "-o", "a b", "--help"}).output == "<-o><a b><--help>");
  tree.program("src/web/site/run", "printf '<%s>' \"$@\"");
  CHECK(tree.call({"site", "-o", "a b", "--help"}).output == "<-o><a b><--help>");
  tree.program("src/application/package/run", "printf '<%s>' \"$@\"");
  CHECK(tree.call({"package", "-o", "a b", "--help"}).output == "<-o><a b><--help>");
  CHECK(tree.built().empty());
}

TEST_CASE("in an archive nothing is built, and a compiler is looked for where one is needed", "[course]") {
  const Tree tree;
  const auto release = tree.root() / "build/release";
  write_file(release / "archive.sh",
             read_file(std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "src/application/package/archive.sh"));
  CHECK(tree.call({"demo"}).output == "headlight\n<demo>");
  CHECK(tree.call({"sweep"}).output == "headlight_full\n<sweep>");
  for (const std::string command : {"test", "install", "package", "hunt"}) {
    const Ended ended = tree.call({command});
    CHECK(ended.status == 2);
    CHECK(contains(ended.errors, "'" + command + "' takes the sources"));
  }
  const auto compiler = [&](const std::string& version, const std::string& words) {
    for (const std::string name : {"c++", "g++", "clang++"})
      tree.program(name, "[ $1 = --version ] && echo '" + words + "' || echo " + version);
    return tree.call({"check", "2"});
  };
  CHECK(compiler("12", "c++ (Debian)").output == "headlight_course\n<check><2>");
  CHECK(read_file(release / "compiler.ninja") == "cxx = c++\nof_compiler = \nversion = 12\n");
  compiler("19.1.7", "Debian clang version 19.1.7");
  CHECK(contains(read_file(release / "compiler.ninja"), "of_compiler = -fno-relaxed-template-template-args"));
  const Ended old = compiler("11", "c++ (Debian)");
  CHECK(old.status == 2);
  CHECK(contains(old.errors, "'check' compiles what you wrote, which takes g++ 12"));
  CHECK(tree.call({"start", "2"}).output == "headlight_course\n<start><2>");
  CHECK(tree.built().empty());
}

TEST_CASE("the hostile trials get the program and their own words", "[course]") {
  const Tree tree;
  tree.program("python3", "printf '<%s>' \"$@\"");
  const std::string root = tree.root().string();
  CHECK(tree.call({"test", "--hostile", "kills", "--quick"}).output ==
        "<" + root + "/tests/application/hostile/run><" + root +
            "/build/release/headlight_full><kills><--quick>");
  CHECK(tree.built() == "built headlight_hostile\n");
}

TEST_CASE("a preset that does not exist is refused before anything is written", "[course]") {
  const Tree tree;
  for (const std::string preset : {"nope", "../release", "release "}) {
    const Ended ended = tree.call({"demo"}, preset);
    CHECK(ended.status == 2);
    CHECK(ended.errors == "headlight: HEADLIGHT_PRESET: there is no preset '" + preset +
                              "'. Hint: cmake --list-presets lists them.\n");
  }
  CHECK_FALSE(std::filesystem::exists(tree.root() / "build/nope"));
}

TEST_CASE("a build that fails is shown, and nothing is started", "[course]") {
  const Tree tree;
  tree.ninja("echo 'x.cpp:1: error'; exit 1");
  const Ended ended = tree.call({"demo"});
  CHECK(ended.status == 2);
  CHECK(ended.output.empty());
  CHECK(ended.errors == "headlight: building\nx.cpp:1: error\nheadlight: the build failed (above).\n");
}

TEST_CASE("a call with nothing to build prints nothing", "[course]") {
  const Tree tree;
  tree.program("ninja", "echo 'ninja: no work to do.'");
  CHECK(tree.call({"demo"}).errors.empty());
}

TEST_CASE("a first build and a copied tree are set up", "[course]") {
  const Tree tree;
  tree.program("apt-get", "exit 1");
  tree.program("dpkg-query", "printf installed");
  tree.program("cmake", "touch build/release/build.ninja; echo \"$*\" >>" + (tree.root() / "built").string());
  const std::string setting_up =
      "headlight: setting up the release build, which takes two or three minutes on two cores\nheadlight: "
      "building\n";
  write_file(tree.root() / "build/release/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/old/place\n");
  CHECK(tree.call({"demo"}).errors == setting_up);
  CHECK(tree.built() == "--preset release --fresh\nbuilt headlight_app\n");
  std::filesystem::remove_all(tree.root() / "build");
  std::filesystem::create_directories(tree.root() / "build/release");
  tree.program("build/release/headlight", "echo app");
  CHECK(tree.call({"demo"}).errors == setting_up);
}

TEST_CASE("programs and tests run without the lock of the build", "[course]") {
  if (!run_process({.words = {"flock", "--version"}}).found) return;
  const Tree tree;
  const std::string lock = (tree.root() / "build/release/.lock").string();
  tree.program("build/release/headlight", "flock -n " + lock + " echo free");
  tree.ninja("flock -n " + lock + " echo free >>" + (tree.root() / "built").string() + " || echo held >>" +
             (tree.root() / "built").string());
  CHECK(tree.call({"demo"}).output == "free\n");
  CHECK(tree.built() == "held\n");
}
