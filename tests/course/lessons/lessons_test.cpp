// Every lesson: it prints what its text says, and text, code and pictures belong together.
#include "same_output.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <vector>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"
#include "temporary_folder.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

const fs::path kLessons = fs::path(HEADLIGHT_SOURCE_DIR) / "lessons";

std::vector<std::string> lessons() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kLessons))
    if (const std::string name = entry.path().filename().string();
        entry.is_directory() && name != "grader" && name != "verdict" && name != "all_of_it")
      names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

// What a lesson prints without its times, which differ from run to run (lesson_program.h).
std::string without_times(const std::string& text) {
  static const std::regex times(" *⏱[^\n]*");
  return std::regex_replace(text, times, "");
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(' ') - first + 1);
}

// The lines of all blocks fenced as ```<language>, without indentation.
std::vector<std::string> fenced_lines(const std::string& markdown, const std::string& language) {
  std::vector<std::string> found;
  bool inside = false, wanted = false;
  for (const std::string& line : text_lines(markdown)) {
    if (trimmed(line).starts_with("```")) {
      wanted = !inside && trimmed(line) == "```" + language;
      inside = !inside;
    } else if (wanted && !trimmed(line).empty()) {
      found.push_back(trimmed(line));
    }
  }
  return found;
}

// The text without its fenced blocks, in which "[x](…)" is no link, and without comments, whose links are the
// book's.
std::string without_code(const std::string& markdown) {
  std::string text;
  bool inside = false;
  for (const std::string& line : text_lines(markdown)) {
    const bool fence = trimmed(line).starts_with("```");
    if (!fence && !inside) text += line + "\n";
    inside ^= fence;
  }
  return std::regex_replace(text, std::regex("<!--[^>]*-->"), "");
}

std::set<std::string> trimmed_lines(const std::string& text) {
  std::set<std::string> lines;
  for (const std::string& line : text_lines(text)) lines.insert(trimmed(line));
  return lines;
}

// A lesson that trains computes with what has the same bits on every machine, so its digits are compared
// exactly.
bool trains(const std::string& lesson) {
  for (const auto& file : fs::directory_iterator(kLessons / lesson)) {
    const std::string name = file.path().filename().string();
    if (!name.ends_with(".h") && name != "lesson.cpp") continue;
    const std::string code = read_file(file.path());
    if (contains(code, "#include \"headlight/optim/") || contains(code, "#include \"headlight/train/"))
      return true;
  }
  return false;
}

const std::string course = HEADLIGHT_BINARY_DIR "/headlight_course ";

Ended call(const std::string& command) { return run_process({.words = {"sh", "-c", command}}); }

std::string program_of(const std::string& lesson) {
  return HEADLIGHT_BINARY_DIR "/lessons/lesson_" + lesson + " ";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

TEST_CASE("each lesson prints what is expected and draws the pictures it shows", "[lessons]") {
  REQUIRE_FALSE(lessons().empty());
  for (const std::string& lesson : lessons()) {
    INFO(lesson);
#if defined(__SANITIZE_ADDRESS__)  // there they would take minutes and show nothing more
    if (trains(lesson)) continue;
#endif
    const TemporaryFolder folder;
    const std::string out = (folder.path() / "pictures").string();
    const Ended o = call(program_of(lesson) + "--out " + out);
    INFO(o.errors);
    REQUIRE(o.status == 0);
    CHECK(o.errors.empty());
    CHECK_FALSE(contains(o.output, "\x1b"));
    const std::string expected = read_file(kLessons / lesson / "expected.txt"),
                      printed = without_times(replaced(o.output, out, "runs/lessons/" + lesson));
    CHECK(difference_of_output(expected, printed) == "");
    if (trains(lesson)) CHECK(expected == printed);

    std::set<std::string> drawn, stored;
    for (const auto& file : fs::directory_iterator(out)) drawn.insert(file.path().filename().string());
    for (const auto& file : fs::directory_iterator(kLessons / lesson))
      if (file.path().extension() == ".svg") stored.insert(file.path().filename().string());
    CHECK(drawn == stored);
    for (const std::string& name : drawn) {
      INFO(name);
      if (!stored.contains(name)) continue;
      CHECK(difference_of_output(read_file(kLessons / lesson / name), read_file(fs::path(out) / name)) == "");
    }
  }
}

TEST_CASE("each lesson has its files, and its text links to what is there", "[lessons]") {
  static const std::regex link("\\]\\(([^)#]+)(#[^)]*)?\\)"), include("#include ([<\"])([^>\"]+)[>\"]");
  for (const std::string& lesson : lessons()) {
    INFO(lesson);
    CHECK(std::regex_match(lesson, std::regex("\\d\\d_[a-z_]+")));
    const std::string text = read_file(kLessons / lesson / "README.md");
    const std::string code = read_file(kLessons / lesson / "lesson.cpp");
    std::smatch promise;
    REQUIRE(
        std::regex_search(text, promise, std::regex("\n\\*\\*Afterwards you can\\*\\* (\\S[^\n]*)\\.\n")));
    for (const fs::path& table : {kLessons / "README.md", kLessons.parent_path() / "README.md"}) {
      INFO(table << " should have a row for it");
      CHECK(contains(read_file(table), "| " + promise[1].str() + " |\n"));
      CHECK(contains(read_file(table), lesson + "/README.md)"));
    }
    CHECK(contains(text, "./headlight lesson " + std::to_string(std::stoi(lesson)) + "\n"));
    CHECK(contains(text, "\n**Before you read:** "));
    CHECK(contains(text, "\n<!-- guess\n- "));
    CHECK(contains(text, "\n## Try this\n"));
    CHECK(contains(read_file(kLessons / "CMakeLists.txt"), "add_lesson(" + lesson + ")"));
    CHECK(std::count(code.begin(), code.end(), '\n') <= 300);
    for (std::sregex_iterator match(code.begin(), code.end(), include), end; match != end; ++match) {
      INFO(match->str());
      if ((*match)[1] == "\"")
        CHECK(((*match)[2] == "lesson_program.h" || (*match)[2] == "progress.h" ||
               (*match)[2] == "written.h" || (*match)[2].str().starts_with("headlight/") ||
               fs::exists(kLessons / lesson / (*match)[2].str())));
    }
    const std::string prose = without_code(text);
    for (std::sregex_iterator match(prose.begin(), prose.end(), link), end; match != end; ++match) {
      INFO(match->str());
      const std::string target = (*match)[1];
      if (!target.starts_with("https://")) CHECK(fs::exists(kLessons / lesson / target));
    }
    for (const auto& file : fs::directory_iterator(kLessons / lesson))
      if (file.path().extension() == ".svg")
        CHECK(contains(text, "(" + file.path().filename().string() + ")"));
  }
}

TEST_CASE("a lesson's text quotes its code and its output as they are", "[lessons]") {
  for (const std::string& lesson : lessons()) {
    INFO(lesson);
    const std::string text = read_file(kLessons / lesson / "README.md");
    const auto code = trimmed_lines(read_file(kLessons / lesson / "lesson.cpp"));
    const auto output = trimmed_lines(read_file(kLessons / lesson / "expected.txt"));
    CHECK_FALSE(fenced_lines(text, "cpp").empty());
    CHECK_FALSE(fenced_lines(text, "text").empty());
    for (const std::string& line : fenced_lines(text, "cpp")) {
      INFO("not in lesson.cpp: " << line);
      CHECK(code.contains(line));
    }
    for (const std::string& line : fenced_lines(text, "text")) {
      INFO("not in expected.txt: " << line);
      CHECK(output.contains(line));
    }
  }
}

TEST_CASE("a lesson refuses what it cannot do in one sentence", "[lessons]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "not a folder");
  const auto refuses = [](const std::string& arguments, const std::string& part) {
    const Ended o = call(program_of("01_tensors") + arguments);
    INFO(arguments << "\n" << o.errors);
    CHECK(o.status == 2);
    CHECK(o.output.empty());
    CHECK(contains(o.errors, part));
    CHECK(std::count(o.errors.begin(), o.errors.end(), '\n') == 1);
  };
  refuses("--out " + (folder.path() / "file").string(), "cannot make the folder");
  write_file(folder.path() / "strides.svg", "Dear reader");
  const Ended kept = call(program_of("01_tensors") + "--out " + folder.path().string());
  CHECK(kept.status == 2);
  CHECK(contains(kept.errors, "strides.svg' would replace a file that is no SVG picture"));
  CHECK(read_file(folder.path() / "strides.svg") == "Dear reader");
  refuses("--out", "--out needs the name of a folder");
  refuses("--fast", "'--fast' was given");
  const Ended help = call(program_of("01_tensors") + "--help");
  CHECK(help.status == 0);
  CHECK(contains(help.output, "./headlight lesson 01 --out DIR"));
}

TEST_CASE("the lesson on a text of the reader's refuses a file that is no text in one sentence",
          "[lessons]") {
  const TemporaryFolder folder;
  const auto refuses = [&](const std::string& arguments, const std::string& sentence) {
    const Ended o =
        call("cd " + folder.path().string() + " && " + program_of("16_your_own_text") + arguments);
    INFO(arguments);
    CHECK(o.status == 2);
    CHECK(o.output.empty());
    CHECK(contains(o.errors, sentence));
    CHECK(std::count(o.errors.begin(), o.errors.end(), '\n') == 1);
  };
  write_file(folder.path() / "short.txt", "a short text");
  write_file(folder.path() / "binary", std::string("\0\1", 2));
  refuses("--text", "--text needs the name of a file.");
  refuses("--text missing.txt", "missing.txt");
  refuses("--text short.txt", "short.txt has 12 characters, too few for a context of 64");
  refuses("--text binary", "binary is not a text: its byte 0 is 0.");
  refuses("--fast",
          "this lesson takes --out DIR, --text FILE and no other argument, but '--fast' was given.");
  const Ended help = call(program_of("16_your_own_text") + "--help");
  CHECK(help.status == 0);
  CHECK(contains(help.output, "./headlight lesson 16 --text FILE"));
}

TEST_CASE("the lessons are listed, and one that does not exist is refused with their numbers", "[lessons]") {
  const Ended list = call(course + "lessons");
  CHECK(list.status == 0);
  for (const std::string& lesson : lessons()) CHECK(contains(list.output, lesson.substr(0, 2) + "  "));
  CHECK(contains(list.output, "01  Tensors"));
  for (const char* arguments : {"lesson", "lesson 99", "lesson tensors", "lesson '01_*'", "lesson ''"}) {
    const Ended o = call(course + arguments);
    INFO(arguments << "\n" << o.errors);
    CHECK(o.status == 2);
    CHECK(o.output.empty());
    CHECK(contains(o.errors, "01, 02"));
    CHECK(std::count(o.errors.begin(), o.errors.end(), '\n') == 1);
  }
}

TEST_CASE("outputs are compared up to rounding", "[lessons]") {
  CHECK(difference_of_output("x = 0.12  y\n", "x   = 0.13 y\n") == "");
  CHECK(difference_of_output("[1.10,\n", "[1.09,\n") == "");
  CHECK(difference_of_output("error 2e-11\n", "error 1.9e-10\n") == "");
  CHECK(difference_of_output("0.00\n", "-0.00\n") == "");
  CHECK(difference_of_output("0.12\n", "0.14\n") == "line 1\n  expected: 0.12\n  printed:  0.14");
  CHECK(difference_of_output("a 1.1, b 2.2\n", "a 1.1; b 2.2\n") != "");
  CHECK(difference_of_output("M1.1h2.2z\n", "M1.1v2.2z\n") != "");
  CHECK(difference_of_output("2e-11\n", "3e-10\n") != "");
  CHECK(difference_of_output("2e-11\n", "-2e-11\n") != "");
  CHECK(difference_of_output("4\n", "5\n") != "");
  CHECK(difference_of_output("a\n", "a\nb\n") == "line 2 should not be there: b");
  CHECK(difference_of_output("a\nb\n", "a\n") == "line 2 is missing: b");
}

TEST_CASE("the page and the map of the lessons replace no other file", "[lessons]") {
  const TemporaryFolder folder;
  const fs::path letter = folder.path() / "letter.txt";
  write_file(letter, "Dear reader");
  for (const std::string flag : {"--page ", "--map "}) {
    const Ended refused = call(course + "lessons " + flag + letter.string());
    CHECK(refused.status == 2);
    CHECK(contains(refused.errors, "letter.txt' would replace a file that is no "));
    CHECK(read_file(letter) == "Dear reader");
    const std::string again = course + "lessons " + flag + (folder.path() / flag.substr(2, 3)).string();
    CHECK(call(again).status == 0);
    CHECK(call(again).status == 0);  // over its own
  }
}
