// The proof of an exercise fails for each thing that can be wrong with one.
#include "grader/bank.h"

#include <filesystem>
#include <utility>

#include "catch.h"
#include "exercise.h"
#include "grader/experiment.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight::grader;

namespace {

namespace fs = std::filesystem;
using G = double (*)(double);

double twice(double x) { return 2 * x; }
template <int n>
double plus(double x) {
  return x + n;
}
int counted = 0;
double counting(double x) {
  ++counted;
  return x + 8;
}
double drifting(double x) {
  static double calls = 0;
  return x + calls++;
}

std::vector<Case<G>> calls() {
  return {calling<G>("twice(1)", named("x", 1.0)), calling<G>("twice(3)", named("x", 3.0))};
}

std::vector<Mistake<G>> four_mistakes() {
  return {{"plus-0", "Zero.", "Doubling", plus<0>},
          {"plus-1", "One.", "Doubling", plus<1>},
          {"plus-2", "Two.", "Doubling", plus<2>},
          {"plus-4", "Four.", "Doubling", plus<4>}};
}

Exercise exercise_of(std::vector<Mistake<G>> mistakes, G solution = twice) {
  return {"00_test",
          {part<G>("twice", 1, twice, solution, calls(), std::move(mistakes)),
           part<G>("again", 2, twice, twice, calls(), four_mistakes())}};
}

// That all of these words stand in one of the faults.
bool has_fault(const std::vector<std::string>& faults, const std::string& words) {
  for (const std::string& fault : faults)
    if (contains(fault, words)) return true;
  return false;
}

// A lesson's folder with nothing wrong in it.
void write_lesson(const fs::path& folder) {
  write_file(folder / "exercise.cpp",
             "// Part 1 ★  twice\ndouble twice(double x) { todo(); }\n// Part 2 ★★  again\ndouble "
             "again(double x) { todo(); }\n");
  for (const char* name : {"solution.cpp", "check.cpp", "questions.md"}) write_file(folder / name, "text\n");
  write_file(
      folder / "hints.md",
      "# Hints\n\n## twice\n\n1. a\n2. b\n3. c\n\n✓ Good.\n\n## again\n\n1. a\n2. b\n3. c\n   more\n4. d\n\n✓ "
      "Good.\n");
  write_file(folder / "README.md", "# Lesson\n\n## 3. Doubling\n");
}

}  // namespace

TEST_CASE("a bank that holds has no faults", "[grader]") {
  CHECK(faults_of_bank(exercise_of(four_mistakes())).empty());
}

TEST_CASE("a bank is refused for each of its faults", "[grader]") {
  const auto with = [](std::size_t i, auto change) {
    auto mistakes = four_mistakes();
    change(mistakes[i]);
    return faults_of_bank(exercise_of(mistakes));
  };
  CHECK(has_fault(with(1, [](auto& m) { m.function = twice; }), "twice: 'plus-1' is not caught."));
  CHECK(has_fault(with(1, [](auto& m) { m.function = twice; }), "'the solution' and 'plus-1' give the same"));
  CHECK(has_fault(with(2, [](auto& m) { m.function = plus<1>; }),
                  "twice: 'plus-1' and 'plus-2' give the same"));
  CHECK(has_fault(with(2, [](auto& m) { m.function = plus<1>; }), "twice: 'plus-2' is called 'plus-1'."));
  CHECK(has_fault(with(3, [](auto& m) { m.name = "plus-0"; }), "two mistakes are named 'plus-0'"));
  CHECK(has_fault(with(3, [](auto& m) { m.sentence = ""; }), "'plus-4' has no sentence"));
  CHECK(has_fault(with(3, [](auto& m) { m.function = drifting; }), "'plus-4' is caught and not named"));
  auto three = four_mistakes();
  three.pop_back();
  CHECK(has_fault(faults_of_bank(exercise_of(three)), "expected at least 4 mistakes, got 3"));
  CHECK(has_fault(faults_of_bank(exercise_of(four_mistakes(), drifting)),
                  "does not give the same results twice"));
  Exercise same = exercise_of(four_mistakes());
  same.parts[1].name = "twice";
  same.parts[1].stars = 4;
  same.parts[1].calls.resize(1);
  CHECK(has_fault(faults_of_bank(same), "two parts are named 'twice'"));
  CHECK(has_fault(faults_of_bank(same), "expected 1 to 3 stars, got 4"));
  CHECK(has_fault(faults_of_bank(same), "at least one more call"));
}

TEST_CASE("an experiment in which a count may be one off is a fault", "[grader]") {
  const auto faults = [](double tolerance) {
    const Experiment trials = [] { return std::vector<Trial>{{1, 0, 2}, {2, 0, 80}, {3, 0, 0.5}}; };
    const auto measure = [](double n) { return n == 1 ? 2 : n == 2 ? 80 : 0.5; };
    const Question question{
        .setting = "n", .measured = "count", .least = 1, .most = 3, .tolerance = tolerance};
    return faults_of_bank({"00_test", {experiment_part("counts", 1, trials, trials, measure, question)}});
  };
  CHECK(faults(1e-9).empty());
  CHECK(has_fault(faults(0.02), "counts: counts() 81 would be right in the place of 80."));
  CHECK(faults(0.02).size() == 2);
}

TEST_CASE("a wrong way to measure that is not caught is a fault", "[grader]") {
  const auto faults = [](std::vector<WrongMeasure> wrong) {
    const Experiment trials = [] { return std::vector<Trial>{{1, 0, 2}, {2, 0, 80}, {3, 0, 0.5}}; };
    const auto measure = [](double n) { return n == 1 ? 2 : n == 2 ? 80 : 0.5; };
    const Question question{
        .setting = "n", .measured = "count", .least = 1, .most = 3, .wrong = std::move(wrong)};
    return faults_of_bank({"00_test", {experiment_part("counts", 1, trials, trials, measure, question)}});
  };
  const auto giving = [](std::vector<double> numbers) {
    return [numbers = std::move(numbers)](const std::vector<double>& settings) {
      return std::vector<double>(numbers.begin(),
                                 numbers.begin() + static_cast<std::ptrdiff_t>(settings.size()));
    };
  };
  const WrongMeasure sevens{"All sevens.", giving({7, 8, 7})}, right{"Nothing.", giving({2, 80, 0.5})},
      again{"Sevens again.", giving({7, 8, 7})};
  CHECK(faults({sevens, again}).empty());  // each is said
  CHECK(has_fault(faults({sevens, right}), "counts: 'Nothing.' is not caught."));
}

TEST_CASE("a bank calls each mistake twice, or once where that is enough", "[grader]") {
  auto mistakes = four_mistakes();
  mistakes[3].function = counting;
  const int n_calls = static_cast<int>(calls().size());
  for (const auto& [runs, times] : {std::pair(Runs::twice, 2), std::pair(Runs::once, 1)}) {
    counted = 0;
    CHECK(faults_of_bank(exercise_of(mistakes), runs).empty());
    CHECK(counted == times * n_calls);
  }
  CHECK(faults_of_bank(exercise_of(four_mistakes(), drifting), Runs::once).empty());
  mistakes[2].function = twice;
  CHECK(has_fault(faults_of_bank(exercise_of(mistakes), Runs::once), "twice: 'plus-2' is not caught."));
}

TEST_CASE("a lesson's files are refused for each of their faults", "[grader]") {
  const TemporaryFolder folder;
  const Exercise exercise = exercise_of(four_mistakes());
  write_lesson(folder.path());
  const auto faults = [&] { return faults_of_files(exercise, folder.path()); };
  CHECK(faults().empty());
  const auto refuses = [&](const char* file, const std::string& text, const std::string& words) {
    const std::string before = read_file(folder.path() / file);
    write_file(folder.path() / file, text);
    INFO(words);
    CHECK(has_fault(faults(), words));
    write_file(folder.path() / file, before);
  };
  refuses("exercise.cpp", std::string(151, '\n'), "expected at most 150 lines, got 151");
  refuses("exercise.cpp", "// Part 1 ★  twice\ntwice(\n// Part 2 ★  again\nagain(\n",
          "no '// Part 2' with 2 stars announces again()");
  refuses("exercise.cpp", "// Part 1 ★★  twice\ntwice(\n// Part 2 ★★  again\nagain(\n",
          "no '// Part 1' with 1 stars announces twice()");
  refuses("hints.md", "## twice\n1. a\n2. b\n3. c\n", "at least 3 hints for again, got 0");
  refuses("hints.md", "## twice\n1. a\n2. b\n## again\n1. a\n2. b\n3. c\n",
          "at least 3 hints for twice, got 2");
  refuses("hints.md", "## other\n", "there is no part 'other'");
  refuses("hints.md", "## twice\n1. a\n2. b\n3. c\n## again\n1. a\n2. b\n3. c\n✓ Good.\n",
          "no line '✓ …' says what twice is good for");
  refuses("README.md", "# Lesson\n", "no heading 'Doubling', which 'plus-0' of twice says to read");
  Exercise unsaid = exercise;
  unsaid.parts[0].not_called = {"exp"};
  CHECK(has_fault(faults_of_files(unsaid, folder.path()),
                  "exercise.cpp does not say that twice may not call exp."));
  Exercise one = exercise;
  one.parts.pop_back();
  CHECK(has_fault(faults_of_files(one, folder.path()), "expected 2 to 7 parts, got 1"));
  for (const char* name : {"solution.cpp", "check.cpp", "hints.md", "questions.md", "exercise.cpp"}) {
    write_lesson(folder.path());
    fs::remove(folder.path() / name);
    CHECK(has_fault(faults(), std::string(name) + " is missing."));
  }
}
