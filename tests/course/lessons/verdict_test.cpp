// Verdicts as JSON and as text.
#include "verdict/verdict.h"

#include <cmath>
#include <limits>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"
#include "verdict/verdict_line.h"
#include "verdict/verdict_table.h"

using namespace headlight;
using namespace headlight::grader;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(),
                 kInfinity = std::numeric_limits<double>::infinity();

Verdict sample() {
  Verdict verdict;
  verdict.lesson = "01_tensors";
  verdict.parts = {{"element_at", 1, {"sum"}, Kind::solved}, {"sum_back", 3}};
  verdict.kind = Kind::wrong_numbers;
  verdict.part = 1;
  verdict.call = "sum_back(u, {3})";
  verdict.inputs = {{"u", {2, 3}, {1, 2, 3, 4, 5, 6}}, {"to", {1}, {3}}};
  verdict.expected = {{"result", {3}, {5, 7, 9}}};
  verdict.found = {{"result", {3}, {5, 5, 6}}};
  verdict.where = Verdict::Where{0, 1};
  return verdict;
}

// Every text of a verdict fits its width.
std::string fitting_text(const Verdict& verdict, std::size_t width = 80) {
  const std::string text = verdict_text(verdict, width);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(display_width(line) <= width);
    CHECK_FALSE(line.ends_with(' '));
  }
  return text;
}

// Named as in tests/course/lessons/verdicts.txt: "== name" and then the text.
std::string stored(const std::string& name) {
  static const std::string all = read_file(HEADLIGHT_SOURCE_DIR "/tests/course/lessons/verdicts.txt");
  const std::string mark = "== " + name + "\n";
  const auto begin = all.find(mark);
  if (begin == std::string::npos) return "";
  const auto end = all.find("\n== ", begin);
  return all.substr(begin + mark.size(), end == std::string::npos ? end : end + 1 - begin - mark.size());
}

}  // namespace

TEST_CASE("a verdict survives JSON", "[grader]") {
  Verdict verdict = sample();
  verdict.found[0].numbers = {kNaN, kInfinity, -kInfinity};
  verdict.mistake = Verdict::KnownMistake{"overwritten", "You wrote \"=\".", "Strides"};
  verdict.message = "three words\nof it";
  verdict.example_only = true;
  verdict.line = 42;
  verdict.printed = "\xff\x1b[31m";
  const std::string json = to_json(verdict);
  CHECK(std::count(json.begin(), json.end(), '\n') == 0);
  const Verdict read = verdict_from_json(json);
  CHECK(to_json(read) == json);
  CHECK(read.kind == Kind::wrong_numbers);
  CHECK(std::isnan(read.found[0].numbers[0]));
  CHECK(read.found[0].numbers[2] == -kInfinity);
  CHECK(read.found[0].shape == Shape{3});
  CHECK(read.where->index == 1);
  CHECK(read.mistake->read == "Strides");
  CHECK(read.line == 42);
  CHECK(read.parts[0].solved());
  CHECK(read.parts[0].not_called == std::vector<std::string>{"sum"});
  CHECK_FALSE(read.parts[1].kind);
  for (const auto& [kind, word] : kind_names()) {
    Verdict of_kind = verdict;
    of_kind.kind = kind;
    if (kind == Kind::wrong_trial) of_kind.found.clear(), of_kind.where.reset();
    CHECK(contains(to_json(of_kind), std::string("\"kind\":\"") + word + "\""));
    CHECK(verdict_from_json(to_json(of_kind)).kind == kind);
  }
  CHECK(contains(error_of([] { verdict_from_json("{}"); }), "this is no verdict"));
  CHECK(contains(error_of([] { verdict_from_json("printed"); }), "this is no verdict"));
}

TEST_CASE("a verdict points to nothing that it does not have", "[grader]") {
  const auto refuses = [](const auto& change, const std::string& words) {
    Verdict verdict = sample();
    change(verdict);
    CHECK(contains(error_of([&] { verdict_from_json(to_json(verdict)); }), words));
  };
  refuses([](Verdict& v) { v.where->index = 400'000'000; }, "number 400000000 of output 0 is not there");
  refuses([](Verdict& v) { v.where->output = 1; }, "number 1 of output 1 is not there");
  refuses([](Verdict& v) { v.found[0] = {"result", {1}, {1}}; }, "is not there");
  refuses([](Verdict& v) { v.part = 2; }, "part 2 of 2 is not solved");
}

TEST_CASE("a solved experiment is shown as a table, with the prediction farthest off", "[grader]") {
  Verdict verdict = sample();
  verdict.kind = Kind::solved;
  verdict.part = 2;
  verdict.where.reset();
  verdict.trials = {{"n", {3}, {1, 3, 4}}, {"predicted", {3}, {2, 8, 30}}, {"its square", {3}, {1, 9, 16}}};
  CHECK(fitting_text(verdict) ==
        "All parts are solved.\n"
        "\n"
        "Your experiment:\n"
        "             n   predicted  its square\n"
        "             1           2  1\n"
        "             3           8  9\n"
        "             4          30  16\n"
        "Farthest off: for n = 4 you predicted 30, and measured 16.\n");
  verdict.trials[1] = {"predicted", {2}, {2, 8}};
  CHECK(contains(error_of([&] { verdict_from_json(to_json(verdict)); }), "differ in length"));
  verdict.trials.pop_back();
  CHECK(contains(error_of([&] { verdict_from_json(to_json(verdict)); }), "2 columns"));
  verdict = sample();
  verdict.kind = Kind::refused;
  verdict.message = "n = 11 is outside 0 to 10.";
  CHECK(contains(fitting_text(verdict), "\nn = 11 is outside 0 to 10.\n"));
}

TEST_CASE("a wrong trial is shown with what was measured, and never with what it should be", "[grader]") {
  Verdict verdict = sample();
  verdict.kind = Kind::wrong_trial;
  verdict.where.reset();
  verdict.expected.clear();
  verdict.message = "The trial with n = 3 is off.";
  verdict.found = {{"n", {2}, {1, 3}}, {"predicted", {2}, {2, 8}}, {"its square", {2}, {1, 8}}};
  CHECK(contains(fitting_text(verdict_from_json(to_json(verdict))),
                 "             n   predicted  its square\n"
                 "             1           2  1\n"
                 "             3           8  8\n"
                 "\n"
                 "The trial with n = 3 is off.\n"));
  verdict.found.pop_back();
  CHECK(contains(error_of([&] { verdict_from_json(to_json(verdict)); }), "2 columns"));
}

TEST_CASE("a prediction that is right to the last digit gets a smile", "[grader]") {
  Verdict verdict = sample();
  verdict.kind = Kind::solved;
  verdict.where.reset();
  verdict.trials = {{"n", {2}, {1, 3}}, {"predicted", {2}, {1, 8}}, {"its square", {2}, {1, 9}}};
  const std::string one = fitting_text(verdict);
  CHECK(contains(one, "\nFor n = 1 you predicted what you measured, to the last digit :-)\n"));
  CHECK(contains(one, "\nFarthest off: for n = 3 you predicted 8, and measured 9.\n"));
  verdict.trials[1].numbers = {1, 9};
  const std::string all = fitting_text(verdict);
  CHECK(contains(all, "\nAll your predictions are right to the last digit :-)"));
  CHECK_FALSE(contains(all, "Farthest off"));
  verdict.trials[1].numbers = {2, 8};
  CHECK_FALSE(contains(fitting_text(verdict), ":-)"));
}

TEST_CASE("the whole verdict is on the first part that is written and wrong", "[grader]") {
  const auto of_kinds = [](const std::vector<Kind>& kinds) {
    std::vector<Verdict> all;
    for (std::size_t p = 0; p < kinds.size(); ++p) {
      Verdict verdict;
      verdict.parts.resize(3);
      verdict.part = p;
      verdict.kind = kinds[p];
      all.push_back(verdict);
    }
    return whole_verdict(all);
  };
  const Verdict wrong = of_kinds({Kind::not_written, Kind::solved, Kind::crashed});
  CHECK(wrong.part == 2);
  CHECK(wrong.parts[0].kind == Kind::not_written);
  CHECK(wrong.parts[1].solved());
  CHECK_FALSE(wrong.all_solved());
  CHECK(of_kinds({Kind::solved, Kind::not_written, Kind::not_written}).part == 1);
  const Verdict solved = of_kinds({Kind::solved, Kind::solved, Kind::solved});
  CHECK(solved.all_solved());
  CHECK(solved.part == 3);
  const Verdict first_alone = of_kinds({Kind::solved});
  CHECK(first_alone.part == 0);
  CHECK(contains(verdict_text(first_alone), "This part is solved."));
  CHECK_FALSE(first_alone.all_solved());
}

TEST_CASE("numbers that are all wrong by one factor are said to be", "[grader]") {
  Verdict verdict = sample();
  verdict.where->index = 0;
  verdict.found = {{"result", {3}, {2.5, 3.5, 4.5}}};
  CHECK(contains(fitting_text(verdict), "\nEvery number found here is 0.5 times the expected one.\n"));
  verdict.mistake = Verdict::KnownMistake{"halved", "You halved it.", "Strides"};
  CHECK_FALSE(contains(fitting_text(verdict), "times the expected"));
  verdict.mistake.reset();
  verdict.found = {{"result", {3}, {2.5, 3.5, 9}}};
  CHECK_FALSE(contains(fitting_text(verdict), "times the expected"));
  verdict.expected = verdict.found = {{"result", {1}, {5}}};
  verdict.found[0].numbers = {10};  // one number has always a factor
  CHECK_FALSE(contains(fitting_text(verdict), "times the expected"));
}

TEST_CASE("the last verdict counts, and what was printed in its call", "[grader]") {
  Verdict verdict = sample();
  verdict.kind = Kind::running;
  const std::string running = verdict_line(verdict, "word");
  verdict.kind = Kind::wrong_numbers;
  const std::string wrong = verdict_line(verdict, "word");
  const std::string whole =
      "a" + running + "b\nb" + running + "c\nc" + progress_line(1, 2, "word") + wrong + "d";
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, whole.size()}) {
    std::size_t reported = 0;
    Follower all("word", [&](std::size_t done, std::size_t) { reported = done; });
    for (std::size_t at = 0; at < whole.size(); at += size) all.read(whole.substr(at, size));
    REQUIRE(all.last());
    CHECK(all.last()->kind == Kind::wrong_numbers);
    CHECK(all.printed() == "c\nc");
    CHECK(reported == 1);
  }
  Follower crashed("word");
  crashed.read("a" + running + "b\n");
  CHECK(crashed.last()->kind == Kind::running);
  CHECK(crashed.printed() == "b\n");
  crashed.read(wrong.substr(0, 30));
  CHECK(crashed.last()->kind == Kind::running);
  CHECK(crashed.printed() == "b\n");
}

TEST_CASE("what a learner prints is no verdict, and much of it hides none", "[grader]") {
  Verdict verdict = sample();
  verdict.kind = Kind::solved;
  Follower follower("word");
  follower.read(verdict_line(verdict, "other") + "\n\x1everdict " + to_json(verdict) + "\n");
  CHECK_FALSE(follower.last());
  CHECK(contains(follower.printed(), "verdict {"));
  for (int i = 0; i < 1000; ++i) follower.read(std::string(10'000, 'x'));
  CHECK(follower.printed().size() < 100'000);
  follower.read(verdict_line(verdict, "word"));
  CHECK(follower.last()->kind == Kind::solved);
}

TEST_CASE("tables show the number that is marked, whatever they leave out", "[grader]") {
  CHECK(table({"x", {}, {0.5}}, {}) == std::vector<std::string>{" 0.5"});
  CHECK(table({"x", {0}, {}}, {}) == std::vector<std::string>{"(no numbers)"});
  CHECK(table({"x", {2, 2}, {1, -20, kNaN, -kInfinity}}, {.mark = 1}) ==
        std::vector<std::string>{"    1  -20", "       ^^^", "  NaN   -∞"});
  CHECK(table({"x", {2, 1, 2}, {1, 2, 3, 4}}, {}) == std::vector<std::string>{"[0,0]  1 2", "[1,0]  3 4"});
  Shown large{"x", {100, 100}, std::vector<double>(10000, 0)};
  large.numbers[5050] = 1.2345678;
  const auto lines = table(large, {.columns = 30, .most_rows = 3, .digits = 4, .mark = 5050});
  CHECK(lines.size() == 6);
  CHECK(lines.front() == "…");
  CHECK(lines.back() == "…");
  CHECK(contains(lines[2], "1.235"));
  CHECK(contains(lines[3], "^^^^^"));
  for (const std::string& line : lines) CHECK(display_width(line) <= 30);
  CHECK(in_digits(1e8, 4) == "100000000");
  CHECK(in_digits(-0.0, 4) == "0");
  CHECK(in_digits(1e-12, 4) == "1e-12");
  CHECK(in_digits(2.0 / 3, 4) == "0.6667");
}

TEST_CASE("an exception after the example has no numbers that fit", "[grader]") {
  Verdict verdict = sample();
  verdict.example_only = true;
  CHECK(contains(fitting_text(verdict), "fit the example"));
  verdict.kind = Kind::threw;
  verdict.message = "no";
  verdict.found.clear();
  verdict.where.reset();
  CHECK_FALSE(contains(fitting_text(verdict), "fit the example"));
}

TEST_CASE("a verdict reads as it is stored", "[grader]") {
  Verdict verdict = sample();
  verdict.mistake = Verdict::KnownMistake{
      "overwritten", "You wrote `=` where `+=` belongs. Several numbers of u arrive at one place.",
      "Strides"};
  CHECK(fitting_text(verdict) == stored("wrong numbers"));
  verdict.mistake.reset();
  verdict.example_only = true;
  verdict.found[0].numbers = {5, 7.0000001, 9};
  CHECK(fitting_text(verdict) == stored("close numbers"));
  verdict.kind = Kind::wrong_shape;
  verdict.example_only = false;
  verdict.found[0] = {"result", {1, 3}, {5, 7, 9}};
  verdict.where->index = 0;
  CHECK(fitting_text(verdict) == stored("wrong shape"));
  verdict.kind = Kind::not_finite;
  verdict.expected = {{"dA", {2}, {0, 1}}, {"dB", {2, 2}, {1, 2, 3, 4}}};
  verdict.found = {{"dA", {2}, {0, 1}}, {"dB", {2, 2}, {1, 2, kNaN, 4}}};
  verdict.where = Verdict::Where{1, 2};
  CHECK(fitting_text(verdict) == stored("not finite"));
}

TEST_CASE("a verdict on code that did not return reads as it is stored", "[grader]") {
  Verdict verdict = sample();
  verdict.found.clear();
  verdict.where.reset();
  verdict.kind = Kind::threw;
  verdict.message = "[add] shapes (2,3) and (2) do not broadcast: lengths 3 and 2 meet at axis 1.";
  verdict.printed = "here\n\x1b[31mthere";
  CHECK(fitting_text(verdict) == stored("exception"));
  verdict.printed.clear();
  verdict.expected.clear();
  verdict.kind = Kind::crashed;
  verdict.line = 17;
  verdict.message = "it divided a whole number by zero";
  CHECK(fitting_text(verdict) == stored("crash"));
  verdict.kind = Kind::endless;
  verdict.message = "it was stopped after 10 seconds of computing";
  CHECK(fitting_text(verdict) == stored("endless"));
  verdict.kind = Kind::memory;
  verdict.line = 0;
  verdict.message = "it asked for more than 2048 MB";
  CHECK(fitting_text(verdict) == stored("memory"));
  verdict = sample();
  verdict.kind = Kind::not_written;
  verdict.found.clear();
  verdict.where.reset();
  CHECK(fitting_text(verdict) == stored("not written"));
  verdict.message = "element_at";
  CHECK(contains(fitting_text(verdict), "\nThis part calls element_at, which is not written yet.\n"));
  verdict.kind = Kind::wrong_numbers;
  verdict.message = "they do not broadcast";
  verdict.found = verdict.expected;
  verdict.expected.clear();
  CHECK(fitting_text(verdict) == stored("an exception expected"));
  verdict.kind = Kind::solved;
  verdict.part = 2;
  CHECK(fitting_text(verdict) == stored("solved"));
}

TEST_CASE("a program that ends before its first part has not succeeded", "[grader]") {
  Verdict verdict;
  verdict.kind = Kind::crashed;
  verdict.message = "it ended the program (exit 0)";
  verdict.printed = "here\n";
  CHECK(fitting_text(verdict) ==
        "Your code crashed: it ended the program (exit 0).\nIt ended before its first part was called.\n\n"
        "Your code printed:\n  here\n");
  CHECK(verdict_text(verdict, 80, true).starts_with("\x1b[31m"));
}

TEST_CASE("a verdict keeps to a narrow terminal, and colours its words only when asked", "[grader]") {
  Verdict verdict = sample();
  verdict.expected[0] = {"result", {3, 40}, std::vector<double>(120, 1.0 / 3)};
  verdict.found[0] = {"result", {3, 40}, std::vector<double>(120, -1.0 / 3)};
  verdict.where->index = 100;
  for (const std::size_t width : {40, 60, 80, 200}) fitting_text(verdict, width);
  CHECK_FALSE(contains(verdict_text(verdict, 80, false), "\x1b"));
  CHECK(contains(verdict_text(verdict, 80, true), "\x1b[31m"));
}
