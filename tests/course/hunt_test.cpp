// Hunts: the bank, the choice by name, what is planted, and the verdict. tests/course/hunt/run plays whole
// hunts.
#include "course/hunt/hunt.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

namespace fs = std::filesystem;
using namespace headlight;
using namespace headlight::course;

namespace {

const fs::path kSource = HEADLIGHT_SOURCE_DIR;

std::vector<Eligible> eligible() { return read_eligible(kSource / "src/course/hunt/bugs.txt"); }

const Bug& bug_named(const std::string& name) {
  static const std::vector<Bug> bank = read_bank(kSource / "tests/mutants");
  const auto found = std::ranges::find(bank, name, &Bug::name);
  INFO(name);
  REQUIRE(found != bank.end());
  return *found;
}

const Bug kBug{
    .name = "sign", .file = "src/engine/ops/arithmetic.cpp", .right = "return -g;", .wrong = "return g;"};

}  // namespace

TEST_CASE("a hunt's list names bugs of the bank that can be planted", "[course][hunt]") {
  std::set<std::string> names;
  for (const Eligible& each : eligible()) {
    INFO(each.name);
    CHECK(names.insert(each.name).second);
    const Bug& bug = bug_named(each.name);
    CHECK((bug.file.starts_with("src/engine/") || bug.file.starts_with("include/headlight/")));
    const std::string right = read_file(kSource / bug.file);
    const Planted planted = plant(bug, right);
    CHECK(planted.text != right);
    CHECK(place_is_unchanged(planted, planted.text));
    CHECK_FALSE(place_is_unchanged(planted, right));
  }
}

TEST_CASE("a hundred names give at least sixty bugs of equal stars, and each name always its own",
          "[course][hunt]") {
  const std::vector<Eligible> all = eligible();
  std::set<std::string> bugs;
  for (int i = 1; i <= 100; ++i) {
    const Eligible& bug = bug_for("student" + std::to_string(i), kUsualStars, all);
    CHECK(bug.stars == kUsualStars);
    CHECK(&bug == &bug_for("student" + std::to_string(i), kUsualStars, all));
    bugs.insert(bug.name);
  }
  CHECK(bugs.size() >= 60);
  for (int stars : {1, 3}) CHECK(bug_for("ada", stars, all).stars == stars);
  // The choice by a hash, so it is the same on every machine.
  const std::vector<Eligible> three{{"a", 2}, {"b", 1}, {"c", 2}, {"d", 2}};
  CHECK(bug_for("ada", 2, three).name == "c");
  CHECK(bug_for("ben", 2, three).name == "a");
  CHECK(error_of([&] { (void)bug_for("ada", 3, three); }) == "--stars: expected 1, 2 or 3, got 3.");
}

TEST_CASE("the list and the bank refuse lines that they do not know", "[course][hunt]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "bugs.txt", "# stars, name\n4 sign\n");
  CHECK(error_of([&] { (void)read_eligible(folder.path() / "bugs.txt"); }) ==
        "bugs.txt: expected stars from 1 to 3 and a name, got '4 sign'.");
  write_file(folder.path() / "bugs.txt",
             "A note.\n\n== sign\nwhy   it is wrong\nfile  a.cpp\n- one\n-   two\n+ three\n+ \n");
  const std::vector<Bug> bugs = read_bank(folder.path());
  REQUIRE(bugs.size() == 1);
  CHECK(bugs[0].why == "it is wrong");
  CHECK(bugs[0].file == "a.cpp");
  CHECK(bugs[0].right == "one\n  two");
  CHECK(bugs[0].wrong == "three\n");
  write_file(folder.path() / "bugs.txt", "== sign\nhow bad\n");
  CHECK(error_of([&] { (void)read_bank(folder.path()); }).find("'how bad' stands where") !=
        std::string::npos);
}

TEST_CASE("a bug that leaves a line empty leaves no line", "[course][hunt]") {
  const Bug gone{.name = "gone", .file = "a.cpp", .right = "clear();", .wrong = ""};
  CHECK(plant(gone, "void f() {\n  clear();\n  go();\n}\n").text == "void f() {\n  go();\n}\n");
  CHECK(plant(kBug, "a\nreturn -g;\nb\n").text == "a\nreturn g;\nb\n");
  CHECK(error_of([] { (void)plant(kBug, "return -g; return -g;"); }) ==
        "the text that 'sign' replaces stands 2 times in src/engine/ops/arithmetic.cpp, not once.");
}

TEST_CASE("the place of a bug is the lines around it, whatever their spaces", "[course][hunt]") {
  const std::string source = "1\n2\n3\n4\n5\n  return -g;\n6\n7\n8\n9\n";
  const Planted planted = plant(kBug, source);
  CHECK(planted.place == "3\n4\n5\n  return g;\n6\n7\n8");
  CHECK(place_is_unchanged(planted, "one\n2\n3\n4\n5\nreturn  g;\n6\n7\n8\n9\n"));
  CHECK_FALSE(place_is_unchanged(planted, source));
  CHECK_FALSE(place_is_unchanged(planted, "1\n2\n3\n4\n5\n  return g * -1;\n6\n7\n8\n9\n"));
}

TEST_CASE("the verdict tells a fix from a mask and from a change elsewhere", "[course][hunt]") {
  const Difference seen{"training", "copy", "3.9", "1.6"}, other{"gradient", "softmax", "1", "2"};
  const HuntFolder::Changes none{}, elsewhere{true, false}, there{true, true};
  const Looked clean{.built = true, .finished = true, .errors = "", .differences = {}};
  Looked both = clean, finer = clean, broken, crashed;
  both.differences = {seen, other}, finer.differences = {other};
  crashed.built = true;
  CHECK(outcome_of(clean, there, seen) == Outcome::fixed);
  CHECK(outcome_of(clean, elsewhere, seen) == Outcome::masked);
  CHECK(outcome_of(finer, there, seen) == Outcome::masked);
  CHECK(outcome_of(finer, elsewhere, seen) == Outcome::masked);
  Looked beside = clean;  // another check of the same tool, and one of the same name
  beside.differences = {{"training", "repeat", "3.9", "1.6"}, {"model", "copy", "1", "2"}};
  CHECK(outcome_of(beside, there, seen) == Outcome::masked);
  CHECK(outcome_of(both, elsewhere, seen) == Outcome::elsewhere);
  CHECK(outcome_of(both, there, seen) == Outcome::still_there);
  CHECK(outcome_of(broken, there, seen) == Outcome::not_compiling);
  CHECK(outcome_of(crashed, there, seen) == Outcome::not_finished);
  CHECK(outcome_of(clean, none, seen) == Outcome::untouched);
  CHECK(
      verdict_text(Outcome::elsewhere, both) ==
      "Not fixed: another place was changed, and the symptom is still there. 2 checks still differ, the first "
      "of them 'copy' of the tool training. See ./look.\n");
  CHECK(verdict_text(Outcome::masked, clean)
            .starts_with("Not fixed: the symptom is gone and the cause is not."));
}

TEST_CASE("a hunt's folder holds the bug, and nothing that names it", "[course][hunt]") {
  const TemporaryFolder folder;
  const HuntFolder hunt(kSource, folder.path() / "hunt");
  const Bug& bug = bug_named("softmax-gradient-without-row-sum");
  const HuntNote note{"ada", 2, hidden(bug.name), hunt.hash_of(bug), false};
  hunt.lay_out(bug);
  hunt.write_note(note);
  CHECK(hunt.note()->name == "ada");
  const fs::path file = hunt.path() / bug.file;
  CHECK(read_file(file) == plant(bug, read_file(kSource / bug.file)).text);
  for (const auto& entry : fs::recursive_directory_iterator(hunt.path()))
    if (entry.is_regular_file()) {
      INFO(entry.path());
      CHECK(read_file(entry.path()).find(bug.name) == std::string::npos);
    }
  CHECK_FALSE(hunt.changes(bug, note).any);

  write_file(file, read_file(kSource / bug.file));
  CHECK(hunt.changes(bug, note).at_the_bug);
  hunt.lay_out(bug);
  write_file(hunt.path() / "src/engine/ops/loss.cpp", "// mine\n");
  CHECK(hunt.changes(bug, note).any);
  CHECK_FALSE(hunt.changes(bug, note).at_the_bug);
  // Tools that were changed are put back, and a file of another hunt goes.
  write_file(hunt.path() / "expected.txt", "");
  write_file(hunt.path() / "src/engine/ops/more.cpp", "");
  hunt.restore_tools();
  CHECK(read_file(hunt.path() / "expected.txt") == read_file(kSource / "src/course/look/expected.txt"));
  hunt.lay_out(bug);
  CHECK_FALSE(fs::exists(hunt.path() / "src/engine/ops/more.cpp"));
  HuntNote older = note;
  older.sources = "other";
  CHECK(error_of([&] { (void)hunt.changes(bug, older); }).starts_with("the project's sources are not those"));
}

TEST_CASE("look prints an error in a header once, and lists its tools without a build", "[course][hunt]") {
  const TemporaryFolder temporary;
  const fs::path folder = fs::canonical(temporary.path());
  const fs::path look = folder / "look", ninja = folder / "bin/ninja";
  write_file(look, read_file(kSource / "src/course/look/look"));
  write_file(folder / "HUNT.md",
             told({.name = "ada", .bug = "0", .sources = "0"}, {"training", "copy", "1", "2"}));
  const Command help{.words = {look.string(), "--help"}},
      build{.words = {look.string()},
            .environment = {{"PATH", (folder / "bin").string() + ":/usr/bin:/bin"}}};
  // What ninja prints of two files that include the same header.
  fs::create_directories(folder / "bin");
  std::string errors;
  for (const char* file : {"ops", "nn"})
    errors += std::string("FAILED: ") + file + ".o\n/usr/bin/c++ -O1 -c " + file +
              ".cpp\nsort.h:7:1: error: oops\n";
  write_file(ninja, "#!/bin/sh\ncat <<END\n" + errors + "ninja: build stopped.\nEND\nexit 1\n");
  write_file(folder / "build/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=" + folder.string() + "\n");
  for (const fs::path& program : {look, ninja})
    fs::permissions(program, fs::perms::owner_exec, fs::perm_options::add);
  const Ended failed = run_process(build);
  CHECK(failed.status == 3);
  CHECK(failed.errors == "sort.h:7:1: error: oops\n");
  const Ended listed = run_process(help);
  CHECK(listed.ok());
  for (const char* words :
       {"./look ledger ", "./look gradient softmax ", "hand ", "tape ", "fused ", "numeric "})
    CHECK(listed.output.find(words) != std::string::npos);
  CHECK(listed.output.find("## ") == std::string::npos);
}

TEST_CASE("a hunt's text names each folder of the engine, and what its stars count", "[course][hunt]") {
  const std::string text = told({.name = "ada", .bug = "0", .sources = "0"}, {"training", "copy", "1", "2"});
  for (const auto& entry : fs::directory_iterator(kSource / "src/engine"))
    if (entry.is_directory())
      CHECK(text.find("src/engine/" + entry.path().filename().string() + " ") != std::string::npos);
  CHECK(text.find("The stars count what `./look` shows, and not how hard the fix is.") != std::string::npos);
}

TEST_CASE("a hunt is refused where it would overwrite something", "[course][hunt]") {
  const TemporaryFolder folder;
  const fs::path at = folder.path() / "hunt";
  const Hunt hunt(kSource, at);
  CHECK(error_of([&] { (void)hunt.text(); }) ==
        "no hunt was begun in '" + at.string() + "'. Hint: ./headlight hunt --as YOUR-NAME");
  CHECK(error_of([&] { (void)hunt.judge(); }).starts_with("no hunt was begun"));
  CHECK(error_of([&] { (void)hunt.begin({.bug = "no-such-bug"}); }) ==
        "--bug: there is no bug 'no-such-bug'. Hint: ./headlight mutants --list");
  write_file(at / "mine.txt", "");
  CHECK(error_of([&] { (void)hunt.begin({.name = "ada"}); }) ==
        "'" + at.string() + "' is there and holds no hunt. Hint: --in FOLDER takes another one.");
  HuntFolder(kSource, at).write_note({"ben", 2, "0", "0", false});
  CHECK(error_of([&] { (void)hunt.begin({.name = "ada"}); }) ==
        "'" + at.string() +
            "' holds the hunt of 'ben', which is not fixed. Hint: --anew gives it up; --in FOLDER begins "
            "another one.");
  CHECK(error_of([&] {
          (void)hunt.judge();
        }).starts_with("no hunt was begun"));  // it was stopped while it began
  write_file(at / "hunt.json", "{}");
  CHECK(error_of([&] { (void)hunt.text(); }).find("is no note of a hunt") != std::string::npos);
}
